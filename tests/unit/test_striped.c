/* SPDX-License-Identifier: MIT */
/* The striped engine through explore_run: published level counts, whatever the threads, stripes and memory.
 */
#include "test_support.h"

#include "explore/explore.h"
#include "explore/striped/mix.h"
#include "space/registry.h"
#include "space/slide.h"

#ifdef PUZZLED_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { LEVELS_MAX = 700 };

/* Everything that a sink was given. */
struct heard {
    struct explore_plan plan;
    unsigned begun;
    uint64_t levels[LEVELS_MAX];
    uint32_t level_count;
    uint64_t example_sum[LEVELS_MAX]; /* of all examples of the level, order included */
    unsigned examples[LEVELS_MAX];
    uint64_t run_states[LEVELS_MAX]; /* by distance, from the runs */
    uint64_t last_key[4];
    bool any_run;
    bool out_of_order; /* levels or keys */
    uint32_t fail_at_level;
};

static enum pz_status hear_begin(void *context, const struct explore_plan *plan, struct pz_error *error)
{
    (void)error;
    struct heard *heard = context;
    heard->plan = *plan;
    heard->begun++;
    return PZ_OK;
}

static enum pz_status hear_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct heard *heard = context;
    if (level == heard->fail_at_level && level > 0)
        return pz_fail(error, PZ_STORAGE, "the sink is full");
    if (level != heard->level_count || level >= LEVELS_MAX)
        heard->out_of_order = true;
    else
        heard->levels[heard->level_count++] = states;
    return PZ_OK;
}

static enum pz_status hear_examples(void *context, uint32_t level, const void *states, unsigned count,
                                    struct pz_error *error)
{
    (void)error;
    struct heard *heard = context;
    if (level + 1 != heard->level_count)
        heard->out_of_order = true;
    const uint64_t *words = states;
    for (unsigned i = 0; i < count * (heard->plan.state_bytes / 8); i++)
        heard->example_sum[level] = heard->example_sum[level] * 31 + words[i];
    heard->examples[level] += count;
    return PZ_OK;
}

static enum pz_status hear_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    (void)error;
    struct heard *heard = context;
    for (size_t i = 0; i < run->count; i++) {
        const uint64_t *key = run->keys + i * run->key_words;
        int order = 0;
        for (unsigned w = 0; w < run->key_words && order == 0; w++)
            order = key[w] == heard->last_key[w] ? 0 : key[w] > heard->last_key[w] ? 1 : -1;
        if (heard->any_run && order <= 0)
            heard->out_of_order = true;
        heard->any_run = true;
        memcpy(heard->last_key, key, run->key_words * sizeof *key);
        if (run->distances[i] < LEVELS_MAX)
            heard->run_states[run->distances[i]]++;
        else
            heard->out_of_order = true;
    }
    return PZ_OK;
}

/* One exploration, and all there is to know about it. */
struct trial {
    const char *puzzle;
    const char *start; /* NULL: the default root */
    uint32_t depth;
    unsigned threads, stripes;
    enum keep keep;
    uint64_t memory;
    struct control control;
    struct heard heard;
    struct explore_result result;
    struct pz_error error;
    struct budget budget;
};

static struct trial *trial_new(const char *puzzle)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    trial->puzzle = puzzle;
    trial->depth = EXPLORE_NO_LIMIT;
    trial->threads = 2;
    trial->memory = 1ull << 30;
    return trial;
}

static enum pz_status trial_run(struct trial *trial)
{
    struct pz_space *space = NULL;
    struct pz_setup setup = {.start = trial->start};
    assert_int_equal(space_open(trial->puzzle, &setup, &space, &trial->error), PZ_OK);
    uint64_t root[4] = {0};
    if (trial->start != NULL)
        assert_int_equal(space->puzzle->parse(space, trial->start, root, &trial->error), PZ_OK);
    else
        assert_int_equal(space->puzzle->root(space, root, &trial->error), PZ_OK);
    budget_init(&trial->budget, NULL, trial->memory);
    struct explore_request request = {
        .space = space,
        .root = root,
        .depth = trial->depth,
        .threads = trial->threads,
        .stripes = trial->stripes,
        .keep = trial->keep,
        .budget = &trial->budget,
        .engine = ENGINE_STRIPED,
        .seed = 42,
    };
    struct explore_sink sink = {.context = &trial->heard,
                                .begin = hear_begin,
                                .level = hear_level,
                                .examples = hear_examples,
                                .run = hear_run};
    enum pz_status status = explore_run(&request, &trial->control, &sink, &trial->result, &trial->error);
    space_close(space);
    assert_int_equal(trial->budget.used, 0);
    assert_false(trial->heard.out_of_order);
    return status;
}

