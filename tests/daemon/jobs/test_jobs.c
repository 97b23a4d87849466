/* SPDX-License-Identifier: MIT */
/* Jobs: the same question asked again, waiting, cancelling, forgetting, listing. */
#include "harness.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Runs until it is cancelled or has used up the memory, seconds later. */
#define LONG_EXPLORE "EXPLORE 5x5 keep=levels engine=striped"

/* ---- the same question ---- */

static void expect_same_job(struct client *client, const char *first, const char *second)
{
    unsigned long job = client_submit(client, first);
    const char *reply = client_ask(client, second);
    if (strtoul(value_of(reply, "job"), NULL, 10) != job || strcmp(value_of(reply, "cached"), "yes") != 0)
        fail_msg("job %lu was expected: %s", job, reply);
}

static void the_same_question_is_the_same_job(void **state)
{
    struct client *client = client_new(*state);
    expect_same_job(client, "EXPLORE 3x3", "EXPLORE slide:3x3 priority=5");
    expect_same_job(client, "EXPLORE 3x3 root=1,2,3/4,5,6/7,8,0", "EXPLORE 3x3");
    expect_same_job(client, "EXPLORE 2x4", "EXPLORE 4x2");
    expect_same_job(client, "EXPLORE 3x3", "EXPLORE 3x3 root=0,1,2/3,4,5/6,7,8");
    expect_same_job(client, "EXPLORE 3x3", "EXPLORE 3x3 root=8,7,6/5,4,3/2,1,0");
    expect_same_job(client, "SOLVE 3x3 start=867254301", "SOLVE 3x3 start=\"8 6 7 2 5 4 3 0 1\"");
    expect_same_job(client, "SOLVE 3x3 start=867254301", "SOLVE 3x3 start=132745608 goal=876543210");
    client_free(client);
}

static void a_wider_question_is_another_job(void **state)
{
    struct client *client = client_new(*state);
    unsigned long bounded = client_submit(client, "EXPLORE 3x3 depth=5");
    unsigned long whole = client_submit(client, "EXPLORE 3x3");
    assert_true(whole != bounded);
    assert_string_equal(client_wait(client, whole), "done");
    unsigned long levels = client_submit(client, "EXPLORE 3x3 keep=levels");
    assert_true(levels != whole);
    client_free(client);
}

static void two_clients_share_a_running_job(void **state)
{
    struct client *one = client_new(*state);
    struct client *two = client_new(*state);
    unsigned long job = client_submit(one, LONG_EXPLORE);
    const char *reply = client_ask(two, LONG_EXPLORE);
    assert_string_equal(value_of(reply, "cached"), "yes");
    assert_int_equal(strtoul(value_of(reply, "job"), NULL, 10), job);
    client_expect(two, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(one, job), "cancelled");
    client_free(one);
    client_free(two);
}

static void a_cancelled_job_does_not_answer_the_question_again(void **state)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    const char *reply = client_ask(client, LONG_EXPLORE);
    assert_string_equal(value_of(reply, "job"), "2");
    assert_string_equal(value_of(reply, "cached"), "no");
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
    client_free(client);
}

static void a_job_stopped_by_memory_runs_again_only_with_more(void **state)
{
    struct client *client = client_new(*state);
    unsigned long job = client_submit(client, "EXPLORE 4x4 engine=striped planes=memory memory=8M");
    assert_string_equal(client_wait(client, job), "stopped");
    assert_string_equal(value_of(client_result(client, job), "reason"), "memory");
    assert_string_equal(value_of(client_result(client, job), "complete"), "no");
    expect_same_job(client, "EXPLORE 4x4 engine=striped planes=memory memory=8M",
                    "EXPLORE 4x4 engine=striped planes=memory memory=8M");
    const char *reply = client_ask(client, "EXPLORE 4x4 engine=striped planes=memory memory=16M");
    assert_string_equal(value_of(reply, "cached"), "no");
    job = strtoul(value_of(reply, "job"), NULL, 10);
    assert_string_equal(client_wait(client, job), "stopped");
    /* or with scratch space */
    reply = client_ask(client, "EXPLORE 4x4 engine=striped memory=16M time=1ms");
    assert_string_equal(value_of(reply, "cached"), "no");
    job = strtoul(value_of(reply, "job"), NULL, 10);
    assert_string_equal(client_wait(client, job), "stopped");
    reply = client_ask(client, "EXPLORE 4x4 engine=striped memory=1M time=1ms");
    assert_string_equal(value_of(reply, "cached"), "yes");
    client_free(client);
}

