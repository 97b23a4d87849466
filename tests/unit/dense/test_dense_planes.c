/* SPDX-License-Identifier: MIT */
/* Explorations with every kind of planes: equal levels and examples, limits, what planes=auto takes. */
#include "dense_scratch.h"

#include "explore/dense/dense.h"
#include "explore/dense/pieces/disk/spill.h"
#include "explore/disk/scratch_store.h"

static struct run *run_by(const char *size, enum explore_planes planes, unsigned threads)
{
    struct run *run = run_of(size, (unsigned)((size[0] - '0') * (size[2] - '0')) - 1, KEEP_LEVELS);
    run->request.planes = planes;
    run->request.threads = threads;
    budget_set_limit(&run->budget, UINT64_C(4) << 30); /* as much address space is reserved */
    return run;
}

static void check_kinds(const char *size, const unsigned *threads, unsigned count)
{
    static const enum explore_planes kinds[] = {PLANES_CODED, PLANES_DISK};
    struct run *whole = run_by(size, PLANES_MEMORY, 2);
    assert_ok(run_go(whole), whole->error);
    assert_int_equal(whole->result.planes, PLANES_MEMORY);
    for (unsigned i = 0; i < 2 * count; i++) {
        struct run *run = run_by(size, kinds[i % 2], threads[i / 2]);
        assert_ok(run_go(run), run->error);
        assert_true(run->result.complete);
        assert_int_equal(run->result.planes, kinds[i % 2]);
        assert_true((run->result.disk_written_bytes > 0) == (kinds[i % 2] == PLANES_DISK));
        check_equal(run, whole);
        assert_int_equal(atomic_load(&run->budget.used), 0);
        run_free(run);
    }
    run_free(whole);
}

TEST(every_kind_of_planes_gives_the_same_levels_and_examples)
{
    static const unsigned threads[] = {1, 2, 8};
    check_kinds("2x5", threads, 3);
#ifndef PUZZLED_SANITIZED
    check_kinds("3x4", &threads[1], 1);
#endif
}

/* The budget has no room for any packet. */
TEST(packets_go_to_the_disk_where_memory_has_no_room)
{
#ifdef PUZZLED_SANITIZED
    const char *size = "2x5";
    const unsigned count = 1;
#else
    const char *size = "3x4";
    const unsigned count = 3;
#endif
    static const unsigned threads[] = {2, 1, 8};
    struct run *whole = run_by(size, PLANES_DISK, 2);
    assert_ok(run_go(whole), whole->error);
    for (unsigned i = 0; i < count; i++) {
        struct dense_geometry geometry;
        struct run *run = run_by(size, PLANES_DISK, threads[i]);
        dense_geometry_of(&run->request, &geometry, NULL);
        const uint64_t least = levels_bytes(&geometry, &run->request, PLANES_DISK) -
                               levels_packets(&geometry, &run->request, PLANES_DISK);
        budget_set_limit(&run->budget, least);
        assert_ok(run_go(run), run->error);
        assert_true(run->result.complete);
        assert_true(run->result.disk_written_bytes > whole->result.disk_written_bytes);
        check_equal(run, whole);
        assert_int_equal(atomic_load(&run->budget.used), 0);
        run_free(run);
    }
    run_free(whole);
}