static void check_levels(const struct trial *trial, const char *file, unsigned wanted)
{
    uint64_t levels[LEVELS_MAX];
    unsigned count = test_data_levels(file, levels, LEVELS_MAX);
    if (wanted > 0 && wanted < count)
        count = wanted;
    assert_int_equal(trial->heard.level_count, count);
    assert_memory_equal(trial->heard.levels, levels, count * sizeof levels[0]);
    assert_int_equal(trial->result.depth, count - 1);
    uint64_t total = 0;
    for (unsigned i = 0; i < count; i++)
        total += levels[i];
    assert_int_equal(trial->result.states, total);
    if (trial->keep == KEEP_TABLE)
        assert_memory_equal(trial->heard.run_states, levels, count * sizeof levels[0]);
    else
        assert_false(trial->heard.any_run);
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
};

static void explore_whole(unsigned threads, unsigned stripes, enum keep keep)
{
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        if (SANITIZED && strncmp(whole[i].puzzle, "2x5", 3) == 0)
            continue;
        struct trial *trial = trial_new(whole[i].puzzle);
        trial->start = whole[i].start;
        trial->threads = threads;
        trial->stripes = stripes;
        trial->keep = keep;
        assert_int_equal(trial_run(trial), PZ_OK);
        assert_int_equal(trial->result.outcome, OUTCOME_DONE);
        assert_true(trial->result.complete);
        assert_int_equal(trial->heard.begun, 1);
        assert_int_equal(trial->heard.plan.table, keep == KEEP_TABLE ? TABLE_RUNS : TABLE_NONE);
        check_levels(trial, whole[i].file, 0);
        free(trial);
    }
}

static void one_thread_finds_the_published_levels(void **context)
{
    (void)context;
    explore_whole(1, 0, KEEP_TABLE);
}

static void two_threads_find_the_published_levels(void **context)
{
    (void)context;
    explore_whole(2, 0, KEEP_TABLE);
}

static void eight_threads_find_the_published_levels(void **context)
{
    (void)context;
    explore_whole(8, 0, KEEP_TABLE);
}

static void frontier_mode_finds_the_published_levels(void **context)
{
    (void)context;
    explore_whole(1, 0, KEEP_LEVELS);
    explore_whole(8, 16, KEEP_LEVELS);
}

static void check_3x3(unsigned threads, unsigned stripes, enum keep keep)
{
    struct trial *trial = trial_new("3x3");
    trial->threads = threads;
    trial->stripes = stripes;
    trial->keep = keep;
    trial->memory = 2ull << 30;
    assert_int_equal(trial_run(trial), PZ_OK);
    check_levels(trial, "3x3", 0);
    free(trial);
}

static void any_number_of_stripes_gives_the_same_levels(void **context)
{
    (void)context;
    check_3x3(2, 1, KEEP_TABLE);
    check_3x3(2, 16, KEEP_TABLE);
    check_3x3(2, 256, KEEP_TABLE);
    check_3x3(2, 1024, KEEP_LEVELS);
    if (!SANITIZED)
        check_3x3(2, 65536, KEEP_TABLE);
}

static void many_threads_on_one_stripe_give_the_same_levels(void **context)
{
    (void)context;
    check_3x3(8, 1, KEEP_TABLE);
    check_3x3(SANITIZED ? 16 : 64, 1, KEEP_TABLE);
    check_3x3(SANITIZED ? 16 : 64, 16, KEEP_LEVELS);
    check_3x3(SANITIZED ? 16 : 64, 256, KEEP_TABLE);
}

static void check_first_levels(const char *puzzle, const char *file, unsigned wanted, enum keep keep)
{
    struct trial *trial = trial_new(puzzle);
    trial->depth = wanted - 1;
    trial->keep = keep;
    assert_int_equal(trial_run(trial), PZ_OK);
    assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(trial->result.reason, STOP_DEPTH);
    assert_false(trial->result.complete);
    check_levels(trial, file, wanted);
    free(trial);
}

static void the_first_levels_of_4x4_are_the_published_ones(void **context)
{
    (void)context;
    check_first_levels("4x4", "4x4-first-levels", SANITIZED ? 17 : 26, KEEP_TABLE);
    check_first_levels("4x4", "4x4-first-levels", SANITIZED ? 17 : 23, KEEP_LEVELS);
}

