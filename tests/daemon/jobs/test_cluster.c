/* SPDX-License-Identifier: MIT */
/* Explorations with cluster=yes. A script stands in for mpiexec and the ranks: it prints what they would. */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Returns the path of a file in the daemon's directory, until the next call. */
static const char *path_of(const struct daemon *daemon, const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", daemon->directory, name);
    return path;
}

static void write_file(const struct daemon *daemon, const char *name, const char *text)
{
    FILE *file = fopen(path_of(daemon, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A daemon whose cluster is the script "ranks" in its directory, and has scratch space by its words. */
static int cluster_setup(void **state)
{
    char text[256];
    if (daemon_setup(state) != 0)
        return -1;
    struct daemon *daemon = *state;
    (void)snprintf(text, sizeof text, "[cluster]\nlaunch = /bin/sh %s/ranks {program} --scratch /nowhere\n",
                   daemon->directory);
    daemon_restart_with(daemon, text);
    return 0;
}

/* Submits a request and waits until its job ends in that state. Returns the job. */
static unsigned long end_in(struct client *client, const char *state, const char *request)
{
    unsigned long job = client_submit(client, request);
    assert_string_equal(client_wait(client, job), state);
    return job;
}

/* The ranks print this after their greeting. The words of each call are kept in a file. */
static void ranks_say(struct client *client, const struct daemon *daemon, const char *rest)
{
    char script[4096];
    const char *version = value_of(client_ask(client, "VERSION"), "version");
    (void)snprintf(script, sizeof script,
                   "case $2 in clear) echo \"$*\" >%s/new; mv %s/new %s/cleared; exit 0;; esac\n"
                   "echo \"$*\" >%s/words\necho OK version=%s ranks=3 threads=2 memory=1000000\n%s",
                   daemon->directory, daemon->directory, daemon->directory, daemon->directory, version, rest);
    write_file(daemon, "ranks", script);
}

/* Reads the one line of a file. Returns false if it is not there. */
static bool read_line(const struct daemon *daemon, const char *name, char line[512])
{
    FILE *file = fopen(path_of(daemon, name), "r");
    if (file == NULL)
        return false;
    assert_non_null(fgets(line, 512, file));
    (void)fclose(file);
    return true;
}

static bool is_there(const struct daemon *daemon, const char *name)
{
    return access(path_of(daemon, name), F_OK) == 0;
}

/* Returns the number that the ranks were told: they keep what they make under it. */
static unsigned long long seed_told(const struct daemon *daemon, const char *name)
{
    char line[512];
    assert_true(read_line(daemon, name, line));
    const char *seed = strstr(line, "--seed=");
    assert_non_null(seed);
    return strtoull(seed + 7, NULL, 10);
}

/* 2x2 from its goal: the first three levels, the states of which are not looked at. */
#define THREE_LEVELS                                                                                         \
    "echo level=0 states=1\necho level=0 example=0000000000003210\n"                                         \
    "echo level=1 states=2\necho level=1 example=0000000000003120,0000000000002310\n"                        \
    "echo level=2 states=2\necho level=2 example=0000000000001320,0000000000002130\n"
#define END_AT_TWO                                                                                           \
    "echo OK complete=no reason=depth states=5 depth=2 engine=striped planes=auto seconds=0.5 generated=9 "  \
    "peak_bytes=77\n"

static void what_the_ranks_tell_is_the_job_s_result(void **state)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    unsigned long job = end_in(client, "done", "EXPLORE 2x2 depth=2 cluster=yes threads=2 memory=5G");
    const char *result = client_result(client, job);
    assert_string_equal(value_of(result, "complete"), "no");
    assert_string_equal(value_of(result, "reason"), "depth");
    assert_string_equal(value_of(result, "states"), "5");
    assert_string_equal(value_of(result, "ranks"), "3");
    assert_string_equal(value_of(result, "threads"), "2");
    assert_string_equal(value_of(result, "keep"), "levels");
    char request[64];
    (void)snprintf(request, sizeof request, "LEVELS %lu examples=2", job);
    assert_string_equal(value_of(client_ask(client, request), "count"), "3");
    assert_string_not_equal(value_of(client_next(client), "example"), "");
    assert_int_equal(client_skip_list(client), 2);
    char words[512] = "";
    assert_true(read_line(daemon, "words", words));
    assert_non_null(strstr(words, "puzzled-ranks explore --request=EXPLORE 2x2 depth=2 cluster=yes threads=2 "
                                  "memory=5G --seed="));
    assert_non_null(strstr(words, " --engine=striped --daemon"));
    client_free(client);
}

/* The words of one call say which engine the ranks are to take. */
static void expect_engine(struct client *client, const struct daemon *daemon, const char *request,
                          const char *option)
{
    char words[512] = "";
    (void)client_wait(client, client_submit(client, request));
    assert_true(read_line(daemon, "words", words));
    if (strstr(words, option) == NULL)
        fail_msg("%s: %s has no %s", request, words, option);
}

static void the_ranks_are_told_the_engine_that_a_local_job_would_take(void **state)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    expect_engine(client, daemon, "EXPLORE 2x2 cluster=yes", "--engine=dense");
    expect_engine(client, daemon, "EXPLORE 2x2 cluster=yes depth=2", "--engine=striped");
    expect_engine(client, daemon, "EXPLORE 2x2 cluster=yes depth=3 engine=dense", "--engine=dense");
    expect_engine(client, daemon, "EXPLORE pancake:3 cluster=yes", "--engine=striped");
    client_free(client);
}

static void the_ranks_are_told_the_configured_engine(void **state)
{
    char text[256];
    struct daemon *daemon = *state;
    (void)snprintf(text, sizeof text,
                   "[engine]\nengine = striped\n[cluster]\nlaunch = /bin/sh %s/ranks {program}\n",
                   daemon->directory);
    daemon_restart_with(daemon, text);
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    expect_engine(client, daemon, "EXPLORE 2x2 cluster=yes", "--engine=striped");
    client_expect(client, "EXPLORE 3x3 cluster=yes estimate=yes", "OK engine=striped states=181440 ");
    client_free(client);
}

static void a_question_that_a_cluster_cannot_answer_is_refused(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPLORE 2x2 cluster=yes keep=table",
                  "ERR unsupported fatal cluster=yes keeps no table");
    client_expect(client, "EXPLORE pancake:6 cluster=yes engine=ranked",
                  "ERR unsupported fatal cluster=yes is for");
    client_expect(client, "EXPLORE 3x3 cluster=yes keep=levels edges=yes",
                  "ERR unsupported fatal cluster=yes counts no edges");
    client_expect(client, "EXPLORE 3x3 cluster=yes planes=disk",
                  "ERR unsupported fatal cluster=yes has planes on disk where [cluster] launch says");
    client_expect(client, "EXPLORE 3x3 cluster=yes disk=1G", "ERR unsupported fatal cluster=yes has planes");
    client_free(client);
}

