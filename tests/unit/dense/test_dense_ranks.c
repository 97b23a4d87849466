/* SPDX-License-Identifier: MIT */
/* The dense engine over several ranks: what one process finds, whatever their number; a rank that fails. */
#include "ranks_checks.h"

/* 2x5 has nine groups of 20,160 classes; the smaller ones have none. */
TEST(ranks_find_the_levels_and_examples_of_one_process)
{
    static const unsigned ranks[] = {2, 3, 7};
    check_ranks(ENGINE_DENSE, "2x2", EXPLORE_NO_LIMIT, ranks, 3);
    check_ranks(ENGINE_DENSE, "3x3", EXPLORE_NO_LIMIT, ranks, 3);
    check_ranks(ENGINE_DENSE, "2x5", EXPLORE_NO_LIMIT, ranks, 3);
}

TEST(ranks_keep_their_groups_on_disk)
{
    struct ranks *alone = ranks_new(ENGINE_DENSE, "2x5", EXPLORE_NO_LIMIT, 1, 1);
    struct ranks *ranks = ranks_new(ENGINE_DENSE, "2x5", EXPLORE_NO_LIMIT, 2, 2);
    use_disk(ranks);
    ranks_run(alone);
    ranks_run(ranks);
    for (unsigned rank = 0; rank < 2; rank++) {
        check_rank(ranks, rank, alone);
        assert_int_not_equal(ranks->of[rank]->result.disk_written_bytes, 0);
    }
    ranks_free(ranks);
    ranks_free(alone);
}

TEST(ranks_end_at_a_level_that_was_asked_for)
{
    static const unsigned ranks[] = {4};
    check_ranks(ENGINE_DENSE, "2x5", 20, ranks, 1);
#ifndef PUZZLED_SANITIZED
    check_ranks(ENGINE_DENSE, "3x4", 22, ranks, 1);
#else
    check_ranks(ENGINE_DENSE, "3x4", 10, ranks, 1); /* each level costs a second */
#endif
}

TEST(ranks_find_the_published_levels)
{
    struct ranks *ranks = ranks_new(ENGINE_DENSE, "2x5", EXPLORE_NO_LIMIT, 4, 1);
    check_published_levels(ranks, "2x5");
    for (unsigned rank = 0; rank < 4; rank++)
        assert_int_equal(ranks->of[rank]->result.planes, PLANES_CODED);
    ranks_free(ranks);
}

TEST(a_rank_without_memory_ends_all_before_they_begin)
{
    check_rank_without_memory(ENGINE_DENSE, "2x5", "rank 1: needs");
}

TEST(a_sink_that_fails_ends_all_ranks_with_its_words)
{
    check_failing_sink(ENGINE_DENSE, "2x5");
}

TEST(a_rank_that_is_cancelled_cancels_all)
{
    check_cancelled_rank(ENGINE_DENSE, "2x5", 1, 12);
}
