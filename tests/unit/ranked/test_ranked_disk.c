/* SPDX-License-Identifier: MIT */
/*
 * The ranked engine with its runs in scratch space hands its sink, byte for byte, what it does in memory:
 * also after a kill, after flipped bits and where system calls fail, once or from then on. The linker leads
 * these calls here (--wrap).
 */
#include "failing_calls.h"
#include "spinner.h"
#include "striped_disk_trial.h"

#include <errno.h>

/* ---- trials ---- */

static const struct trial_question stacks = {"pancake:8", ENGINE_RANKED, KEEP_TABLE, 0, 0};

static struct trial *trial_on_disk(const struct trial_question *question, unsigned threads)
{
    struct trial *trial = trial_new(question, threads);
    on_disk(trial);
    return trial;
}

static void check_row(const struct row *row, enum keep keep, enum explore_from from)
{
    struct trial *memory = row_trial(row, 2, keep);
    memory->request.engine = ENGINE_RANKED;
    memory->request.from = from;
    assert_ok(live(memory), memory->error);
    assert_true(memory->result.complete && memory->result.states > 100);
    check_on_disk(row, memory);
    trial_free(memory);
}

/* Pieces that turn and that do not, of one kind and of several. */
static const struct row rows[] = {
    {.puzzle = "pancake:7"},
    {.puzzle = "pancake:8"},
    {.puzzle = "pancake:5,burnt:yes"},
    {.puzzle = "pancake:6,burnt:yes"},
    {.puzzle = "topspin:7,4"},
    {.puzzle = "topspin:8,3"},
    {.puzzle = "topspin:8,6"},
    {.puzzle = "topspin:9,3"},
    {.puzzle = "topspin:9,4"},
    {.text = "ring.tws",
     .psvn =
         "Name ring\nSet A 7 2\nSolved\nA\n1 1 2 3 4 5 6\n0 0 0 0 0 0 0\nEnd\nMove R\nA\n2 3 4 5 6 7 1\nEnd\n"
         "Move F\nA\n3 2 1 4 5 6 7\n1 1 1 0 0 0 0\nEnd\n"},
    {.text = "two.tws",
     .psvn = "Name two\nSet A 4 3\nSet B 5 1\nMove X\nA\n2 3 4 1\n1 2 0 0\nB\n2 3 1 4 5\nEnd\nMove Y\nA\n"
             "2 1 3 4\n0 1 2 0\nB\n1 2 4 5 3\nEnd\n"},
    {.puzzle = "topspin:9,6"},
    {.text = "spinner.tws", .psvn = spinner_with_cut},
};

TEST(levels_examples_and_tables_are_those_of_memory)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i], i % 3 == 2 ? KEEP_LEVELS : KEEP_TABLE, FROM_ROOT);
    check_row(&rows[1], KEEP_TABLE, FROM_GOALS);
    check_row(&rows[sizeof rows / sizeof *rows - 1], KEEP_TABLE, FROM_GOALS);
}

/* Memory for the tables of moves, and not for the states. */
TEST(states_go_to_the_disk_where_memory_does_not_hold_them)
{
    static const struct trial_question many = {"pancake:9", ENGINE_RANKED, KEEP_LEVELS, 0, 0};
    struct explore_estimate estimate;
    struct trial *trial = trial_new(&many, 2);
    trial->request.scratch = scratch;
    assert_ok(explore_plan_ahead(&trial->request, &estimate, &trial->error), trial->error);
    const struct explore_cost *disk = &estimate.cost[PLANES_DISK];
    assert_true(disk->memory < estimate.bytes && disk->disk > 0);
    budget_set_limit(&trial->budget, disk->memory);
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->result.states, 362880);
    assert_int_equal(trial->result.planes, PLANES_DISK);
    assert_in_range(trial->result.disk_bytes, 1, disk->disk);
    trial->request.scratch = NULL;
    assert_int_equal(live(trial), PZ_TOO_LARGE);
    trial->request.scratch = scratch;
    trial->request.disk = disk->disk / 2;
    assert_int_equal(live(trial), PZ_TOO_LARGE);
    assert_non_null(strstr(trial->error.text, "of scratch space"));
    trial_free(trial);
}

TEST(what_has_no_runs_is_refused)
{
    static const struct trial_question towers = {"hanoi:3,8", ENGINE_RANKED, KEEP_LEVELS, 0, 0};
    struct trial *trial = trial_on_disk(&towers, 1);
    assert_int_equal(live(trial), PZ_UNSUPPORTED);
    trial_free(trial);
}

/* ---- kills ---- */

/* Each life is cut off after that many checkpoints, between two levels or within one, and another search goes
 * on from what it left. */
TEST(a_search_that_was_cut_off_goes_on)
{
    static const struct trial_question many = {"pancake:9", ENGINE_RANKED, KEEP_TABLE, 0, 0};
    struct trial *whole = undisturbed(&many);
    for (unsigned saves = 1; saves <= 33; saves += 4) {
        struct trial *trial = trial_on_disk(&many, saves % 8 == 1 ? 1 : 2);
        trial->request.checkpoint = &trial->disk.calls;
        trial->disk.kill_after = saves;
        assert_int_equal(live(trial), PZ_CANCELLED);
        stop_in_open(trial);
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.resumed, 1);
        assert_int_equal(trial->disk.refused, 1);
        check_same(trial, whole);
        trial_free(trial);
    }
    trial_free(whole);
}

