/* SPDX-License-Identifier: MIT */
/* Explorations with cluster=yes: what they show while they run, their end, what they leave, their limits. */
#include "cluster_ranks.h"
#include "harness.h"

#include <signal.h>

/* Waits until STATUS shows what the ranks tell. */
static const char *running(struct client *client, unsigned long job)
{
    for (struct patience patience = {0};; pause_for(&patience, "ranks=")) {
        const char *status = client_about(client, "STATUS", job);
        assert_string_not_equal(value_of(status, "state"), "failed");
        if (*value_of(status, "ranks") != '\0')
            return status;
    }
}

/* Submits a job whose ranks find nothing and do not end, and waits until it runs. */
static unsigned long run_endlessly(struct client *client, const struct daemon *daemon)
{
    ranks_say(client, daemon, "echo EVENT phase=search level=0 states=1 slowest=1\nexec sleep 1000\n");
    unsigned long job = client_submit(client, "EXPLORE 2x2 depth=2 cluster=yes");
    (void)running(client, job);
    return job;
}

/* Sends CANCEL or FORGET. */
static void expect_ok(struct client *client, const char *verb, unsigned long job)
{
    client_expect(client, text_of("%s %lu", verb, job), "OK ");
}

/* Waits until the ranks were told to remove what they keep of a question. */
static void await_clear(const struct daemon *daemon, unsigned long long seed)
{
    for (struct patience patience = {0}; !is_there(daemon, "cleared");)
        pause_for(&patience, "clear");
    assert_true(seed_told(daemon, "cleared") == seed);
    assert_int_equal(unlink(path_of(daemon, "cleared")), 0);
}

WITH_CLUSTER(status_shows_ranks_and_cancel_ends_them)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state,
              THREE_LEVELS "echo EVENT phase=search level=2 states=5 slowest=1\nexec sleep 1000\n");
    unsigned long job = client_submit(client, "EXPLORE 2x2 cluster=yes");
    expect_fields(running(client, job), "ranks=3 slowest=1 level=2");
    expect_ok(client, "CANCEL", job);
    assert_string_equal(client_wait(client, job), "cancelled");
    await_clear(*state, seed_told(*state, "words"));
}

WITH_CLUSTER(ranks_that_wait_for_a_folder_say_so)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state, "echo 'EVENT phase=wait text=\"rank 1: another uses it\"'\nexec sleep 1000\n");
    unsigned long job = client_submit(client, "EXPLORE 2x2 cluster=yes");
    assert_string_equal(value_of(running(client, job), "phase"), "wait");
}

WITH_CLUSTER(a_command_that_does_not_end_is_ended_when_all_is_told)
{
    struct client *client = client_new(*state);
    char process[512];
    ranks_say(client, *state,
              text_of("echo $$ >%s\ntrap '' TERM\n" THREE_LEVELS END_AT_TWO "exec sleep 1000\n",
                      path_of(*state, "process")));
    (void)client_end_in(client, "done", "EXPLORE 2x2 depth=2 cluster=yes");
    assert_true(read_line(*state, "process", process));
    for (struct patience patience = {0}; kill((pid_t)strtol(process, NULL, 10), 0) == 0;)
        pause_for(&patience, "the end of a process that heeds no SIGTERM");
}

/* A time that is over before the ranks have told their levels is doubled. */
WITH_CLUSTER(a_limit_of_time_keeps_the_levels_found)
{
    struct client *client = client_new(*state);
    const char *result = "";
    ranks_say(client, *state, THREE_LEVELS "exec sleep 1000\n");
    for (unsigned time = 200; time < 1000000 && strcmp(value_of(result, "depth"), "2") != 0; time *= 2) {
        unsigned long job = client_submit(client, text_of("EXPLORE 2x2 cluster=yes time=%ums", time));
        (void)client_wait(client, job);
        result = client_result(client, job);
    }
    expect_fields(result, "state=stopped reason=time depth=2");
}

/* ---- what the ranks keep ---- */

WITH_CLUSTER(who_asks_again_goes_on_from_what_the_ranks_keep)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS "exit 7\n");
    unsigned long first = client_end_in(client, "failed", "EXPLORE 2x2 cluster=yes");
    const unsigned long long seed = seed_told(daemon, "words");
    unsigned long second = client_submit(client, "EXPLORE 2x2 cluster=yes");
    assert_int_not_equal(second, first);
    assert_string_equal(client_wait(client, second), "failed");
    assert_true(seed_told(daemon, "words") == seed);
    (void)client_end_in(client, "failed", "EXPLORE 2x2 cluster=yes depth=2");
    assert_true(seed_told(daemon, "words") != seed);
    assert_false(is_there(daemon, "cleared"));
}

WITH_CLUSTER(a_cancelled_or_forgotten_job_leaves_nothing)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    expect_ok(client, "CANCEL", run_endlessly(client, daemon));
    await_clear(daemon, seed_told(daemon, "words"));
    ranks_say(client, daemon, THREE_LEVELS "exit 7\n");
    expect_ok(client, "FORGET", client_end_in(client, "failed", "EXPLORE 2x2 cluster=yes"));
    await_clear(daemon, seed_told(daemon, "words"));
}

WITH_CLUSTER(what_a_crash_kept_from_being_removed_is_removed_at_the_start)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    expect_ok(client, "CANCEL", run_endlessly(client, daemon));
    await_clear(daemon, seed_told(daemon, "words"));
    client_free(client);
    daemon_restart(daemon, (const char *const[]){"--config", daemon->config, NULL});
    await_clear(daemon, seed_told(daemon, "words"));
}

/* Ranks that do not end. Each call to remove what they keep takes a moment and leaves a line in "cleared",
 * and one that finds another at work a file "both". */
