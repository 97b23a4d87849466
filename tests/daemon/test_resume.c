/* SPDX-License-Identifier: MIT */
/* Jobs that were cut off go on from their checkpoints and end with the published numbers. */
#include "harness.h"

#include "store/store.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Long enough to be cut off in the middle, and with a published number of states at every level. */
#ifdef PUZZLED_SANITIZED
#define DENSE   "EXPLORE 3x4 engine=dense keep=levels depth=24"
#define STRIPED "EXPLORE 3x4 engine=striped threads=1 depth=23"
#define SHARE   "50"
enum { DENSE_DEPTH = 24, STRIPED_DEPTH = 23, MIDDLE = 14 };
#else
#define DENSE   "EXPLORE 3x4"
#define STRIPED "EXPLORE 3x4 engine=striped threads=1 depth=30"
#define SHARE   "0" /* so fast that none would fall due */
enum { DENSE_DEPTH = 53, STRIPED_DEPTH = 30, MIDDLE = 18 };
#endif

static void start_with_both(struct daemon *daemon, const char *interval, const char *at_stop)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/puzzled.conf", daemon->directory);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    (void)fprintf(
        file, "[store]\ncheckpoint-interval = %s\ncheckpoint-share = " SHARE "\ncheckpoint-at-stop = %s\n",
        interval, at_stop);
    assert_int_equal(fclose(file), 0);
    const char *const words[] = {"--config", path, NULL};
    daemon_start(daemon, words);
}

static void start_with(struct daemon *daemon, const char *interval)
{
    start_with_both(daemon, interval, "100s");
}

/* Waits until job 1 is at that level and, if asked for, has left a checkpoint; false when it has ended. */
static bool await_level(struct daemon *daemon, long level, bool checkpoint)
{
    struct client *client = client_new(daemon);
    bool goes_on = true;
    for (;;) {
        char line[1024];
        (void)snprintf(line, sizeof line, "%s", client_ask(client, "STATUS 1"));
        const char *state = value_of(line, "state");
        goes_on = strcmp(state, "running") == 0 || strcmp(state, "queued") == 0;
        bool left = !checkpoint || *value_of(line, "checkpoint_age") != '\0';
        if (!goes_on || (left && strtol(value_of(line, "level"), NULL, 10) >= level))
            break;
        (void)usleep(2000);
    }
    client_free(client);
    return goes_on;
}

/* The level in the last line of the log about an event of job 1; -1 when there is none. */
static long logged_level(const struct daemon *daemon, const char *event)
{
    char path[128];
    char line[1024];
    long level = -1;
    (void)snprintf(path, sizeof path, "%s/log", daemon->directory);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (strstr(line, event) != NULL && strstr(line, "level=") != NULL)
            level = strtol(strstr(line, "level=") + 6, NULL, 10);
    (void)fclose(file);
    return level;
}

/* How many lines of the log, over all lives, tell of an event. */
static unsigned logged(const struct daemon *daemon, const char *event)
{
    char path[128];
    char line[1024];
    unsigned count = 0;
    (void)snprintf(path, sizeof path, "%s/log", daemon->directory);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        count += strstr(line, event) != NULL;
    (void)fclose(file);
    return count;
}

/* ---- cutting off ---- */

/*
 * Jobs here take half a second, and a busy machine may well pause a test for as long while its daemon goes
 * on. A scenario returns false when the job was over before it could be cut off, which proves nothing: it is
 * then played again with a fresh daemon.
 */
typedef bool scenario(struct daemon *daemon);
enum { TRIALS = 20 };

static void play(void **state, scenario *played)
{
    for (unsigned i = 0; i < TRIALS; i++) {
        if (played(*state))
            return;
        assert_int_equal(daemon_teardown(state), 0);
        assert_int_equal(daemon_setup(state), 0);
    }
    fail_msg("the job was over before it could be cut off, %d times", TRIALS);
}

/* In a life that is over the job has ended, or its search has and the table was being stored. */
static bool too_late(const struct daemon *daemon)
{
    return logged(daemon, "event=job-ended") > 0 ||
           logged(daemon, "event=job-interrupted kind=explore puzzle=slide:3x4 states=239500800") > 0;
}

/* ---- ends ---- */