TEST(a_full_scratch_space_stops_the_search_and_keeps_its_levels)
{
    uint64_t known[FIXTURE_LEVELS];
    (void)test_data_levels("2x5", known, FIXTURE_LEVELS);
    struct run *run = run_by("2x5", PLANES_DISK, 2);
    run->request.disk = 150000;
    assert_ok(run_go(run), run->error);
    assert_int_equal(run->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(run->result.reason, STOP_DISK);
    assert_false(run->result.complete);
    assert_in_range(run->levels, 10, 52);
    assert_memory_equal(run->states, known, run->levels * sizeof *known);
    assert_int_equal(atomic_load(&run->budget.used), 0);
    run_free(run);
}

TEST(the_need_that_is_foretold_is_not_passed)
{
    static const enum explore_planes kinds[] = {PLANES_MEMORY, PLANES_CODED, PLANES_DISK};
#ifdef PUZZLED_SANITIZED
    const char *size = "2x5";
#else
    const char *size = "3x4";
#endif
    for (unsigned i = 0; i < 3; i++) {
        struct dense_geometry geometry;
        struct run *run = run_by(size, kinds[i], 2);
        run->request.dense.fill = 0;
        assert_ok(run_go(run), run->error);
        dense_geometry_of(&run->request, &geometry, NULL);
        assert_in_range(run->result.peak_bytes, 1, levels_bytes(&geometry, &run->request, kinds[i]));
        run_free(run);
    }
}

TEST(pieces_fill_the_memory_that_the_request_names)
{
    struct dense_geometry geometry;
#ifdef PUZZLED_SANITIZED
    enum { DEPTH = 18, MORE = 4 << 20 };
#else
    enum { DEPTH = 30, MORE = 10 << 20 };
#endif
    struct run *run = run_by("3x4", PLANES_DISK, 2);
    run->request.depth = DEPTH;
    dense_geometry_of(&run->request, &geometry, NULL);
    const uint64_t need = levels_bytes(&geometry, &run->request, PLANES_DISK);
    run->request.dense.fill = need + MORE;
    assert_ok(run_go(run), run->error);
    assert_in_range(run->result.peak_bytes, need,
                    run->request.dense.fill); /* less than need without the pieces */
    run_free(run);
}

TEST(auto_takes_the_first_kind_that_there_is_room_for)
{
    struct dense_geometry geometry;
    struct run *run = run_new("2x7", 13);
    dense_geometry_of(&run->request, &geometry, NULL);
    run->request.scratch = scratch;
    assert_int_equal(dense_planes(&geometry, &run->request, UINT64_C(8000000000)), PLANES_MEMORY);
    assert_int_equal(dense_planes(&geometry, &run->request, UINT64_C(3500000000)), PLANES_CODED);
    assert_int_equal(dense_planes(&geometry, &run->request, UINT64_C(1000000000)), PLANES_DISK);
    assert_int_equal(dense_planes(&geometry, &run->request, UINT64_C(100000000)), PLANES_AUTO);
    run->request.scratch = NULL;
    assert_int_equal(dense_planes(&geometry, &run->request, UINT64_C(1000000000)), PLANES_AUTO);
    run->request.keep = KEEP_TABLE;
    assert_int_equal(dense_planes(&geometry, &run->request, UINT64_C(8000000000)), PLANES_AUTO);
    run->request.planes = PLANES_DISK;
    assert_int_equal(run_go(run), PZ_UNSUPPORTED);
    run_free(run);
}

TEST(packets_that_were_read_give_their_room_back)
{
    enum { STRINGS = 3, BYTES = 100000 };
    static uint8_t bytes[STRINGS][BYTES];
    static uint8_t read[BYTES];
    struct scratch_store store = scratch_closed;
    struct spill *spill = NULL;
    struct pz_error error = {0};
    uint32_t unit[STRINGS];
    assert_ok(scratch_store_open(&store, scratch, 0, 0, &error), error);
    assert_ok(spill_new(&store, &spill, &error), error);
    for (unsigned i = 0; i < STRINGS; i++) {
        memset(bytes[i], 'a' + (int)i, BYTES);
        assert_int_equal(spill_put(spill, 1, bytes[i], BYTES, &unit[i]), 0);
    }
    const uint64_t full = scratch_live(&store);
    assert_int_equal(spill_get(spill, 1, unit[1], BYTES, read), 0);
    assert_memory_equal(read, bytes[1], BYTES);
    assert_in_range(scratch_live(&store), full - BYTES, full - BYTES + 2 * DISK_ALIGN);
    for (unsigned i = 0; i < STRINGS; i += 2) {
        assert_int_equal(spill_get(spill, 1, unit[i], BYTES, read), 0);
        assert_memory_equal(read, bytes[i], BYTES);
    }
    spill_clear(spill, 1);
    assert_int_equal(scratch_live(&store), 0);
    spill_free(spill);
    scratch_store_close(&store);
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
