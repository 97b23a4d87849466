/* SPDX-License-Identifier: MIT */
/* Jobs whose daemon was killed go on from their checkpoints and end with the published numbers. */
#include "harness.h"
#include "resume.h"

#include <dirent.h>
#include <sys/stat.h>

/* ---- scenarios ---- */

/* Each life leaves a checkpoint, so the daemon's end is never blamed on the job. */
static bool kill_twice(struct daemon *daemon, const void *job)
{
    const struct exploration *exploration = job;
    daemon_stop(daemon);
    unsigned saved = logged(daemon, "event=checkpoint-saved");
    start_with(daemon, "20ms");
    submit(daemon, exploration->line);
    for (long life = 0; life < 2; life++) {
        if (!await_level(daemon, MIDDLE - 6 + 6 * life, true) || !await_another_save(daemon, saved))
            return false;
        daemon_kill(daemon);
        if (too_late(daemon))
            return false;
        saved = logged(daemon, "event=checkpoint-saved");
        start_with(daemon, "20ms");
    }
    check_end(daemon, exploration->depth);
    assert_true(logged_level(daemon, "event=job-resumed") >= 0);
    return true;
}

SPECIFICATION(a_killed_dense_exploration_goes_on)
{
    play(state, kill_twice, &(const struct exploration){DENSE, DENSE_DEPTH});
#ifndef PUZZLED_SANITIZED
    /* the table, too: the deepest boards are as deep by it */
    struct client *client = client_new(*state);
    const char *board = "";
    client_expect(client, "LEVELS 1 examples=1", "OK count=54");
    for (unsigned level = 0; level < 54; level++)
        board = value_of(client_next(client), "example");
    assert_string_equal(client_next(client), "END");
    client_expect(client, text_of("DISTANCE 3x4 %s", board), "OK moves=53");
    client_free(client);
#endif
}

SPECIFICATION(a_killed_striped_exploration_goes_on)
{
    play(state, kill_twice, &(const struct exploration){STRIPED, STRIPED_DEPTH});
}

/* ---- planes on disk: the first levels leave no checkpoint ---- */

#ifdef __SANITIZE_THREAD__
#define PLANES "EXPLORE 2x5 keep=levels planes=disk"
#define LEVELS "EXPLORE 2x5 engine=striped planes=disk memory=12M"
enum { PLANES_DEPTH = 55, LEVELS_DEPTH = 55, LITTLE_KIB = 100 };
#else
#define PLANES "EXPLORE 3x4 keep=levels planes=disk depth=24"
#define LEVELS "EXPLORE 3x4 engine=striped planes=disk memory=12M depth=24"
enum { PLANES_DEPTH = 24, LEVELS_DEPTH = 24, LITTLE_KIB = 1024 };
#endif

/* Of the dense engine, and of the striped one with its table. */
static const struct exploration dense_on_disk = {PLANES, PLANES_DEPTH},
                                striped_on_disk = {LEVELS, LEVELS_DEPTH};

/* Asks for more than so little scratch space holds. */
static void submit_too_full(struct daemon *daemon, const struct exploration *job)
{
    submit(daemon, text_of("%s disk=%dK", job->line, LITTLE_KIB));
}

