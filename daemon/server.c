/* SPDX-License-Identifier: MIT */
#include "daemon/server.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/own_files.h"
#include "base/priority.h"
#include "base/status_word.h"
#include "daemon/define/definitions.h"
#include "daemon/host/service.h"
#include "daemon/lookup/lookup_batch.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/maintenance/maintenance.h"
#include "daemon/net/listeners.h"
#include "daemon/pool/loop_queue.h"
#include "daemon/pool/thread_pool.h"
#include "daemon/run/scratch.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/server_figures.h"
#include "daemon/settings/places.h"
#include "daemon/verbs/submission.h"
#include "daemon/verbs/verb_commands.h"
#include "version.h"

#include <errno.h>
#include <event2/event.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Reports the counts to systemd after a job has begun or ended. */
static void on_change(void *context)
{
    const struct server *server = context;
    const struct jobs *jobs = scheduler_jobs(server->scheduler);
    char status[80];
    (void)snprintf(status, sizeof status, "%zu jobs running, %zu queued", jobs_in_state(jobs, JOB_RUNNING),
                   jobs_in_state(jobs, JOB_QUEUED));
    service_status(status);
}

/* ---- stopping ---- */

/* The seconds beyond `checkpoint-at-stop` after which the daemon ends, even if something still runs. */
static const double stop_patience = 4.5;

static struct timeval timeval_of(double seconds)
{
    const double whole = (double)(time_t)seconds;
    return (struct timeval){.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((seconds - whole) * 1e6)};
}

static void on_stop_timeout(evutil_socket_t socket, short what, void *context)
{
    struct server *server = context;
    (void)socket;
    (void)what;
    log_event(LOG_LEVEL_ERROR, 0, "event=stop-timeout reason=\"a job does not stop\"");
    (void)store_flush(server->store, NULL);
    _exit(EXIT_FAILURE);
}

/* No job runs any more: the clients get what was written for them, and the loop ends. */
static void on_idle(void *context)
{
    struct server *server = context;
    const struct timeval moment = {.tv_usec = 50000};
    connections_drain(server->connections);
    if (connections_count(server->connections) == 0 || event_base_loopexit(server->base, &moment) != 0)
        (void)event_base_loopbreak(server->base); /* needs no memory */
}

/* Begins to stop: no new work, jobs are asked to stop, clients get shutting-down. */
static void server_stop(struct server *server)
{
    if (server->stopping)
        return;
    server->stopping = true;
    log_event(LOG_LEVEL_INFO, 0, "event=stopping");
    double patience = stop_patience + server->config.checkpoint_at_stop;
    const struct timeval last_moment = timeval_of(patience);
    service_stopping();
    service_extend_timeout(patience + 1);
    listeners_free(server->listeners);
    server->listeners = NULL;
    if (evtimer_add(server->stop_timer, &last_moment) != 0)
        log_event(LOG_LEVEL_WARNING, 0, "event=no-stop-timer reason=\"no memory\"");
    scheduler_stop(server->scheduler);
}

/* ---- signals ---- */

static void server_reload(struct server *server)
{
    struct config fresh = {0};
    struct pz_error error;
    char needs_restart[512];
    service_reloading();
    if (server->read_config(server->read_config_context, &fresh, &error) != PZ_OK) {
        log_event_text(LOG_LEVEL_ERROR, 0, "event=reload-failed reason", error.text);
    } else {
        config_reload(&server->config, &fresh, needs_restart, sizeof needs_restart);
        config_free(&fresh);
        log_set_level(server->config.log_level);
        connections_reload(server->connections);
        scheduler_reload(server->scheduler);
        log_event(LOG_LEVEL_INFO, 0, "event=reloaded");
        if (needs_restart[0] != '\0')
            log_event(LOG_LEVEL_WARNING, 0, "event=restart-needed settings=%s", needs_restart);
    }
    service_ready("running");
}

static void on_signal(evutil_socket_t descriptor, short what, void *context)
{
    struct signalfd_siginfo info;
    (void)what;
    while (read(descriptor, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGHUP)
            server_reload(context);
        else
            server_stop(context);
    }
}

static void on_watchdog(evutil_socket_t socket, short what, void *context)
{
    (void)socket;
    (void)what;
    (void)context;
    service_watchdog();
}

/* Blocks the signals that the loop reads, so that none interrupts a thread or gets lost. Call it before the
 * first thread is started: threads inherit the mask. */
static void block_signals(sigset_t *signals)
{
    (void)sigemptyset(signals);
    (void)sigaddset(signals, SIGTERM);
    (void)sigaddset(signals, SIGINT);
    (void)sigaddset(signals, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, signals, NULL);
}

