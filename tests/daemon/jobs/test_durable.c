/* SPDX-License-Identifier: MIT */
/* An acknowledged job is on the disk: while the disk stands still, the daemon acknowledges nothing. */
#include "slow_disk.h"

#include <signal.h>

#define LONG  "EXPLORE 4x4 engine=striped"
#define OTHER "EXPLORE 4x4 engine=striped depth=60"

WITH_SLOW_DISK(who_joins_a_job_is_answered_when_it_is_durable)
{
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    disk_stops();
    client_waits(first, LONG);
    client_waits(second, LONG);
    disk_goes_on();
    unsigned long job = number_of(client_next(first), "job");
    const char *joined = client_next(second);
    expect_fields(joined, "cached=yes");
    assert_int_equal(number_of(joined, "job"), job);
}

WITH_SLOW_DISK(nobody_heard_of_a_job_that_a_crash_took)
{
    struct daemon *daemon = *state;
    struct client *first = client_new(daemon);
    struct client *second = client_new(daemon);
    struct client *third = client_new(daemon);
    disk_stops();
    client_waits(first, LONG);
    client_waits(second, LONG);
    client_expect_list(third, "JOBS", "OK count=0", 0);
    client_expect(third, "STATUS 1", "ERR no-such-job");
    client_expect(third, "CANCEL 1", "ERR no-such-job");
    kill_and_start(daemon);
    assert_null(client_line(first));
    assert_null(client_line(second));
    client_free(first);
    client_free(second);
    client_free(third);
    third = client_new(daemon);
    client_expect(third, "JOBS", "OK count=0");
}

WITH_SLOW_DISK(a_job_whose_cancel_was_acknowledged_does_not_come_back)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    unsigned long running = client_submit(client, LONG);
    unsigned long queued = client_submit(client, OTHER);
    assert_int_equal(queued, running + 1);
    disk_stops();
    client_waits(client, "CANCEL 2");
    kill_and_start(daemon);
    assert_null(client_line(client));
    client_free(client);
    client = client_new(daemon);
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
    daemon_kill(daemon);
    client_free(client);
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    client_expect(client, "STATUS 2", "OK job=2 kind=explore puzzle=slide:4x4 state=cancelled");
}

WITH_SLOW_DISK(an_end_is_told_when_it_is_durable)
{
    struct client *waits = client_new(*state);
    struct client *cancels = client_new(*state);
    assert_int_equal(client_submit(waits, LONG), 1);
    disk_stops();
    client_send(waits, "WAIT 1");
    client_waits(cancels, "CANCEL 1");
    assert_true(client_is_silent(waits, 0));
    disk_goes_on();
    assert_string_equal(client_next(waits), "OK job=1 state=cancelled");
    assert_string_equal(client_next(cancels), "OK job=1 state=cancelled");
}

WITH_SLOW_DISK(who_watches_meanwhile_gets_one_last_event)
{
    struct client *cancels = client_new(*state);
    struct client *watches = client_new(*state);
    assert_int_equal(client_submit(cancels, LONG), 1);
    disk_stops();
    client_waits(cancels, "CANCEL 1");
    client_send(watches, "WATCH 1");
    assert_string_equal(client_next(watches), "OK job=1 state=running");
    client_send(watches, "PING");
    disk_goes_on();
    const char *event = client_next(watches);
    while (strstr(event, "state=cancelled") == NULL) {
        assert_non_null(strstr(event, "state=running"));
        event = client_next(watches);
    }
    assert_string_equal(client_next(watches), "OK pong=yes");
}

/* The disk fails after it has begun, and works again once it has ended. */
WITH_SLOW_DISK(a_job_whose_levels_are_not_durable_has_failed)
{
    static const char line[] = "EXPLORE 4x4 keep=levels planes=disk memory=330M depth=8";
    struct client *client = client_new(*state);
    assert_int_equal(client_submit(client, line), 1);
    make_file(fail_file);
    assert_string_equal(client_wait(client, 1), "failed");
    expect_fields(client_result(client, 1), "error=storage");
    assert_int_equal(unlink(fail_file), 0);
    assert_string_equal(client_wait(client, client_submit(client, line)), "done");
    client_expect_list(client, "LEVELS 2", "OK count=9", 9);
}

