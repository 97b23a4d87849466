/* SPDX-License-Identifier: MIT */
/* The dense engine's level counts against the known ones. */
#include "dense_fixture.h"
#include "test_support.h"

static uint64_t half_factorial(unsigned n)
{
    uint64_t product = 1;
    for (unsigned i = 3; i <= n; i++)
        product *= i;
    return product;
}

static void check_known(const char *size, unsigned blank, const char *name, unsigned threads)
{
    uint64_t known[FIXTURE_LEVELS];
    uint32_t levels = test_data_levels(name, known, FIXTURE_LEVELS);
    struct run *run = run_new(size, blank);
    run->request.threads = threads;
    assert_ok(run_go(run), run->error);
    assert_false(run->out_of_order);
    assert_true(run->result.complete);
    assert_int_equal(run->result.outcome, OUTCOME_DONE);
    assert_int_equal(run->levels, levels);
    assert_memory_equal(run->states, known, levels * sizeof *known);
    assert_int_equal(run->result.depth, levels - 1);
    assert_int_equal(run->result.states, half_factorial(slide_permutation(run->space)->cells));
    assert_int_equal(atomic_load(&run->budget.used), 0);
    run_free(run);
}

TEST(small_puzzles_have_the_known_levels)
{
    static const unsigned threads[] = {1, 2, 8};
    for (unsigned i = 0; i < 3; i++) {
        check_known("2x2", 3, "2x2", threads[i]);
        check_known("2x3", 5, "2x3", threads[i]);
        check_known("2x3", 4, "2x3-blank4", threads[i]);
        check_known("2x4", 7, "2x4", threads[i]);
        check_known("2x4", 6, "2x4-blank6", threads[i]);
        check_known("2x5", 9, "2x5", threads[i]);
        check_known("2x5", 7, "2x5-blank7", threads[i]);
        check_known("3x3", 8, "3x3", threads[i]);
        check_known("3x3", 0, "3x3-blank0", threads[i]);
        check_known("3x3", 1, "3x3-blank1", threads[i]);
        check_known("3x3", 4, "3x3-blank4", threads[i]);
    }
}

TEST(moves_of_several_tiles_have_the_levels_of_a_plain_search)
{
    static const unsigned threads[] = {1, 2, 8};
    for (unsigned i = 0; i < 3; i++) {
        check_known("3x3,metric:multi", 8, "multi-3x3", threads[i]);
        check_known("3x3,metric:multi", 7, "multi-3x3-blank7", threads[i]);
        check_known("3x3,metric:multi", 4, "multi-3x3-blank4", threads[i]);
        check_known("2x5,metric:multi", 9, "multi-2x5", threads[i]);
        check_known("2x5,metric:multi", 8, "multi-2x5-blank8", threads[i]);
        check_known("5x2,metric:multi", 4, "multi-2x5-blank7", threads[i]);
    }
}

TEST(puzzles_of_12_cells_have_the_known_levels)
{
#ifndef PUZZLED_SANITIZED
    check_known("2x6", 11, "2x6", 2);
    check_known("3x4", 11, "3x4", 2);
    check_known("3x4", 11, "3x4", 1);
    check_known("6x2", 0, "2x6", 8);
    check_known("3x4,metric:multi", 11, "multi-3x4", 2);
    check_known("6x2,metric:multi", 0, "multi-2x6", 8);
    check_known("4x3", 2, "3x4", 8);
#else
    skip();
#endif
}
