/* SPDX-License-Identifier: MIT */
/*
 * What searches of the striped engine on disk meet: stops, full disks, flipped bits, lost files, and system
 * calls that fail, once or from then on. The linker leads these calls here (--wrap).
 */
#include "failing_calls.h"
#include "striped_disk_trial.h"

#include <errno.h>
#include <limits.h>

static const struct row row = {.puzzle = "4x4", .depth = 16};

/* A search of wide levels: in so little memory hardly anything is kept there. */
static struct trial *disk_trial(enum keep keep)
{
    struct trial *trial = row_trial(&row, 2, keep);
    on_disk(trial);
    budget_set_limit(&trial->budget, 6 << 20);
    trial->request.checkpoint = &trial->disk.calls;
    no_fault();
    return trial;
}

static struct trial *memory_trial(enum keep keep)
{
    return lived(row_trial(&row, 2, keep));
}

static void end_trials(struct trial *trial, struct trial *whole)
{
    no_fault();
    clear_scratch();
    trial_free(trial);
    if (whole != NULL)
        trial_free(whole);
}

/* ---- going on ---- */

static void check_stopped_at(uint32_t level, enum keep keep, void (*act)(int directory, const char *name),
                             unsigned refused)
{
    struct trial *whole = memory_trial(keep);
    struct trial *trial = disk_trial(keep);
    stop_at(trial, level);
    assert_true(trial->disk.saved > 0);
    stop_in_open(trial);
    (void)each_scratch_file("", act);
    check_same(lived(trial), whole);
    assert_int_equal(trial->disk.resumed, 1 - refused);
    assert_int_equal(trial->disk.refused, 1 + refused);
    end_trials(trial, whole);
}

TEST(a_stopped_search_goes_on_from_its_last_level)
{
    static const uint32_t levels[] = {3, 10, 13, 14};
    for (unsigned i = 0; i < 4; i++) {
        check_stopped_at(levels[i], KEEP_LEVELS, NULL, 0);
        check_stopped_at(levels[i], KEEP_TABLE, NULL, 0);
    }
}

/* As a kill leaves it: no last checkpoint is written, and the next level is there in part. */
TEST(a_search_that_is_cut_off_goes_on_from_the_last_checkpoint)
{
    for (unsigned saved = 2; saved < 16; saved += 3) {
        struct trial *whole = memory_trial(KEEP_TABLE);
        struct trial *trial = disk_trial(KEEP_TABLE);
        trial->disk.kill_after = saved;
        assert_int_equal(live(trial), PZ_CANCELLED);
        check_same(lived(trial), whole);
        assert_int_equal(trial->disk.resumed, 1);
        end_trials(trial, whole);
    }
}

TEST(a_full_disk_is_an_outcome_and_the_search_goes_on_with_more)
{
    for (unsigned once = 0; once < 2; once++) {
        struct trial *whole = memory_trial(KEEP_TABLE);
        struct trial *trial = disk_trial(KEEP_TABLE);
        if (once)
            set_fault(CALL_WRITE, 300, true, ENOSPC);
        else
            trial->request.disk = 2 << 20;
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->result.reason, STOP_DISK);
        assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
        assert_true(trial->result.depth < row.depth && trial->result.disk_text[0] != '\0');
        no_fault();
        trial->request.disk = 0;
        check_same(lived(trial), whole);
        assert_int_equal(trial->disk.resumed, 1);
        end_trials(trial, whole);
    }
}

/* ---- after the move from memory ---- */

/* The levels that memory held are not made again. */
TEST(a_disk_that_is_full_soon_leaves_the_levels_that_memory_held)
{
    static const struct row deep = {.puzzle = "4x4", .depth = 18};
    for (enum keep keep = 0; keep < KEEP_COUNT; keep++) {
        struct trial *whole = lived(row_trial(&deep, 2, keep));
        struct trial *trial = row_trial(&deep, 2, keep);
        trial->request.scratch = scratch;
        trial->request.checkpoint = &trial->disk.calls;
        budget_set_limit(&trial->budget, 5 << 20);
        set_fault(CALL_WRITE, 3, true, ENOSPC);
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->result.reason, STOP_DISK);
        assert_int_equal(trial->result.planes, PLANES_DISK);
        assert_in_range(trial->result.depth, 14, 17);
        check_levels_only(trial);
        no_fault();
        check_same(lived(trial), whole);
        end_trials(trial, whole);
    }
}