static void the_first_levels_of_5x5_are_the_published_ones(void **context)
{
    (void)context;
    check_first_levels("5x5", "5x5-first-levels", SANITIZED ? 14 : 19, KEEP_TABLE);
}

static void the_first_levels_of_3x5_2x7_and_2x8_are_the_published_ones(void **context)
{
    (void)context;
    check_first_levels("3x5", "3x5-first-levels", SANITIZED ? 17 : 23, KEEP_TABLE);
    check_first_levels("2x7", "2x7-first-levels", SANITIZED ? 20 : 31, KEEP_TABLE);
    check_first_levels("2x8", "2x8-first-levels", SANITIZED ? 20 : 29, KEEP_TABLE);
}

static void a_state_of_four_words_is_explored_as_well(void **context)
{
    (void)context;
    /* 2x13 and 13x2 are the same puzzle; its first levels equal those of any longer 2xN up to level 12. */
    uint64_t levels[LEVELS_MAX];
    (void)test_data_levels("2x8-first-levels", levels, LEVELS_MAX);
    struct trial *trial = trial_new("2x14");
    trial->depth = 6;
    assert_int_equal(trial_run(trial), PZ_OK);
    assert_memory_equal(trial->heard.levels, levels, 7 * sizeof levels[0]);
    free(trial);
}

static void levels_and_examples_do_not_depend_on_the_threads(void **context)
{
    (void)context;
    struct trial *one = trial_new("3x3");
    struct trial *many = trial_new("3x3");
    one->threads = 1;
    many->threads = 8;
    many->stripes = 64;
    assert_int_equal(trial_run(one), PZ_OK);
    assert_int_equal(trial_run(many), PZ_OK);
    assert_int_equal(one->heard.level_count, 32);
    assert_memory_equal(one->heard.example_sum, many->heard.example_sum, sizeof one->heard.example_sum);
    for (unsigned i = 0; i < 32; i++) {
        uint64_t wanted = one->heard.levels[i] < 16 ? one->heard.levels[i] : 16;
        assert_int_equal(one->heard.examples[i], wanted);
    }
    free(one);
    free(many);
}

static void all_states_of_the_last_level_are_given_up_to_a_thousand(void **context)
{
    (void)context;
    struct trial *trial = trial_new("3x3");
    trial->depth = 10;
    assert_int_equal(trial_run(trial), PZ_OK);
    assert_int_equal(trial->heard.levels[10], 286);
    assert_int_equal(trial->heard.examples[10], 286);
    free(trial);
    trial = trial_new("3x3");
    trial->depth = 20;
    trial->keep = KEEP_LEVELS;
    assert_int_equal(trial_run(trial), PZ_OK);
    assert_int_equal(trial->heard.examples[20], EXPLORE_DEEPEST_MAX);
    free(trial);
}

static void a_small_budget_stops_after_a_complete_level(void **context)
{
    (void)context;
    uint64_t levels[LEVELS_MAX];
    unsigned count = test_data_levels("4x4-first-levels", levels, LEVELS_MAX);
    for (uint64_t memory = 256 << 10; memory <= 64 << 20; memory *= 2) {
        struct trial *trial = trial_new("4x4");
        trial->memory = memory;
        trial->depth = SANITIZED ? 16 : EXPLORE_NO_LIMIT;
        assert_int_equal(trial_run(trial), PZ_OK);
        assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
        assert_true(trial->heard.level_count <= count);
        assert_memory_equal(trial->heard.levels, levels, trial->heard.level_count * sizeof levels[0]);
        assert_memory_equal(trial->heard.run_states, levels, trial->heard.level_count * sizeof levels[0]);
        assert_int_equal(trial->heard.run_states[trial->heard.level_count], 0);
        assert_true(trial->result.peak_bytes <= memory);
        free(trial);
    }
}

static void a_budget_for_nothing_is_refused_with_a_reason(void **context)
{
    (void)context;
    struct trial *trial = trial_new("4x4");
    trial->memory = 1000;
    assert_int_equal(trial_run(trial), PZ_TOO_LARGE);
    assert_true(strlen(trial->error.text) > 0);
    free(trial);
}