static enum pz_status add_signals(struct server *server, struct pz_error *error)
{
    server->signal_descriptor = signalfd(-1, &server->signal_set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (server->signal_descriptor < 0)
        return status_from_errno(error, errno, "signalfd");
    server->signals =
        event_new(server->base, server->signal_descriptor, EV_READ | EV_PERSIST, on_signal, server);
    if (server->signals == NULL || event_add(server->signals, NULL) != 0)
        return pz_fail(error, PZ_MEMORY, "no memory for the signals' event");
    server->stop_timer = evtimer_new(server->base, on_stop_timeout, server);
    if (server->stop_timer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the stop's timer");
    double interval = service_watchdog_interval();
    if (interval <= 0)
        return PZ_OK;
    const struct timeval period = timeval_of(interval);
    server->watchdog = event_new(server->base, -1, EV_PERSIST, on_watchdog, server);
    if (server->watchdog == NULL || event_add(server->watchdog, &period) != 0)
        return pz_fail(error, PZ_MEMORY, "no memory for the watchdog's event");
    return PZ_OK;
}

/* ---- start and end ---- */

static void accepted(void *context, int socket)
{
    struct server *server = context;
    connections_accept(server->connections, socket);
}

enum {
    LOOKUP_THREADS = 2,
    BULK_THREADS = 2,
    SLOW_THREADS = 2,
    REPLIES_BYTES = 128 << 20 /* six exports of 12 cells at the same time are fast */
};

static enum pz_status open_pools(struct server *server, struct pz_error *error)
{
    budget_init(&server->replies, NULL, REPLIES_BYTES);
    struct lookup_worker_options worker = {.store = server->store,
                                           .metrics = &server->metrics,
                                           .replies = &server->replies,
                                           .function = command_on_worker};
    struct thread_pool_options lookups = {.name = "lookup",
                                          .size = LOOKUP_THREADS,
                                          .loop_queue = server->loop_queue,
                                          .worker_new = lookup_worker_new,
                                          .worker_free = lookup_worker_free,
                                          .context = &worker};
    enum pz_status status = thread_pool_new(&lookups, &server->lookups, error);
    lookups.name = "bulk-lookup";
    lookups.size = BULK_THREADS;
    lookups.background = true;
    if (status == PZ_OK)
        status = thread_pool_new(&lookups, &server->bulk_lookups, error);
    lookups.name = "slow-request";
    lookups.size = SLOW_THREADS;
    if (status == PZ_OK)
        status = thread_pool_new(&lookups, &server->slow_requests, error);
    const struct thread_pool_options solves = {
        .name = "tiny-solve", .size = (unsigned)server->config.threads, .loop_queue = server->loop_queue};
    if (status == PZ_OK)
        status = thread_pool_new(&solves, &server->tiny_solves, error);
    return status;
}

/* Opens scratch space where the administrator says, or beside the database. */
static enum pz_status server_open_scratch(struct server *server, struct pz_error *error)
{
    const struct config *config = &server->config;
    int length = *config->scratch_directory != '\0'
                     ? asprintf(&server->scratch, "%s", config->scratch_directory)
                     : asprintf(&server->scratch, "%s/scratch", config->state_directory);
    if (length < 0) {
        server->scratch = NULL;
        return pz_fail(error, PZ_MEMORY, "no memory for the scratch directory's name");
    }
    return scratch_open(server->scratch, &server->scratch_lock, error);
}

static enum pz_status open_work(struct server *server, struct pz_error *error)
{
    const struct store_options store_options = {.size_limit = server->config.database_size};
    enum pz_status status = places_make_state(&server->config, error);
    if (status == PZ_OK)
        status = places_own_state(&server->config, error);
    if (status == PZ_OK)
        status = store_open(server->config.state_directory, &store_options, &server->store, error);
    if (status == PZ_OK)
        maintenance_sweep(server->config.state_directory);
    if (status == PZ_OK)
        status = definitions_load(&server->config, server->store, error);
    if (status == PZ_OK)
        status = server_open_scratch(server, error);
    if (status != PZ_OK)
        return status;
    status = open_pools(server, error);
    if (status != PZ_OK)
        return status;
    const struct scheduler_options scheduler = {.base = server->base,
                                                .config = &server->config,
                                                .scratch = server->scratch,
                                                .metrics = &server->metrics,
                                                .store = server->store,
                                                .loop_queue = server->loop_queue,
                                                .tiny_solves = server->tiny_solves,
                                                .lookups = server->lookups,
                                                .clients = &server->clients,
                                                .prepare = submission_resume,
                                                .changed = on_change,
                                                .idle = on_idle,
                                                .context = server};
    return scheduler_new(&scheduler, &server->scheduler, error);
}

static enum pz_status open_clients(struct server *server, struct pz_error *error)
{
    const struct connections_options options = {.base = server->base,
                                                .config = &server->config,
                                                .metrics = &server->metrics,
                                                .clients = &server->clients,
                                                .handler = {.context = server,
                                                            .is_lookup = command_is_lookup,
                                                            .is_submission = command_is_submission,
                                                            .request = command_run,
                                                            .lookups = lookup_batch_submit}};
    enum pz_status status = connections_new(&options, &server->connections, error);
    const struct listeners_handler listening = {.context = server, .accepted = accepted};
    if (status == PZ_OK)
        status = listeners_new(server->base, &server->config, &listening, &server->listeners, error);
    if (status == PZ_OK && *server->config.metrics_listen != '\0')
        status = metrics_http_new(server, &server->metrics_http, error);
    return status;
}

static bool will_run(const void *context, uint64_t id)
{
    const struct job *job = jobs_find(context, id);
    return job != NULL && (!job_state_ended(job->record.state) || job_may_go_on(job));
}

static enum pz_status server_open(struct server *server, struct pz_error *error)
{
    descriptors_raise();
    (void)signal(SIGPIPE, SIG_IGN);
    metrics_init(&server->metrics);
    server->base = event_base_new();
    if (server->base == NULL)
        return pz_fail(error, PZ_MEMORY, "libevent cannot start");
    enum pz_status status = loop_queue_new(server->base, &server->loop_queue, error);
    if (status == PZ_OK)
        status = open_work(server, error);
    if (status == PZ_OK)
        status = add_signals(server, error);
    if (status == PZ_OK)
        status = open_clients(server, error);
    if (status == PZ_OK)
        status = scheduler_load(server->scheduler, error);
    if (status == PZ_OK)
        scratch_sweep(server->scratch, will_run, scheduler_jobs(server->scheduler));
    return status;
}

static bool at_work(struct thread_pool *pool)
{
    return pool != NULL && !thread_pool_is_idle(pool);
}

/* Ends the lookup pools. Does not wait for samples of huge tables, checks or lookups by the hundred: their
 * clients are gone, and they store nothing. Whatever is stored is on the disk before this. */
static void leave_lookups(struct server *server)
{
    if (at_work(server->bulk_lookups) || at_work(server->slow_requests)) {
        (void)store_flush(server->store, NULL);
        scheduler_end_preload(server->scheduler); /* a thread that has ended is joined */
        log_event(LOG_LEVEL_INFO, 0, "event=lookups-left");
        _exit(EXIT_SUCCESS);
    }
    thread_pool_free(server->bulk_lookups);
    thread_pool_free(server->slow_requests);
}

/* The order matters: first requests end, then work, then the store makes its last commit. Each step leaves
 * messages that the next one needs. */
static void server_close(struct server *server)
{
    server->stopping = true;
    service_extend_timeout(60); /* the last commit may take the disk a while */
    metrics_http_free(server->metrics_http);
    listeners_free(server->listeners);
    connections_free(server->connections);
    thread_pool_free(server->lookups);
    thread_pool_free(server->tiny_solves);
    leave_lookups(server);
    for (unsigned i = 0; i < 2 && server->loop_queue != NULL; i++) { /* one commit may ask for another */
        if (server->store != NULL)
            (void)store_flush(server->store, NULL);
        loop_queue_deliver(server->loop_queue);
    }
    scheduler_free(server->scheduler);
    definitions_close();
    store_close(server->store);
    loop_queue_free(server->loop_queue);
    if (server->signals != NULL)
        event_free(server->signals);
    if (server->signal_descriptor > 0)
        (void)close(server->signal_descriptor);
    if (server->watchdog != NULL)
        event_free(server->watchdog);
    if (server->stop_timer != NULL)
        event_free(server->stop_timer);
    if (server->base != NULL)
        event_base_free(server->base);
    clients_free(&server->clients);
    config_free(&server->config);
    if (server->scratch_lock > 0)
        (void)close(server->scratch_lock);
    free(server->scratch);
}

/* Last of all at a start, as a disk may let one wait. */
static void log_place(const char *scratch)
{
    char place[PLACE_TEXT];
    place_write(scratch, place);
    log_event_text(LOG_LEVEL_INFO, 0, "event=scratch-space place", place);
}

enum pz_status server_run(struct server *server, struct pz_error *error)
{
    block_signals(&server->signal_set);
    enum pz_status status = plugins_of_config(&server->config, error);
    if (status == PZ_OK)
        status = server_open(server, error);
    if (status == PZ_OK) {
        log_event(LOG_LEVEL_INFO, 0, "event=ready version=%s socket=%s port=%u", PUZZLED_VERSION,
                  listeners_path(server->listeners), listeners_port(server->listeners));
        service_ready("running");
        log_place(server->scratch);
        priority_prompt();
        (void)event_base_dispatch(server->base);
        log_event(LOG_LEVEL_INFO, 0, "event=stopped");
    }
    server_close(server);
    return status;
}
