/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <signal.h>
#include <sys/stat.h>

#define LONG_EXPLORE "EXPLORE 5x5 keep=levels engine=striped"

/* True if exploring 3x4 takes minutes here. */
static const bool slow = PUZZLED_TEST_PATIENCE > 1;

/* ---- restarts ---- */

SPECIFICATION(results_survive_a_restart)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3");
    unsigned long solve = client_done(client, "SOLVE 3x3 start=867254301 method=bfs");
    const char *before = text_of("%s", client_result(client, solve));
    client_free(client);
    daemon_restart(*state, NULL);
    client = client_new(*state);
    assert_string_equal(client_result(client, solve), before);
    client_expect(client, "SOLVE 3x3 start=867254301 method=bfs",
                  "OK job=2 state=done cached=yes solvable=yes");
    client_expect(client, "EXPLORE 3x3", "OK job=1 state=done cached=yes");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
    client_expect_list(client, "LEVELS 1", "OK count=32", 32);
    client_expect(client, "SOLVE 3x3 start=123456708", "OK job=3 ");
}

/* Flips a bit of each place of the database that holds the text. */
static void damage_text(const struct daemon *daemon, const char *text)
{
    const char *path = text_of("%s/state/data.mdb", daemon->directory);
    struct stat about;
    FILE *file = fopen(path, "r+e");
    assert_non_null(file);
    assert_int_equal(stat(path, &about), 0);
    char *bytes = malloc((size_t)about.st_size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)about.st_size, file), about.st_size);
    for (off_t at = 0; at + (off_t)strlen(text) <= about.st_size; at++)
        if (memcmp(bytes + at, text, strlen(text)) == 0)
            bytes[at] ^= 1;
    rewind(file);
    assert_int_equal(fwrite(bytes, 1, (size_t)about.st_size, file), about.st_size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

/* It was no such job, so that nobody could forget it. */
SPECIFICATION(a_job_whose_record_is_damaged_is_listed_as_failed_and_can_be_forgotten)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3");
    client_done(client, "EXPLORE 2x3");
    client_free(client);
    daemon_stop(*state);
    damage_text(*state, "EXPLORE 3x3");
    daemon_start(*state, NULL);
    client = client_new(*state);
    client_expect_list(client, "JOBS", "OK count=2 ", 2);
    expect_fields(client_result(client, 1), "state=failed error=storage");
    client_expect(client, "STATUS 1",
                  "OK job=1 kind=explore puzzle=\"\" state=failed priority=0 submitted_ms=");
    client_expect_list(client, "FSCK", "OK count=1 ", 1);
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
    client_done(client, "EXPLORE 3x3");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
}

SPECIFICATION(a_running_job_is_run_again_after_a_restart)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    (void)client_submit(client, "EXPLORE 3x3");
    client_free(client);
    daemon_restart(*state, NULL);
    client = client_new(*state);
    client_expect_fields(client, LONG_EXPLORE, "cached=yes");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(client, 2), "done");
}

SPECIFICATION(a_job_that_was_acknowledged_survives_a_kill)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    (void)client_submit(client, "EXPLORE 2x4");
    daemon_kill(*state);
    client_free(client);
    daemon_start(*state, NULL);
    client = client_new(*state);
    client_expect(client, "STATUS 1", "OK job=1 kind=explore puzzle=slide:5x5");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_equal(client_wait(client, 2), "done");
}

/* ---- stopping ---- */

/* The second solve is answered before it is on the disk, and the kill takes it back. */
SPECIFICATION(a_number_that_was_told_belongs_to_one_job_for_ever)
{
    struct client *client = client_new(*state);
    unsigned long stored = client_submit(client, "SOLVE jugs:3,5 goal=4");
    unsigned long told = client_submit(client, "SOLVE jugs:3,5 goal=2");
    assert_true(told > stored);
    daemon_kill(*state);
    client_free(client);
    daemon_start(*state, NULL);
    client = client_new(*state);
    assert_true(client_submit(client, "SOLVE jugs:3,7 goal=4") > told);
}

