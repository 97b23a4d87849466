/* SPDX-License-Identifier: MIT */
/* Clients that watch a job, over a pair of sockets in this process: what a slow one gets. */
#include "test_support.h"

#include "daemon/jobs/waiters.h"
#include "pair.h"

#include <event2/event.h>
#include <sys/socket.h>
#include <unistd.h>

/* Memory that runs out: for texts, which grow by realloc(), and for libevent. */
static bool no_memory_for_texts;
static bool no_memory_for_libevent;

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    return no_memory_for_texts ? NULL : __real_realloc(old, size);
}

static void *libevent_malloc(size_t size)
{
    return no_memory_for_libevent ? NULL : malloc(size);
}

static void *libevent_realloc(void *old, size_t size)
{
    return no_memory_for_libevent ? NULL : __real_realloc(old, size);
}

struct scene {
    struct event_base *base;
    struct config config;
    struct metrics metrics;
    struct clients clients;
    struct connections *connections;
    struct jobs *jobs;
    struct job *job;
    int client; /* the other end of the connection */
    bool keeps; /* the request, which begins to wait later */
    struct pending_reply *kept;
};

static bool never(const char *line, size_t length)
{
    return false;
}

/* Every request watches the job, at once or later. */
static void watch(void *context, struct pending_reply *pending, const char *line, size_t length)
{
    struct scene *scene = context;
    if (scene->keeps)
        scene->kept = pending;
    else
        waiters_add(scene->base, scene->job, pending, WAITER_EVENTS, -1);
}

static int set_up(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL)
        return -1;
    *state = scene;
    scene->jobs = jobs_new();
    const struct connection_handler handler = {
        .context = scene, .is_lookup = never, .is_submission = never, .request = watch};
    struct pair pair = {.config = &scene->config, .metrics = &scene->metrics, .clients = &scene->clients};
    scene->client = pair_connect(&pair, &handler, &scene->connections);
    scene->base = pair.base;
    if (scene->client < 0 || scene->jobs == NULL)
        return -1;
    struct job_record record = {.id = 1, .kind = JOB_EXPLORE, .state = JOB_QUEUED};
    scene->job = jobs_add(scene->jobs, &record, true);
    scene->job->task = calloc(1, sizeof *scene->job->task);
    job_move(scene->jobs, scene->job, PHASE_RUNNING, JOB_RUNNING);
    return write(scene->client, "WATCH 1\n", 8) == 8 ? 0 : -1;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    no_memory_for_texts = false;
    no_memory_for_libevent = false;
    connections_free(scene->connections);
    (void)close(scene->client);
    jobs_free(scene->jobs);
    event_base_free(scene->base);
    clients_free(&scene->clients);
    config_free(&scene->config);
    free(scene);
    return 0;
}

/* Reads what there is; counts events, lost ones and lines that are neither. */
struct seen {
    unsigned long events, lost, others, last;
    size_t half; /* bytes of a line without its end */
};

static void read_all(struct scene *scene, struct seen *seen)
{
    static char bytes[1 << 20];
    static size_t held;
    for (;;) {
        pair_turn(scene->base);
        ssize_t got = read(scene->client, bytes + held, sizeof bytes - held);
        seen->half = held;
        if (got <= 0)
            return;
        held += (size_t)got;
        char *line = bytes;
        for (char *end; (end = memchr(line, '\n', held)) != NULL; line = end + 1) {
            held -= (size_t)(end + 1 - line);
            *end = '\0';
            if (strncmp(line, "EVENT seq=", 10) == 0) {
                seen->events++;
                seen->last = strtoul(line + 10, NULL, 10);
            } else if (strncmp(line, "LOST n=", 7) == 0) {
                seen->lost += strtoul(line + 7, NULL, 10);
            } else {
                seen->others++;
            }
        }
        memmove(bytes, line, held);
    }
}

#define SPECIFICATION(name) TEST_WITH(name, set_up, tear_down)

