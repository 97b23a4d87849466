/* SPDX-License-Identifier: MIT */
/* Jobs: the same question asked again, waiting, cancelling, forgetting, listing. */
#include "harness.h"

/* Runs until it is cancelled or has used up the memory, seconds later. */
#define LONG_EXPLORE "EXPLORE 5x5 keep=levels engine=striped"

/* ---- the same question ---- */

static void expect_same_job(struct client *client, const char *first, const char *second)
{
    unsigned long job = client_submit(client, first);
    const char *reply = client_ask(client, second);
    if (number_of(reply, "job") != job || strcmp(value_of(reply, "cached"), "yes") != 0)
        fail_msg("%s: job %lu was expected: %s", second, job, reply);
}

SPECIFICATION(the_same_question_is_the_same_job)
{
    struct client *client = client_new(*state);
    expect_same_job(client, "EXPLORE 3x3", "EXPLORE slide:3x3 priority=5");
    expect_same_job(client, "EXPLORE 3x3 root=1,2,3/4,5,6/7,8,0", "EXPLORE 3x3");
    expect_same_job(client, "EXPLORE 2x4", "EXPLORE 4x2");
    expect_same_job(client, "EXPLORE 3x3", "EXPLORE 3x3 root=0,1,2/3,4,5/6,7,8");
    expect_same_job(client, "EXPLORE 3x3", "EXPLORE 3x3 root=8,7,6/5,4,3/2,1,0");
    expect_same_job(client, "SOLVE 3x3 start=867254301", "SOLVE 3x3 start=\"8 6 7 2 5 4 3 0 1\"");
    expect_same_job(client, "SOLVE 3x3 start=867254301", "SOLVE 3x3 start=132745608 goal=876543210");
    expect_same_job(client, "SOLVE jugs:3,5 goal=4", "SOLVE jugs:3,5,goal:4");
    expect_same_job(client, "SOLVE pancake:4 start=2,1,4,3 goal=1,2,3,4", "SOLVE pancake:4 start=2,1,4,3");
}

SPECIFICATION(a_search_that_stopped_is_answered_by_a_table_that_came_later)
{
    static const char line[] = "SOLVE hanoi:3,8 threads=1 memory=200K";
    struct client *client = client_new(*state);
    const unsigned long stopped = client_expect_end(client, line, "state=stopped reason=memory");
    assert_int_equal(client_submit(client, line), stopped);
    (void)client_done(client, "EXPLORE hanoi:3,8");
    const unsigned long known = client_expect_end(client, line, "state=done moves=255 method=table");
    assert_true(known != stopped);
    assert_int_equal(client_submit(client, line), known);
    client_free(client);
}

SPECIFICATION(a_search_that_waits_is_answered_by_a_table_that_came_later)
{
    static const char line[] = "SOLVE hanoi:3,8";
    daemon_restart_with(*state, "[limits]\nsolves = 1\n");
    struct client *client = client_new(*state);
    (void)client_submit(client, "SOLVE 5x5 partition=manhattan start=24,23,22,21,20/19,18,17,16,15/14,13,12,"
                                "11,10/9,8,7,6,5/4,3,2,1,0");
    (void)client_submit(client, line);
    (void)client_done(client, "EXPLORE hanoi:3,8");
    client_expect(client, line, "OK job=4 state=done cached=no solvable=yes moves=255 method=table");
    client_free(client);
}

SPECIFICATION(a_wider_question_is_another_job)
{
    struct client *client = client_new(*state);
    unsigned long bounded = client_submit(client, "EXPLORE 3x3 depth=5");
    unsigned long whole = client_submit(client, "EXPLORE 3x3");
    assert_true(whole != bounded);
    assert_string_equal(client_wait(client, whole), "done");
    unsigned long levels = client_submit(client, "EXPLORE 3x3 keep=levels");
    assert_true(levels != whole);
}

SPECIFICATION(two_clients_share_a_running_job)
{
    struct client *one = client_new(*state);
    struct client *two = client_new(*state);
    unsigned long job = client_submit(one, LONG_EXPLORE);
    client_expect_fields(two, LONG_EXPLORE, "job=1 cached=yes");
    client_expect(two, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(one, job), "cancelled");
}

SPECIFICATION(a_cancelled_job_does_not_answer_the_question_again)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    client_expect_fields(client, LONG_EXPLORE, "job=2 cached=no");
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
}

