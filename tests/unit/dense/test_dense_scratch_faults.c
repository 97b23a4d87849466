/* SPDX-License-Identifier: MIT */
/*
 * Faults that searches with planes on disk meet: flipped bits, lost files, and system calls that
 * fail, once or from then on. The linker leads these calls here (--wrap).
 */
#include "checkpoint_disk.h"
#include "dense_scratch.h"
#include "failing_calls.h"

#include "explore/dense/dense.h"

#include <errno.h>
#include <limits.h>
#include <sys/uio.h>

/* ---- calls that fail ---- */

ssize_t __real_preadv(int file, const struct iovec *parts, int count, off_t offset);
ssize_t __real_pwritev(int file, const struct iovec *parts, int count, off_t offset);
int __real_renameat(int from, const char *old, int to, const char *new);
ssize_t __wrap_preadv(int file, const struct iovec *parts, int count, off_t offset);
ssize_t __wrap_pwritev(int file, const struct iovec *parts, int count, off_t offset);
int __wrap_renameat(int from, const char *old, int to, const char *new);

/* Packets are read and written by these two. A read may succeed and bring a bit that is wrong. */
ssize_t __wrap_preadv(int file, const struct iovec *parts, int count, off_t offset)
{
    if (call_fails(CALL_READ))
        return -1;
    ssize_t got = __real_preadv(file, parts, count, offset);
    if (got > 0 && call_fails(CALL_FLIP_PACKET))
        *(uint8_t *)parts[count - 1].iov_base ^= 4;
    return got;
}

ssize_t __wrap_pwritev(int file, const struct iovec *parts, int count, off_t offset)
{
    return call_fails(CALL_WRITE) ? -1 : __real_pwritev(file, parts, count, offset);
}

int __wrap_renameat(int from, const char *old, int to, const char *new)
{
    return call_fails(CALL_RENAME) ? -1 : __real_renameat(from, old, to, new);
}
/* ---- damage ---- */

static void stop_at_20(struct run *run, uint32_t level)
{
    if (level == 20) {
        atomic_store(&run->control.keep, true);
        atomic_store(&run->control.stop, true);
    }
}

/* Stops a run in its middle, does something to its files and lets another one go on. */
static void check_damage(const char *size, void (*act)(int directory, const char *name), unsigned refused)
{
    struct run *whole = undisturbed(size, KEEP_LEVELS);
    struct run *cut = run_without_cache(size, KEEP_LEVELS);
    struct run *run = run_without_cache(size, KEEP_LEVELS);
    struct disk disk;
    disk_init(&disk);
    cut->request.checkpoint = run->request.checkpoint = &disk.calls;
    cut->at_level = stop_at_20;
    assert_int_equal(run_go(cut), PZ_CANCELLED);
    assert_true(each_scratch_file(".pieces", act) > 0);
    assert_ok(run_go(run), run->error);
    check_equal(run, whole);
    assert_int_equal(disk.refused, refused);
    assert_int_equal(disk.resumed, 1 - refused);
    disk_clear(&disk);
    run_free(whole);
    run_free(cut);
    run_free(run);
}

static void nothing(int directory, const char *name)
{
}

/* Puts a file of the level after the last whole one behind groups that are not done. */
static void copy_behind_a_gap(int directory, const char *name)
{
    if (strncmp(name, "021-", 4) != 0)
        return;
    const int from = openat(directory, name, O_RDONLY);
    const int to = openat(directory, "022-00000007-00000009.pieces", O_CREAT | O_EXCL | O_WRONLY, 0600);
    assert_true(from >= 0 && to >= 0);
    while (copy_file_range(from, NULL, to, NULL, 1 << 20, 0) > 0)
        ;
    (void)close(from);
    (void)close(to);
}

TEST(files_behind_a_gap_are_made_again)
{
    check_damage("2x5", copy_behind_a_gap, 0);
    check_damage("2x5,metric:multi", copy_behind_a_gap, 0);
}

/* Makes two files of a level's: by their names the first ends where the second begins, far behind all groups.
 */
static void split_beyond_groups(int directory, const char *name)
{
    if (strncmp(name, "021-", 4) != 0 || strstr(name, "4294967295") != NULL)
        return;
    const int last = openat(directory, "021-4294967295-00000009.pieces", O_CREAT | O_EXCL | O_WRONLY, 0600);
    assert_true(last >= 0);
    assert_int_equal(__real_renameat(directory, name, directory, "021-00000000-4294967295.pieces"), 0);
    (void)close(last);
}

