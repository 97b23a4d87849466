/* SPDX-License-Identifier: MIT */
/* The striped engine over several ranks: what one process finds, whatever their number; a rank that fails. */
#include "ranks_trial.h"

/* Every rank hears what one process finds. */
static void check_ranks(const char *puzzle, uint32_t depth)
{
    static const unsigned ranks[] = {2, 3, 4, 7};
    struct trial *alone = trial_new(ENGINE_STRIPED, puzzle, depth, 1, 1);
    trial_run(alone);
    assert_ok(alone->runs[0].status, alone->runs[0].error);
    for (unsigned i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        struct trial *trial = trial_new(ENGINE_STRIPED, puzzle, depth, ranks[i], 1 + i % 2);
        trial_run(trial);
        for (unsigned rank = 0; rank < ranks[i]; rank++)
            check_same(&alone->runs[0], &trial->runs[rank]);
        trial_free(trial);
    }
    trial_free(alone);
}

static void ranks_find_the_levels_and_examples_of_one_process(void **state)
{
    (void)state;
    check_ranks("2x2", EXPLORE_NO_LIMIT);
    check_ranks("2x4", EXPLORE_NO_LIMIT);
    check_ranks("4x4", 14);
}

static void ranks_find_the_published_levels(void **state)
{
    (void)state;
    uint64_t counts[LEVELS_MAX];
    unsigned levels = test_data_levels("3x3", counts, LEVELS_MAX);
    struct trial *trial = trial_new(ENGINE_STRIPED, "3x3", EXPLORE_NO_LIMIT, 3, 2);
    for (unsigned rank = 0; rank < 3; rank++)
        trial->runs[rank].stripes = 0; /* the engine's choice */
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_ok(trial->runs[rank].status, trial->runs[rank].error);
        assert_int_equal(trial->runs[rank].level_count, levels);
        assert_memory_equal(trial->runs[rank].levels, counts, levels * sizeof *counts);
        assert_true(trial->runs[rank].result.complete);
    }
    trial_free(trial);
}

static void spaces_without_layers_have_ranks_too(void **state)
{
    (void)state;
    check_ranks("jugs:7,11,13,17", EXPLORE_NO_LIMIT);
    check_ranks("klotski:横刀立马", 40);
}

/* 2x4 has 37 levels and 3x3 has 32. */
static void a_depth_that_is_the_last_level_leaves_nothing_out(void **state)
{
    (void)state;
    check_ranks("2x4", 36);
    check_ranks("2x4", 35);
    check_ranks("3x3", 31);
}

static void a_rank_without_memory_ends_all_before_they_begin(void **state)
{
    (void)state;
    struct trial *trial = trial_new(ENGINE_STRIPED, "3x3", EXPLORE_NO_LIMIT, 3, 1);
    trial->runs[1].memory = 1000;
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(trial->runs[rank].status, PZ_TOO_LARGE);
        assert_non_null(strstr(trial->runs[rank].error.text, "rank 1: the memory limit"));
        assert_int_equal(trial->runs[rank].level_count, 0);
    }
    trial_free(trial);
}

static void ranks_stop_at_one_level_when_the_memory_of_one_ends(void **state)
{
    (void)state;
    struct trial *trial = trial_new(ENGINE_STRIPED, "4x4", EXPLORE_NO_LIMIT, 3, 1);
    trial->runs[2].memory = 6 << 20;
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        const struct run *run = &trial->runs[rank];
        assert_ok(run->status, run->error);
        assert_int_equal(run->result.outcome, OUTCOME_STOPPED);
        assert_int_equal(run->result.reason, STOP_MEMORY);
        assert_in_range(run->result.depth, 8, 30);
        assert_int_equal(run->result.depth, trial->runs[0].result.depth);
        assert_int_equal(run->level_count, run->result.depth + 1);
    }
    trial_free(trial);
}

static void a_sink_that_fails_ends_all_ranks_with_its_words(void **state)
{
    (void)state;
    struct trial *trial = trial_new(ENGINE_STRIPED, "3x3", EXPLORE_NO_LIMIT, 3, 1);
    trial->runs[2].fail_at = 9;
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(trial->runs[rank].status, PZ_STORAGE);
        assert_string_equal(trial->runs[rank].error.text, "rank 2: the sink is full");
    }
    trial_free(trial);
}

static void a_rank_that_is_cancelled_cancels_all(void **state)
{
    (void)state;
    struct trial *trial = trial_new(ENGINE_STRIPED, "4x4", EXPLORE_NO_LIMIT, 4, 2);
    trial->runs[3].cancel_at = 12;
    trial_run(trial);
    for (unsigned rank = 0; rank < 4; rank++)
        assert_int_equal(trial->runs[rank].status, PZ_CANCELLED);
    trial_free(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_find_the_levels_and_examples_of_one_process),
        cmocka_unit_test(ranks_find_the_published_levels),
        cmocka_unit_test(spaces_without_layers_have_ranks_too),
        cmocka_unit_test(a_depth_that_is_the_last_level_leaves_nothing_out),
        cmocka_unit_test(a_rank_without_memory_ends_all_before_they_begin),
        cmocka_unit_test(ranks_stop_at_one_level_when_the_memory_of_one_ends),
        cmocka_unit_test(a_sink_that_fails_ends_all_ranks_with_its_words),
        cmocka_unit_test(a_rank_that_is_cancelled_cancels_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