SPECIFICATION(a_job_stopped_by_memory_runs_again_only_with_more)
{
    struct client *client = client_new(*state);
    static const struct {
        const char *request, *reply;
    } asked[] = {
        {"EXPLORE 4x4 engine=striped planes=memory memory=8M", "job=1 cached=no"},
        {"EXPLORE 4x4 engine=striped planes=memory memory=8M", "job=1 cached=yes"},
        {"EXPLORE 4x4 engine=striped planes=memory memory=16M", "job=2 cached=no"},
        {"EXPLORE 4x4 engine=striped memory=16M time=1ms", "job=3 cached=no"}, /* or with scratch space */
        {"EXPLORE 4x4 engine=striped memory=1M time=1ms", "cached=yes"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        client_expect_fields(client, asked[i].request, asked[i].reply);
        const unsigned long job = number_of(client->line, "job");
        assert_string_equal(client_wait(client, job), "stopped");
        if (i == 0)
            expect_fields(client_result(client, job), "reason=memory complete=no");
    }
}

/* A dense exploration that was stopped or refused leaves its levels behind, and no table. */
static void expect_no_table(struct client *client)
{
    client_expect_list(client, "TABLES", "OK count=0", 0);
}

SPECIFICATION(a_dense_job_stopped_by_time_keeps_its_levels_and_no_table)
{
    static const char *const lines[] = {"EXPLORE 3x4 engine=dense time=1ms",
                                        "EXPLORE 3x4 engine=dense keep=levels time=1ms"};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < 2; i++) {
        const unsigned long job =
            client_expect_end(client, lines[i], "state=stopped reason=time complete=no");
        assert_true(number_of(client_about(client, "LEVELS", job), "count") > 0);
        assert_true(client_skip_list(client) > 0);
        expect_no_table(client);
        expect_same_job(client, lines[i], lines[i]);
    }
}

SPECIFICATION(a_job_that_keeps_no_table_in_the_end_says_so)
{
    static const char line[] = "EXPLORE pancake:10 engine=ranked keep=table time=1ms";
    struct client *client = client_new(*state);
    client_expect_end(client, line, "state=stopped keep=table table=none");
    expect_no_table(client);
    expect_same_job(client, line, line); /* it has lost none */
}

SPECIFICATION(a_dense_job_that_is_cancelled_leaves_no_table)
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
}

SPECIFICATION(a_dense_job_that_memory_does_not_hold_is_refused_and_leaves_no_table)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPLORE 3x4 engine=dense planes=memory memory=50M", "ERR too-large ");
    expect_no_table(client);
}

/* ---- waiting ---- */

SPECIFICATION(wait_answers_at_its_timeout_with_the_state_then)
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
}

SPECIFICATION(watch_ends_with_the_job_and_the_connection_goes_on)
{
    struct client *client = client_new(*state);
    struct client *other = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    client_expect(client, "WATCH 1", "OK job=1 state=running");
    unsigned long expected = 0;
    for (int i = 0; i < 4; i++) {
        const char *event = client_next(client);
        assert_int_equal(strncmp(event, "EVENT seq=", 10), 0);
        assert_int_equal(number_of(event, "seq"), ++expected);
        expect_fields(event, "state=running");
    }
    client_send(other, "CANCEL 1");
    const char *event = client_next(client);
    while (strcmp(value_of(event, "state"), "running") == 0)
        event = client_next(client);
    expect_fields(event, "state=cancelled");
    client_expect(client, "PING", "OK pong=yes");
    client_expect(client, "WATCH 1", "OK job=1 state=cancelled");
    assert_string_equal(client_next(client), "EVENT seq=1 job=1 state=cancelled");
}

/* It builds databases, then searches, which began at 0 seconds. */
SPECIFICATION(the_seconds_of_a_job_that_runs_are_those_of_all_its_phases)
{
    struct client *client = client_new(*state);
    double last = 0;
    (void)client_submit(client,
                        "SOLVE 4x4 start=0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1 partition=6-6-3 time=5s");
    client_expect(client, "WATCH 1", "OK job=1 state=running");
    for (const char *event = client_next(client); strstr(event, "state=running") != NULL;
         event = client_next(client)) {
        const double seconds = strtod(value_of(event, "seconds"), NULL);
        assert_true(seconds >= last || *value_of(event, "seconds") == '\0');
        last = seconds;
    }
    assert_true(last > 0);
}

SPECIFICATION(those_who_wait_may_hang_up)
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
}

SPECIFICATION(a_short_solve_does_not_wait_behind_a_long_exploration)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    client_done(client, "SOLVE 4x4 start=1,2,3,4/5,6,7,8/9,10,0,12/13,14,11,15");
    client_expect(client, "STATUS 1", "OK job=1 kind=explore puzzle=slide:5x5 state=running");
    unsigned long second = client_submit(client, "EXPLORE 3x3");
    expect_fields(client_about(client, "STATUS", second), "state=queued");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(client, second), "done");
}

SPECIFICATION(a_queued_job_can_be_cancelled)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    (void)client_submit(client, "EXPLORE 3x3");
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
    client_expect(client, "RESULT 2", "OK job=2 kind=explore puzzle=slide:3x3 state=cancelled");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
}

SPECIFICATION(what_waits_behind_a_job_begins_when_that_is_cancelled)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE " threads=1 memory=100M");
    (void)client_submit(client, "EXPLORE 3x3 threads=2");
    client_expect_fields(client, "EXPLORE 2x4 threads=1", "job=3 state=queued");
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
    assert_string_equal(client_wait(client, 3), "done");
    client_expect_fields(client, "STATUS 1", "state=running");
}