SPECIFICATION(those_who_wait_are_told_that_the_daemon_stops)
{
    struct daemon *daemon = *state;
    struct client *waiting = client_new(daemon);
    struct client *watching = client_new(daemon);
    (void)client_submit(waiting, LONG_EXPLORE);
    client_send(waiting, "WAIT 1 tag=w");
    client_expect(watching, "WATCH 1", "OK job=1 state=running");
    (void)client_line(watching);
    assert_int_equal(kill(daemon->pid, SIGTERM), 0);
    client_expect_next(waiting, "ERR shutting-down retry tag=w ");
    const char *last = client_next(watching);
    while (strncmp(last, "EVENT ", 6) == 0)
        last = client_next(watching);
    assert_int_equal(strncmp(last, "ERR shutting-down retry ", 24), 0);
    assert_null(client_line(waiting));
}

TEST(what_help_or_version_cannot_write_is_a_failure)
{
    daemon_expect_refusal("standard output: No space left", "--version 3>&1 >/dev/full 2>&3 || exit 1; :");
}

SPECIFICATION(two_daemons_do_not_share_a_socket_or_a_database)
{
    const struct daemon *daemon = *state;
    daemon_expect_refusal("another daemon answers on", "--socket %s --state-dir %s/other", daemon->socket,
                          daemon->directory);
    daemon_expect_refusal("in use", "--socket %s/other --state-dir %s/state", daemon->directory,
                          daemon->directory);
    struct client *client = client_new(daemon);
    client_expect(client, "PING", "OK pong=yes");
}

/* ---- lookups that last ---- */

/* Boards of one level of 3x4, out of 239,500,800, so often that it takes seconds, wherever it runs. */
enum { SAMPLES = 40 };
static struct client *ask_for_samples(const struct daemon *daemon)
{
    struct client *client = client_new(daemon);
    for (unsigned i = 0; i < SAMPLES; i++)
        client_send(client, "SAMPLE 3x4 depth=52");
    return client;
}

static void check_sample(struct client *client, const char *line)
{
    assert_int_equal(strncmp(line, "OK count=1 depth=52", 19), 0);
    assert_int_equal(client_skip_list(client), 1);
}

/* How many are answered by now. */
static unsigned answered(struct client *client)
{
    unsigned count = 0;
    for (; !client_is_silent(client, 0); count++)
        check_sample(client, client_next(client));
    return count;
}

SPECIFICATION(lookups_that_last_hold_nobody_up)
{
    struct daemon *daemon = *state;
    if (slow)
        skip();
    struct client *client = client_new(daemon);
    client_done(client, "EXPLORE 3x4");
    struct client *one = ask_for_samples(daemon);
    (void)ask_for_samples(daemon);
    struct client *three = ask_for_samples(daemon);
    client_expect(client, "DISTANCE 3x4 1,2,3,4/5,6,7,8/9,10,0,11", "OK moves=1");
    assert_true(answered(three) < SAMPLES);
    check_sample(one, client_next(one));
}

SPECIFICATION(the_end_does_not_wait_for_lookups_that_last)
{
    struct daemon *daemon = *state;
    if (slow)
        skip();
    struct client *client = client_new(daemon);
    client_done(client, "EXPLORE 3x4");
    struct client *sampling = ask_for_samples(daemon);
    check_sample(sampling, client_next(sampling));
    client_expect(client, "SOLVE 3x3 start=867254301", "OK job=2");
    client_free(client);
    daemon_stop(daemon);
    unsigned count = 1;
    for (const char *line = NULL; (line = client_line(sampling)) != NULL; count++)
        check_sample(sampling, line);
    assert_true(count < SAMPLES);
    client_free(sampling);
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    assert_string_equal(client_wait(client, 2), "done");
}

/* ---- limits and configuration ---- */

SPECIFICATION(one_connection_too_many_is_told_so)
{
    daemon_restart_with(*state, "[limits]\nconnections = 2\n");
    struct client *one = client_new(*state);
    client_expect(one, "PING", "OK");
    client_expect(client_new(*state), "PING", "OK");
    struct client *three = client_new(*state);
    assert_string_equal(client_next(three), "ERR limit retry too many connections, by [limits] connections");
    assert_null(client_line(three));
}