/* What a memory search left is of no use to one on disk, and the other way round. */
TEST(a_checkpoint_is_for_the_same_place)
{
    struct trial *whole = undisturbed(&stacks);
    for (unsigned disk_first = 0; disk_first < 2; disk_first++) {
        struct trial *trial = trial_on_disk(&stacks, 2);
        trial->request.checkpoint = &trial->disk.calls;
        trial->request.planes = disk_first ? PLANES_DISK : PLANES_MEMORY;
        trial->disk.kill_after = 3;
        assert_int_equal(live(trial), PZ_CANCELLED);
        trial->request.planes = disk_first ? PLANES_MEMORY : PLANES_DISK;
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.refused, 1);
        check_same(trial, whole);
        trial_free(trial);
    }
    trial_free(whole);
}

/* ---- faults ---- */

/* The checkpoint of an earlier level is there, but later levels have written over what it knows. */
TEST(a_checkpoint_that_the_file_has_outrun_is_refused)
{
    struct trial *whole = undisturbed(&stacks);
    struct trial *trial = trial_on_disk(&stacks, 2);
    trial->request.checkpoint = &trial->disk.calls;
    trial->disk.kill_after = 3;
    assert_int_equal(live(trial), PZ_CANCELLED);
    struct trial *other = trial_on_disk(&stacks, 2);
    assert_ok(live(other), other->error);
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->disk.refused, 1);
    assert_int_equal(trial->result.states, whole->result.states);
    trial_free(other);
    trial_free(trial);
    trial_free(whole);
}

/* Checks that a search that stopped told what one in memory tells to that depth. */
static void check_levels(const struct trial *trial)
{
    struct trial_question question = stacks;
    question.keep = KEEP_LEVELS;
    struct trial *memory = trial_new(&question, 2);
    memory->request.depth = trial->result.depth;
    assert_ok(live(memory), memory->error);
    assert_int_equal(trial->result.states, memory->result.states);
    check_heard(trial, memory);
    trial_free(memory);
}

/* A search that meets a fault begins once more, stops at a full disk, or fails. */
static void check_fault(const struct trial *whole, enum call call, long after, bool for_good, int failure)
{
    struct trial *trial = trial_on_disk(&stacks, 2);
    set_fault(call, after, for_good, failure);
    const enum pz_status status = live(trial);
    const bool met = fault_was_met(call);
    no_fault();
    if (!met) {
        assert_ok(status, trial->error);
        check_same(trial, whole);
    } else if (failure == ENOSPC) {
        assert_ok(status, trial->error);
        assert_int_equal(trial->result.reason, STOP_DISK);
        check_levels(trial);
    } else if (for_good) {
        assert_int_equal(status, PZ_STORAGE);
        assert_non_null(strstr(trial->error.text, "scratch space"));
    } else {
        assert_ok(status, trial->error);
        assert_int_equal(trial->result.states, whole->result.states);
        assert_int_equal(trial->result.depth, whole->result.depth);
    }
    trial_free(trial);
}

TEST(every_call_may_fail_once_or_for_good)
{
    struct trial *whole = undisturbed(&stacks);
    static const enum call calls[] = {CALL_READ, CALL_FLIP, CALL_WRITE};
    for (long after = 1; after < 200; after = 3 * after + 1) {
        for (unsigned i = 0; i < 3; i++) {
            check_fault(whole, calls[i], after, false, EIO);
            check_fault(whole, calls[i], after, true, EIO);
        }
        check_fault(whole, CALL_WRITE, after, true, ENOSPC);
    }
    trial_free(whole);
}

/* From goals the first blocks are written before there is a level. */
TEST(a_disk_that_is_full_before_the_first_level_stops_the_search)
{
    struct trial *trial = trial_on_disk(&stacks, 2);
    trial->request.from = FROM_GOALS;
    set_fault(CALL_WRITE, 0, true, ENOSPC);
    assert_ok(live(trial), trial->error);
    assert_true(fault_was_met(CALL_WRITE));
    no_fault();
    assert_int_equal(trial->result.reason, STOP_DISK);
    assert_int_equal(trial->result.states, 0);
    assert_string_not_equal(trial->result.disk_text, "");
    trial_free(trial);
}

static const struct trial *noted;
static bool saved_behind;

static void note_behind(void *context, const struct explore_checkpoint_news *news)
{
    saved_behind |= news->event == CHECKPOINT_SAVED && news->level < noted->heard.level_count;
    disk_note(context, news);
}

/* A checkpoint of such a level could not be resumed: the sink has later ones. */
TEST(levels_that_are_made_again_are_not_saved)
{
    static const struct trial_question many = {"pancake:9", ENGINE_RANKED, KEEP_LEVELS, 0, 0};
    struct trial *whole = undisturbed(&many);
    struct trial *trial = trial_on_disk(&many, 2);
    trial->request.checkpoint = &trial->disk.calls;
    trial->disk.calls.note = note_behind;
    noted = trial;
    set_fault(CALL_FLIP, 2000, false, 0);
    assert_ok(live(trial), trial->error);
    assert_true(fault_was_met(CALL_FLIP));
    no_fault();
    assert_int_equal(trial->disk.refused, 1); /* that is told */
    assert_true(trial->disk.saved > 0 && !saved_behind);
    check_same(trial, whole);
    trial_free(trial);
    trial_free(whole);
}

TEST(without_a_sync_there_is_no_checkpoint)
{
    struct trial *whole = undisturbed(&stacks);
    struct trial *trial = trial_on_disk(&stacks, 2);
    trial->request.checkpoint = &trial->disk.calls;
    set_fault(CALL_SYNC, 0, true, EIO);
    assert_ok(live(trial), trial->error);
    no_fault();
    assert_int_equal(trial->disk.saved, 0);
    assert_true(trial->disk.failed > 0);
    check_same(trial, whole);
    trial_free(trial);
    trial_free(whole);
}

static int set_up(void **state)
{
    no_fault();
    return make_scratch(state);
}

const struct test_surroundings test_surroundings = {set_up, remove_scratch};