WITH_SLOW_DISK(a_job_whose_levels_a_full_disk_did_not_take_has_failed_for_that)
{
    struct client *client = client_new(*state);
    assert_int_equal(client_submit(client, "EXPLORE 4x4 keep=levels planes=disk memory=330M depth=8"), 1);
    disk_is_full();
    assert_string_equal(client_wait(client, 1), "failed");
    expect_fields(client_result(client, 1), "error=storage-full");
    client_free(client);
    daemon_stop(*state);
    assert_in_range(logged(*state, "event=store-write-lost writes="), 1, 12); /* of 18: most together */
    assert_int_equal(unlink(fail_file), 0);
    daemon_start(*state, NULL);
}

/* ---- stopped jobs that are asked again ---- */

#define ON_DISK "EXPLORE 2x5 keep=levels planes=disk"

/* A full disk has stopped job 1. */
static struct client *client_of_stopped(struct daemon *daemon)
{
    struct client *client = client_new(daemon);
    assert_int_equal(client_submit(client, ON_DISK " disk=100K"), 1);
    assert_string_equal(client_wait(client, 1), "stopped");
    expect_fields(client_result(client, 1), "reason=disk");
    return client;
}

/* Checks that job 1 ends with the published depth, and leaves the clients. */
static void check_goes_on(struct client *client)
{
    assert_string_equal(client_wait(client, 1), "done");
    expect_fields(client_result(client, 1), "depth=55");
    client_free(client);
}

WITH_SLOW_DISK(a_stopped_job_that_is_asked_again_goes_on_after_a_kill)
{
    struct daemon *daemon = *state;
    struct client *client = client_of_stopped(daemon);
    disk_stops();
    client_waits(client, ON_DISK);
    disk_goes_on();
    assert_string_equal(client_next(client), "OK job=1 state=queued cached=no");
    daemon_kill(daemon);
    client_free(client);
    daemon_start(daemon, NULL);
    check_goes_on(client_new(daemon));
}

WITH_SLOW_DISK(a_stopped_job_stays_as_it_is_until_it_is_durable_that_it_goes_on)
{
    struct daemon *daemon = *state;
    struct client *asks = client_of_stopped(daemon);
    struct client *joins = client_new(daemon);
    struct client *leaves = client_new(daemon);
    struct client *cancels = client_new(daemon);
    disk_stops();
    client_waits(asks, ON_DISK);
    client_waits(joins, ON_DISK " priority=3");
    client_send(leaves, ON_DISK);
    assert_true(client_is_silent(leaves, 0));
    client_free(leaves);
    client_expect(cancels, "FORGET 1", "ERR not-finished");
    client_expect(cancels, "STATUS 1", "OK job=1 kind=explore puzzle=slide:2x5 state=stopped priority=0");
    disk_goes_on();
    assert_string_equal(client_next(asks), "OK job=1 state=queued cached=no");
    expect_fields(client_next(joins), "job=1");
    client_expect(cancels, "STATUS 1", "OK job=1 kind=explore puzzle=slide:2x5");
    assert_string_equal(value_of(cancels->line, "priority"), "3");
    client_free(joins);
    client_free(cancels);
    check_goes_on(asks);
}

/* Stops the disk, and returns a client that cancels the job which the other one asks for. */
static struct client *cancel_while_asked(struct daemon *daemon, struct client *asks)
{
    struct client *cancels = client_new(daemon);
    disk_stops();
    client_waits(asks, ON_DISK);
    client_waits(cancels, "CANCEL 1");
    return cancels;
}

WITH_SLOW_DISK(a_stopped_job_that_is_cancelled_while_it_is_asked_again_ends)
{
    struct daemon *daemon = *state;
    struct client *asks = client_of_stopped(daemon);
    struct client *cancels = cancel_while_asked(daemon, asks);
    disk_goes_on();
    assert_string_equal(client_next(asks), "OK job=1 state=queued cached=no");
    expect_fields(client_next(cancels), "job=1 state=cancelled");
    client_free(cancels);
    client_free(asks);
}

