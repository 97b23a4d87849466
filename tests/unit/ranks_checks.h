/* SPDX-License-Identifier: MIT */
/* What the engines hold over several ranks. */
#ifndef RANKS_CHECKS_H
#define RANKS_CHECKS_H

#include "ranks_trial.h"

static void check_same(const struct run *alone, const struct run *rank)
{
    assert_ok(rank->status, rank->error);
    assert_int_equal(rank->level_count, alone->level_count);
    for (unsigned level = 0; level < alone->level_count; level++) {
        assert_int_equal(rank->levels[level], alone->levels[level]);
        assert_int_equal(rank->examples[level], alone->examples[level]);
    }
    assert_int_equal(rank->result.states, alone->result.states);
    assert_int_equal(rank->result.depth, alone->result.depth);
    assert_int_equal(rank->result.complete, alone->result.complete);
    assert_int_equal(rank->result.outcome, alone->result.outcome);
    assert_int_equal(rank->result.reason, alone->result.reason);
}

/* Every rank hears what one process finds, whatever their number. */
static void check_ranks(enum engine engine, const char *puzzle, uint32_t depth, const unsigned *ranks,
                        unsigned count)
{
    struct trial *alone = trial_new(engine, puzzle, depth, 1, 2);
    trial_run(alone);
    assert_ok(alone->runs[0].status, alone->runs[0].error);
    for (unsigned i = 0; i < count; i++) {
        struct trial *trial = trial_new(engine, puzzle, depth, ranks[i], 1 + i % 2);
        trial_run(trial);
        for (unsigned rank = 0; rank < ranks[i]; rank++)
            check_same(&alone->runs[0], &trial->runs[rank]);
        trial_free(trial);
    }
    trial_free(alone);
}

/* Runs a trial of a whole puzzle, which has published levels. */
static inline void check_published_levels(struct trial *trial, const char *puzzle)
{
    uint64_t counts[LEVELS_MAX];
    const unsigned levels = test_data_levels(puzzle, counts, LEVELS_MAX);
    trial_run(trial);
    for (unsigned rank = 0; rank < trial->hub->count; rank++) {
        const struct run *run = &trial->runs[rank];
        assert_ok(run->status, run->error);
        assert_int_equal(run->level_count, levels);
        assert_memory_equal(run->levels, counts, levels * sizeof *counts);
        assert_true(run->result.complete);
    }
}

/* One of three ranks has too little memory to begin: all say which, and no level is told. */
static void check_rank_without_memory(enum engine engine, const char *puzzle, const char *says)
{
    struct trial *trial = trial_new(engine, puzzle, EXPLORE_NO_LIMIT, 3, 1);
    trial->runs[1].memory = 1000;
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(trial->runs[rank].status, PZ_TOO_LARGE);
        assert_non_null(strstr(trial->runs[rank].error.text, says));
        assert_int_equal(trial->runs[rank].level_count, 0);
    }
    trial_free(trial);
}

/* The sink of one of three ranks fails: all end with its words. */
static void check_failing_sink(enum engine engine, const char *puzzle)
{
    struct trial *trial = trial_new(engine, puzzle, EXPLORE_NO_LIMIT, 3, 1);
    trial->runs[2].fail_at = 9;
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(trial->runs[rank].status, PZ_STORAGE);
        assert_string_equal(trial->runs[rank].error.text, "rank 2: the sink is full");
    }
    trial_free(trial);
}

/* One of four ranks is cancelled: all are. */
static void check_cancelled_rank(enum engine engine, const char *puzzle, unsigned threads, uint32_t level)
{
    struct trial *trial = trial_new(engine, puzzle, EXPLORE_NO_LIMIT, 4, threads);
    trial->runs[3].cancel_at = level;
    trial_run(trial);
    for (unsigned rank = 0; rank < 4; rank++)
        assert_int_equal(trial->runs[rank].status, PZ_CANCELLED);
    trial_free(trial);
}

#endif
