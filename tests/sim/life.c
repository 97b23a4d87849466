/* SPDX-License-Identifier: MIT */
#include "life.h"

#include "daemon/server.h"
#include "threads.h"
#include "visitor.h"
#include "world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SETTLE_STEPS = 400000 };
static const uint64_t second_ns = 1000000000;
static const uint64_t patience_ns =
    900 * second_ns; /* the longest that a reply may take when nothing fails */

/* A lookup whose exploration took too long may not be tried again before. */
static const uint64_t lookup_pause_ns = 700 * second_ns;

static struct server server;
static struct pz_error failure;
static enum pz_status ended_with;
static unsigned serving; /* the number of the loop's thread */

void life_draw(struct life_settings *settings)
{
    *settings = (struct life_settings){.threads = 1 + (unsigned)world_below(2),
                                       .queued_per_client = world_once_in(2) ? 2 : 100,
                                       .lives = 2 + (unsigned)world_below(4),
                                       .checkpoint_ms = world_once_in(2) ? 300000 : 5,
                                       .disk_fails = world_once_in(4),
                                       .small_store = world_once_in(8),
                                       .clock_jumps = world_once_in(2),
                                       .visitors_share = 1 + (unsigned)world_below(5)};
    world->has_failed = settings->small_store;
}

/* ---- the daemon ---- */

static enum pz_status read_settings(void *context, struct config *config, struct pz_error *error)
{
    const struct life_settings *settings = context;
    char threads[16], queued[16], checkpoint[16];
    const struct {
        const char *section, *key, *value;
    } values[] = {{"daemon", "socket", world->socket},
                  {"daemon", "state-directory", world->state},
                  {"limits", "threads", threads},
                  {"limits", "memory", "256M"},
                  {"limits", "queued-jobs-per-client", queued},
                  {"store", "checkpoint-interval", checkpoint},
                  {"store", "size", settings->small_store ? "120K" : "0"}};
    (void)snprintf(threads, sizeof threads, "%u", settings->threads);
    (void)snprintf(queued, sizeof queued, "%u", settings->queued_per_client);
    (void)snprintf(checkpoint, sizeof checkpoint, "%ums", settings->checkpoint_ms);
    enum pz_status status = config_defaults(config, error);
    for (unsigned i = 0; status == PZ_OK && i < sizeof values / sizeof values[0]; i++)
        status = config_set(config, values[i].section, values[i].key, values[i].value, error);
    return status;
}

static void log_line(enum log_level level, unsigned long job, const char *line)
{
    world_remark("log %d job=%lu %s", (int)level, job, line);
}

static void *serve(void *context)
{
    server.read_config = read_settings;
    server.read_config_context = context;
    ended_with = read_settings(context, &server.config, &failure);
    if (ended_with == PZ_OK)
        ended_with = server_run(&server, &failure);
    return NULL;
}

/* ---- time ---- */

/* Goes to the next deadline, but at most so far. Returns false if there is none within. */
static bool pass_time(uint64_t most)
{
    const uint64_t next = threads_deadline();
    if (next == NEVER || (next > world->now_ns && next - world->now_ns > most))
        return false;
    if (next > world->now_ns)
        world->now_ns = next;
    world->steps++;
    return true;
}

static void send_signal(int number)
{
    (void)kill(getpid(), number);
    threads_stir();
}

static void disturb(const struct life_settings *settings)
{
    if (settings->clock_jumps && world_once_in(200)) {
        const uint64_t most = world_once_in(2) ? 3600 : UINT64_C(10) * 365 * 86400;
        world->wall_ns =
            world_wall_ns + ((int64_t)world_below(2 * most) - (int64_t)most) * (int64_t)second_ns;
        world_trace("the wall clock jumps");
    }
    if (settings->clock_jumps && world_once_in(2000)) {
        const uint64_t still = world_below(5 * second_ns);
        world->now_ns += still;
        world->disk_ns += still; /* nothing was written meanwhile */
        world_trace("the machine stood still");
    }
    if (settings->disk_fails && world_once_in(500)) {
        static const unsigned faults[] = {DISK_FAILS_WRITES, DISK_FAILS_SYNCS,
                                          DISK_FAILS_WRITES | DISK_FAILS_SYNCS | DISK_FAILS_META};
        world->failing = world->failing == 0 ? faults[world_below(3)] : 0;
        world->has_failed = true;
        world_trace("the disk %s", world->failing != 0 ? "begins to fail" : "works again");
    }
    if (world_once_in(100))
        threads_shuffle();
    if (world_once_in(4000))
        send_signal(SIGHUP);
}

