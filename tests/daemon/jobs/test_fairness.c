/* SPDX-License-Identifier: MIT */
/* One client's requests do not make another one wait. Nothing here measures time: it counts replies. */
#include "harness.h"

#include <signal.h>

/* A job of many levels, whose LEVELS reply no socket's buffer holds. */
#ifdef PUZZLED_SANITIZED
#define LEVELS_JOB   "EXPLORE jugs:10000,9999"
#define LEVELS_REPLY "OK count=19999"
enum { LEVELS_COUNT = 19999, LEVELS_BYTES = 1000000 };
#else
#define LEVELS_JOB   "EXPLORE jugs:30000,29999"
#define LEVELS_REPLY "OK count=59999"
enum { LEVELS_COUNT = 59999, LEVELS_BYTES = 3000000 };
#endif
#define LEVELS "LEVELS 1 examples=16"

static int set_up(void **state)
{
    if (daemon_setup(state) != 0)
        return -1;
    const char *const words[] = {"--listen", "127.0.0.1:0", NULL};
    daemon_restart(*state, words);
    return 0;
}

static void explore_many_levels(struct daemon *daemon)
{
    struct client *client = client_new(daemon);
    assert_int_equal(client_submit(client, LEVELS_JOB), 1);
    assert_string_equal(client_wait(client, 1), "done");
    client_free(client);
}

/* Asks for all levels and reads them. */
static void read_levels(struct daemon *daemon)
{
    struct client *client = client_new(daemon);
    client_expect(client, LEVELS, LEVELS_REPLY);
    for (unsigned long level = 0; level < LEVELS_COUNT; level++) {
        const char *line = client_next(client);
        if (number_of(line, "level") != level)
            fail_msg("level %lu: %s", level, line);
    }
    assert_string_equal(client_next(client), "END");
    client_expect(client, "PING", "OK pong=yes");
    client_free(client);
}

/* Reads a reply to METRICS. Returns the number in the line that begins so; 0 without one. */
static unsigned long metric(struct client *client, const char *begin)
{
    unsigned long found = 0;
    client_expect_next(client, "OK count=");
    for (;;) {
        const char *line = client_next(client);
        if (strcmp(line, "END") == 0)
            return found;
        if (strncmp(line, begin, strlen(begin)) == 0)
            found = strtoul(line + strlen(begin), NULL, 10);
    }
}

/* Bytes of memory that the daemon holds. */
static unsigned long resident(const struct daemon *daemon)
{
    unsigned long pages = 0;
    FILE *file = fopen(text_of("/proc/%d/statm", (int)daemon->pid), "re");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*u %lu", &pages), 1); // NOLINT(cert-err34-c): it was read
    (void)fclose(file);
    return pages * 4096;
}

/* ---- long replies ---- */

#define OVER_TCP(name) TEST_WITH(name, set_up, daemon_teardown)

OVER_TCP(a_long_reply_is_made_as_it_is_read)
{
    enum { CLIENTS = 20 };
    struct daemon *daemon = *state;
    struct client *clients[CLIENTS];
    explore_many_levels(daemon);
    read_levels(daemon);
    const unsigned long before = resident(daemon);
    for (unsigned i = 0; i < CLIENTS; i++) {
        clients[i] = client_new(daemon);
        client_send(clients[i], LEVELS);
    }
    read_levels(daemon);  /* every one has had its turn by then */
#ifndef PUZZLED_SANITIZED /* whose memory is several times the daemon's */
    assert_true(resident(daemon) < before + CLIENTS / 2 * LEVELS_BYTES);
#else
    (void)before;
#endif
    for (unsigned i = 0; i < CLIENTS; i++)
        client_free(clients[i]);
}

OVER_TCP(what_a_client_that_is_gone_has_asked_is_dropped)
{
    enum { CLIENTS = 20 };
    struct daemon *daemon = *state;
    explore_many_levels(daemon);
    for (unsigned i = 0; i < CLIENTS; i++) {
        struct client *client = client_new(daemon);
        client_send(client, LEVELS);
        client_free(client);
    }
    read_levels(daemon);
    struct client *client = client_new(daemon);
    client_send(client, "METRICS");
    assert_int_equal(metric(client, "puzzled_requests_total{verb=\"LEVELS\",code=\"ok\"} "), 1);
}

/* ---- turns ---- */

/* The daemon stands still until all have asked, and tells itself how many it has answered by then. */
OVER_TCP(small_solves_of_many_do_not_hold_up_one)
{
    enum { CLIENTS = 50 };
    struct daemon *daemon = *state;
    struct client *clients[CLIENTS];
    struct client *other = client_new_tcp(daemon, "127.0.0.1");
    client_expect(other, "PING", "OK");
    for (unsigned i = 0; i < CLIENTS; i++) {
        clients[i] = client_new(daemon);
        client_expect(clients[i], "PING", "OK");
    }
    assert_int_equal(kill(daemon->pid, SIGSTOP), 0);
    for (unsigned i = 0; i < CLIENTS; i++)
        client_send(clients[i], text_of("SOLVE 2x5 start=9,8,7,6,5,4,3,2,1,0 method=bfs time=%us", i + 100));
    client_send(other, "SOLVE 3x3 start=867254301\nMETRICS");
    assert_int_equal(kill(daemon->pid, SIGCONT), 0);
    client_expect_next(other, "OK ");
    const unsigned long solved = metric(other, "puzzled_requests_total{verb=\"SOLVE\",code=\"ok\"} ");
    assert_in_range(solved, 1, CLIENTS / 2 - 1);
    client_expect(other, "FORGET 1000000", "ERR no-such-job");
    for (unsigned i = 0; i < CLIENTS; i++)
        client_free(clients[i]);
}

#define LONG_EXPLORE "EXPLORE 5x5 keep=levels engine=striped memory=100M"

/* Has all threads, for a client that waits in the queue with two more. */
static void fill_queue(struct client *client)
{
    (void)client_submit(client, LONG_EXPLORE);
    client_await_state(client, 1, "running");
    client_expect_fields(client, "EXPLORE 2x4", "job=2 state=queued");
    client_expect_fields(client, "EXPLORE 3x3", "job=3 state=queued");
}

OVER_TCP(who_asks_what_waits_for_another_does_not_wait_in_that_one_s_turns)
{
    struct client *one = client_new(*state);
    struct client *other = client_new_tcp(*state, "127.0.0.1");
    fill_queue(one);
    client_expect_fields(other, "EXPLORE 3x3", "job=3 cached=yes");
    assert_string_equal(client_wait(other, 3), "done");
    client_expect_fields(one, "STATUS 2", "state=queued");
    client_expect_fields(one, "STATUS 1", "state=running");
    client_expect_fields(one, "CANCEL 1", "state=cancelled");
    assert_string_equal(client_wait(one, 2), "done");
}

OVER_TCP(who_has_a_job_already_does_not_take_another_s_place)
{
    struct client *one = client_new(*state);
    struct client *other = client_new_tcp(*state, "127.0.0.1");
    fill_queue(one);
    client_expect_fields(other, LONG_EXPLORE " depth=1000", "job=4");
    client_await_state(other, 4, "running");
    client_expect_fields(other, "EXPLORE 3x3", "job=3 state=queued cached=yes");
    client_expect_fields(one, "CANCEL 4", "state=cancelled");
    client_expect_fields(one, "STATUS 3", "state=queued");
    client_expect_fields(one, "CANCEL 1", "state=cancelled");
    assert_string_equal(client_wait(other, 3), "done");
}