/* A dense exploration that was stopped or refused leaves its levels behind, and no table. */
static void expect_no_table(struct client *client)
{
    client_expect(client, "TABLES", "OK count=0");
    assert_int_equal(client_skip_list(client), 0);
}

static void a_dense_job_stopped_by_time_keeps_its_levels_and_no_table(void **state)
{
    static const char *const lines[] = {"EXPLORE 3x4 engine=dense time=1ms",
                                        "EXPLORE 3x4 engine=dense keep=levels time=1ms"};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < 2; i++) {
        unsigned long job = client_submit(client, lines[i]);
        assert_string_equal(client_wait(client, job), "stopped");
        assert_string_equal(value_of(client_result(client, job), "reason"), "time");
        assert_string_equal(value_of(client_result(client, job), "complete"), "no");
        char line[64];
        (void)snprintf(line, sizeof line, "LEVELS %lu", job);
        assert_true(strtoul(value_of(client_ask(client, line), "count"), NULL, 10) > 0);
        assert_true(client_skip_list(client) > 0);
        expect_no_table(client);
        expect_same_job(client, lines[i], lines[i]);
    }
    client_free(client);
}

static void a_job_that_keeps_no_table_in_the_end_says_so(void **state)
{
    static const char line[] = "EXPLORE pancake:10 engine=ranked keep=table time=1ms";
    struct client *client = client_new(*state);
    unsigned long job = client_submit(client, line);
    assert_string_equal(client_wait(client, job), "stopped");
    assert_string_equal(value_of(client_result(client, job), "keep"), "table");
    assert_string_equal(value_of(client_result(client, job), "table"), "none");
    expect_no_table(client);
    expect_same_job(client, line, line); /* it has lost none */
    client_free(client);
}

static void a_dense_job_that_is_cancelled_leaves_no_table(void **state)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    unsigned long job = client_submit(client, "EXPLORE 3x4 engine=dense");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    client_expect(client, "WAIT 2 timeout=20ms", "OK job=2 state=");
    client_expect(client, "CANCEL 2", "OK job=2 state=");
    /* It was over before where the machine is fast. */
    if (strcmp(client_wait(client, job), "cancelled") == 0)
        expect_no_table(client);
    client_free(client);
}

static void a_dense_job_that_memory_does_not_hold_is_refused_and_leaves_no_table(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPLORE 3x4 engine=dense planes=memory memory=50M", "ERR too-large ");
    expect_no_table(client);
    client_free(client);
}

/* ---- waiting ---- */

static void wait_answers_at_its_timeout_with_the_state_then(void **state)
{
    struct client *client = client_new(*state);
    unsigned long job = client_submit(client, LONG_EXPLORE);
    client_expect(client, "WAIT 1 timeout=20ms", "OK job=1 state=running");
    client_expect(client, "WAIT 1 timeout=18446744073709551615d", "ERR bad-request fatal timeout=: ");
    client_expect(client, "RESULT 1", "ERR not-finished retry");
    client_expect(client, "FORGET 1", "ERR not-finished retry");
    client_expect(client, "STATUS 1", "OK job=1 kind=explore puzzle=slide:5x5 state=running");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(client, job), "cancelled");
    client_free(client);
}

static void watch_ends_with_the_job_and_the_connection_goes_on(void **state)
{
    struct client *client = client_new(*state);
    struct client *other = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    client_expect(client, "WATCH 1", "OK job=1 state=running");
    unsigned long expected = 0;
    for (int i = 0; i < 4; i++) {
        const char *event = client_next(client);
        assert_int_equal(strncmp(event, "EVENT seq=", 10), 0);
        assert_int_equal(strtoul(value_of(event, "seq"), NULL, 10), ++expected);
        assert_string_equal(value_of(event, "state"), "running");
    }
    client_send(other, "CANCEL 1");
    const char *event = client_next(client);
    while (strcmp(value_of(event, "state"), "running") == 0)
        event = client_next(client);
    assert_string_equal(value_of(event, "state"), "cancelled");
    client_expect(client, "PING", "OK pong=yes");
    client_expect(client, "WATCH 1", "OK job=1 state=cancelled");
    assert_string_equal(client_next(client), "EVENT seq=1 job=1 state=cancelled");
    client_free(other);
    client_free(client);
}