static void check_levels(struct client *client, uint32_t depth)
{
    char line[256];
    FILE *file = fopen(TEST_DATA "/levels/3x4.csv", "re");
    assert_non_null(file);
    client_expect(client, "LEVELS 1", "OK count=");
    for (uint32_t level = 0; level <= depth;) {
        assert_non_null(fgets(line, sizeof line, file));
        if (*line < '0' || *line > '9')
            continue;
        const char *states = strchr(line, ',') + 1;
        const char *record = client_next(client);
        assert_int_equal(strtoul(value_of(record, "level"), NULL, 10), level);
        assert_int_equal(strtoull(value_of(record, "states"), NULL, 10), strtoull(states, NULL, 10));
        level++;
    }
    assert_string_equal(client_next(client), "END");
    (void)fclose(file);
}

/* Until the job has ended, however busy the machine is. */
static void await_end(struct client *client, unsigned job)
{
    char line[64];
    char state[32];
    (void)snprintf(line, sizeof line, "WAIT %u timeout=20", job);
    do
        (void)snprintf(state, sizeof state, "%s", value_of(client_ask(client, line), "state"));
    while (strcmp(state, "queued") == 0 || strcmp(state, "running") == 0);
    if (strcmp(state, "done") != 0)
        fail_msg("%s", client_result(client, job));
}

/* The job has ended, and its checkpoint is gone. */
static void check_removed(struct daemon *daemon)
{
    char path[128];
    struct store *store = NULL;
    struct pz_error error = {0};
    struct checkpoint_reader *reader = NULL;
    struct checkpoint_info info;
    const struct store_options options = {.read_only = true};
    daemon_stop(daemon);
    (void)snprintf(path, sizeof path, "%s/state", daemon->directory);
    if (store_open(path, &options, &store, &error) != PZ_OK)
        fail_msg("%s", error.text);
    assert_int_equal(checkpoint_open(store, 1, &reader, &info, &error), PZ_NO_TABLE);
    store_close(store);
    daemon_start(daemon, NULL);
}

static void check_end(struct daemon *daemon, uint32_t depth)
{
    struct client *client = client_new(daemon);
    await_end(client, 1);
    assert_int_equal(strtoul(value_of(client_result(client, 1), "depth"), NULL, 10), depth);
    check_levels(client, depth);
    client_free(client);
    check_removed(daemon);
}

static void submit(struct daemon *daemon, const char *line)
{
    struct client *client = client_new(daemon);
    assert_int_equal(client_submit(client, line), 1);
    client_free(client);
}

/* ---- scenarios ---- */

static bool kill_twice(struct daemon *daemon, const char *line, uint32_t depth)
{
    daemon_stop(daemon);
    start_with(daemon, "20ms");
    submit(daemon, line);
    for (long life = 0; life < 2; life++) {
        if (!await_level(daemon, MIDDLE - 6 + 6 * life, true))
            return false;
        daemon_kill(daemon);
        if (too_late(daemon))
            return false;
        start_with(daemon, "20ms");
    }
    check_end(daemon, depth);
    assert_true(logged_level(daemon, "event=job-resumed") >= 0);
    return true;
}

static bool kill_dense(struct daemon *daemon)
{
    return kill_twice(daemon, DENSE, DENSE_DEPTH);
}

static bool kill_striped(struct daemon *daemon)
{
    return kill_twice(daemon, STRIPED, STRIPED_DEPTH);
}

static void a_killed_dense_exploration_goes_on(void **state)
{
    play(state, kill_dense);
#ifndef PUZZLED_SANITIZED
    /* the table, too: the deepest boards are as deep by it */
    struct client *client = client_new(*state);
    char line[256];
    char board[128] = "";
    client_expect(client, "LEVELS 1 examples=1", "OK count=54");
    for (unsigned level = 0; level < 54; level++)
        (void)snprintf(board, sizeof board, "%s", value_of(client_next(client), "example"));
    assert_string_equal(client_next(client), "END");
    (void)snprintf(line, sizeof line, "DISTANCE 3x4 %s", board);
    client_expect(client, line, "OK moves=53");
    client_free(client);
#endif
}

static void a_killed_striped_exploration_goes_on(void **state)
{
    play(state, kill_striped);
}

/* ---- planes on disk ---- */

#define ON_DISK "EXPLORE 3x4 keep=levels planes=disk depth=24"
enum { ON_DISK_DEPTH = 24 };

/* Returns how many directories of jobs lie in the scratch space. */
static unsigned scratches(const struct daemon *daemon)
{
    char path[128];
    unsigned count = 0;
    (void)snprintf(path, sizeof path, "%s/state/scratch", daemon->directory);
    DIR *directory = opendir(path);
    const struct dirent *entry;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL)
        count += strncmp(entry->d_name, "job-", 4) == 0;
    (void)closedir(directory);
    return count;
}