TEST(a_file_of_groups_that_there_are_not_is_of_no_use)
{
    check_damage("2x5", split_beyond_groups, 1);
}

TEST(files_that_are_damaged_or_gone_make_a_search_begin_anew)
{
    static const char *const sizes[] = {"2x5", "2x5,metric:multi"};
    for (unsigned i = 0; i < 2; i++) {
        check_damage(sizes[i], nothing, 0);
        check_damage(sizes[i], flip_bit, 1);
        check_damage(sizes[i], remove_file, 1);
    }
}

/* Flips a bit while the search runs: the search says so and starts over. */
static void spoil(struct run *run, uint32_t level)
{
    if (level == 20)
        (void)each_scratch_file(".pieces", flip_bit);
}

TEST(a_piece_that_is_damaged_meanwhile_makes_a_search_begin_anew)
{
    struct run *whole = undisturbed("2x5", KEEP_LEVELS);
    struct run *run = run_on_disk();
    struct disk disk;
    disk_init(&disk);
    run->request.checkpoint = &disk.calls;
    run->at_level = spoil;
    assert_ok(run_go(run), run->error);
    check_equal(run, whole);
    assert_int_equal(disk.refused, 1);
    disk_clear(&disk);
    run_free(whole);
    run_free(run);
}

/* After the last level, when only the table is still to be made. */
static void spoil_last(struct run *run, uint32_t level)
{
    if (level == 55)
        (void)each_scratch_file(".pieces", flip_bit);
}

/* The budget has no room for packets: they lie on the disk. */
static struct run *run_with_packets_on_disk(const char *size)
{
    struct run *run = run_without_cache(size, KEEP_LEVELS);
    struct dense_geometry geometry;
    dense_geometry_of(&run->request, &geometry, NULL);
    budget_set_limit(&run->budget, levels_bytes(&geometry, &run->request, PLANES_DISK) -
                                       levels_packets(&geometry, &run->request, PLANES_DISK));
    return run;
}

static void check_packets(const char *size)
{
    struct run *whole = undisturbed(size, KEEP_LEVELS);
    struct run *run = run_with_packets_on_disk(size);
    struct disk disk;
    disk_init(&disk);
    run->request.checkpoint = &disk.calls;
    set_fault(CALL_FLIP_PACKET, 60, false, 0);
    enum pz_status status = run_go(run);
    assert_true(fault_was_met(CALL_FLIP_PACKET));
    no_fault();
    assert_ok(status, run->error);
    check_equal(run, whole);
    assert_int_equal(disk.refused, 1);
    disk_clear(&disk);
    run_free(whole);
    run_free(run);
}

TEST(a_packet_that_is_damaged_makes_a_search_begin_anew)
{
    check_packets("2x5");
    check_packets("2x5,metric:multi");
}

TEST(a_kept_level_that_is_damaged_makes_a_search_begin_anew)
{
    struct run *whole = undisturbed("2x5", KEEP_TABLE);
    struct run *run = run_without_cache("2x5", KEEP_TABLE);
    struct disk disk;
    disk_init(&disk);
    run->request.checkpoint = &disk.calls;
    run->at_level = spoil_last;
    assert_ok(run_go(run), run->error);
    check_equal(run, whole);
    assert_int_equal(disk.refused, 1);
    assert_int_equal(run->table_bytes, whole->table_bytes);
    assert_memory_equal(run->table, whole->table, whole->table_bytes);
    disk_clear(&disk);
    run_free(whole);
    run_free(run);
}

/* ---- faults ---- */

/* Checks that every number handed over is right, and that the run ends as the fault allows. */
static void check_fault(const struct run *whole, struct run *run, enum call call, long after, bool for_good,
                        int failure)
{
    set_fault(call, after, for_good, failure);
    enum pz_status status = run_go(run);
    bool met = fault_was_met(call);
    no_fault();
    assert_memory_equal(run->states, whole->states, run->levels * sizeof *whole->states);
    assert_int_equal(atomic_load(&run->budget.used), 0);
    if (!met || (failure == EIO && !for_good)) {
        assert_ok(status, run->error);
        check_equal(run, whole);
    } else if (failure == EIO) {
        assert_int_equal(status, PZ_STORAGE);
        assert_non_null(strstr(run->error.text, "scratch space"));
    } else {
        assert_ok(status, run->error);
        assert_int_equal(run->result.reason, STOP_DISK);
        assert_false(run->result.complete);
    }
    run_free(run);
}

