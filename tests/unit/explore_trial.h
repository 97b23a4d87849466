/* SPDX-License-Identifier: MIT */
/* One exploration over a disk in memory, and what it handed to its sink. */
#ifndef EXPLORE_TRIAL_H
#define EXPLORE_TRIAL_H

#include "checkpoint_disk.h"
#include "some_space.h"

#include "explore/explore.h"

enum { LEVELS_MAX = 2048 /* that are kept one by one */ };

/* Everything that a sink was given: numbers, and a sum of all bytes in their order. */
struct heard {
    struct explore_plan plan;
    unsigned begun;
    uint32_t level_count;
    uint64_t levels[LEVELS_MAX];
    unsigned examples[LEVELS_MAX];
    uint64_t run_states[LEVELS_MAX]; /* by distance, from the runs */
    uint64_t stored;                 /* states in all runs */
    uint64_t last_key[PZ_STATE_MAX / 8];
    uint64_t chunk_bytes;
    uint64_t sum;
    bool out_of_order; /* levels, examples, keys or chunks */
};

/* One exploration with all that happens to it. */
struct trial {
    struct pz_space *owned; /* closed with the trial; may be NULL */
    uint64_t root[PZ_STATE_MAX / 8];
    struct budget budget;
    struct control control;
    struct disk disk;
    struct explore_request request;
    struct explore_result result;
    enum pz_status status;
    struct pz_error error;
    struct heard heard; /* in this run */
    uint32_t stop_at;   /* level at which it is told to stop and to keep; UINT32_MAX for never */
    bool cancel;        /* then without keeping */
    uint32_t fail_at;   /* level that the sink refuses; 0 for none */
    unsigned load_reports, save_reports;
};

/* ---- the sink ---- */

static inline enum pz_status hear_bytes(struct trial *trial, const void *bytes, size_t length)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < length; i++)
        trial->heard.sum = (trial->heard.sum ^ byte[i]) * 0x100000001B3u;
    return PZ_OK;
}

static inline enum pz_status hear_begin(void *context, const struct explore_plan *plan,
                                        struct pz_error *error)
{
    struct trial *trial = context;
    (void)error;
    trial->heard.plan = *plan;
    trial->heard.begun++;
    return PZ_OK;
}

static inline enum pz_status hear_level(void *context, uint32_t level, uint64_t states,
                                        struct pz_error *error)
{
    struct trial *trial = context;
    if (level > 0 && level == trial->fail_at)
        return pz_fail(error, PZ_STORAGE, "the sink is full");
    if (level == trial->stop_at) {
        atomic_store(&trial->control.keep, !trial->cancel);
        atomic_store(&trial->control.stop, true);
    }
    trial->heard.out_of_order |= level != trial->heard.level_count++;
    if (level < LEVELS_MAX)
        trial->heard.levels[level] = states;
    return hear_bytes(trial, &states, sizeof states);
}

static inline enum pz_status hear_examples(void *context, uint32_t level, const void *states, unsigned count,
                                           struct pz_error *error)
{
    struct trial *trial = context;
    (void)error;
    trial->heard.out_of_order |= level + 1 != trial->heard.level_count;
    if (level < LEVELS_MAX)
        trial->heard.examples[level] += count;
    return hear_bytes(trial, states, (size_t)count * trial->request.space->state_bytes);
}

static inline enum pz_status hear_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct trial *trial = context;
    struct heard *heard = &trial->heard;
    (void)error;
    for (size_t i = 0; i < run->count; i++, heard->stored++) {
        const uint64_t *key = run->keys + i * run->key_words;
        unsigned word = 0;
        while (word + 1 < run->key_words && key[word] == heard->last_key[word])
            word++;
        heard->out_of_order |= heard->stored > 0 && key[word] <= heard->last_key[word];
        memcpy(heard->last_key, key, run->key_words * sizeof *key);
        if (run->distances[i] < LEVELS_MAX)
            heard->run_states[run->distances[i]]++;
    }
    (void)hear_bytes(trial, run->keys, run->count * run->key_words * sizeof *run->keys);
    return hear_bytes(trial, run->distances, run->count * sizeof *run->distances);
}

static inline enum pz_status hear_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                                        struct pz_error *error)
{
    struct trial *trial = context;
    (void)error;
    trial->heard.out_of_order |= number * trial->heard.plan.chunk_bytes != trial->heard.chunk_bytes;
    trial->heard.chunk_bytes += length;
    return hear_bytes(trial, bytes, length);
}

/* ---- trials ---- */

/* Of a space that stays the caller's, from its own root unless how has one; depth 0: all of it. */
static inline struct trial *trial_in(const struct pz_space *space, struct explore_request how)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    if (how.root != NULL)
        memcpy(trial->root, how.root, space->state_bytes);
    else if (space->puzzle->root != NULL)
        assert_ok(space->puzzle->root(space, trial->root, &trial->error), trial->error);
    budget_init(&trial->budget, NULL, UINT64_C(1) << 30);
    disk_init(&trial->disk);
    trial->disk.control = &trial->control;
    trial->stop_at = UINT32_MAX;
    trial->request = how;
    trial->request.space = space;
    trial->request.root = trial->root;
    trial->request.budget = &trial->budget;
    trial->request.seed = 7;
    if (how.depth == 0)
        trial->request.depth = EXPLORE_NO_LIMIT;
    if (how.threads == 0)
        trial->request.threads = 2;
    return trial;
}