SPECIFICATION(too_many_queued_jobs_are_refused)
{
    daemon_restart_with(*state, "[limits]\nqueued-jobs-per-client = 2\n");
    struct client *client = client_new(*state);
    (void)client_submit(client, LONG_EXPLORE);
    (void)client_submit(client, "EXPLORE 3x3");
    (void)client_submit(client, "EXPLORE 2x4");
    client_expect(
        client, "EXPLORE 2x5",
        "ERR limit retry your queue is full: by [limits] queued-jobs-per-client 2 of yours may wait");
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
    (void)client_submit(client, "EXPLORE 2x5");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
}

SPECIFICATION(a_visitor_of_a_page_for_many_has_so_many_jobs_at_once)
{
    daemon_restart_with(*state, "[daemon]\nlisten = 127.0.0.1:0\n[limits]\njobs-per-visitor = 2\n");
    struct client *client = client_new(*state);
    struct client *other = client_new_tcp(*state, "127.0.0.1");
    (void)client_submit(client, LONG_EXPLORE " visitor=one");
    (void)client_submit(client, "EXPLORE 3x3 visitor=one");
    client_expect(client, "EXPLORE 2x4 visitor=one", "ERR limit retry visitor_jobs=2 as many jobs");
    (void)client_submit(other, "EXPLORE 2x4 visitor=one"); /* of another page */
    (void)client_submit(client, "EXPLORE 2x4 depth=9 visitor=one-and-a-long-name-1");
    (void)client_submit(client, "EXPLORE 2x3 visitor=one-and-a-long-name-1");
    (void)client_submit(client, "EXPLORE 3x4 visitor=one-and-a-long-name-2");
    (void)client_submit(client, "EXPLORE 2x5");
    client_expect(client, "CANCEL 2", "OK job=2 state=cancelled");
    (void)client_submit(client, "EXPLORE 2x6 visitor=one");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
}

SPECIFICATION(too_many_requests_a_second_are_refused)
{
    daemon_restart_with(*state, "[limits]\nrequests-per-second = 5\n");
    struct client *client = client_new(*state);
    int refused = 0;
    for (int i = 0; i < 50; i++)
        client_send(client, text_of("%s tag=t%d", i % 2 == 0 ? "PING" : "DISTANCE 3x3 867254301", i));
    for (int i = 0; i < 50; i++) {
        assert_string_equal(value_of(client_next(client), "tag"), text_of("t%d", i));
        refused +=
            strstr(client->line, " too many requests a second: by [limits] requests-per-second 5 ") != NULL;
    }
    assert_true(refused >= 20 && refused < 50);
}

SPECIFICATION(an_idle_connection_is_closed)
{
    daemon_restart_with(*state, "[limits]\nidle-timeout = 1s\n");
    struct client *idle = client_new(*state);
    struct client *waiting = client_new(*state);
    static const char *const lines[] = {LONG_EXPLORE, "WAIT 1 timeout=2s", "CANCEL 1"};
    for (unsigned i = 0; i < 3; i++) /* at once: it has no second to lose */
        client_send(waiting, lines[i]);
    assert_null(client_line(idle));
    for (unsigned i = 0; i < 3; i++)
        client_expect_next(waiting, "OK job=1 ");
}

