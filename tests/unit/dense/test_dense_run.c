/* SPDX-License-Identifier: MIT */
/* How a dense exploration behaves: roots of every kind, limits, refusals, examples. */
#include "dense_fixture.h"
#include "test_support.h"

#include "base/clock.h"
#include "base/random.h"

static void set_root(struct run *run, const char *text)
{
    struct board root;
    assert_ok(board_parse(slide_permutation(run->space), text, &root, &run->error), run->error);
    slide_state(run->space, &root, run->root);
}

static void check_parity(const struct run *run)
{
    /* Every other level has the blank on one colour: with an even number of cells the sums are equal. */
    uint64_t sum[2] = {0};
    for (uint32_t level = 0; level < run->levels; level++)
        sum[level % 2] += run->states[level];
    if (slide_permutation(run->space)->cells % 2 == 0)
        assert_int_equal(sum[0], sum[1]);
    assert_int_equal(sum[0] + sum[1], run->result.states);
}

static void check_against_striped(const char *size, unsigned blank)
{
    struct run *dense = run_new(size, blank);
    struct run *striped = run_new(size, blank);
    dense->request.threads = 2;
    striped->request.threads = 2;
    assert_ok(run_go(dense), dense->error);
    striped->request.engine = ENGINE_STRIPED;
    assert_ok(run_go(striped), striped->error);
    check_equal_levels(dense, striped);
    if (!slide_is_multi(dense->space))
        check_parity(dense);
    run_free(dense);
    run_free(striped);
}

TEST(every_blank_place_has_the_levels_that_the_striped_engine_finds)
{
    static const struct {
        const char *size;
        unsigned cells;
    } sizes[] = {{"2x2", 4},
                 {"2x3", 6},
                 {"3x2", 6},
                 {"2x4", 8},
                 {"4x2", 8},
                 {"3x3", 9},
                 {"2x3,metric:multi", 6},
                 {"4x2,metric:multi", 8},
                 {"3x3,metric:multi", 9}};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (unsigned blank = 0; blank < sizes[i].cells; blank++)
            check_against_striped(sizes[i].size, blank);
#ifndef PUZZLED_SANITIZED
    for (unsigned blank = 0; blank < 10; blank++)
        check_against_striped("2x5", blank);
    check_against_striped("5x2", 3);
#endif
}

TEST(any_root_in_any_orientation_is_explored)
{
    static const struct {
        const char *size, *root, *equal_size;
        unsigned equal_blank;
    } roots[] = {{"2x4", "3,1,4,2/7,5,0,6", "2x4", 6},
                 {"4x2", "0,1/2,3/7,6/4,5", "2x4", 7},
                 {"3x3", "8,6,7/2,5,4/3,0,1", "3x3", 7},
                 {"3x3", "1,2,3/4,0,5/6,7,8", "3x3", 4},
                 {"3x2", "5,4/0,2/1,3", "2x3", 4},
                 {"5x2", "9,8/7,6/0,5/4,3/2,1", "2x5", 7},
                 {"4x2,metric:multi", "0,1/2,3/7,6/4,5", "2x4,metric:multi", 7},
                 {"5x2,metric:multi", "9,8/7,6/0,5/4,3/2,1", "2x5,metric:multi", 7}};
    for (unsigned i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        struct run *run = run_new(roots[i].size, 0);
        struct run *equal = run_new(roots[i].equal_size, roots[i].equal_blank);
        run->request.keep = KEEP_TABLE;
        set_root(run, roots[i].root);
        assert_ok(run_go(run), run->error);
        assert_ok(run_go(equal), equal->error);
        check_equal_levels(run, equal);
        check_examples(run, run);
        /* level 0 is the root itself, in the space's own orientation */
        assert_memory_equal(run->example[0], run->root, run->space->state_bytes);
        run_free(run);
        run_free(equal);
    }
}

static void check_seed(const char *size)
{
    struct run *runs[3];
    static const unsigned threads[] = {1, 2, 8};
    for (unsigned i = 0; i < 3; i++) {
        runs[i] = run_new(size, 9);
        runs[i]->request.threads = threads[i];
        runs[i]->request.seed = 42;
        assert_ok(run_go(runs[i]), runs[i]->error);
        check_equal(runs[i], runs[0]);
    }
    struct run *other = run_new(size, 9);
    other->request.seed = 43;
    assert_ok(run_go(other), other->error);
    assert_memory_not_equal(other->example[30], runs[0]->example[30], 16 * 8);
    run_free(other);
    for (unsigned i = 0; i < 3; i++)
        run_free(runs[i]);
}