static struct control *written_for;

static void stop_at_writing(void)
{
    atomic_store(&written_for->keep, true);
    atomic_store(&written_for->stop, true);
}

/* The levels that memory held are made again on disk, where the first write comes before the last of them. */
TEST(a_stop_while_levels_are_made_again_leaves_no_checkpoint_that_is_refused)
{
    static const struct row deep = {.puzzle = "4x4", .depth = 18};
    no_fault();
    struct trial *whole = lived(row_trial(&deep, 2, KEEP_LEVELS));
    struct trial *trial = row_trial(&deep, 2, KEEP_LEVELS);
    trial->request.scratch = scratch;
    trial->request.checkpoint = &trial->disk.calls;
    budget_set_limit(&trial->budget, 5 << 20);
    written_for = &trial->control;
    before_write = stop_at_writing;
    assert_int_equal(live(trial), PZ_CANCELLED);
    before_write = NULL;
    check_same(lived(trial), whole);
    assert_int_equal(trial->disk.refused, 0);
    end_trials(trial, whole);
}

/* ---- damage ---- */

static void cut_short(int directory, const char *name)
{
    const int file = openat(directory, name, O_RDWR);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, 4096), 0);
    (void)close(file);
}

TEST(lost_and_damaged_files_make_the_search_begin_anew)
{
    check_stopped_at(14, KEEP_LEVELS, cut_short, 1);
    check_stopped_at(14, KEEP_TABLE, remove_file, 1);
    /* Found when it is read: the checkpoint was taken before. */
    for (unsigned keep = 0; keep < KEEP_COUNT; keep++) {
        struct trial *whole = memory_trial((enum keep)keep);
        struct trial *trial = disk_trial((enum keep)keep);
        stop_at(trial, 14);
        assert_true(each_scratch_file("", flip_bit) > 0);
        check_same(lived(trial), whole);
        assert_int_equal(trial->disk.refused, 1);
        end_trials(trial, whole);
    }
}

/* ---- calls ---- */

/* Tokens that join, moves that can be undone, and moves that cannot. */
static const struct row wide[] = {
    {.puzzle = "4x4", .depth = 16}, {.puzzle = "pancake:9"}, {.puzzle = "jugs:5,7,8,9,11"}};

static struct trial *wide_trial(const struct row *which, enum keep keep)
{
    struct trial *trial = row_trial(which, 2, keep);
    on_disk(trial);
    budget_set_limit(&trial->budget, 6 << 20);
    trial->request.checkpoint = &trial->disk.calls;
    return trial;
}

/* Fails some calls of a kind: once the search begins again, for good it fails and says why. */
static void check_calls(const struct row *which, enum call call, enum keep keep)
{
    static const long after[] = {1, 40, 0, 7, 150};
    no_fault();
    struct trial *whole = lived(row_trial(which, 2, keep));
    for (unsigned i = 0; i < (which != wide ? 2 : SANITIZED ? 3 : 5); i++) {
        struct trial *trial = wide_trial(which, keep);
        set_fault(call, after[i], false, EIO);
        check_same(lived(trial), whole);
        const bool met = fault_was_met(call);
        set_fault(call, after[i], true, EIO);
        disk_clear_parts(&trial->disk.kept);
        const enum pz_status status = met ? live(trial) : PZ_OK;
        if (met && fault_was_met(call)) {
            assert_int_equal(status, PZ_STORAGE);
            assert_non_null(strstr(trial->error.text, "scratch space: cannot"));
        }
        end_trials(trial, NULL);
        if (!met)
            break;
    }
    trial_free(whole);
}

TEST(failing_reads_writes_and_syncs_never_make_a_wrong_number)
{
    for (enum call call = CALL_READ; call <= CALL_SYNC; call++)
        for (enum keep keep = 0; keep < KEEP_COUNT; keep++)
            check_calls(&wide[0], call, keep);
    /* where older levels are read, too */
    check_calls(&wide[1], CALL_READ, KEEP_LEVELS);
    check_calls(&wide[2], CALL_READ, KEEP_TABLE);
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
