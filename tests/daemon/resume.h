/* SPDX-License-Identifier: MIT */
/* For the tests of jobs that are cut off: explorations of some length, and what must hold at their end. */
#ifndef TESTS_DAEMON_RESUME_H
#define TESTS_DAEMON_RESUME_H

#include "harness.h"

#include "store/store.h"

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
    const char *const words[] = {"--config", daemon->config, NULL};
    daemon_write_config(daemon, text_of("[store]\ncheckpoint-interval = %s\ncheckpoint-share = " SHARE
                                        "\ncheckpoint-at-stop = %s\n",
                                        interval, at_stop));
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
    for (struct patience patience = {0};; pause_for(&patience, "the level")) {
        const char *line = client_ask(client, "STATUS 1");
        const char *state = value_of(line, "state");
        goes_on = strcmp(state, "running") == 0 || strcmp(state, "queued") == 0;
        bool left = !checkpoint || *value_of(line, "checkpoint_age") != '\0';
        if (!goes_on || (left && strtol(value_of(line, "level"), NULL, 10) >= level))
            break;
    }
    client_free(client);
    return goes_on;
}

/* Waits until the log has more lines about saved checkpoints than that. Returns false if job 1 ends first. */
static inline bool await_another_save(struct daemon *daemon, unsigned saved)
{
    for (struct patience patience = {0}; logged(daemon, "event=checkpoint-saved") <= saved;
         pause_for(&patience, "a checkpoint"))
        if (!await_level(daemon, 0, false))
            return false;
    return true;
}

/* Returns the level in the last line of the log about an event of job 1; -1 if there is none. */
static inline long logged_level(const struct daemon *daemon, const char *event)
{
    return logged_number(daemon, 0, event, "level=");
}

/* ---- cutting off ---- */

/*
 * Jobs here take half a second, and a busy machine may well pause a test for as long while its daemon goes
 * on. A scenario returns false when the job was over before it could be cut off, which proves nothing: it is
 * then played again with a fresh daemon.
 */
typedef bool scenario(struct daemon *daemon, const void *job);
enum { TRIALS = 100 };

/* A job of most scenarios, and its depth in the end. */
struct exploration {
    const char *line;
    uint32_t depth;
};

static inline void play(void **state, scenario *played, const void *job)
{
    for (unsigned i = 0; i < TRIALS; i++) {
        if (played(*state, job))
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

/* Waits until the job has ended, however busy the machine is. */
static inline void await_end(struct client *client, unsigned job)
{
    enum { WAITS = 60 };
    const char *state = "queued";
    const char *line = text_of("WAIT %u timeout=20", job);
    for (unsigned i = 0; i < WAITS && (strcmp(state, "queued") == 0 || strcmp(state, "running") == 0); i++)
        state = value_of(client_ask(client, line), "state");
    if (strcmp(state, "done") != 0)
        fail_msg("%s", client_result(client, job));
}

/* Checks that the ended job's checkpoint is gone. */
static inline void check_removed(struct daemon *daemon)
{
    struct store *store = NULL;
    struct pz_error error = {0};
    struct table_view *reader = NULL;
    struct checkpoint_info info;
    const struct store_options options = {.read_only = true};
    daemon_stop(daemon);
    const char *path = text_of("%s/state", daemon->directory);
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
    assert_int_equal(number_of(client_result(client, 1), "depth"), depth);
    client_expect_levels(client, 1, value_of(client->line, "puzzle") + strlen("slide:"), depth + 1);
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