TEST(the_same_seed_gives_the_same_examples_on_any_number_of_threads)
{
    check_seed("2x5");
    check_seed("2x5,metric:multi");
}

TEST(the_deepest_boards_are_the_published_ones)
{
    struct run *run = run_new("3x3", 8);
    assert_ok(run_go(run), run->error);
    assert_int_equal(run->levels, 32);
    assert_int_equal(run->examples[31], 2);
    unsigned hits = 0;
    static const char *const known[] = {"8,6,7/2,5,4/3,0,1", "6,4,7/8,5,0/3,2,1"};
    for (unsigned i = 0; i < 2; i++) {
        char text[BOARD_TEXT_MAX];
        struct board board;
        slide_board(run->space, run->example[31] + (size_t)i * 8, &board);
        (void)board_format(slide_permutation(run->space), &board, text);
        hits += strcmp(text, known[0]) == 0 || strcmp(text, known[1]) == 0;
    }
    assert_int_equal(hits, 2);
    run_free(run);
}

TEST(a_table_is_not_begun_that_the_scratch_space_cannot_hold)
{
    struct run *run = run_new("3x5", 13);
    run->request.keep = KEEP_TABLE;
    run->request.scratch = "";
    assert_int_equal(explore_check_memory(&run->request, UINT64_C(12000000000), &run->error), PZ_OK);
    run->request.disk = UINT64_C(60) << 30;
    assert_int_equal(explore_check_memory(&run->request, UINT64_C(12000000000), &run->error), PZ_TOO_LARGE);
    assert_non_null(strstr(run->error.text, " of scratch space, limit 60.0G"));
    run->request.planes = PLANES_DISK; /* who names them may know better */
    assert_int_equal(explore_check_memory(&run->request, UINT64_C(12000000000), &run->error), PZ_OK);
    run_free(run);
}

TEST(a_budget_too_small_is_refused_with_what_would_suffice)
{
    struct run *run = run_new("2x7", 13);
    budget_init(&run->budget, NULL, UINT64_C(8) << 30);
    run->request.keep = KEEP_TABLE;
    assert_int_equal(run_go(run), PZ_TOO_LARGE);
    assert_string_equal(run->error.text, "needs 11.7G, limit 8.0G");
    run->request.keep = KEEP_LEVELS;
    assert_int_equal(explore_check_memory(&run->request, UINT64_C(8) << 30, &run->error), PZ_OK);
    run->request.engine = ENGINE_AUTO;
    budget_set_limit(&run->budget, 1 << 20);
    assert_int_equal(run_go(run), PZ_TOO_LARGE);
    assert_non_null(strstr(run->error.text, "limit 1.0M"));
    assert_int_equal(atomic_load(&run->budget.used), 0);
    run_free(run);
}

TEST(puzzles_that_the_engine_does_not_know_are_refused)
{
    static const char *const sizes[] = {"1x5", "5x5", "3x6"};
    for (unsigned i = 0; i < 3; i++) {
        struct run *run = run_new(sizes[i], 0);
        assert_false(dense_takes(&run->request));
        assert_int_equal(run_go(run), PZ_UNSUPPORTED);
        run_free(run);
    }
    struct run *run = run_new("3x3", 8);
    run->request.dense.kernel = "abacus";
    assert_int_equal(run_go(run), PZ_BAD_REQUEST);
    run->request.dense.kernel = NULL;
    run->request.depth = 5;
    assert_false(dense_takes(&run->request));
    run->request.keep = KEEP_TABLE;
    assert_int_equal(run_go(run), PZ_UNSUPPORTED);
    run->request.engine = ENGINE_DENSE;
    assert_int_equal(explore_check_memory(&run->request, UINT64_MAX, &run->error), PZ_UNSUPPORTED);
    run->request.keep = KEEP_LEVELS;
    assert_int_equal(explore_check_memory(&run->request, UINT64_MAX, &run->error), PZ_OK);
    run_free(run);
}