/* ---- a life ---- */

static void step(const struct life_settings *settings)
{
    disturb(settings);
    if (world_below(10) >= settings->visitors_share && threads_step())
        return;
    if (world_once_in(3) && pass_time(second_ns))
        return;
    if (world_once_in(2000) && pass_time(100 * second_ns))
        return;
    visitors_act();
}

/* Lets all go on until no reply is outstanding. */
static void settle(void)
{
    const uint64_t from = world->now_ns;
    world->failing = 0;
    for (unsigned i = 0; visitors_outstanding() > 0; i++) {
        const bool moved = threads_step();
        if (((i & 15) == 0 || !moved) && visitors_attend())
            continue;
        if (moved)
            continue;
        if (i > SETTLE_STEPS || world->now_ns - from > patience_ns || !pass_time(patience_ns))
            world_violate("'%s' waits for ever", visitors_waiting_for());
    }
}

/* Until only timers are left that are longer than the disk ever takes. */
static void come_to_rest(void)
{
    for (unsigned i = 0; i < SETTLE_STEPS; i++)
        if (!threads_step() && !visitors_attend() && !pass_time(4 * second_ns))
            return;
    world_violate("the daemon does not come to rest");
}

static void leave_and_rest(void)
{
    visitors_may_lose = true;
    visitors_drop_all();
    come_to_rest();
    visitors_may_lose = false;
}

/* Nothing is asked but this: what the models are sure of has to be so. */
static void probe(void)
{
    bool more = true;
    world_trace("probes");
    visitors_may_lose = true;
    settle();
    leave_and_rest();
    world->quiet = true;
    world->now_ns += lookup_pause_ns;
    come_to_rest();
    name_model_settle();
    for (unsigned i = 0; more; i++) {
        struct visitor *visitor = visitors_probe();
        if (visitor == NULL)
            world_violate("nobody can connect");
        more = ask_probe(visitor, i);
        settle();
        leave_and_rest();
    }
    world->quiet = false;
}

static void stop(void)
{
    world_trace("SIGTERM");
    visitors_may_lose = true;
    send_signal(SIGTERM);
    const uint64_t from = world->now_ns;
    while (!threads_ended(serving)) {
        (void)visitors_attend();
        if (threads_step())
            continue;
        if (world->now_ns - from > 300 * second_ns || !pass_time(patience_ns))
            world_violate("the daemon does not stop");
    }
    (void)visitors_attend();
    if (ended_with != PZ_OK)
        world_violate("the daemon ended with an error: %s", failure.text);
}

void life_run(const struct life_settings *settings, enum life_end end)
{
    const uint64_t until = world->steps + 500 + world_below(6000);
    sigset_t signals; /* which the daemon blocks, once it has come so far */
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGHUP);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &signals, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    log_set_writer(log_line);
    visitors_begin();
    threads_shuffle();
    world_trace("life %u begins%s%s%s", world->life, settings->disk_fails ? ", the disk may fail" : "",
                settings->small_store ? ", the database is small" : "",
                settings->clock_jumps ? ", clocks jump" : "");
    serving = threads_start(serve, (void *)settings);
    while (world->steps < until) {
        step(settings);
        if (threads_ended(serving) && world->has_failed)
            _exit(EXIT_SUCCESS); /* the disk did not let it start */
        if (threads_ended(serving))
            world_violate("the daemon ended: %s", failure.text);
    }
    if (world->last || world_once_in(2))
        probe();
    if (end == LIFE_STOPPED)
        stop();
    world_trace("life %u ends", world->life);
    _exit(EXIT_SUCCESS);
}