/* One of the boards at 80 moves: by Manhattan distances alone nobody waits for its solution. */
SPECIFICATION(a_cancelled_search_tells_what_it_has_proven)
{
    struct client *client = client_new(*state);
    unsigned long level = 0;
    unsigned long first = 0;
    (void)client_submit(client,
                        "SOLVE 4x4 start=15,14,8,12/10,11,9,13/2,6,5,1/3,7,4,0 "
                        "goal=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15 method=idastar partition=manhattan");
    for (struct patience patience = {0}; first == 0 || level < first + 4; pause_for(&patience, "levels")) {
        level = number_of(client_ask(client, "STATUS 1"), "level");
        first = first == 0 ? level : first;
    }
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    const char *result = client_ask(client, "RESULT 1");
    expect_fields(result, "state=cancelled solvable=unknown reason=");
    assert_in_range(number_of(result, "at_least"), level, 80);
    const unsigned long before = number_of(result, "previous_generated");
    assert_in_range(before, 1, number_of(result, "bound_generated"));
}

/* The databases of these take longer than that, and are asked for of a store that has none. */
SPECIFICATION(databases_that_are_built_hear_time_and_cancel_and_none_is_left_half)
{
    static const char *const lines[] = {
        "PDB 5x5 partition=6-6-6-6",
        "SOLVE 5x5 start=14,5,9,2,18/8,23,19,12,17/15,0,10,20,4/6,11,21,1,7/24,3,16,22,13 partition=6-6-6-6"};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct patience patience = {0};
        const unsigned long stopped = client_end_in(client, "stopped", text_of("%s time=200ms", lines[i]));
        expect_fields(client_result(client, stopped), "reason=time");
        const unsigned long cancelled = client_submit(client, lines[i]);
        while (strcmp(value_of(client_about(client, "STATUS", cancelled), "phase"), "pdb") != 0)
            pause_for(&patience, "the building");
        expect_fields(client_about(client, "CANCEL", cancelled), "state=cancelled");
        assert_string_equal(client_wait(client, cancelled), "cancelled");
    }
    client_expect_list(client, "TABLES", "OK count=0", 0);
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
    expect_fields(client_ask(client, "STATS"), "memory_used=0");
}

SPECIFICATION(the_higher_priority_runs_first)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    unsigned long low = client_submit(client, "EXPLORE 3x3");
    unsigned long high = client_submit(client, "EXPLORE 2x4 priority=3");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(client, low), "done");
    const char *reply = client_about(client, "STATUS", high);
    expect_fields(reply, "state=done");
    unsigned long long high_started = number_of(reply, "started_ms");
    assert_true(high_started <= number_of(client_about(client, "STATUS", low), "started_ms"));
}

/* ---- forgetting ---- */

SPECIFICATION(forget_removes_a_job_and_its_table)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect(client, "RESULT 1", "ERR no-such-job fatal");
    client_expect(client, "LEVELS 1", "ERR no-such-job fatal");
    client_expect(client, "DISTANCE 3x3 867254301", "ERR no-table fatal");
    client_expect_list(client, "TABLES", "OK count=0", 0);
    client_expect_fields(client, "EXPLORE 3x3", "job=2");
}

SPECIFICATION(a_job_may_be_forgotten_right_behind_its_wait)
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
        while (strcmp(client_next(others[i]), "OK pong=yes") != 0)
            continue;
        client_free(others[i]);
    }
    client_expect_list(client, "JOBS", "OK count=0", 0);
}

SPECIFICATION(a_table_that_went_with_another_job_is_explored_again)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3 depth=5");
    client_done(client, "EXPLORE 3x3");
    client_expect(client, "EXPLORE 3x3 depth=5", "OK job=1 state=done cached=yes");
    client_expect(client, "FORGET 2", "OK job=2 forgotten=yes");
    client_expect(client, "DISTANCE 3x3 123456078", "ERR no-table fatal");
    client_expect_fields(client, "EXPLORE 3x3 depth=5", "job=3 cached=no");
    assert_string_equal(client_wait(client, 3), "done");
    client_expect(client, "DISTANCE 3x3 123456078", "OK moves=2");
    client_expect(client, "EXPLORE 3x3 depth=5", "OK job=3 state=done cached=yes");
}

SPECIFICATION(an_estimate_is_no_job)
{
    struct client *client = client_new(*state);
    client_expect_fields(client, "EXPLORE 3x4 estimate=yes", "states=239500800");
    client_expect_list(client, "JOBS", "OK count=0", 0);
}

SPECIFICATION(jobs_are_listed_by_state_and_in_pages)
{
    struct client *client = client_new(*state);
    client_expect(client, "SOLVE 3x3 start=123456708", "OK job=1 state=done");
    client_expect(client, "SOLVE 3x3 start=123450786", "OK job=2 state=done");
    client_expect(client, "SOLVE 3x3 start=123456078", "OK job=3 state=done");
    client_expect_list(client, "JOBS limit=2", "OK count=2 more=yes", 2);
    client_expect(client, "JOBS after=2", "OK count=1 more=no");
    expect_fields(client_next(client), "job=3");
    assert_int_equal(client_skip_list(client), 0);
    client_expect_list(client, "JOBS state=queued", "OK count=0 more=no", 0);
}