static void await_answer(const struct daemon *daemon)
{
    struct client *client = client_new(daemon);
    client_expect(client, "VERSION", "OK ");
    client_free(client);
}

/* Killed once and told to stop once; each time it goes on from the pieces that lie there. */
static bool cut_off_on_disk(struct daemon *daemon)
{
    char path[128];
    daemon_stop(daemon);
    start_with(daemon, "1ms");
    submit(daemon, ON_DISK);
    if (!await_level(daemon, 8, false))
        return false;
    daemon_kill(daemon);
    if (too_late(daemon))
        return false;
    assert_int_equal(scratches(daemon), 1);
    /* that of a job that is unknown is removed */
    (void)snprintf(path, sizeof path, "%s/state/scratch/job-77", daemon->directory);
    assert_int_equal(mkdir(path, 0700), 0);
    start_with(daemon, "1ms");
    await_answer(daemon); /* it listens before it sweeps */
    assert_int_equal(scratches(daemon), 1);
    bool goes_on = await_level(daemon, 14, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_int_equal(scratches(daemon), 1);
    start_with(daemon, "1ms");
    check_end(daemon, ON_DISK_DEPTH);
    assert_int_equal(logged(daemon, "event=job-resumed"), 2);
    assert_true(logged_level(daemon, "event=job-resumed") >= 14);
    assert_int_equal(logged(daemon, "event=checkpoint-refused"), 0);
    assert_int_equal(scratches(daemon), 0);
    return true;
}

static void an_exploration_on_disk_that_was_cut_off_goes_on(void **state)
{
    play(state, cut_off_on_disk);
}

/* ---- orderly stops ---- */

/* No checkpoint falls due: what there is was left when the daemon was told to stop. */
static bool stop_once(struct daemon *daemon, const char *line, uint32_t depth)
{
    daemon_stop(daemon);
    start_with(daemon, "1h");
    submit(daemon, line);
    bool goes_on = await_level(daemon, MIDDLE, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_true(logged_level(daemon, "event=checkpoint-saved") >= MIDDLE);
    start_with(daemon, "1h");
    check_end(daemon, depth);
    assert_true(logged_level(daemon, "event=job-resumed") >= MIDDLE);
    return true;
}

static bool stop_dense(struct daemon *daemon)
{
    return stop_once(daemon, DENSE, DENSE_DEPTH);
}

static bool stop_striped(struct daemon *daemon)
{
    return stop_once(daemon, STRIPED, STRIPED_DEPTH);
}

static void a_dense_exploration_that_was_told_to_stop_goes_on(void **state)
{
    play(state, stop_dense);
}

static void a_striped_exploration_that_was_told_to_stop_goes_on(void **state)
{
    play(state, stop_striped);
}

/* The 7-tile databases of 4x4 take seconds, so that it is not done before the kill. */
static bool kill_a_build(struct daemon *daemon)
{
#ifdef PUZZLED_SANITIZED
    const char *partition = "6-6-3";
#else
    const char *partition = "7-7-1";
#endif
    char line[64];
    (void)snprintf(line, sizeof line, "PDB 4x4 partition=%s", partition);
    daemon_stop(daemon);
    start_with(daemon, "1ms");
    submit(daemon, line);
    if (!await_level(daemon, 1, false))
        return false;
    daemon_kill(daemon);
    if (too_late(daemon))
        return false;
    start_with(daemon, "1h");
    struct client *client = client_new(daemon);
    await_end(client, 1);
    assert_string_equal(value_of(client_result(client, 1), "partition"), partition);
    client_free(client);
    assert_int_equal(logged(daemon, "event=job-resumed"), 0);
    check_removed(daemon);
    return true;
}

static void a_killed_build_of_pattern_databases_begins_again(void **state)
{
    play(state, kill_a_build);
}

/* Korf's boards 5 and 11, with their published lengths: seconds by Manhattan distance. */
#ifdef PUZZLED_SANITIZED
#define BOARD "4,7,14,13/10,3,9,12/11,5,6,15/1,2,8,0"
enum { BOARD_MOVES = 56 };
#else
#define BOARD "5,9,13,14/6,3,7,12/10,8,4,0/15,2,11,1"
enum { BOARD_MOVES = 57 };
#endif

static uint64_t expanded(struct client *client, unsigned job)
{
    await_end(client, job);
    assert_int_equal(strtoul(value_of(client_result(client, job), "moves"), NULL, 10), BOARD_MOVES);
    return strtoull(value_of(client_result(client, job), "expanded"), NULL, 10);
}

static bool kill_and_stop_a_deepening(struct daemon *daemon)
{
    const char *line = "SOLVE 4x4 start=" BOARD " goal=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15 method=idastar "
                       "partition=manhattan threads=1";
    daemon_stop(daemon);
    start_with(daemon, "20ms");
    submit(daemon, line);
    if (!await_level(daemon, 1, true))
        return false;
    daemon_kill(daemon);
    if (too_late(daemon))
        return false;
    unsigned saved = logged(daemon, "event=checkpoint-saved");
    assert_true(saved > 0);
    start_with(daemon, "1h");
    bool goes_on = await_level(daemon, 1, false);
    assert_int_equal(logged(daemon, "event=job-resumed"), 1);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_int_equal(logged(daemon, "event=checkpoint-saved"), saved + 1);
    start_with(daemon, "1h");
    struct client *client = client_new(daemon);
    uint64_t cut_off = expanded(client, 1);
    assert_int_equal(logged(daemon, "event=job-resumed"), 2);
    client_expect(client, "FORGET 1", "OK");
    assert_int_equal(expanded(client, (unsigned)client_submit(client, line)), cut_off);
    client_free(client);
    return true;
}

static void a_killed_or_stopped_deepening_goes_on(void **state)
{
    play(state, kill_and_stop_a_deepening);
}

static bool stop_without_waiting(struct daemon *daemon)
{
    daemon_stop(daemon);
    start_with_both(daemon, "1h", "0");
    submit(daemon, DENSE);
    bool goes_on = await_level(daemon, MIDDLE, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_int_equal(logged_level(daemon, "event=checkpoint-saved"), -1);
    assert_true(logged_level(daemon, "event=checkpoint-failed") >= 0);
    start_with(daemon, "1h");
    check_end(daemon, DENSE_DEPTH);
    assert_int_equal(logged_level(daemon, "event=job-resumed"), -1);
    return true;
}

static void a_stop_that_may_not_wait_leaves_no_checkpoint(void **state)
{
    play(state, stop_without_waiting);
}

static bool cancel(struct daemon *daemon)
{
    daemon_stop(daemon);
    start_with(daemon, "20ms");
    submit(daemon, DENSE);
    if (!await_level(daemon, 10, true))
        return false;
    struct client *client = client_new(daemon);
    const char *reply = client_ask(client, "CANCEL 1");
    bool cancelled = strcmp(reply, "OK job=1 state=cancelled") == 0;
    assert_true(cancelled || strcmp(reply, "OK job=1 state=done") == 0);
    client_free(client);
    check_removed(daemon);
    return cancelled;
}

static void a_cancelled_job_takes_its_checkpoint_along(void **state)
{
    play(state, cancel);
}

static bool stop_without_an_interval(struct daemon *daemon)
{
    daemon_stop(daemon);
    start_with(daemon, "0");
    submit(daemon, DENSE);
    bool goes_on = await_level(daemon, MIDDLE, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_int_equal(logged_level(daemon, "event=checkpoint-"), -1);
    start_with(daemon, "0");
    check_end(daemon, DENSE_DEPTH);
    assert_int_equal(logged_level(daemon, "event=job-resumed"), -1);
    return true;
}

static void without_an_interval_there_are_no_checkpoints(void **state)
{
    play(state, stop_without_an_interval);
}

#define SPECIFICATION(name) cmocka_unit_test_setup_teardown(name, daemon_setup, daemon_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPECIFICATION(a_killed_dense_exploration_goes_on),
        SPECIFICATION(a_killed_striped_exploration_goes_on),
        SPECIFICATION(an_exploration_on_disk_that_was_cut_off_goes_on),
        SPECIFICATION(a_dense_exploration_that_was_told_to_stop_goes_on),
        SPECIFICATION(a_striped_exploration_that_was_told_to_stop_goes_on),
        SPECIFICATION(a_stop_that_may_not_wait_leaves_no_checkpoint),
        SPECIFICATION(a_killed_build_of_pattern_databases_begins_again),
        SPECIFICATION(a_killed_or_stopped_deepening_goes_on),
        SPECIFICATION(a_cancelled_job_takes_its_checkpoint_along),
        SPECIFICATION(without_an_interval_there_are_no_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