TEST(every_call_may_fail_once_or_for_good)
{
    static const long after[] = {0, 1, 30, 90};
#ifdef PUZZLED_SANITIZED
    const unsigned first = 3;
#else
    const unsigned first = 0;
#endif
    struct run *whole = undisturbed("2x5", KEEP_LEVELS);
    for (enum call call = CALL_READ; call <= CALL_RENAME; call++) {
        for (unsigned i = first; i < sizeof after / sizeof after[0]; i++) {
            check_fault(whole, run_on_disk(), call, after[i], false, EIO);
            check_fault(whole, run_on_disk(), call, after[i], true, EIO);
            if (call == CALL_WRITE || call == CALL_SYNC)
                check_fault(whole, run_on_disk(), call, after[i], i % 2 != 0, ENOSPC);
        }
    }
    run_free(whole);
}

/* No sync is asked for, and no checkpoint is left, before there is something to keep. */
TEST(narrow_levels_wait_for_no_disk)
{
    struct run *whole = undisturbed("2x5", KEEP_LEVELS);
    struct disk disk;
    for (uint32_t depth = 8; depth <= 20; depth += 12) {
        struct run *run = run_on_disk();
        run->request.depth = depth;
        disk_init(&disk);
        run->request.checkpoint = &disk.calls;
        set_fault(CALL_SYNC, LONG_MAX - 1, false, EIO);
        assert_ok(run_go(run), run->error);
        const bool asked = atomic_load(&fault.left[CALL_SYNC]) < LONG_MAX - 1;
        no_fault();
        assert_int_equal(asked, depth == 20);
        assert_int_equal(disk.saved > 0, depth == 20);
        assert_int_equal(run->levels, depth + 1);
        assert_memory_equal(run->states, whole->states, run->levels * sizeof *run->states);
        disk_clear(&disk);
        run_free(run);
    }
    run_free(whole);
}

TEST(calls_for_packets_may_fail_too)
{
    struct run *whole = undisturbed("2x5", KEEP_LEVELS);
    for (long after = 7; after < 240; after += 77) {
        check_fault(whole, run_with_packets_on_disk("2x5"), CALL_READ, after, false, EIO);
        check_fault(whole, run_with_packets_on_disk("2x5"), CALL_WRITE, after, false, EIO);
        check_fault(whole, run_with_packets_on_disk("2x5"), CALL_WRITE, after, true, EIO);
        check_fault(whole, run_with_packets_on_disk("2x5"), CALL_WRITE, after, after % 2 != 0, ENOSPC);
    }
    run_free(whole);
}

/* A write that fails, among others that succeed, leaves no file that says its groups are done. */
static void check_full_disk(const char *size)
{
    struct run *whole = undisturbed(size, KEEP_LEVELS);
    for (long after = 40; after < 200; after += 40) {
        struct run *cut = run_without_cache(size, KEEP_LEVELS);
        struct run *run = run_without_cache(size, KEEP_LEVELS);
        struct disk disk;
        disk_init(&disk);
        cut->request.checkpoint = run->request.checkpoint = &disk.calls;
        set_fault(CALL_WRITE, after, after % 80 == 0, ENOSPC);
        assert_ok(run_go(cut), cut->error);
        no_fault();
        assert_int_equal(cut->result.reason, STOP_DISK);
        assert_non_null(strstr(cut->result.disk_text, "No space left on device"));
        assert_ok(run_go(run), run->error);
        check_equal_levels(run, whole); /* by orbits a level that was cut off has examples of a part */
        if (!slide_is_multi(run->space))
            check_equal(run, whole);
        assert_int_equal(disk.resumed, 1);
        disk_clear(&disk);
        run_free(cut);
        run_free(run);
    }
    run_free(whole);
}

TEST(a_search_that_met_a_full_disk_goes_on)
{
    check_full_disk("2x5");
    check_full_disk("2x5,metric:multi");
}

static int set_up(void **state)
{
    no_fault();
    return make_scratch(state);
}

const struct test_surroundings test_surroundings = {set_up, remove_scratch};