static void those_who_wait_may_hang_up(void **state)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    for (int i = 0; i < 20; i++) {
        struct client *other = client_new(*state);
        client_send(other, i % 2 == 0 ? "WATCH 1" : "WAIT 1");
        if (i % 2 == 0)
            assert_non_null(client_line(other));
        client_free(other);
    }
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    client_free(client);
}

static void a_short_solve_does_not_wait_behind_a_long_exploration(void **state)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    client_done(client, "SOLVE 4x4 start=1,2,3,4/5,6,7,8/9,10,0,12/13,14,11,15");
    client_expect(client, "STATUS 1", "OK job=1 kind=explore puzzle=slide:5x5 state=running");
    unsigned long second = client_submit(client, "EXPLORE 3x3");
    char line[64];
    (void)snprintf(line, sizeof line, "STATUS %lu", second);
    assert_string_equal(value_of(client_ask(client, line), "state"), "queued");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(client, second), "done");
    client_free(client);
}

static void a_queued_job_can_be_cancelled(void **state)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    (void)client_submit(client, "EXPLORE 3x3");
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
    client_expect(client, "RESULT 2", "OK job=2 kind=explore puzzle=slide:3x3 state=cancelled");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    client_free(client);
}

/* One of the boards at 80 moves: by Manhattan distances alone nobody waits for its solution. */
static void a_cancelled_search_tells_what_it_has_proven(void **state)
{
    struct client *client = client_new(*state);
    unsigned long level = 0;
    unsigned long first = 0;
    (void)client_submit(client,
                        "SOLVE 4x4 start=15,14,8,12/10,11,9,13/2,6,5,1/3,7,4,0 "
                        "goal=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15 method=idastar partition=manhattan");
    while (first == 0 || level < first + 4) {
        level = strtoul(value_of(client_ask(client, "STATUS 1"), "level"), NULL, 10);
        first = first == 0 ? level : first;
        (void)usleep(10000);
    }
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    const char *result = client_ask(client, "RESULT 1");
    assert_string_equal(value_of(result, "state"), "cancelled");
    assert_string_equal(value_of(result, "solvable"), "unknown");
    assert_string_equal(value_of(result, "reason"), "");
    assert_in_range(strtoul(value_of(result, "at_least"), NULL, 10), level, 80);
    const unsigned long before = strtoul(value_of(result, "previous_generated"), NULL, 10);
    assert_in_range(before, 1, strtoul(value_of(result, "bound_generated"), NULL, 10));
    client_free(client);
}

static void the_higher_priority_runs_first(void **state)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    unsigned long low = client_submit(client, "EXPLORE 3x3");
    unsigned long high = client_submit(client, "EXPLORE 2x4 priority=3");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(client, low), "done");
    char line[64];
    (void)snprintf(line, sizeof line, "STATUS %lu", high);
    const char *reply = client_ask(client, line);
    assert_string_equal(value_of(reply, "state"), "done");
    unsigned long long high_started = strtoull(value_of(reply, "started_ms"), NULL, 10);
    (void)snprintf(line, sizeof line, "STATUS %lu", low);
    assert_true(high_started <= strtoull(value_of(client_ask(client, line), "started_ms"), NULL, 10));
    client_free(client);
}

/* ---- forgetting ---- */

static void forget_removes_a_job_and_its_table(void **state)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect(client, "RESULT 1", "ERR no-such-job fatal");
    client_expect(client, "LEVELS 1", "ERR no-such-job fatal");
    client_expect(client, "DISTANCE 3x3 867254301", "ERR no-table fatal");
    client_expect(client, "TABLES", "OK count=0");
    assert_int_equal(client_skip_list(client), 0);
    const char *reply = client_ask(client, "EXPLORE 3x3");
    assert_string_equal(value_of(reply, "job"), "2");
    client_free(client);
}