SPECIFICATION(a_reload_changes_limits_and_keeps_connections)
{
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, "[limits]\nqueued-jobs-per-client = 1\n");
    struct client *client = client_new(daemon);
    (void)client_submit(client, LONG_EXPLORE);
    (void)client_submit(client, "EXPLORE 3x3");
    client_expect(client, "EXPLORE 2x4", "ERR limit retry");
    daemon_write_config(daemon, "[limits]\nqueued-jobs-per-client = 2\n");
    assert_int_equal(kill(daemon->pid, SIGHUP), 0);
    /* The signal is handled between two requests, soon. */
    struct patience patience = {0};
    while (strncmp(client_ask(client, "EXPLORE 2x4"), "ERR", 3) == 0)
        pause_for(&patience, "the reload");
    const unsigned long third = number_of(client->line, "job");
    assert_true(third > 2);
    /* A file with a fault changes nothing. */
    daemon_write_config(daemon, "[limits]\nqueued-jobs-per-client = 1\nthreads = many\n");
    assert_int_equal(kill(daemon->pid, SIGHUP), 0);
    for (patience = (struct patience){0}; logged(daemon, "event=reload-failed") == 0;)
        pause_for(&patience, "the refusal");
    expect_fields(client_about(client, "CANCEL", third), "state=cancelled");
    (void)client_submit(client, "EXPLORE 2x4 depth=9");
    client_expect(client, "EXPLORE 2x5", "ERR limit retry");
    client_expect(client, "CANCEL 1", "OK job=1 ");
}

/* ---- figures ---- */

SPECIFICATION(metrics_count_requests_by_verb_and_code)
{
    struct client *client = client_new(*state);
    client_expect(client, "PING", "OK");
    client_expect(client, "STATUS 9", "ERR no-such-job");
    client_expect(client, "DISTANCE 3x3 867254301", "ERR no-table");
    client_expect(client, "METRICS", "OK count=");
    bool ping = false;
    bool status = false;
    bool distance = false;
    const char *line = client_next(client);
    for (; strcmp(line, "END") != 0; line = client_next(client)) {
        ping |= strcmp(line, "puzzled_requests_total{verb=\"PING\",code=\"ok\"} 1") == 0;
        status |= strcmp(line, "puzzled_requests_total{verb=\"STATUS\",code=\"no-such-job\"} 1") == 0;
        distance |= strcmp(line, "puzzled_requests_total{verb=\"DISTANCE\",code=\"no-table\"} 1") == 0;
    }
    assert_true(ping && status && distance);
}

/* Else sockets and files take their place, and what is meant for standard error is written into one of them.
 */
SPECIFICATION(closed_standard_descriptors_stay_nobodys)
{
    struct daemon *daemon = *state;
    const char *script = text_of("%s/closed", daemon->directory);
    write_text(script, "#!/bin/sh\nexec " PUZZLED_PROGRAM " \"$@\" <&- >&- 2>&-\n");
    assert_int_equal(chmod(script, 0700), 0);
    daemon->program = script;
    daemon_restart(daemon, NULL);
    for (int standard = 0; standard <= 2; standard++) {
        char target[64] = "";
        const char *path = text_of("/proc/%d/fd/%d", (int)daemon->pid, standard);
        assert_true(readlink(path, target, sizeof target - 1) > 0);
        assert_string_equal(target, "/dev/null");
    }
    client_expect(client_new(daemon), "PING", "OK pong=yes");
    daemon_stop(daemon);
    daemon->program = NULL;
}

/* Each is at work for a moment before it becomes a job. */
SPECIFICATION(searches_that_a_stop_interrupts_are_answered)
{
    enum { CLIENTS = 12 };
    struct client *client[CLIENTS];
    for (unsigned i = 0; i < CLIENTS; i++)
        client_send(client[i] = client_new(*state), "SOLVE 4x4 start=0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1 "
                                                    "method=idastar partition=manhattan");
    (void)usleep(20000);
    daemon_stop(*state);
    for (unsigned i = 0; i < CLIENTS; i++) {
        const char *reply = client_next(client[i]);
        if (strncmp(reply, "OK job=", 7) != 0 && strncmp(reply, "ERR shutting-down retry ", 24) != 0)
            fail_msg("%s", reply);
    }
}

SPECIFICATION(the_socket_has_the_mode_that_is_set)
{
    const struct daemon *daemon = *state;
    static const unsigned modes[] = {0600, 0640, 0666};
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct stat about;
        daemon_restart_with(*state, text_of("[daemon]\nsocket-mode = %04o\n", modes[i]));
        assert_int_equal(stat(daemon->socket, &about), 0);
        assert_int_equal(about.st_mode & 0777, modes[i]);
    }
}