static void a_daemon_without_a_cluster_says_so(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPLORE 2x2 cluster=yes",
                  "ERR unsupported fatal cluster=yes: this daemon has no cluster; [cluster] launch");
    client_free(client);
}

/* The job fails, and says so. */
static void expect_failure(void **state, const char *ranks, const char *error, const char *words)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state, ranks);
    unsigned long job = end_in(client, "failed", "EXPLORE 2x2 cluster=yes");
    const char *result = client_result(client, job);
    assert_string_equal(value_of(result, "error"), error);
    if (strstr(result, words) == NULL)
        fail_msg("'%s' does not say '%s'", result, words);
    client_free(client);
}

static void the_words_of_a_rank_that_fails_are_the_job_s(void **state)
{
    expect_failure(state, "echo ERR too-large fatal rank 2: needs 3.0G, limit 1.0G\n", "too-large",
                   "rank 2: needs 3.0G, limit 1.0G");
}

static void a_command_that_dies_fails_with_its_last_words(void **state)
{
    expect_failure(state, THREE_LEVELS "echo ---- >&2; echo rank 1 was killed >&2; exit 7\n", "internal",
                   "the command ended with status 7: rank 1 was killed");
    expect_failure(state, THREE_LEVELS "kill -9 $$\n", "internal", "the command was killed by signal 9");
}

/* What MPI and the other ranks add is left out, as are control characters and bytes that are no UTF-8. */
static void the_words_of_the_rank_that_gave_up_are_the_job_s(void **state)
{
    expect_failure(state,
                   THREE_LEVELS "echo puzzled-ranks: rank 1: the message is cut >&2\n"
                                "echo MPI_ABORT was invoked on rank 1 >&2; exit 1\n",
                   "internal", "the command ended with status 1: rank 1: the message is cut\"");
    expect_failure(state, THREE_LEVELS "printf 'a\\033b\\000c\\377d\\302\\233e\\n' >&2; exit 7\n", "internal",
                   "the command ended with status 7: a b c?d??e\"");
}