SPECIFICATION(a_slow_watcher_is_told_how_many_events_it_lost)
{
    enum { EVENTS = 20000 };
    struct scene *scene = *state;
    struct seen seen = {0};
    scene->job->progress.phase = "search";
    pair_turn(scene->base);
    for (int i = 0; i < EVENTS; i++)
        waiters_progress(scene->job);
    read_all(scene, &seen);
    assert_true(seen.events < EVENTS / 10);
    waiters_progress(scene->job);
    read_all(scene, &seen);
    assert_int_equal(seen.events + seen.lost, EVENTS + 2); /* one came with the reply */
    assert_int_equal(seen.last, EVENTS + 2);
    assert_int_equal(seen.others, 1);
}

SPECIFICATION(the_last_event_comes_however_slow_the_watcher_is)
{
    struct scene *scene = *state;
    struct seen seen = {0};
    pair_turn(scene->base);
    for (int i = 0; i < 5000; i++)
        waiters_progress(scene->job);
    job_move(scene->jobs, scene->job, PHASE_ENDING, JOB_DONE);
    job_move(scene->jobs, scene->job, PHASE_ENDED, JOB_DONE);
    waiters_ended(scene->job);
    assert_null(scene->job->waiters);
    read_all(scene, &seen);
    assert_int_equal(seen.events + seen.lost, 5002);
    assert_int_equal(seen.last, 5002);
}

SPECIFICATION(a_watcher_that_hangs_up_is_forgotten)
{
    struct scene *scene = *state;
    pair_turn(scene->base);
    assert_non_null(scene->job->waiters);
    (void)shutdown(scene->client, SHUT_RDWR);
    pair_turn(scene->base);
    waiters_progress(scene->job);
    pair_turn(scene->base);
    assert_null(scene->job->waiters);
    assert_int_equal(connections_count(scene->connections), 0);
}

/* ---- without memory ---- */

SPECIFICATION(an_event_that_there_is_no_memory_for_counts_as_lost)
{
    struct scene *scene = *state;
    struct seen seen = {0};
    pair_turn(scene->base);
    for (int i = 1; i <= 30; i++) {
        no_memory_for_texts = i % 3 != 0;
        waiters_progress(scene->job);
    }
    read_all(scene, &seen);
    assert_int_equal(seen.events, 1 + 10); /* one came with the reply */
    assert_int_equal(seen.lost, 20);
    assert_int_equal(seen.last, 31);
    assert_int_equal(seen.others, 1);
    assert_non_null(scene->job->waiters);
}

static void check_closed(struct scene *scene)
{
    char byte;
    pair_turn(scene->base);
    assert_int_equal(read(scene->client, &byte, 1), 0);
    assert_null(scene->job->waiters);
    assert_int_equal(connections_count(scene->connections), 0);
}

SPECIFICATION(a_stream_that_cannot_begin_ends_the_connection)
{
    struct scene *scene = *state;
    no_memory_for_texts = true;
    pair_turn(scene->base);
    check_closed(scene);
}

/* Otherwise the client would take later bytes for the rest of a line of which a part is missing. */
SPECIFICATION(a_stream_that_lost_bytes_ends_the_connection)
{
    struct scene *scene = *state;
    struct seen seen = {0};
    pair_turn(scene->base);
    read_all(scene, &seen);
    assert_int_equal(seen.events, 1);
    waiters_progress(scene->job);
    no_memory_for_libevent = true;
    for (int i = 0; i < 100; i++)
        waiters_progress(scene->job);
    assert_non_null(scene->job->waiters); /* the writer may still use it */
    no_memory_for_libevent = false;
    waiters_progress(scene->job);
    read_all(scene, &seen);
    check_closed(scene);
    assert_in_range(seen.events, 2, 99); /* those for which there was room came whole */
    assert_int_equal(seen.others + seen.lost, 1);
    assert_int_equal(seen.half, 0);
}

/* As at a stop, which would find nobody to tell. */
SPECIFICATION(who_has_left_does_not_begin_to_wait)
{
    struct scene *scene = *state;
    scene->keeps = true;
    pair_turn(scene->base);
    assert_non_null(scene->kept);
    connections_free(scene->connections);
    scene->connections = NULL;
    assert_true(pending_reply_is_abandoned(scene->kept));
    waiters_add(scene->base, scene->job, scene->kept, WAITER_END, -1);
    assert_null(scene->job->waiters);
}

static int use_own_memory(void **state)
{
    event_set_mem_functions(libevent_malloc, libevent_realloc, free);
    return 0;
}

const struct test_surroundings test_surroundings = {use_own_memory, NULL};