static void a_job_may_be_forgotten_right_behind_its_wait(void **state)
{
    struct client *client = client_new(*state);
    struct client *others[3];
    (void)client_submit(client, LONG_EXPLORE);
    unsigned long queued = client_submit(client, "EXPLORE 3x3");
    assert_int_equal(queued, 2);
    for (size_t i = 0; i < 3; i++) {
        others[i] = client_new(*state);
        client_expect(others[i], "PING",
                      "OK pong=yes"); /* what it sends now is read before what is sent later */
        client_send(others[i], "WAIT 2\nFORGET 2\nWAIT 1\nFORGET 1\nPING");
        assert_true(client_is_silent(others[i], 50));
    }
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(client_next(others[i]), "OK job=2 state=cancelled");
        while (strcmp(client_next(others[i]), "OK pong=yes") != 0) {
        }
        client_free(others[i]);
    }
    client_expect(client, "JOBS", "OK count=0");
    assert_int_equal(client_skip_list(client), 0);
    client_free(client);
}

static void a_table_that_went_with_another_job_is_explored_again(void **state)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3 depth=5");
    client_done(client, "EXPLORE 3x3");
    client_expect(client, "EXPLORE 3x3 depth=5", "OK job=1 state=done cached=yes");
    client_expect(client, "FORGET 2", "OK job=2 forgotten=yes");
    client_expect(client, "DISTANCE 3x3 123456078", "ERR no-table fatal");
    const char *reply = client_ask(client, "EXPLORE 3x3 depth=5");
    assert_string_equal(value_of(reply, "cached"), "no");
    assert_string_equal(client_wait(client, strtoul(value_of(reply, "job"), NULL, 10)), "done");
    client_expect(client, "DISTANCE 3x3 123456078", "OK moves=2");
    client_expect(client, "EXPLORE 3x3 depth=5", "OK job=3 state=done cached=yes");
    client_free(client);
}

static void an_estimate_is_no_job(void **state)
{
    struct client *client = client_new(*state);
    const char *reply = client_ask(client, "EXPLORE 3x4 estimate=yes");
    assert_string_equal(value_of(reply, "states"), "239500800");
    client_expect(client, "JOBS", "OK count=0");
    assert_int_equal(client_skip_list(client), 0);
    client_free(client);
}

static void jobs_are_listed_by_state_and_in_pages(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "SOLVE 3x3 start=123456708", "OK job=1 state=done");
    client_expect(client, "SOLVE 3x3 start=123450786", "OK job=2 state=done");
    client_expect(client, "SOLVE 3x3 start=123456078", "OK job=3 state=done");
    client_expect(client, "JOBS limit=2", "OK count=2 more=yes");
    assert_int_equal(client_skip_list(client), 2);
    client_expect(client, "JOBS after=2", "OK count=1 more=no");
    assert_string_equal(value_of(client_next(client), "job"), "3");
    assert_int_equal(client_skip_list(client), 0);
    client_expect(client, "JOBS state=queued", "OK count=0 more=no");
    assert_int_equal(client_skip_list(client), 0);
    client_free(client);
}

#define SPECIFICATION(name) cmocka_unit_test_setup_teardown(name, daemon_setup, daemon_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPECIFICATION(the_same_question_is_the_same_job),
        SPECIFICATION(a_wider_question_is_another_job),
        SPECIFICATION(two_clients_share_a_running_job),
        SPECIFICATION(a_cancelled_job_does_not_answer_the_question_again),
        SPECIFICATION(a_job_stopped_by_memory_runs_again_only_with_more),
        SPECIFICATION(a_dense_job_stopped_by_time_keeps_its_levels_and_no_table),
        SPECIFICATION(a_job_that_keeps_no_table_in_the_end_says_so),
        SPECIFICATION(a_dense_job_that_is_cancelled_leaves_no_table),
        SPECIFICATION(a_dense_job_that_memory_does_not_hold_is_refused_and_leaves_no_table),
        SPECIFICATION(wait_answers_at_its_timeout_with_the_state_then),
        SPECIFICATION(watch_ends_with_the_job_and_the_connection_goes_on),
        SPECIFICATION(those_who_wait_may_hang_up),
        SPECIFICATION(a_short_solve_does_not_wait_behind_a_long_exploration),
        SPECIFICATION(a_queued_job_can_be_cancelled),
        SPECIFICATION(a_cancelled_search_tells_what_it_has_proven),
        SPECIFICATION(the_higher_priority_runs_first),
        SPECIFICATION(forget_removes_a_job_and_its_table),
        SPECIFICATION(a_job_may_be_forgotten_right_behind_its_wait),
        SPECIFICATION(a_table_that_went_with_another_job_is_explored_again),
        SPECIFICATION(an_estimate_is_no_job),
        SPECIFICATION(jobs_are_listed_by_state_and_in_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
