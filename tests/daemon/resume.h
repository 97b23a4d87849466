/* SPDX-License-Identifier: MIT */
/* For the tests of jobs that are cut off: explorations of some length, and what must hold at their end. */
#ifndef TESTS_DAEMON_RESUME_H
#define TESTS_DAEMON_RESUME_H

#include "harness.h"

#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Long enough to be cut off in the middle, and with a published number of states at every level. */
#if defined __SANITIZE_THREAD__
#define PUZZLE  "2x5"
#define STATES  "1814400"
#define REACHED "704696" /* by STRIPED */
#define DENSE   "EXPLORE 2x5 engine=dense keep=levels"
#define STRIPED "EXPLORE 2x5 engine=striped threads=1 depth=33"
#define SHARE   "50"
enum { DENSE_DEPTH = 55, STRIPED_DEPTH = 33, MIDDLE = 16 };
#else
#define PUZZLE  "3x4"
#define STATES  "239500800"
#define REACHED "35397636" /* by STRIPED */
#define DENSE   "EXPLORE 3x4"
#define STRIPED "EXPLORE 3x4 engine=striped threads=1 depth=30"
#define SHARE   "0" /* no limit: such short runs would get no checkpoint within a share */
enum { DENSE_DEPTH = 53, STRIPED_DEPTH = 30, MIDDLE = 18 };
#endif

static inline void start_with_both(struct daemon *daemon, const char *interval, const char *at_stop)
{
    char config[256];
    const char *const words[] = {"--config", daemon->config, NULL};
    (void)snprintf(config, sizeof config,
                   "[store]\ncheckpoint-interval = %s\ncheckpoint-share = " SHARE
                   "\ncheckpoint-at-stop = %s\n",
                   interval, at_stop);
    daemon_write_config(daemon, config);
    daemon_start(daemon, words);
}

static inline void start_with(struct daemon *daemon, const char *interval)
{
    start_with_both(daemon, interval, "100s");
}

/* Waits until job 1 is at that level and, if asked for, has a checkpoint. Returns false if it has ended. */
static inline bool await_level(struct daemon *daemon, long level, bool checkpoint)
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

/* Waits until the log has more lines about saved checkpoints than that. Returns false if job 1 ends first. */
static inline bool await_another_save(struct daemon *daemon, unsigned saved)
{
    while (logged(daemon, "event=checkpoint-saved") <= saved)
        if (!await_level(daemon, 0, false))
            return false;
    return true;
}

/* Returns the level in the last line of the log about an event of job 1; -1 if there is none. */
static inline long logged_level(const struct daemon *daemon, const char *event)
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

/* ---- cutting off ---- */

/*
 * Jobs here take half a second, and a busy machine may well pause a test for as long while its daemon goes
 * on. A scenario returns false when the job was over before it could be cut off, which proves nothing: it is
 * then played again with a fresh daemon.
 */
typedef bool scenario(struct daemon *daemon);
enum { TRIALS = 100 };

static inline void play(void **state, scenario *played)
{
    for (unsigned i = 0; i < TRIALS; i++) {
        if (played(*state))
            return;
        assert_int_equal(daemon_teardown(state), 0);
        assert_int_equal(daemon_setup(state), 0);
    }
    fail_msg("the job was over before it could be cut off, %d times", TRIALS);
}

/* Returns true if the job ended before the daemon was cut off, or only its table was still being stored. */
static inline bool too_late(const struct daemon *daemon)
{
    return logged(daemon, "event=job-ended") > 0 ||
           logged(daemon, "event=job-interrupted kind=explore puzzle=slide:" PUZZLE " states=" STATES) > 0 ||
           logged(daemon, "event=job-interrupted kind=explore puzzle=slide:" PUZZLE " states=" REACHED) > 0;
}

/* ---- ends ---- */

static inline void check_levels(struct client *client, uint32_t depth)
{
    char line[256];
    const char *puzzle = value_of(client_result(client, 1), "puzzle") + strlen("slide:");
    (void)snprintf(line, sizeof line, TEST_DATA "/levels/%s.csv", puzzle);
    FILE *file = fopen(line, "re");
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

/* Waits until the job has ended, however busy the machine is. */
static inline void await_end(struct client *client, unsigned job)
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

/* Checks that the ended job's checkpoint is gone. */
static inline void check_removed(struct daemon *daemon)
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

static inline void check_end(struct daemon *daemon, uint32_t depth)
{
    struct client *client = client_new(daemon);
    await_end(client, 1);
    assert_int_equal(strtoul(value_of(client_result(client, 1), "depth"), NULL, 10), depth);
    check_levels(client, depth);
    client_free(client);
    check_removed(daemon);
}

static inline void submit(struct daemon *daemon, const char *line)
{
    struct client *client = client_new(daemon);
    assert_int_equal(client_submit(client, line), 1);
    client_free(client);
}

#endif
