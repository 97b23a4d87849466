/* SPDX-License-Identifier: MIT */
/* A search of the striped engine whose memory is full goes on in scratch space, and tells what it would have
 * told with more memory. */
#include "striped_disk_trial.h"

enum {
    DEPTH = 18,
    LATE = DEPTH - 2, /* the last level that is told before the search ends */
    LITTLE = 5 << 20  /* bytes: neither all levels nor three of them, but a search on disk */
};

static const struct row row = {.puzzle = "4x4", .depth = DEPTH};

static struct trial *little_trial(enum keep keep)
{
    struct trial *trial = row_trial(&row, 2, keep);
    trial->request.scratch = scratch;
    budget_set_limit(&trial->budget, LITTLE);
    return trial;
}

static struct trial *with_much(enum keep keep)
{
    return lived(row_trial(&row, 2, keep));
}

static void check_moved(struct trial *trial, struct trial *whole)
{
    check_same(trial, whole);
    assert_int_equal(trial->result.planes, PLANES_DISK);
    assert_true(trial->result.peak_bytes <= LITTLE);
    trial_free(whole);
    trial_free(trial);
    clear_scratch();
}

TEST(what_memory_does_not_hold_is_told_as_if_it_did)
{
    for (enum keep keep = 0; keep < KEEP_COUNT; keep++) {
        struct trial *trial = little_trial(keep);
        assert_ok(live(trial), trial->error);
        assert_int_equal(each_scratch_file("", NULL), 0);
        check_moved(trial, with_much(keep));
    }
}

TEST(what_memory_holds_stays_there)
{
    struct trial *trial = row_trial(&row, 2, KEEP_TABLE);
    trial->request.scratch = scratch;
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->result.planes, PLANES_AUTO);
    assert_int_equal(trial->result.disk_written_bytes, 0);
    trial_free(trial);
}

/* Less than twice the scratch space of what memory held is enough where that is nearly all. */
TEST(a_search_that_scratch_space_holds_moves)
{
    static const struct row all = {.puzzle = "2x5"};
    if (SANITIZED)
        skip();
    struct trial *trial = row_trial(&all, 2, KEEP_LEVELS);
    trial->request.scratch = scratch;
    trial->request.disk = 5200 << 10;
    budget_set_limit(&trial->budget, 4 << 20);
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->result.states, 1814400);
    assert_int_equal(trial->result.planes, PLANES_DISK);
    trial_free(trial);
}

/* Of a request for memory, of one without scratch space, in memory that no search on disk can begin with, and
 * where scratch space holds less than that. */
TEST(a_search_that_may_not_move_ends)
{
    for (unsigned why = 0; why < 4; why++) {
        struct trial *trial = little_trial(KEEP_TABLE);
        if (why == 0)
            trial->request.planes = PLANES_MEMORY;
        if (why == 1)
            trial->request.scratch = NULL;
        if (why == 2)
            budget_set_limit(&trial->budget, 2 << 20);
        if (why == 3)
            trial->request.disk = 1 << 20;
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->result.planes, PLANES_AUTO);
        assert_false(trial->result.levels_only);
        assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
        assert_int_equal(trial->result.reason, STOP_MEMORY);
        trial_free(trial);
    }
}

TEST(a_search_that_cannot_begin_on_disk_ends_with_its_levels)
{
    for (enum keep keep = 0; keep < KEEP_COUNT; keep++) {
        struct trial *trial = little_trial(keep);
        trial->request.scratch = "/dev/null/scratch";
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->result.reason, STOP_MEMORY);
        assert_true(trial->result.depth > 10 && trial->result.disk_text[0] != '\0');
        check_levels_only(trial);
        trial_free(trial);
    }
}

TEST(a_checkpoint_of_a_search_on_disk_is_refused_where_there_is_none)
{
    struct trial *trial = little_trial(KEEP_LEVELS);
    trial->request.checkpoint = &trial->disk.calls;
    stop_at(trial, LATE);
    trial->request.scratch = NULL;
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->result.reason, STOP_MEMORY);
    assert_int_equal(trial->disk.refused, 1);
    trial_free(trial);
    clear_scratch();
}

/* At the levels before the move, while the first ones are made once more, and after it. */
TEST(a_search_that_is_stopped_goes_on_where_its_levels_lie)
{
    static const uint32_t levels[] = {5, 12, LATE - 2, LATE - 1, LATE};
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; i += SANITIZED ? 2 : 1) {
        struct trial *trial = little_trial(KEEP_LEVELS);
        trial->request.checkpoint = &trial->disk.calls;
        stop_at(trial, levels[i]);
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.refused, 0);
        assert_int_equal(trial->disk.resumed, trial->disk.saved > 0);
        check_moved(trial, with_much(KEEP_LEVELS));
    }
}

/* Some checkpoints are of the search in memory, others of the one on disk. */
TEST(a_search_that_is_cut_off_goes_on_from_either_kind_of_checkpoint)
{
    for (unsigned saved = 1; saved <= 17; saved += SANITIZED ? 8 : 4) {
        struct trial *trial = little_trial(KEEP_LEVELS);
        trial->request.checkpoint = &trial->disk.calls;
        trial->disk.kill_after = saved;
        assert_int_equal(live(trial), PZ_CANCELLED);
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.refused, 0);
        assert_int_equal(trial->disk.resumed, 1);
        check_moved(trial, with_much(KEEP_LEVELS));
    }
}

TEST(a_checkpoint_whose_files_are_lost_is_refused_once)
{
    struct trial *trial = little_trial(KEEP_LEVELS);
    trial->request.checkpoint = &trial->disk.calls;
    stop_at(trial, LATE);
    clear_scratch();
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->disk.refused, 1);
    check_moved(trial, with_much(KEEP_LEVELS));
}

/* The memory is full while the goals are looked for. */
TEST(goals_that_memory_does_not_reach_are_found_on_disk)
{
    static const struct row all = {.puzzle = "2x5"};
    if (SANITIZED)
        skip();
    struct trial *whole = row_trial(&all, 2, KEEP_TABLE);
    struct trial *trial = row_trial(&all, 2, KEEP_TABLE);
    whole->request.from = trial->request.from = FROM_GOALS;
    (void)lived(whole);
    trial->request.scratch = scratch;
    budget_set_limit(&trial->budget, LITTLE);
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->result.states, 1814400);
    check_moved(trial, whole);
}

/* The board has the wrong parity: half of all states are reached, and the goal is not among them. */
TEST(a_root_that_reaches_no_goal_ends_where_memory_ends)
{
    static const struct row odd = {.puzzle = "2x5", .start = "2,1,3,4,5/6,7,8,9,0"};
    if (SANITIZED)
        skip();
    struct trial *trial = row_trial(&odd, 2, KEEP_TABLE);
    trial->request.from = FROM_GOALS;
    trial->request.scratch = scratch;
    budget_set_limit(&trial->budget, LITTLE);
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->result.reason, STOP_MEMORY);
    assert_non_null(strstr(trial->result.disk_text, "the root reaches none"));
    check_levels_only(trial);
    trial_free(trial);
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
