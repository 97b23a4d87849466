/* SPDX-License-Identifier: MIT */
/* The striped engine finds the published levels, whatever the threads, stripes and memory. */
#include "explore_trial.h"

static void check_levels(const struct trial *trial, const char *file, unsigned wanted)
{
    uint64_t total = 0;
    check_known_levels(trial, file, wanted);
    for (unsigned i = 0; i < trial->heard.level_count; i++)
        total += trial->heard.levels[i];
    assert_int_equal(trial->result.depth, trial->heard.level_count - 1);
    assert_int_equal(trial->result.states, total);
}

/* Of the striped engine. */
static struct trial *striped_trial(const char *puzzle, const char *start, struct explore_request how)
{
    how.engine = ENGINE_STRIPED;
    return lived(trial_of(puzzle, start, how));
}

static const struct {
    const char *puzzle, *start, *file;
} whole[] = {
    {"2x2", NULL, "2x2"},
    {"2x3", NULL, "2x3"},
    {"2x4", NULL, "2x4"},
    {"3x3", NULL, "3x3"},
    {"2x5", NULL, "2x5"},
    {"1x5", NULL, "1x5"},
    {"3x3", "1,2,3/4,0,5/6,7,8", "3x3-blank4"},
    {"3x3", "1,0,2/3,4,5/6,7,8", "3x3-blank1"},
    {"3x3", "0,1,2/3,4,5/6,7,8", "3x3-blank0"},
    {"2x5", "1,2,3,4,5/6,7,0,8,9", "2x5-blank7"},
    {"2x3", "1,2,3/4,0,5", "2x3-blank4"},
    {"2x4", "1,2,3,4/5,6,0,7", "2x4-blank6"},
    {"2x3,wrap:yes", NULL, "torus-2x3"},
    {"2x4,wrap:yes", NULL, "torus-2x4"},
    {"3x3,wrap:yes", NULL, "torus-3x3"},
    {"3x3,metric:multi", NULL, "multi-3x3"},
    {"3x3,metric:multi", "1,2,3/4,5,6/7,0,8", "multi-3x3-blank7"},
    {"3x3,metric:multi", "1,2,3/4,0,5/6,7,8", "multi-3x3-blank4"},
    {"2x5,metric:multi", NULL, "multi-2x5"},
    {"2x5,metric:multi", "1,2,3,4,5/6,7,8,0,9", "multi-2x5-blank8"},
    {"2x5,metric:multi", "1,2,3,4,5/6,7,0,8,9", "multi-2x5-blank7"},
};

static void explore_whole(unsigned threads, unsigned stripes, enum keep keep)
{
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        if (SANITIZED && strncmp(whole[i].puzzle, "2x5", 3) == 0)
            continue;
        struct trial *trial = striped_trial(
            whole[i].puzzle, whole[i].start,
            (struct explore_request){.threads = threads, .striped.stripes = stripes, .keep = keep});
        assert_int_equal(trial->result.outcome, OUTCOME_DONE);
        assert_true(trial->result.complete);
        assert_int_equal(trial->heard.begun, 1);
        assert_int_equal(trial->heard.plan.table, keep == KEEP_TABLE ? TABLE_RUNS : TABLE_NONE);
        check_levels(trial, whole[i].file, 0);
        trial_free(trial);
    }
}

TEST(one_thread_finds_the_published_levels)
{
    explore_whole(1, 0, KEEP_TABLE);
}

TEST(two_threads_find_the_published_levels)
{
    explore_whole(2, 0, KEEP_TABLE);
}

TEST(eight_threads_find_the_published_levels)
{
    explore_whole(8, 0, KEEP_TABLE);
}

TEST(frontier_mode_finds_the_published_levels)
{
    explore_whole(1, 0, KEEP_LEVELS);
    explore_whole(8, 16, KEEP_LEVELS);
}

static void check_3x3(unsigned threads, unsigned stripes, enum keep keep)
{
    struct trial *trial =
        trial_of("3x3", NULL,
                 (struct explore_request){
                     .engine = ENGINE_STRIPED, .threads = threads, .striped.stripes = stripes, .keep = keep});
    budget_set_limit(&trial->budget, UINT64_C(2) << 30);
    assert_ok(live(trial), trial->error);
    check_levels(trial, "3x3", 0);
    trial_free(trial);
}

