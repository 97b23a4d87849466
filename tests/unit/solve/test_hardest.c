/* SPDX-License-Identifier: MIT */
/* The hardest 15-puzzles, solved whole: one 7-8 database for all of them. */
#include "solve_support.h"

/* Solves one board on so many threads, replays the path, and returns its length. */
static int64_t solve_board(const struct pz_space *space, const char *board, unsigned threads,
                           struct memory_archive *memory)
{
    uint64_t start[PZ_STATE_MAX / 8];
    parse_state(space, board, start);
    const struct solve_request request = {.space = space,
                                          .start = start,
                                          .method = METHOD_IDASTAR,
                                          .threads = threads,
                                          .archive = &memory->archive,
                                          .partition = "7-8"};
    struct solve_result result = solved_within(request, (uint64_t)3 << 30);
    assert_int_equal(result.outcome, OUTCOME_DONE);
    assert_path(space, start, &result);
    solve_result_free(&result);
    return result.moves;
}

/* A board costs a second to ten of processor time. */
TEST(boards_at_74_to_80_moves_are_solved_whole)
{
    if (SANITIZED)
        skip();
    unsigned solved = 0;
    struct memory_archive memory;
    memory_archive_init(&memory);
    struct pz_space *space = solve_space("4x4", NULL);
    struct test_rows rows;
    test_rows_open(&rows, "hardest15.csv", "board,optimal_here,");
    while (test_rows_next(&rows, 2)) {
        const char *board = rows.field[0];
        const long moves = test_number(rows.field[1]);
        if (moves < (is_brief() ? 78 : 74))
            continue; /* those at 70 and 72 take half a minute each: bench_solve tests/data hardest */
        assert_int_equal(solve_board(space, board, 2, &memory), moves);
        solved++;
    }
    assert_int_equal(solved, is_brief() ? 3 : 5);
    assert_int_equal(memory.saves, 2); /* the pair was built once */
    test_rows_close(&rows, 7);
    space_close(space);
    memory_archive_clear(&memory);
}