static void write_slow_ranks(const struct daemon *daemon)
{
    const char *here = daemon->directory;
    write_file(daemon, "ranks",
               text_of("case $2 in clear) mkdir %s/at-work || echo >%s/both; sleep 0.1; rmdir %s/at-work; "
                       "echo \"$*\" >>%s/cleared; exit 0;; esac\n"
                       "exec sleep 1000\n",
                       here, here, here, here));
}

static unsigned count_cleared(const struct daemon *daemon)
{
    char line[512];
    unsigned count = 0;
    FILE *file = fopen(path_of(daemon, "cleared"), "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        count++;
    if (file != NULL)
        (void)fclose(file);
    return count;
}

WITH_CLUSTER(what_the_ranks_keep_is_removed_by_one_command_at_a_time_and_for_jobs_that_began_only)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    unsigned long jobs[4];
    const char *text =
        text_of("[cluster]\nlaunch = /bin/sh %s/ranks {program} --scratch /nowhere\n", daemon->directory);
    client_free(client);
    daemon_stop(daemon);
    daemon_write_config(daemon, text);
    daemon_start(daemon, (const char *const[]){"--config", daemon->config, "--threads", "3", NULL});
    client = client_new(daemon);
    write_slow_ranks(daemon);
    for (unsigned i = 0; i < 4; i++)
        jobs[i] = client_submit(client, text_of("EXPLORE 2x2 depth=%u cluster=yes", i + 1));
    for (unsigned i = 0; i < 3; i++)
        client_await_state(client, jobs[i], "running");
    client_await_state(client, jobs[3], "queued");
    for (unsigned i = 4; i > 0; i--) /* first the one that waits */
        expect_ok(client, "CANCEL", jobs[i - 1]);
    for (struct patience patience = {0}; count_cleared(daemon) < 3;)
        pause_for(&patience, "three clears");
    client_free(client);
    daemon_stop(daemon);
    assert_int_equal(count_cleared(daemon), 3);
    assert_false(is_there(daemon, "both"));
    daemon_start(daemon, NULL);
}

/* ---- limits ---- */

#define END_IN_SHORT_OF(what)                                                                                \
    THREE_LEVELS "echo OK complete=no reason=" what " states=5 depth=2 engine=striped planes=auto "          \
                 "seconds=0.5 text=\\\"rank 2: no room\\\"\n"

/* Asks, and returns true if the ranks were asked. */
static bool is_asked(struct client *client, const struct daemon *daemon, const char *request)
{
    (void)unlink(path_of(daemon, "words"));
    assert_string_equal(client_wait(client, client_submit(client, request)), "stopped");
    return is_there(daemon, "words");
}

WITH_CLUSTER(who_allows_more_memory_is_not_answered_from_a_stopped_job)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, END_IN_SHORT_OF("memory"));
    unsigned long job = client_end_in(client, "stopped", "EXPLORE 2x2 cluster=yes");
    expect_fields(client_result(client, job), "memory_limit=1000000");
    assert_false(is_asked(client, daemon, "EXPLORE 2x2 cluster=yes"));
    assert_false(is_asked(client, daemon, "EXPLORE 2x2 cluster=yes memory=1000000"));
    assert_true(is_asked(client, daemon, "EXPLORE 2x2 cluster=yes memory=2M"));
    assert_true(is_asked(client, daemon, "EXPLORE 2x2 cluster=yes"));
}

WITH_CLUSTER(who_allows_more_memory_does_not_join_a_job_that_runs)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state, "echo EVENT phase=search level=0 states=1 slowest=1\nexec sleep 1000\n");
    unsigned long job = client_submit(client, "EXPLORE 2x2 cluster=yes memory=2M");
    assert_int_equal(client_submit(client, "EXPLORE 2x2 cluster=yes memory=1M"), job);
    unsigned long larger = client_submit(client, "EXPLORE 2x2 cluster=yes memory=3M");
    assert_int_not_equal(larger, job);
    unsigned long largest = client_submit(client, "EXPLORE 2x2 cluster=yes");
    assert_int_not_equal(largest, larger);
    assert_int_equal(client_submit(client, "EXPLORE 2x2 cluster=yes memory=9M"), largest);
}

WITH_CLUSTER(a_full_disk_is_told_and_asked_again)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state, END_IN_SHORT_OF("disk"));
    unsigned long job = client_end_in(client, "stopped", "EXPLORE 2x2 cluster=yes");
    const char *result = client_result(client, job);
    expect_fields(result, "reason=disk");
    assert_non_null(strstr(result, "text=\"rank 2: no room\""));
    assert_true(is_asked(client, *state, "EXPLORE 2x2 cluster=yes"));
    unsigned long here = client_submit(client, "EXPLORE 2x2 keep=levels");
    assert_true(here > job + 1); /* the ranks' place stays theirs */
    assert_string_equal(client_wait(client, here), "done");
}

WITH_CLUSTER(a_limit_of_time_is_kept_before_the_ranks_begin)
{
    struct client *client = client_new(*state);
    write_file(*state, "ranks", "exec sleep 1000\n");
    unsigned long job = client_end_in(client, "failed", "EXPLORE 2x2 cluster=yes time=100ms");
    assert_non_null(strstr(client_result(client, job), "time= was over before the ranks began"));
}

WITH_CLUSTER(a_job_runs_again_after_a_restart)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    unsigned long job = run_endlessly(client, daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    client_free(client);
    daemon_restart(daemon, (const char *const[]){"--config", daemon->config, NULL});
    client = client_new(daemon);
    assert_string_equal(client_wait(client, job), "done");
}