TEST(a_depth_limit_ends_with_whole_levels)
{
    uint64_t known[FIXTURE_LEVELS];
    unsigned count = test_data_levels("3x3", known, FIXTURE_LEVELS);
    struct run *run = run_new("3x3", 8);
    run->request.depth = 10;
    assert_ok(run_go(run), run->error);
    assert_int_equal(run->levels, 11);
    assert_memory_equal(run->states, known, 11 * sizeof *known);
    assert_int_equal(run->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(run->result.reason, STOP_DEPTH);
    assert_false(run->result.complete);
    run_free(run);
    run = run_new("3x3", 8);
    run->request.depth = count - 1;
    assert_ok(run_go(run), run->error);
    assert_true(run->result.complete);
    assert_int_equal(run->result.outcome, OUTCOME_DONE);
    run_free(run);
}

TEST(the_first_levels_of_3x5_are_the_published_ones)
{
#ifndef PUZZLED_SANITIZED
    uint64_t known[FIXTURE_LEVELS];
    unsigned count = test_data_levels("3x5-first-levels", known, FIXTURE_LEVELS);
    struct run *run = run_new("3x5", 14);
    run->request.depth = count - 1 < 9 ? count - 1 : 9;
    run->request.threads = 2;
    enum pz_status status = run_go(run);
    if (status == PZ_MEMORY) {
        run_free(run);
        skip(); /* a system that does not lend more address space than it has memory */
    }
    assert_ok(status, run->error);
    assert_memory_equal(run->states, known, (size_t)(run->request.depth + 1) * sizeof *known);
    run_free(run);
#else
    skip();
#endif
}

TEST(a_cancelled_run_says_so_and_gives_everything_back)
{
    struct run *run = run_new("2x5", 9);
    run->request.threads = 2;
    atomic_store(&run->control.stop, true);
    assert_int_equal(run_go(run), PZ_CANCELLED);
    assert_int_equal(atomic_load(&run->budget.used), 0);
    run_free(run);
}

/* The report sets stop: the run must end inside the level that it reports. */
static void stop_at_report(void *context, const struct progress *progress)
{
    struct run *run = context;
    run->out_of_order |= strcmp(progress->phase, "search") != 0 || progress->level >= 81 ||
                         progress->done < 0 || progress->done > 1 || progress->bytes == 0;
    atomic_store(&run->control.stop, true);
}

TEST(a_run_that_is_cancelled_while_it_runs_ends_before_its_last_level)
{
    struct run *run = run_new("2x6", 11);
    run->request.dense.kernel = "portable"; /* slow enough to report several times */
    run->request.threads = 2;
    run->control.report = stop_at_report;
    run->control.context = run;
    assert_int_equal(run_go(run), PZ_CANCELLED);
    assert_true(run->levels <= 80); /* none at all where the first report comes before the first level ends */
    assert_false(run->out_of_order);
    assert_int_equal(atomic_load(&run->budget.used), 0);
    run_free(run);
}

TEST(a_deadline_keeps_the_levels_and_hands_over_no_table)
{
    struct run *run = run_new("2x5", 9);
    run->request.keep = KEEP_TABLE;
    run->control.deadline = clock_seconds() - 1;
    assert_ok(run_go(run), run->error);
    assert_int_equal(run->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(run->result.reason, STOP_TIME);
    assert_int_equal(run->levels, 1);
    assert_int_equal(run->states[0], 1);
    assert_int_equal(run->table_bytes, 0);
    run_free(run);
}

/* Wherever the time ends, also within a level. */
TEST(a_run_that_is_cut_off_has_examples_of_its_levels)
{
    enum { CUTS = 40 };
    struct run *whole = run_new("3x3,metric:multi", 8);
    whole->request.keep = KEEP_TABLE;
    const double began = clock_seconds();
    assert_ok(run_go(whole), whole->error);
    const double seconds = clock_seconds() - began;
    for (unsigned i = 0; i < CUTS; i++) {
        struct run *cut = run_new("3x3,metric:multi", 8);
        cut->control.deadline = clock_seconds() + seconds * i / CUTS;
        assert_ok(run_go(cut), cut->error);
        check_examples(cut, whole);
        run_free(cut);
    }
    run_free(whole);
}

TEST(a_sink_that_fails_ends_the_run_with_its_status)
{
    struct run *run = run_new("2x4", 7);
    run->request.keep = KEEP_TABLE;
    run->fail_chunk = PZ_STORAGE_FULL;
    assert_int_equal(run_go(run), PZ_STORAGE_FULL);
    assert_string_equal(run->error.text, "no room");
    assert_int_equal(run->levels, 37); /* all of them were handed over */
    assert_int_equal(atomic_load(&run->budget.used), 0);
    run_free(run);
}

TEST(an_estimate_tells_states_bytes_and_passes)
{
    struct explore_estimate estimate;
    struct run *run = run_new("3x5", 14);
    run->request.keep = KEEP_TABLE;
    run->request.engine = ENGINE_AUTO;
    budget_set_limit(&run->budget, 1000);
    assert_ok(explore_plan_ahead(&run->request, &estimate, &run->error), run->error);
    assert_int_equal(estimate.engine, ENGINE_DENSE);
    assert_true(estimate.states == UINT64_C(653837184000));
    assert_true(estimate.bytes_levels_only > UINT64_C(87178291200));
    assert_true(estimate.bytes_levels_only < UINT64_C(87400000000));
    assert_true(estimate.table_bytes == UINT64_C(87178291200));
    assert_int_equal(estimate.passes, 84);
    assert_int_equal(explore_planes_within(&estimate, UINT64_C(12000000000), UINT64_MAX), PLANES_AUTO);
    run->request.keep = KEEP_LEVELS;
    run->request.scratch = "";
    assert_ok(explore_plan_ahead(&run->request, &estimate, &run->error), run->error);
    assert_int_equal(explore_planes_within(&estimate, UINT64_C(90000000000), 0), PLANES_MEMORY);
    assert_int_equal(explore_planes_within(&estimate, UINT64_C(12000000000), UINT64_MAX), PLANES_DISK);
    assert_int_equal(explore_planes_within(&estimate, UINT64_C(12000000000), UINT64_C(40000000000)),
                     PLANES_AUTO);
    /* The run in docs/notebook/planes.md took these. */
    assert_in_range(estimate.cost[PLANES_DISK].memory, UINT64_C(6400000000), UINT64_C(15000000000));
    assert_in_range(estimate.cost[PLANES_DISK].disk, UINT64_C(43754000000), UINT64_C(50000000000));
    assert_in_range(estimate.cost[PLANES_DISK].written, UINT64_C(356300000000), UINT64_C(390000000000));
    run_free(run);
}

TEST(the_whole_of_4x4_needs_disk_and_a_part_needs_little)
{
    const uint64_t memory = UINT64_C(4) << 30;
    struct explore_estimate estimate;
    struct run *run = run_new("4x4", 15);
    run->request.planes = PLANES_DISK;
    run->request.scratch = "";
    assert_int_equal(dense_check_memory(&run->request, memory / 40, &run->error), PZ_TOO_LARGE);
    assert_ok(dense_check_memory(&run->request, memory, &run->error), run->error);
    assert_ok(dense_estimate(&run->request, &estimate, &run->error), run->error);
    const struct explore_cost *whole = &estimate.cost[PLANES_DISK];
    assert_true(whole->memory > memory); /* packets beyond that go to the disk */
    assert_true(explore_disk_within(whole, memory) > whole->disk + (whole->memory - memory));
    assert_int_equal(explore_disk_within(whole, whole->memory), whole->disk);
    run->request.depth = 30;
    assert_ok(dense_estimate(&run->request, &estimate, &run->error), run->error);
    /* The run in docs/notebook/planes.md took 2.7 and 4.3 GB. */
    assert_in_range(estimate.cost[PLANES_DISK].disk, UINT64_C(2700000000), UINT64_C(10000000000));
    assert_in_range(estimate.cost[PLANES_DISK].written, UINT64_C(4300000000), UINT64_C(10000000000));
    run->request.depth = 25; /* the published levels up to it hold 79,070,945 states */
    assert_ok(dense_estimate(&run->request, &estimate, &run->error), run->error);
    assert_in_range(estimate.cost[PLANES_DISK].written, UINT64_C(79070945) * 6, UINT64_C(79070945) * 16);
    run_free(run);
}
