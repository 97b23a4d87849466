/* SPDX-License-Identifier: MIT */
/* How an exploration by the striped engine ends: without memory or time, cancelled, or by its sink. */
#include "explore_trial.h"

static struct trial *striped_trial(const char *puzzle)
{
    return trial_of(puzzle, NULL, (struct explore_request){.engine = ENGINE_STRIPED});
}

TEST(a_small_budget_stops_after_a_complete_level)
{
    uint64_t levels[LEVELS_MAX];
    unsigned count = test_data_levels("4x4-first-levels", levels, LEVELS_MAX);
    for (uint64_t memory = 256 << 10; memory <= 64 << 20; memory *= 2) {
        struct trial *trial = striped_trial("4x4");
        budget_set_limit(&trial->budget, memory);
        trial->request.depth = SANITIZED ? 16 : EXPLORE_NO_LIMIT;
        assert_int_equal(live(trial), PZ_OK);
        assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
        assert_true(trial->heard.level_count <= count);
        assert_memory_equal(trial->heard.levels, levels, trial->heard.level_count * sizeof levels[0]);
        assert_memory_equal(trial->heard.run_states, levels, trial->heard.level_count * sizeof levels[0]);
        assert_int_equal(trial->heard.run_states[trial->heard.level_count], 0);
        assert_true(trial->result.peak_bytes <= memory);
        trial_free(trial);
    }
}

TEST(a_budget_for_nothing_is_refused_with_a_reason)
{
    struct trial *trial = striped_trial("4x4");
    budget_set_limit(&trial->budget, 1000);
    assert_int_equal(live(trial), PZ_TOO_LARGE);
    assert_true(strlen(trial->error.text) > 0);
    trial_free(trial);
}

/* Returns the least memory, in steps of 1 KiB, that the check lets pass. */
static uint64_t least_memory(struct trial *trial)
{
    uint64_t memory = 0;
    enum pz_status status;
    do {
        memory += 1024;
        status = explore_check_memory(&trial->request, memory, &trial->error);
    } while (status == PZ_TOO_LARGE);
    assert_int_equal(status, PZ_OK);
    return memory;
}

TEST(what_the_check_of_memory_lets_pass_begins)
{
    static const char *const puzzles[] = {"3x3", "4x4", "klotski:横刀立马", "jugs:30,29"};
    for (unsigned i = 0; i < 3 * (sizeof puzzles / sizeof puzzles[0]); i++) {
        static const unsigned threads[] = {1, 2, 8};
        struct trial *trial = striped_trial(puzzles[i / 3]);
        trial->request.threads = threads[i % 3];
        budget_set_limit(&trial->budget, least_memory(trial));
        assert_int_equal(live(trial), PZ_OK);
        trial_free(trial);
    }
}

TEST(every_amount_of_memory_ends_well)
{
    for (uint64_t memory = 4096; memory < (SANITIZED ? 400000 : 3000000); memory += memory / 16) {
        struct trial *trial = striped_trial("3x3");
        budget_set_limit(&trial->budget, memory);
        trial->request.striped.stripes = memory % 3 == 0 ? 4 : 0;
        enum pz_status status = live(trial);
        assert_true(status == PZ_OK || status == PZ_TOO_LARGE);
        if (status == PZ_OK && trial->result.outcome == OUTCOME_STOPPED)
            assert_int_equal(trial->result.reason, STOP_MEMORY);
        trial_free(trial);
    }
}

TEST(cancelling_ends_the_exploration)
{
    struct trial *trial = striped_trial("4x4");
    atomic_store(&trial->control.stop, true);
    assert_int_equal(live(trial), PZ_CANCELLED);
    trial_free(trial);
}

static void a_report_can_cancel(void *context, const struct progress *progress)
{
    struct trial *trial = context;
    if (progress->states > 1000)
        atomic_store(&trial->control.stop, true);
}

TEST(progress_is_reported_and_may_cancel)
{
    struct trial *trial = striped_trial("4x4");
    trial->control.report = a_report_can_cancel;
    trial->control.context = trial;
    assert_int_equal(live(trial), PZ_CANCELLED);
    trial_free(trial);
}

static void a_report_of_the_last_pass_cancels(void *context, const struct progress *progress)
{
    struct trial *trial = context;
    if (strcmp(progress->phase, "examples") == 0 && progress->done > 0 && progress->done <= 1)
        atomic_store(&trial->control.stop, true);
}

/* The pass over a wide level takes long enough for something to be heard of the job. */
TEST(the_search_for_the_last_levels_examples_is_reported_and_may_be_cancelled)
{
    struct trial *trial = striped_trial("4x4");
    trial->request.depth = 17;
    trial->control.report = a_report_of_the_last_pass_cancels;
    trial->control.context = trial;
    assert_int_equal(live(trial), PZ_CANCELLED);
    assert_int_equal(trial->heard.level_count, 18);
    trial_free(trial);
}

TEST(a_deadline_in_the_past_stops_with_the_levels_so_far)
{
    struct trial *trial = striped_trial("4x4");
    trial->control.deadline = 1e-9;
    assert_int_equal(live(trial), PZ_OK);
    assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(trial->result.reason, STOP_TIME);
    assert_int_equal(trial->heard.level_count, 1);
    trial_free(trial);
}

static void a_report_of_the_edges_ends_the_time(void *context, const struct progress *progress)
{
    struct trial *trial = context;
    if (strcmp(progress->phase, "edges") == 0)
        trial->control.deadline = 1e-9;
}

TEST(a_deadline_is_kept_while_edges_back_to_the_goals_are_gathered)
{
    struct trial *trial =
        striped_trial("sokoban:#########/#@-$---.#/#--$----#/#---.---#/#-------#/#########,metric:move");
    trial->request.from = FROM_GOALS;
    trial->request.threads = 1;
    trial->control.report = a_report_of_the_edges_ends_the_time;
    trial->control.context = trial;
    assert_int_equal(live(trial), PZ_OK);
    assert_true(trial->control.deadline > 0);
    assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(trial->result.reason, STOP_TIME);
    trial_free(trial);
}

TEST(a_sink_that_fails_ends_the_exploration)
{
    struct trial *trial = striped_trial("3x3");
    trial->fail_at = 5;
    assert_int_equal(live(trial), PZ_STORAGE);
    assert_string_equal(trial->error.text, "the sink is full");
    assert_int_equal(trial->heard.level_count, 5);
    trial_free(trial);
}
