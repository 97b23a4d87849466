/* SPDX-License-Identifier: MIT */
/* Limits hold for a client, whoever it says it is; and one who joins a job gets its result. */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LONG "EXPLORE 5x5 keep=levels engine=striped"

static void restart_with(struct daemon *daemon, const char *limits)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/puzzled.conf", daemon->directory);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    (void)fprintf(file, "[daemon]\nlisten = 127.0.0.1:0\n[limits]\n%s\n", limits);
    assert_int_equal(fclose(file), 0);
    const char *const words[] = {"--config", path, NULL};
    daemon_restart(daemon, words);
}

static bool is_refused(struct client *client)
{
    bool refused = strncmp(client_ask(client, "PING"), "ERR limit", 9) == 0;
    client_free(client);
    return refused;
}

static void another_connection_does_not_pass_the_limit_of_requests(void **state)
{
    enum { TRIES = 200 };
    struct daemon *daemon = *state;
    unsigned refused = 0;
    restart_with(daemon, "requests-per-second = 5");
    for (unsigned i = 0; i < TRIES; i++)
        refused += is_refused(client_new(daemon));
    assert_true(refused >= TRIES / 2);
}

static void another_address_of_a_network_does_not_pass_the_limit_of_requests(void **state)
{
    enum { TRIES = 200 };
    struct daemon *daemon = *state;
    unsigned refused = 0;
    restart_with(daemon, "requests-per-second = 5");
    for (unsigned i = 0; i < TRIES; i++) {
        char from[32];
        (void)snprintf(from, sizeof from, "127.0.%u.%u", i % 7, i + 1);
        refused += is_refused(client_new_tcp(daemon, from));
    }
    assert_true(refused >= TRIES / 2);
}

static void another_address_or_a_restart_does_not_pass_the_limit_of_jobs(void **state)
{
    struct daemon *daemon = *state;
    restart_with(daemon, "queued-jobs-per-client = 2");
    struct client *one = client_new_tcp(daemon, "127.0.0.1");
    struct client *two = client_new_tcp(daemon, "127.0.0.2");
    (void)client_submit(one, LONG);
    (void)client_submit(one, LONG " depth=101");
    (void)client_submit(two, LONG " depth=102");
    client_expect(two, LONG " depth=103", "ERR limit");
    client_free(one);
    client_free(two);
    restart_with(daemon, "queued-jobs-per-client = 2");
    one = client_new_tcp(daemon, "127.0.0.3");
    client_expect(one, LONG " depth=103", "ERR limit");
    client_free(one);
}

static void a_byte_now_and_then_does_not_keep_a_connection(void **state)
{
    struct daemon *daemon = *state;
    restart_with(daemon, "idle-timeout = 1s");
    struct client *client = client_new(daemon);
    for (unsigned i = 0; i < 100 && client_is_silent(client, 200); i++)
        client_send_bytes(client, "x", 1);
    assert_false(client_is_silent(client, 0));
    assert_null(client_line(client));
    client_free(client);
}

/* ---- joining ---- */

static void who_asks_without_limits_does_not_join_a_job_that_has_some(void **state)
{
    struct client *client = client_new(*state);
    assert_int_equal(client_submit(client, LONG " time=1h memory=64M"), 1);
    const char *reply = client_ask(client, LONG " memory=64M");
    assert_string_equal(value_of(reply, "cached"), "no");
    assert_string_equal(value_of(reply, "job"), "2");
    reply = client_ask(client, LONG);
    assert_string_equal(value_of(reply, "job"), "3");
    reply = client_ask(client, LONG " time=1h");
    assert_string_equal(value_of(reply, "cached"), "yes");
    assert_string_equal(value_of(reply, "job"), "3");
    client_free(client);
}

static void await_state(struct client *client, unsigned long job, const char *state)
{
    char line[64];
    (void)snprintf(line, sizeof line, "STATUS %lu", job);
    while (strcmp(value_of(client_ask(client, line), "state"), state) != 0)
        (void)usleep(5000);
}