/* Returns how many directories of jobs lie in the scratch space. */
static unsigned scratches(const struct daemon *daemon)
{
    unsigned count = 0;
    DIR *directory = opendir(text_of("%s/state/scratch", daemon->directory));
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

/* Kills the daemon once and stops it once; each time the job goes on from the pieces on disk. */
static bool cut_off_on_disk(struct daemon *daemon, const void *job)
{
    const struct exploration *exploration = job;
    daemon_stop(daemon);
    start_with(daemon, "1ms");
    submit(daemon, exploration->line);
    if (!await_level(daemon, 18, false))
        return false;
    daemon_kill(daemon);
    if (too_late(daemon))
        return false;
    assert_int_equal(scratches(daemon), 1);
    /* that of a job that is unknown is removed */
    assert_int_equal(mkdir(text_of("%s/state/scratch/job-77", daemon->directory), 0700), 0);
    start_with(daemon, "1ms");
    await_answer(daemon); /* it listens before it removes them */
    assert_int_equal(scratches(daemon), 1);
    bool goes_on = await_level(daemon, 20, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_int_equal(scratches(daemon), 1);
    start_with(daemon, "1ms");
    check_end(daemon, exploration->depth);
    assert_int_equal(logged(daemon, "event=job-resumed"), 2);
    assert_true(logged_level(daemon, "event=job-resumed") >= 20);
    assert_int_equal(logged(daemon, "event=checkpoint-refused"), 0);
    assert_int_equal(scratches(daemon), 0);
    return true;
}

SPECIFICATION(a_dense_exploration_on_disk_that_was_cut_off_goes_on)
{
    play(state, cut_off_on_disk, &dense_on_disk);
}

SPECIFICATION(a_striped_exploration_on_disk_that_was_cut_off_goes_on)
{
    play(state, cut_off_on_disk, &striped_on_disk);
}

/* A restart lies between the stop and the second asking. */
static void check_full_disk(struct daemon *daemon, const struct exploration *job)
{
    daemon_stop(daemon);
    start_with(daemon, "1ms");
    submit_too_full(daemon, job);
    struct client *client = client_new(daemon);
    assert_string_equal(client_wait(client, 1), "stopped");
    expect_fields(client_result(client, 1), "reason=disk");
    assert_in_range(number_of(client->line, "depth"), 1, job->depth - 1);
    client_free(client);
    daemon_stop(daemon);
    start_with(daemon, "1ms");
    await_answer(daemon);
    assert_int_equal(scratches(daemon), 1);
    submit(daemon, text_of("%s disk=1G", job->line));
    check_end(daemon, job->depth);
    assert_int_equal(logged(daemon, "event=job-resumed"), 1);
    assert_int_equal(logged(daemon, "event=checkpoint-refused"), 0);
    assert_int_equal(scratches(daemon), 0);
}

SPECIFICATION(a_dense_exploration_that_a_full_disk_stopped_goes_on_when_it_is_asked_again)
{
    check_full_disk(*state, &dense_on_disk);
}

SPECIFICATION(a_striped_exploration_that_a_full_disk_stopped_goes_on_when_it_is_asked_again)
{
    check_full_disk(*state, &striped_on_disk);
}

SPECIFICATION(a_cancelled_exploration_leaves_no_scratch_space_and_no_table)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    submit(daemon, "EXPLORE 5x5 engine=striped planes=disk memory=12M");
    for (struct patience patience = {0}; await_level(daemon, 12, false) && scratches(daemon) == 0;)
        pause_for(&patience, "scratch space");
    assert_int_equal(scratches(daemon), 1);
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_int_equal(scratches(daemon), 0);
    client_expect(client, "TABLES", "OK count=0");
}

/* It may not have told a level again. */
SPECIFICATION(an_exploration_that_is_cancelled_after_a_restart_says_what_it_had_found)
{
    struct client *client = client_new(*state);
    const unsigned long job = client_submit(client, "EXPLORE 5x5 depth=30 memory=300M");
    for (struct patience patience = {0}; number_of(client_about(client, "STATUS", job), "level") < 10;)
        pause_for(&patience, "level 10");
    daemon_restart(*state, NULL);
    client = client_new(*state);
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    assert_string_not_equal(value_of(client_result(client, job), "states"), "");
}

SPECIFICATION(a_stopped_exploration_that_is_forgotten_leaves_no_scratch_space)
{
    struct daemon *daemon = *state;
    daemon_stop(daemon);
    start_with(daemon, "1ms");
    submit_too_full(daemon, &striped_on_disk);
    struct client *client = client_new(daemon);
    assert_string_equal(client_wait(client, 1), "stopped");
    assert_int_equal(scratches(daemon), 1);
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    assert_int_equal(scratches(daemon), 0);
}

/* The 7-tile databases of 4x4 take seconds, so that it is not done before the kill. */
static bool kill_a_build(struct daemon *daemon, const void *job)
{
#ifdef PUZZLED_SANITIZED
    const char *partition = "6-6-3";
#else
    const char *partition = "7-7-1";
#endif
    const char *line = text_of("PDB 4x4 partition=%s", partition);
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

SPECIFICATION(a_killed_build_of_pattern_databases_begins_again)
{
    play(state, kill_a_build, NULL);
}

/* Korf's boards 5 and 11, with their published lengths: seconds by Manhattan distance. */
#ifdef PUZZLED_SANITIZED
#define BOARD "4,7,14,13/10,3,9,12/11,5,6,15/1,2,8,0"
enum { BOARD_MOVES = 56 };
#define LAST_TURN ""
enum { TURNS = 12 };
#else
#define BOARD     "5,9,13,14/6,3,7,12/10,8,4,0/15,2,11,1"
enum { BOARD_MOVES = 57 };
#define LAST_TURN ",U" /* with 12 turns an idle machine is done in 0.1 s, before it can be cut off twice */
enum { TURNS = 13 };
#endif

/* A definition's file, or NULL, a question and its answer. Of orbits, branches that were cut off are walked
 * again. */
static const struct deepening {
    const char *file, *line;
    unsigned moves;
    bool same_nodes;
} by_manhattan = {NULL,
                  "SOLVE 4x4 start=" BOARD " goal=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15 method=idastar "
                  "partition=manhattan threads=1",
                  BOARD_MOVES, true},
  by_orbits = {"cube3.tws",
               "SOLVE text start=R,U2,F',L,D2,B,R',U,F2,L',D,B2" LAST_TURN " method=idastar "
               "partition=orbits/U2,R,F2,D2,L/EDGE,turns threads=2",
               TURNS, false};

/* Defines a text that needs nothing escaped but the ends of its lines. */
static void define_text(const struct daemon *daemon, const char *file)
{
    char line[4096];
    (void)snprintf(line, sizeof line, "DEFINE name=text format=%s text=\"", strrchr(file, '.') + 1);
    struct client *client = client_new(daemon);
    FILE *in = fopen(text_of(DEFINITIONS "/%s", file), "re");
    assert_non_null(in);
    size_t at = strlen(line);
    for (int c = fgetc(in); c != EOF && at + 5 < sizeof line; c = fgetc(in))
        at += (size_t)snprintf(line + at, sizeof line - at, c == '\n' ? "%%0A" : "%c", c);
    (void)snprintf(line + at, sizeof line - at, "\"");
    (void)fclose(in);
    client_expect(client, line, "OK name=text ");
    client_free(client);
}

static uint64_t expanded(struct client *client, unsigned job, const struct deepening *asked)
{
    await_end(client, job);
    assert_int_equal(number_of(client_result(client, job), "moves"), asked->moves);
    return number_of(client_result(client, job), "expanded");
}

static bool kill_and_stop_a_deepening(struct daemon *daemon, const void *job)
{
    const struct deepening *asked = job;
    daemon_stop(daemon);
    start_with(daemon, "20ms");
    if (asked->file != NULL)
        define_text(daemon, asked->file);
    submit(daemon, asked->line);
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
    uint64_t cut_off = expanded(client, 1, asked);
    assert_int_equal(logged(daemon, "event=job-resumed"), 2);
    if (asked->same_nodes) {
        client_expect(client, "FORGET 1", "OK");
        assert_int_equal(expanded(client, (unsigned)client_submit(client, asked->line), asked), cut_off);
    }
    client_free(client);
    return true;
}

SPECIFICATION(a_killed_or_stopped_deepening_goes_on)
{
    play(state, kill_and_stop_a_deepening, &by_manhattan);
}

SPECIFICATION(a_killed_or_stopped_search_by_orbits_goes_on)
{
    play(state, kill_and_stop_a_deepening, &by_orbits);
}

/* As a daemon leaves it that is killed between the end of a table and the end of its job. */
static void forget_the_end(struct daemon *daemon)
{
    struct store *store = NULL;
    struct pz_error error = {0};
    const struct store_options options = {0};
    struct job_record job;
    const char *path = text_of("%s/state", daemon->directory);
    if (store_open(path, &options, &store, &error) != PZ_OK)
        fail_msg("%s", error.text);
    assert_int_equal(store_job_get(store, 1, &job, &error), PZ_OK);
    free(job.result);
    job.result = NULL;
    job.state = JOB_RUNNING;
    job.facts = (struct job_facts){0};
    job.starts = 1;
    assert_int_equal(store_job_put(store, &job, &error), PZ_OK);
    job_record_clear(&job);
    store_close(store);
}

SPECIFICATION(a_table_that_was_stored_whole_ends_its_job)
{
    struct daemon *daemon = *state;
    static const struct {
        const char *file, *line;
        unsigned found; /* 0: only a search has all that is told of it */
    } asked[] = {{NULL, "EXPLORE 3x3", 1},
                 {NULL, "EXPLORE 3x3 depth=9 engine=striped", 1},
                 {NULL, "EXPLORE pancake:6", 1},
                 {NULL, "EXPLORE jugs:3,5 goal=4", 1},
                 {"slide3x3costs.psvn", "EXPLORE text depth=9", 1},
                 {"cube2.tws", "EXPLORE text symmetry=yes depth=5", 0}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        if (asked[i].file != NULL)
            define_text(daemon, asked[i].file);
        submit(daemon, asked[i].line);
        struct client *client = client_new(daemon);
        await_end(client, 1);
        const char *before = text_of("%s", client_result(client, 1));
        client_free(client);
        daemon_stop(daemon);
        forget_the_end(daemon);
        daemon_start(daemon, NULL);
        client = client_new(daemon);
        await_end(client, 1);
        assert_int_equal(logged(daemon, "event=table-found"), asked[i].found);
        static const char *const keys[] = {"states", "depth", "complete", "engine",
                                           "root",   "keep",  "reason",   "all_by_level"};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            assert_string_equal(value_of(client_result(client, 1), keys[k]), value_of(before, keys[k]));
        client_expect(client, "FSCK", "OK count=0");
        assert_string_equal(client_next(client), "END");
        client_free(client);
        assert_int_equal(daemon_teardown(state), 0);
        assert_int_equal(daemon_setup(state), 0);
        daemon = *state;
    }
}