static void every_amount_of_memory_ends_well(void **context)
{
    (void)context;
    for (uint64_t memory = 4096; memory < (SANITIZED ? 400000 : 3000000); memory += memory / 16) {
        struct trial *trial = trial_new("3x3");
        trial->memory = memory;
        trial->stripes = memory % 3 == 0 ? 4 : 0;
        enum pz_status status = trial_run(trial);
        assert_true(status == PZ_OK || status == PZ_TOO_LARGE);
        if (status == PZ_OK && trial->result.outcome == OUTCOME_STOPPED)
            assert_int_equal(trial->result.reason, STOP_MEMORY);
        free(trial);
    }
}

static void cancelling_ends_the_exploration(void **context)
{
    (void)context;
    struct trial *trial = trial_new("4x4");
    atomic_store(&trial->control.stop, true);
    assert_int_equal(trial_run(trial), PZ_CANCELLED);
    free(trial);
}

static void a_report_can_cancel(void *context, const struct progress *progress)
{
    struct trial *trial = context;
    if (progress->states > 1000)
        atomic_store(&trial->control.stop, true);
}

static void progress_is_reported_and_may_cancel(void **context)
{
    (void)context;
    struct trial *trial = trial_new("4x4");
    trial->control.report = a_report_can_cancel;
    trial->control.context = trial;
    assert_int_equal(trial_run(trial), PZ_CANCELLED);
    free(trial);
}

static void a_report_of_the_last_pass_cancels(void *context, const struct progress *progress)
{
    struct trial *trial = context;
    if (strcmp(progress->phase, "examples") == 0 && progress->done > 0 && progress->done <= 1)
        atomic_store(&trial->control.stop, true);
}

/* The pass over a wide level takes long enough for something to be heard of the job. */
static void the_search_for_the_last_levels_examples_is_reported_and_may_be_cancelled(void **context)
{
    (void)context;
    struct trial *trial = trial_new("4x4");
    trial->depth = 17;
    trial->control.report = a_report_of_the_last_pass_cancels;
    trial->control.context = trial;
    assert_int_equal(trial_run(trial), PZ_CANCELLED);
    assert_int_equal(trial->heard.level_count, 18);
    free(trial);
}

static void a_deadline_in_the_past_stops_with_the_levels_so_far(void **context)
{
    (void)context;
    struct trial *trial = trial_new("4x4");
    trial->control.deadline = 1e-9;
    assert_int_equal(trial_run(trial), PZ_OK);
    assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(trial->result.reason, STOP_TIME);
    assert_int_equal(trial->heard.level_count, 1);
    free(trial);
}

static void a_sink_that_fails_ends_the_exploration(void **context)
{
    (void)context;
    struct trial *trial = trial_new("3x3");
    trial->heard.fail_at_level = 5;
    assert_int_equal(trial_run(trial), PZ_STORAGE);
    assert_string_equal(trial->error.text, "the sink is full");
    assert_int_equal(trial->heard.level_count, 5);
    free(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_finds_the_published_levels),
        cmocka_unit_test(two_threads_find_the_published_levels),
        cmocka_unit_test(eight_threads_find_the_published_levels),
        cmocka_unit_test(frontier_mode_finds_the_published_levels),
        cmocka_unit_test(any_number_of_stripes_gives_the_same_levels),
        cmocka_unit_test(many_threads_on_one_stripe_give_the_same_levels),
        cmocka_unit_test(the_first_levels_of_4x4_are_the_published_ones),
        cmocka_unit_test(the_first_levels_of_5x5_are_the_published_ones),
        cmocka_unit_test(the_first_levels_of_3x5_2x7_and_2x8_are_the_published_ones),
        cmocka_unit_test(a_state_of_four_words_is_explored_as_well),
        cmocka_unit_test(levels_and_examples_do_not_depend_on_the_threads),
        cmocka_unit_test(all_states_of_the_last_level_are_given_up_to_a_thousand),
        cmocka_unit_test(a_small_budget_stops_after_a_complete_level),
        cmocka_unit_test(a_budget_for_nothing_is_refused_with_a_reason),
        cmocka_unit_test(every_amount_of_memory_ends_well),
        cmocka_unit_test(cancelling_ends_the_exploration),
        cmocka_unit_test(progress_is_reported_and_may_cancel),
        cmocka_unit_test(the_search_for_the_last_levels_examples_is_reported_and_may_be_cancelled),
        cmocka_unit_test(a_deadline_in_the_past_stops_with_the_levels_so_far),
        cmocka_unit_test(a_sink_that_fails_ends_the_exploration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