static void who_joins_a_job_raises_its_priority(void **state)
{
    struct client *client = client_new(*state);
    assert_int_equal(client_submit(client, LONG), 1);
    assert_int_equal(client_submit(client, LONG " depth=101"), 2);
    assert_int_equal(client_submit(client, LONG " depth=102"), 3);
    client_expect(client, LONG " depth=102 priority=10", "OK job=3 state=queued cached=yes");
    assert_string_equal(value_of(client_ask(client, "STATUS 3"), "priority"), "10");
    client_expect(client, "CANCEL 1", "OK");
    await_state(client, 3, "running");
    assert_string_equal(value_of(client_ask(client, "STATUS 2"), "state"), "queued");
    client_free(client);
}

/* ---- turns ---- */

static void users_take_turns(void **state)
{
    struct daemon *daemon = *state;
    restart_with(daemon, "");
    struct client *first = client_new(daemon);
    struct client *second = client_new_tcp(daemon, "127.0.0.1");
    assert_int_equal(client_submit(first, LONG), 1);
    assert_int_equal(client_submit(first, LONG " depth=102 priority=19"), 2);
    assert_int_equal(client_submit(second, LONG " depth=103"), 3);
    client_expect(first, "CANCEL 1", "OK");
    await_state(first, 3, "running");
    assert_string_equal(value_of(client_ask(first, "STATUS 2"), "state"), "queued");
    client_free(first);
    client_free(second);
}

static void a_small_exploration_does_not_wait_for_another_users_long_one(void **state)
{
    struct daemon *daemon = *state;
    restart_with(daemon, "");
    struct client *first = client_new(daemon);
    struct client *second = client_new_tcp(daemon, "127.0.0.1");
    assert_int_equal(client_submit(first, LONG), 1);
    await_state(first, 1, "running");
    assert_int_equal(client_submit(second, "EXPLORE 3x3"), 2);
    assert_string_equal(client_wait(second, 2), "done");
    assert_string_equal(value_of(client_ask(first, "STATUS 1"), "state"), "running");
    client_free(first);
    client_free(second);
}

#define HARD "SOLVE 5x5 method=idastar start=24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5"

static void a_solve_does_not_wait_for_another_users_long_ones(void **state)
{
    struct daemon *daemon = *state;
    restart_with(daemon, "solves = 1");
    struct client *first = client_new(daemon);
    struct client *second = client_new_tcp(daemon, "127.0.0.1");
    assert_int_equal(client_submit(first, HARD ",4,3,2,1,0"), 1);
    assert_int_equal(client_submit(first, HARD ",2,4,3,1,0"), 2);
    await_state(first, 1, "running");
    const char *reply = client_ask(second, "SOLVE 2x6 method=bfs start=1,2,3,4,5,6,7,8,9,10,0,11");
    assert_string_equal(value_of(reply, "job"), "3");
    assert_string_equal(client_wait(second, 3), "done");
    assert_string_equal(value_of(client_ask(first, "STATUS 2"), "state"), "queued");
    client_free(first);
    client_free(second);
}

/* ---- whose jobs ---- */

/* Whoever runs the tests is the daemon's own user, and who comes over TCP is not. */
static void a_user_ends_only_their_own_jobs(void **state)
{
    struct daemon *daemon = *state;
    restart_with(daemon, "");
    struct client *own = client_new(daemon);
    struct client *other = client_new_tcp(daemon, "127.0.0.1");
    assert_int_equal(client_submit(own, LONG), 1);
    assert_int_equal(client_submit(other, LONG " depth=101"), 2);
    assert_int_equal(client_submit(other, LONG " depth=102"), 3);
    client_expect(other, "CANCEL 1", "ERR denied fatal");
    client_expect(other, "CANCEL 2", "OK job=2 state=cancelled");
    client_expect(other, "FORGET 2", "OK job=2");
    client_expect(own, "CANCEL 1", "OK job=1 state=cancelled");
    client_expect(other, "FORGET 1", "ERR denied fatal");
    client_expect(own, "CANCEL 3", "OK job=3 state=cancelled");
    client_expect(own, "JOBS", "OK count=2"); /* also those that found nothing */
    assert_int_equal(client_skip_list(own), 2);
    client_free(own);
    client_free(other);
}