WITH_SLOW_DISK(a_stopped_job_whose_asker_left_goes_on)
{
    struct daemon *daemon = *state;
    struct client *client = client_of_stopped(daemon);
    disk_stops();
    client_waits(client, ON_DISK);
    client_free(client);
    disk_goes_on();
    client = client_new(daemon);
    for (struct patience patience = {0};
         strcmp(value_of(client_ask(client, "STATUS 1"), "state"), "stopped") == 0;)
        pause_for(&patience, "the job");
    check_goes_on(client);
}

WITH_SLOW_DISK(a_stopped_job_that_cannot_be_stored_as_queued_stays_stopped)
{
    struct client *client = client_of_stopped(*state);
    make_file(fail_file);
    client_expect(client, ON_DISK, "ERR storage");
    client_expect(client, "STATUS 1", "OK job=1 kind=explore puzzle=slide:2x5 state=stopped");
    expect_fields(client_result(client, 1), "reason=disk");
    assert_int_equal(unlink(fail_file), 0);
    client_expect(client, ON_DISK, "OK job=1 state=queued cached=no");
    check_goes_on(client);
}

/* Whoever is told that it may succeed later can ask later. */
WITH_SLOW_DISK(a_job_that_could_not_be_forgotten_is_there_and_can_be_forgotten_later)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3");
    client_done(client, "EXPLORE 2x3");
    make_file(fail_file);
    client_expect(client, "FORGET 1", "ERR storage ");
    assert_int_equal(unlink(fail_file), 0);
    client_expect(client, "RESULT 1", "OK job=1 kind=explore puzzle=slide:3x3 state=done");
    client_expect_list(client, "JOBS", "OK count=2 ", 2);
    client_expect(client, "EXPLORE 3x3", "OK job=1 state=done cached=yes");
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect(client, "RESULT 1", "ERR no-such-job");
    client_expect(client, "DISTANCE 3x3 867254301", "ERR no-table");
}

/* The restart fails: who asked hears why, and who cancelled it that it is stopped. */
WITH_SLOW_DISK(a_restart_that_cannot_be_stored_fails_for_who_asked_alone)
{
    struct client *asks = client_of_stopped(*state);
    struct client *cancels = client_new(*state);
    disk_stops();
    client_waits(asks, ON_DISK);
    client_waits(cancels, "CANCEL 1");
    make_file(fail_file);
    disk_goes_on();
    client_expect_next(asks, "ERR storage");
    assert_string_equal(client_next(cancels), "OK job=1 state=stopped");
    assert_int_equal(unlink(fail_file), 0);
    client_free(cancels);
    client_expect(asks, ON_DISK, "OK job=1 state=queued cached=no");
    check_goes_on(asks);
}

WITH_SLOW_DISK(a_stopped_job_that_is_asked_again_before_a_stop_goes_on)
{
    struct daemon *daemon = *state;
    struct client *client = client_of_stopped(daemon);
    disk_stops();
    client_waits(client, ON_DISK);
    assert_int_equal(kill(daemon->pid, SIGTERM), 0);
    disk_goes_on();
    const char *line = client_line(client);
    assert_true(line == NULL || strcmp(line, "OK job=1 state=queued cached=no") == 0);
    client_free(client);
    daemon_stop(daemon);
    daemon_start(daemon, NULL);
    check_goes_on(client_new(daemon));
}

/* The end of the job is a commit that follows the last one before the stop. */
WITH_SLOW_DISK(a_stopped_job_that_is_cancelled_while_it_is_asked_again_ends_before_a_stop)
{
    struct daemon *daemon = *state;
    struct client *asks = client_of_stopped(daemon);
    struct client *cancels = cancel_while_asked(daemon, asks);
    const unsigned stopped = logged(daemon, "event=stopped");
    assert_int_equal(kill(daemon->pid, SIGTERM), 0);
    for (struct patience patience = {0}; logged(daemon, "event=stopped") == stopped;)
        pause_for(&patience, "the stop");
    client_free(asks);
    client_free(cancels);
    disk_goes_on();
    daemon_stop(daemon);
    daemon_start(daemon, NULL);
    asks = client_new(daemon);
    client_expect(asks, "STATUS 1", "OK job=1 kind=explore puzzle=slide:2x5 state=cancelled");
    client_free(asks);
}