static inline struct trial *trial_of(const char *puzzle, const char *start, struct explore_request how)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    assert_ok(space_open(puzzle, &(const struct pz_setup){.start = start}, &space, &error), error);
    if (start != NULL) {
        parse_state(space, start, root);
        how.root = root;
    }
    struct trial *trial = trial_in(space, how);
    trial->owned = space;
    return trial;
}

struct trial_question {
    const char *puzzle;
    enum engine engine;
    enum keep keep;
    uint32_t depth; /* 0: all of it */
    unsigned stripes;
};

static const struct trial_question engines[] = {{"3x3", ENGINE_DENSE, KEEP_TABLE, 0, 0},
                                                {"3x3", ENGINE_STRIPED, KEEP_TABLE, 0, 0}};

static inline struct trial *trial_new(const struct trial_question *question, unsigned threads)
{
    return trial_of(question->puzzle, NULL,
                    (struct explore_request){.depth = question->depth,
                                             .threads = threads,
                                             .engine = question->engine,
                                             .keep = question->keep,
                                             .striped.stripes = question->stripes});
}

/* One that keeps a checkpoint after so many seconds; after 1000 only where it is told to stop. */
static inline struct trial *kept_trial(const struct trial_question *question, unsigned threads,
                                       double interval)
{
    struct trial *trial = trial_new(question, threads);
    trial->request.checkpoint = &trial->disk.calls;
    trial->disk.calls.interval = interval;
    return trial;
}

static inline void trial_free(struct trial *trial)
{
    assert_int_equal(atomic_load(&trial->budget.used), 0);
    assert_false(trial->heard.out_of_order);
    disk_clear(&trial->disk);
    space_close(trial->owned);
    free(trial);
}

/* Runs the exploration until it ends or is cut off. */
static inline enum pz_status live(struct trial *trial)
{
    const struct explore_sink sink = {.context = trial,
                                      .begin = hear_begin,
                                      .level = hear_level,
                                      .examples = hear_examples,
                                      .run = hear_run,
                                      .chunk = hear_chunk};
    memset(&trial->heard, 0, sizeof trial->heard);
    trial->status = explore_run(&trial->request, &trial->control, &sink, &trial->result, &trial->error);
    atomic_store(&trial->control.stop, false);
    atomic_store(&trial->control.keep, false);
    return trial->status;
}

/* Runs a trial to its end. */
static inline struct trial *lived(struct trial *trial)
{
    assert_ok(live(trial), trial->error);
    return trial;
}

static inline struct trial *undisturbed(const struct trial_question *question)
{
    return lived(trial_new(question, 2));
}

/* Lets it keep its checkpoint at a level; from then on nothing stops it. */
static inline void stop_at(struct trial *trial, uint32_t level)
{
    trial->stop_at = level;
    assert_int_equal(live(trial), PZ_CANCELLED);
    trial->stop_at = UINT32_MAX;
}

/* Stops it once more before it has read its checkpoint, which stays. */
static inline void stop_in_open(struct trial *trial)
{
    trial->disk.stop_in_open = true;
    assert_int_equal(live(trial), PZ_CANCELLED);
    trial->disk.stop_in_open = false;
}

/* Both handed over the same. */
static inline void check_heard(const struct trial *trial, const struct trial *other)
{
    assert_int_equal(trial->heard.level_count, other->heard.level_count);
    assert_memory_equal(trial->heard.levels, other->heard.levels, sizeof trial->heard.levels);
    assert_memory_equal(trial->heard.examples, other->heard.examples, sizeof trial->heard.examples);
    assert_true(trial->heard.sum == other->heard.sum);
}

static inline void check_same(const struct trial *trial, const struct trial *whole)
{
    check_heard(trial, whole);
    assert_int_equal(trial->result.states, whole->result.states);
    assert_int_equal(trial->result.depth, whole->result.depth);
    assert_int_equal(trial->result.complete, whole->result.complete);
    assert_int_equal(trial->result.outcome, whole->result.outcome);
    assert_int_equal(trial->result.reason, whole->result.reason);
}

/* Checks that the first levels that were handed over are those of a file of known ones: `wanted`, or all with
 * 0; and what is in the runs, if there is a table. */
static inline void check_known_levels(const struct trial *trial, const char *file, unsigned wanted)
{
    uint64_t levels[LEVELS_MAX];
    unsigned count = test_data_levels(file, levels, LEVELS_MAX);
    if (wanted > 0 && wanted < count)
        count = wanted;
    assert_int_equal(trial->heard.level_count, count);
    assert_memory_equal(trial->heard.levels, levels, count * sizeof levels[0]);
    if (trial->heard.plan.table == TABLE_RUNS)
        assert_memory_equal(trial->heard.run_states, levels, count * sizeof levels[0]);
    else
        assert_int_equal(trial->heard.stored, 0);
}

#endif
