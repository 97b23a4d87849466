/* SPDX-License-Identifier: MIT */
/* What the engines hold over several ranks. */
#ifndef RANKS_CHECKS_H
#define RANKS_CHECKS_H

#include "ranks_trial.h"

/* A rank found what one alone did. */
static void check_rank(const struct ranks *ranks, unsigned rank, const struct ranks *alone)
{
    assert_ok(ranks->of[rank]->status, ranks->of[rank]->error);
    check_same(ranks->of[rank], alone->of[0]);
}

/* Every rank hears what one process finds, whatever their number. */
static void check_ranks(enum engine engine, const char *puzzle, uint32_t depth, const unsigned *counts,
                        unsigned count)
{
    struct ranks *alone = ranks_new(engine, puzzle, depth, 1, 2);
    ranks_run(alone);
    assert_ok(alone->of[0]->status, alone->of[0]->error);
    for (unsigned i = 0; i < count; i++) {
        struct ranks *ranks = ranks_new(engine, puzzle, depth, counts[i], 1 + i % 2);
        ranks_run(ranks);
        for (unsigned rank = 0; rank < counts[i]; rank++)
            check_rank(ranks, rank, alone);
        ranks_free(ranks);
    }
    ranks_free(alone);
}

/* Runs a whole puzzle, which has published levels. */
static inline void check_published_levels(struct ranks *ranks, const char *puzzle)
{
    ranks_run(ranks);
    for (unsigned rank = 0; rank < ranks->hub->count; rank++) {
        assert_ok(ranks->of[rank]->status, ranks->of[rank]->error);
        check_known_levels(ranks->of[rank], puzzle, 0);
        assert_true(ranks->of[rank]->result.complete);
    }
}

/* One of three ranks has too little memory to begin: all say which, and no level is told. */
static void check_rank_without_memory(enum engine engine, const char *puzzle, const char *says)
{
    struct ranks *ranks = ranks_new(engine, puzzle, EXPLORE_NO_LIMIT, 3, 1);
    budget_set_limit(&ranks->of[1]->budget, 1000);
    ranks_run(ranks);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(ranks->of[rank]->status, PZ_TOO_LARGE);
        assert_non_null(strstr(ranks->of[rank]->error.text, says));
        assert_int_equal(ranks->of[rank]->heard.level_count, 0);
    }
    ranks_free(ranks);
}

/* The sink of one of three ranks fails: all end with its words. */
static void check_failing_sink(enum engine engine, const char *puzzle)
{
    struct ranks *ranks = ranks_new(engine, puzzle, EXPLORE_NO_LIMIT, 3, 1);
    ranks->of[2]->fail_at = 9;
    ranks_run(ranks);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(ranks->of[rank]->status, PZ_STORAGE);
        assert_string_equal(ranks->of[rank]->error.text, "rank 2: the sink is full");
    }
    ranks_free(ranks);
}

/* One of four ranks is cancelled: all are. */
static void check_cancelled_rank(enum engine engine, const char *puzzle, unsigned threads, uint32_t level)
{
    struct ranks *ranks = ranks_new(engine, puzzle, EXPLORE_NO_LIMIT, 4, threads);
    ranks->of[3]->stop_at = level;
    ranks->of[3]->cancel = true;
    ranks_run(ranks);
    for (unsigned rank = 0; rank < 4; rank++)
        assert_int_equal(ranks->of[rank]->status, PZ_CANCELLED);
    ranks_free(ranks);
}

#endif