TEST(any_number_of_stripes_gives_the_same_levels)
{
    check_3x3(2, 1, KEEP_TABLE);
    check_3x3(2, 16, KEEP_TABLE);
    check_3x3(2, 256, KEEP_TABLE);
    check_3x3(2, 1024, KEEP_LEVELS);
    if (!SANITIZED)
        check_3x3(2, 65536, KEEP_TABLE);
}

TEST(many_threads_on_one_stripe_give_the_same_levels)
{
    check_3x3(8, 1, KEEP_TABLE);
    check_3x3(SANITIZED ? 16 : 64, 1, KEEP_TABLE);
    check_3x3(SANITIZED ? 16 : 64, 16, KEEP_LEVELS);
    check_3x3(SANITIZED ? 16 : 64, 256, KEEP_TABLE);
}

static void check_first_levels(const char *puzzle, const char *file, unsigned wanted, enum keep keep)
{
    struct trial *trial =
        striped_trial(puzzle, NULL, (struct explore_request){.depth = wanted - 1, .keep = keep});
    assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(trial->result.reason, STOP_DEPTH);
    assert_false(trial->result.complete);
    check_levels(trial, file, wanted);
    trial_free(trial);
}

TEST(the_first_levels_of_4x4_are_the_published_ones)
{
    check_first_levels("4x4", "4x4-first-levels", SANITIZED ? 17 : is_brief() ? 23 : 26, KEEP_TABLE);
    check_first_levels("4x4", "4x4-first-levels", SANITIZED ? 17 : is_brief() ? 21 : 23, KEEP_LEVELS);
}

TEST(the_first_levels_of_5x5_are_the_published_ones)
{
    check_first_levels("5x5", "5x5-first-levels", SANITIZED ? 14 : is_brief() ? 17 : 19, KEEP_TABLE);
}

TEST(the_first_levels_of_3x5_2x7_and_2x8_are_the_published_ones)
{
    check_first_levels("3x5", "3x5-first-levels", SANITIZED ? 17 : 23, KEEP_TABLE);
    check_first_levels("2x7", "2x7-first-levels", SANITIZED ? 20 : is_brief() ? 27 : 31, KEEP_TABLE);
    check_first_levels("2x8", "2x8-first-levels", SANITIZED ? 20 : is_brief() ? 26 : 29, KEEP_TABLE);
}

TEST(a_state_of_four_words_is_explored_as_well)
{
    /* 2x13 and 13x2 are the same puzzle; its first levels equal those of any longer 2xN up to level 12. */
    uint64_t levels[LEVELS_MAX];
    (void)test_data_levels("2x8-first-levels", levels, LEVELS_MAX);
    struct trial *trial = striped_trial("2x14", NULL, (struct explore_request){.depth = 6});
    assert_memory_equal(trial->heard.levels, levels, 7 * sizeof levels[0]);
    trial_free(trial);
}

TEST(levels_and_examples_do_not_depend_on_the_threads)
{
    struct trial *one = striped_trial("3x3", NULL, (struct explore_request){.threads = 1});
    struct trial *many =
        striped_trial("3x3", NULL, (struct explore_request){.threads = 8, .striped.stripes = 64});
    assert_int_equal(one->heard.level_count, 32);
    check_heard(many, one);
    for (unsigned i = 0; i < 32; i++) {
        uint64_t wanted = one->heard.levels[i] < 16 ? one->heard.levels[i] : 16;
        assert_int_equal(one->heard.examples[i], wanted);
    }
    trial_free(one);
    trial_free(many);
}

TEST(all_states_of_the_last_level_are_given_up_to_a_thousand)
{
    struct trial *trial = striped_trial("3x3", NULL, (struct explore_request){.depth = 10});
    assert_int_equal(trial->heard.levels[10], 286);
    assert_int_equal(trial->heard.examples[10], 286);
    trial_free(trial);
    trial = striped_trial("3x3", NULL, (struct explore_request){.depth = 20, .keep = KEEP_LEVELS});
    assert_int_equal(trial->heard.examples[20], EXPLORE_DEEPEST_MAX);
    trial_free(trial);
}