static void a_command_that_ends_before_the_ranks_run_is_tried_twice(void **state)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    char good[128];
    (void)snprintf(good, sizeof good, "%s", path_of(daemon, "good"));
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    assert_int_equal(rename(path_of(daemon, "ranks"), good), 0);
    write_file(daemon, "ranks", "mv ${0%ranks}good $0; echo no room >&2; exit 1\n");
    (void)end_in(client, "done", "EXPLORE 2x2 depth=2 cluster=yes");
    write_file(daemon, "ranks", "echo no room >&2; exit 1\n");
    unsigned long job = end_in(client, "failed", "EXPLORE 2x2 cluster=yes");
    assert_non_null(strstr(client_result(client, job), "the command ended with status 1: no room"));
    client_free(client);
}

static void garbage_is_refused(void **state)
{
    expect_failure(state, "echo Hello, world\n", "unsupported", "unexpected output: \\\"Hello, world\\\"");
    expect_failure(state, "echo level=1 states=2\n", "unsupported", "unexpected output: \\\"level=1");
    expect_failure(state, "echo level=0 states=1\necho level=0 example=xyz\n", "unsupported",
                   "unexpected output");
    expect_failure(state, THREE_LEVELS "echo OK complete=yes states=4\n", "unsupported", "unexpected output");
}

static void two_jobs_and_other_versions_are_refused(void **state)
{
    expect_failure(state, "echo OK version=0.0.1 ranks=3 threads=1\n", "unsupported",
                   "starts more than one job");
    struct client *client = client_new(*state);
    write_file(*state, "ranks", "echo OK version=0.0.1 ranks=3 threads=1\n");
    unsigned long job = end_in(client, "failed", "EXPLORE 2x2 cluster=yes");
    assert_non_null(strstr(client_result(client, job), "the ranks run version 0.0.1, the daemon "));
    client_free(client);
}

/* Waits until STATUS shows what the ranks tell. */
static const char *running(struct client *client, unsigned long job)
{
    char request[64];
    const char *status;
    (void)snprintf(request, sizeof request, "STATUS %lu", job);
    do {
        status = client_ask(client, request);
        assert_string_not_equal(value_of(status, "state"), "failed");
        (void)usleep(10000);
    } while (*value_of(status, "ranks") == '\0');
    return status;
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
    char request[64];
    (void)snprintf(request, sizeof request, "%s %lu", verb, job);
    client_expect(client, request, "OK ");
}

/* Waits until the ranks were told to remove what they keep of a question. */
static void await_clear(const struct daemon *daemon, unsigned long long seed)
{
    while (!is_there(daemon, "cleared"))
        (void)usleep(10000);
    assert_true(seed_told(daemon, "cleared") == seed);
    assert_int_equal(unlink(path_of(daemon, "cleared")), 0);
}

static void status_shows_ranks_and_cancel_ends_them(void **state)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state,
              THREE_LEVELS "echo EVENT phase=search level=2 states=5 slowest=1\nexec sleep 1000\n");
    unsigned long job = client_submit(client, "EXPLORE 2x2 cluster=yes");
    const char *status = running(client, job);
    assert_string_equal(value_of(status, "ranks"), "3");
    assert_string_equal(value_of(status, "slowest"), "1");
    assert_string_equal(value_of(status, "level"), "2");
    expect_ok(client, "CANCEL", job);
    assert_string_equal(client_wait(client, job), "cancelled");
    await_clear(*state, seed_told(*state, "words"));
    client_free(client);
}

static void ranks_that_wait_for_a_folder_say_so(void **state)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state, "echo 'EVENT phase=wait text=\"rank 1: another uses it\"'\nexec sleep 1000\n");
    unsigned long job = client_submit(client, "EXPLORE 2x2 cluster=yes");
    assert_string_equal(value_of(running(client, job), "phase"), "wait");
    client_free(client);
}

static void a_command_that_does_not_end_is_ended_when_all_is_told(void **state)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state, THREE_LEVELS END_AT_TWO "exec sleep 1000\n");
    (void)end_in(client, "done", "EXPLORE 2x2 depth=2 cluster=yes");
    client_free(client);
}

