/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "base/clock.h"
#include "base/log.h"
#include "commands.h"
#include "listeners.h"
#include "mailbox.h"
#include "service.h"
#include "version.h"

#include <event2/event.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>

/* ---- figures ---- */

void server_stats(struct server *server, struct text *out)
{
    text_format(out, " version=%s uptime=%.0f connections=%zu requests=%" PRIu64 " threads=%" PRIu64,
                PUZZLED_VERSION, clock_seconds() - server->metrics.started,
                connections_count(server->connections), metrics_requests_total(&server->metrics),
                server->config.threads);
}

void server_metrics(struct server *server, struct text *out)
{
    metrics_format(&server->metrics, command_word, out);
    metrics_gauge(out, "puzzled_connections", "Open connections.",
                  (double)connections_count(server->connections));
}

/* ---- signals ---- */

void server_stop(struct server *server)
{
    if (server->stopping)
        return;
    server->stopping = true;
    log_event(LOG_LEVEL_INFO, 0, "event=stopping");
    service_stopping();
    listeners_free(server->listeners);
    server->listeners = NULL;
    connections_drain(server->connections);
    (void)event_base_loopexit(server->base, NULL);
}

static void server_reload(struct server *server)
{
    struct config fresh = {0};
    struct pz_error error;
    char needs_restart[512];
    service_reloading();
    if (server->read_config(server->read_config_context, &fresh, &error) != PZ_OK) {
        log_event(LOG_LEVEL_ERROR, 0, "event=reload-failed reason=\"%s\"", error.text);
    } else {
        config_reload(&server->config, &fresh, needs_restart, sizeof needs_restart);
        config_free(&fresh);
        log_set_level(server->config.log_level);
        log_event(LOG_LEVEL_INFO, 0, "event=reloaded");
        if (needs_restart[0] != '\0')
            log_event(LOG_LEVEL_WARNING, 0, "event=restart-needed settings=%s", needs_restart);
    }
    service_ready("running");
}

static void on_signal(evutil_socket_t number, short what, void *context)
{
    (void)what;
    if (number == SIGHUP)
        server_reload(context);
    else
        server_stop(context);
}

static void on_watchdog(evutil_socket_t socket, short what, void *context)
{
    (void)socket;
    (void)what;
    (void)context;
    service_watchdog();
}

static enum pz_status add_signals(struct server *server, struct pz_error *error)
{
    static const int numbers[SERVER_SIGNALS] = {SIGTERM, SIGINT, SIGHUP};
    for (unsigned i = 0; i < SERVER_SIGNALS; i++) {
        server->signals[i] = evsignal_new(server->base, numbers[i], on_signal, server);
        if (server->signals[i] == NULL || event_add(server->signals[i], NULL) != 0)
            return pz_fail(error, PZ_MEMORY, "no memory for the signal events");
    }
    double interval = service_watchdog_interval();
    if (interval <= 0)
        return PZ_OK;
    struct timeval period = {.tv_sec = (time_t)interval,
                             .tv_usec = (suseconds_t)((interval - (double)(time_t)interval) * 1e6)};
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

/* As many descriptors as the system lets us have: the limit of connections is our own. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static enum pz_status server_open(struct server *server, struct pz_error *error)
{
    const struct connection_handler handler = {
        .context = server, .is_lookup = command_is_lookup, .request = command_run};
    raise_descriptors();
    (void)signal(SIGPIPE, SIG_IGN);
    metrics_init(&server->metrics);
    server->base = event_base_new();
    if (server->base == NULL)
        return pz_fail(error, PZ_MEMORY, "libevent cannot start");
    enum pz_status status = mailbox_new(server->base, &server->mailbox, error);
    if (status == PZ_OK)
        status = connections_new(server->base, &server->config, &server->metrics, &handler,
                                 &server->connections, error);
    if (status == PZ_OK)
        status = add_signals(server, error);
    if (status == PZ_OK)
        status = listeners_new(server->base, &server->config, accepted, server, &server->listeners, error);
    return status;
}

static void server_close(struct server *server)
{
    listeners_free(server->listeners);
    connections_free(server->connections);
    mailbox_free(server->mailbox);
    for (unsigned i = 0; i < SERVER_SIGNALS; i++)
        if (server->signals[i] != NULL)
            event_free(server->signals[i]);
    if (server->watchdog != NULL)
        event_free(server->watchdog);
    if (server->base != NULL)
        event_base_free(server->base);
    config_free(&server->config);
}

enum pz_status server_run(struct server *server, struct pz_error *error)
{
    enum pz_status status = server_open(server, error);
    if (status == PZ_OK) {
        log_event(LOG_LEVEL_INFO, 0, "event=ready version=%s socket=%s port=%u", PUZZLED_VERSION,
                  server->config.socket, listeners_port(server->listeners));
        service_ready("running");
        (void)event_base_dispatch(server->base);
        log_event(LOG_LEVEL_INFO, 0, "event=stopped");
    }
    server_close(server);
    return status;
}
