/* SPDX-License-Identifier: MIT */
/* Moves of several tiles with planes by orbits, coded in memory and on disk: they find what planes of states
 * find. */
#include "dense_scratch.h"

#include "explore/dense/dense.h"
#include "explore/dense/kernel/kernel.h"

/* Runs a puzzle of several tiles a move with planes in memory, and keeps its table. */
static struct run *whole_of(const char *size, unsigned blank)
{
    struct run *run = run_of(size, blank, KEEP_TABLE);
    run->request.planes = PLANES_MEMORY;
    assert_ok(run_go(run), run->error);
    return run;
}

static void check_orbits(const char *size, unsigned blank, bool brief)
{
    static const unsigned threads[] = {1, 2, 8};
    struct run *whole = whole_of(size, blank);
    struct run *first = NULL;
    for (unsigned i = 0; i < 6; i += brief ? 4 : 1) {
        struct run *run = run_of(size, blank, KEEP_LEVELS);
        run->request.planes = i < 3 ? PLANES_DISK : PLANES_CODED;
        run->request.threads = threads[i % 3];
        assert_ok(run_go(run), run->error);
        check_equal_levels(run, whole);
        check_examples(run, whole);
        if (first != NULL)
            check_equal(run, first);
        if (i == 0)
            first = run;
        else
            run_free(run);
    }
    run_free(first);
    run_free(whole);
}

TEST(every_line_and_column_of_the_root_has_the_levels_of_planes_in_memory)
{
#ifdef PUZZLED_SANITIZED
    check_orbits("2x5,metric:multi", 8, false);
#else
    for (unsigned blank = 5; blank < 8; blank++)
        check_orbits("2x5,metric:multi", blank, false);
#endif
}

/* 1 thread on disk, 2 threads in memory. */
TEST(puzzles_of_12_cells_have_the_levels_of_planes_in_memory)
{
#ifdef PUZZLED_SANITIZED
    skip();
#else
    check_orbits("2x6,metric:multi", 2, true);
    check_orbits("3x4,metric:multi", 5, true);
#endif
}

TEST(every_kernel_makes_the_same_orbits)
{
    static const char *const sizes[] = {"2x5,metric:multi", "3x4,metric:multi"};
    for (unsigned size = 0; size < 2; size++) {
        struct run *first = NULL;
        for (unsigned i = 0; dense_kernels[i] != NULL; i++) {
            if (!dense_kernels[i]->runs_here())
                continue;
            struct run *run = run_of(sizes[size], 5, KEEP_LEVELS);
            run->request.planes = PLANES_CODED;
            run->request.depth = size == 0 ? EXPLORE_NO_LIMIT : 14;
            run->request.dense.kernel = dense_kernels[i]->name;
            assert_ok(run_go(run), run->error);
            if (first == NULL) {
                first = run;
                continue;
            }
            check_equal(run, first);
            run_free(run);
        }
        run_free(first);
    }
}

/* Each rank would make all groups: the striped engine shares them, unless the request says engine=dense. */
TEST(ranks_code_no_planes_of_moves_of_several_tiles)
{
    struct explore_estimate estimate;
    struct run *run = run_of("2x5,metric:multi", 9, KEEP_LEVELS);
    run->request.planes = PLANES_AUTO;
    assert_true(dense_takes(&run->request));
    run->request.cluster = true;
    assert_false(dense_takes(&run->request));
    assert_ok(dense_estimate(&run->request, &estimate, &run->error), run->error);
    assert_int_equal(estimate.cost[PLANES_CODED].memory, 0);
    assert_int_equal(estimate.cost[PLANES_DISK].memory, 0);
    run->request.planes = PLANES_DISK;
    assert_false(dense_takes(&run->request));
    assert_int_equal(dense_estimate(&run->request, &estimate, &run->error), PZ_UNSUPPORTED);
    run_free(run);
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