/* A time that is over before the ranks have told their levels is doubled. */
static void a_limit_of_time_keeps_the_levels_found(void **state)
{
    struct client *client = client_new(*state);
    const char *result = "";
    ranks_say(client, *state, THREE_LEVELS "exec sleep 1000\n");
    for (unsigned time = 200; time < 1000000 && strcmp(value_of(result, "depth"), "2") != 0; time *= 2) {
        char request[64];
        (void)snprintf(request, sizeof request, "EXPLORE 2x2 cluster=yes time=%ums", time);
        unsigned long job = client_submit(client, request);
        (void)client_wait(client, job);
        result = client_result(client, job);
    }
    assert_string_equal(value_of(result, "state"), "stopped");
    assert_string_equal(value_of(result, "reason"), "time");
    assert_string_equal(value_of(result, "depth"), "2");
    client_free(client);
}

/* ---- what the ranks keep ---- */

static void who_asks_again_goes_on_from_what_the_ranks_keep(void **state)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, THREE_LEVELS "exit 7\n");
    unsigned long first = end_in(client, "failed", "EXPLORE 2x2 cluster=yes");
    const unsigned long long seed = seed_told(daemon, "words");
    unsigned long second = client_submit(client, "EXPLORE 2x2 cluster=yes");
    assert_int_not_equal(second, first);
    assert_string_equal(client_wait(client, second), "failed");
    assert_true(seed_told(daemon, "words") == seed);
    (void)end_in(client, "failed", "EXPLORE 2x2 cluster=yes depth=2");
    assert_true(seed_told(daemon, "words") != seed);
    assert_false(is_there(daemon, "cleared"));
    client_free(client);
}

static void a_cancelled_or_forgotten_job_leaves_nothing(void **state)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    expect_ok(client, "CANCEL", run_endlessly(client, daemon));
    await_clear(daemon, seed_told(daemon, "words"));
    ranks_say(client, daemon, THREE_LEVELS "exit 7\n");
    expect_ok(client, "FORGET", end_in(client, "failed", "EXPLORE 2x2 cluster=yes"));
    await_clear(daemon, seed_told(daemon, "words"));
    client_free(client);
}

static void what_a_crash_kept_from_being_removed_is_removed_at_the_start(void **state)
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
    char script[1024];
    const char *here = daemon->directory;
    (void)snprintf(script, sizeof script,
                   "case $2 in clear) mkdir %s/at-work || echo >%s/both; sleep 0.1; rmdir %s/at-work; "
                   "echo \"$*\" >>%s/cleared; exit 0;; esac\n"
                   "exec sleep 1000\n",
                   here, here, here, here);
    write_file(daemon, "ranks", script);
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

static void await_state(struct client *client, unsigned long job, const char *state)
{
    char request[64];
    (void)snprintf(request, sizeof request, "STATUS %lu", job);
    while (strcmp(value_of(client_ask(client, request), "state"), state) != 0)
        (void)usleep(2000);
}

static void what_the_ranks_keep_is_removed_by_one_command_at_a_time_and_for_jobs_that_began_only(void **state)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    unsigned long jobs[4];
    char text[256];
    (void)snprintf(text, sizeof text, "[cluster]\nlaunch = /bin/sh %s/ranks {program} --scratch /nowhere\n",
                   daemon->directory);
    client_free(client);
    daemon_stop(daemon);
    daemon_write_config(daemon, text);
    daemon_start(daemon, (const char *const[]){"--config", daemon->config, "--threads", "3", NULL});
    client = client_new(daemon);
    write_slow_ranks(daemon);
    for (unsigned i = 0; i < 4; i++) {
        (void)snprintf(text, sizeof text, "EXPLORE 2x2 depth=%u cluster=yes", i + 1);
        jobs[i] = client_submit(client, text);
    }
    for (unsigned i = 0; i < 3; i++)
        await_state(client, jobs[i], "running");
    await_state(client, jobs[3], "queued");
    for (unsigned i = 4; i > 0; i--) /* first the one that waits */
        expect_ok(client, "CANCEL", jobs[i - 1]);
    while (count_cleared(daemon) < 3)
        (void)usleep(2000);
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

static void who_allows_more_memory_is_not_answered_from_a_stopped_job(void **state)
{
    const struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    ranks_say(client, daemon, END_IN_SHORT_OF("memory"));
    unsigned long job = end_in(client, "stopped", "EXPLORE 2x2 cluster=yes");
    assert_string_equal(value_of(client_result(client, job), "memory_limit"), "1000000");
    assert_false(is_asked(client, daemon, "EXPLORE 2x2 cluster=yes"));
    assert_false(is_asked(client, daemon, "EXPLORE 2x2 cluster=yes memory=1000000"));
    assert_true(is_asked(client, daemon, "EXPLORE 2x2 cluster=yes memory=2M"));
    assert_true(is_asked(client, daemon, "EXPLORE 2x2 cluster=yes"));
    client_free(client);
}