static void the_configuration_lets_all_end_all(void **state)
{
    struct daemon *daemon = *state;
    restart_with(daemon, "cancel-others = yes");
    struct client *own = client_new(daemon);
    struct client *other = client_new_tcp(daemon, "127.0.0.1");
    assert_int_equal(client_submit(own, LONG), 1);
    client_expect(other, "CANCEL 1", "OK job=1 state=cancelled");
    client_free(own);
    client_free(other);
}

static unsigned logged(const struct daemon *daemon, const char *words)
{
    char path[128];
    char line[2048];
    unsigned count = 0;
    (void)snprintf(path, sizeof path, "%s/log", daemon->directory);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        count += strstr(line, words) != NULL;
    (void)fclose(file);
    return count;
}

static void jobs_and_the_log_say_who_asked_for_what(void **state)
{
    struct daemon *daemon = *state;
    char submitter[64];
    restart_with(daemon, "");
    (void)snprintf(submitter, sizeof submitter, "uid:%u", (unsigned)getuid());
    struct client *own = client_new(daemon);
    struct client *other = client_new_tcp(daemon, "127.0.0.1");
    assert_int_equal(client_submit(own, "EXPLORE 3x3 keep=levels"), 1);
    assert_int_equal(client_submit(other, "SOLVE 3x3 start=867254301"), 2);
    assert_string_equal(value_of(client_ask(own, "STATUS 1"), "submitter"), submitter);
    assert_string_equal(value_of(client_ask(own, "STATUS 1"), "request"), "EXPLORE 3x3 keep=levels");
    assert_string_equal(value_of(client_ask(own, "STATUS 2"), "submitter"), "tcp:127.0.0.0/8");
    assert_string_equal(client_wait(own, 1), "done");
    client_expect(own, "FORGET 1", "OK job=1");
    client_free(own);
    client_free(other);
    daemon_restart(daemon, NULL);
    own = client_new(daemon);
    assert_string_equal(value_of(client_ask(own, "STATUS 2"), "submitter"), "tcp:127.0.0.0/8");
    client_free(own);
    char line[128];
    (void)snprintf(line, sizeof line, "event=request verb=FORGET argument=\"1\" client=%s", submitter);
    assert_int_equal(logged(daemon, line), 1);
    (void)snprintf(line, sizeof line, "client=%s request=\"EXPLORE 3x3 keep=levels\"", submitter);
    assert_int_equal(logged(daemon, line), 1);
}

#define SPECIFICATION(name) cmocka_unit_test_setup_teardown(name, daemon_setup, daemon_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPECIFICATION(another_connection_does_not_pass_the_limit_of_requests),
        SPECIFICATION(another_address_of_a_network_does_not_pass_the_limit_of_requests),
        SPECIFICATION(another_address_or_a_restart_does_not_pass_the_limit_of_jobs),
        SPECIFICATION(a_byte_now_and_then_does_not_keep_a_connection),
        SPECIFICATION(who_asks_without_limits_does_not_join_a_job_that_has_some),
        SPECIFICATION(who_joins_a_job_raises_its_priority),
        SPECIFICATION(users_take_turns),
        SPECIFICATION(a_small_exploration_does_not_wait_for_another_users_long_one),
        SPECIFICATION(a_solve_does_not_wait_for_another_users_long_ones),
        SPECIFICATION(a_user_ends_only_their_own_jobs),
        SPECIFICATION(the_configuration_lets_all_end_all),
        SPECIFICATION(jobs_and_the_log_say_who_asked_for_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
