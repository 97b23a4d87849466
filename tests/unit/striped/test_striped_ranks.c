/* SPDX-License-Identifier: MIT */
/* The striped engine over several ranks: what one process finds, whatever their number; a rank that fails. */
#include "ranks_checks.h"

static const unsigned rank_counts[] = {2, 3, 4, 7};

TEST(ranks_find_the_levels_and_examples_of_one_process)
{
    check_ranks(ENGINE_STRIPED, "2x2", EXPLORE_NO_LIMIT, rank_counts, 4);
    check_ranks(ENGINE_STRIPED, "2x4", EXPLORE_NO_LIMIT, rank_counts, 4);
    check_ranks(ENGINE_STRIPED, "4x4", 14, rank_counts, 4);
}

TEST(ranks_find_the_published_levels)
{
    struct ranks *ranks = ranks_new(ENGINE_STRIPED, "3x3", EXPLORE_NO_LIMIT, 3, 2);
    for (unsigned rank = 0; rank < 3; rank++)
        ranks->of[rank]->request.striped.stripes = 0; /* the engine's choice */
    check_published_levels(ranks, "3x3");
    ranks_free(ranks);
}

TEST(spaces_without_layers_have_ranks_too)
{
    check_ranks(ENGINE_STRIPED, "jugs:7,11,13,17", EXPLORE_NO_LIMIT, rank_counts, 4);
    check_ranks(ENGINE_STRIPED, "klotski:横刀立马", 40, rank_counts, 4);
}

/* 2x4 has 37 levels and 3x3 has 32. */
TEST(a_depth_that_is_the_last_level_leaves_nothing_out)
{
    check_ranks(ENGINE_STRIPED, "2x4", 36, rank_counts, 4);
    check_ranks(ENGINE_STRIPED, "2x4", 35, rank_counts, 4);
    check_ranks(ENGINE_STRIPED, "3x3", 31, rank_counts, 4);
}

TEST(a_rank_without_memory_ends_all_before_they_begin)
{
    check_rank_without_memory(ENGINE_STRIPED, "3x3", "rank 1: threads=1 needs");
}

TEST(ranks_stop_at_one_level_when_the_memory_of_one_ends)
{
    struct ranks *ranks = ranks_new(ENGINE_STRIPED, "4x4", EXPLORE_NO_LIMIT, 3, 1);
    budget_set_limit(&ranks->of[2]->budget, 6 << 20);
    ranks_run(ranks);
    for (unsigned rank = 0; rank < 3; rank++) {
        const struct trial *run = ranks->of[rank];
        assert_ok(run->status, run->error);
        assert_int_equal(run->result.outcome, OUTCOME_STOPPED);
        assert_int_equal(run->result.reason, STOP_MEMORY);
        assert_in_range(run->result.depth, 8, 30);
        assert_int_equal(run->result.depth, ranks->of[0]->result.depth);
        assert_int_equal(run->heard.level_count, run->result.depth + 1);
    }
    ranks_free(ranks);
}

TEST(a_sink_that_fails_ends_all_ranks_with_its_words)
{
    check_failing_sink(ENGINE_STRIPED, "3x3");
}

TEST(a_rank_that_is_cancelled_cancels_all)
{
    check_cancelled_rank(ENGINE_STRIPED, "4x4", 2, 12);
}