static void who_allows_more_memory_does_not_join_a_job_that_runs(void **state)
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
    client_free(client);
}

static void a_full_disk_is_told_and_asked_again(void **state)
{
    struct client *client = client_new(*state);
    ranks_say(client, *state, END_IN_SHORT_OF("disk"));
    unsigned long job = end_in(client, "stopped", "EXPLORE 2x2 cluster=yes");
    const char *result = client_result(client, job);
    assert_string_equal(value_of(result, "reason"), "disk");
    assert_non_null(strstr(result, "text=\"rank 2: no room\""));
    assert_true(is_asked(client, *state, "EXPLORE 2x2 cluster=yes"));
    unsigned long here = client_submit(client, "EXPLORE 2x2 keep=levels");
    assert_true(here > job + 1); /* the ranks' place stays theirs */
    assert_string_equal(client_wait(client, here), "done");
    client_free(client);
}

static void a_limit_of_time_is_kept_before_the_ranks_begin(void **state)
{
    struct client *client = client_new(*state);
    write_file(*state, "ranks", "exec sleep 1000\n");
    unsigned long job = end_in(client, "failed", "EXPLORE 2x2 cluster=yes time=100ms");
    assert_non_null(strstr(client_result(client, job), "time= was over before the ranks began"));
    client_free(client);
}

static void a_job_runs_again_after_a_restart(void **state)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    unsigned long job = run_endlessly(client, daemon);
    ranks_say(client, daemon, THREE_LEVELS END_AT_TWO);
    client_free(client);
    daemon_restart(daemon, (const char *const[]){"--config", daemon->config, NULL});
    client = client_new(daemon);
    assert_string_equal(client_wait(client, job), "done");
    client_free(client);
}

#define WITH_CLUSTER(test) cmocka_unit_test_setup_teardown(test, cluster_setup, daemon_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CLUSTER(what_the_ranks_tell_is_the_job_s_result),
        WITH_CLUSTER(the_ranks_are_told_the_engine_that_a_local_job_would_take),
        WITH_CLUSTER(the_ranks_are_told_the_configured_engine),
        WITH_CLUSTER(a_question_that_a_cluster_cannot_answer_is_refused),
        cmocka_unit_test_setup_teardown(a_daemon_without_a_cluster_says_so, daemon_setup, daemon_teardown),
        WITH_CLUSTER(the_words_of_a_rank_that_fails_are_the_job_s),
        WITH_CLUSTER(a_command_that_dies_fails_with_its_last_words),
        WITH_CLUSTER(the_words_of_the_rank_that_gave_up_are_the_job_s),
        WITH_CLUSTER(a_command_that_ends_before_the_ranks_run_is_tried_twice),
        WITH_CLUSTER(garbage_is_refused),
        WITH_CLUSTER(two_jobs_and_other_versions_are_refused),
        WITH_CLUSTER(status_shows_ranks_and_cancel_ends_them),
        WITH_CLUSTER(ranks_that_wait_for_a_folder_say_so),
        WITH_CLUSTER(a_command_that_does_not_end_is_ended_when_all_is_told),
        WITH_CLUSTER(a_limit_of_time_keeps_the_levels_found),
        WITH_CLUSTER(who_asks_again_goes_on_from_what_the_ranks_keep),
        WITH_CLUSTER(a_cancelled_or_forgotten_job_leaves_nothing),
        WITH_CLUSTER(what_a_crash_kept_from_being_removed_is_removed_at_the_start),
        WITH_CLUSTER(what_the_ranks_keep_is_removed_by_one_command_at_a_time_and_for_jobs_that_began_only),
        WITH_CLUSTER(who_allows_more_memory_is_not_answered_from_a_stopped_job),
        WITH_CLUSTER(who_allows_more_memory_does_not_join_a_job_that_runs),
        WITH_CLUSTER(a_full_disk_is_told_and_asked_again),
        WITH_CLUSTER(a_limit_of_time_is_kept_before_the_ranks_begin),
        WITH_CLUSTER(a_job_runs_again_after_a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
