/* SPDX-License-Identifier: MIT */
/* The order of exported distances, as its header describes it to others. */
#include "test_support.h"

#include "board/board.h"
#include "board/pack.h"

static void open_grid(long rows, long columns, struct grid *grid, struct board *goal)
{
    struct pz_error error;
    assert_int_equal(grid_init(grid, rows, columns, &error), PZ_OK);
    board_default_goal(grid, goal);
}

/* The boards ascend by the blank's cell, then by their tiles: so no two are equal, and with half of all
 * permutations none is missing. */
static void check_order(long rows, long columns, uint64_t row)
{
    struct grid grid;
    struct board goal;
    struct board before = {0};
    open_grid(rows, columns, &grid, &goal);
    assert_int_equal(ranking_row(&grid), row);
    for (uint64_t number = 0; number < row * grid.cells; number++) {
        struct board board = {0};
        ranking_board(&grid, &goal, number, &board);
        assert_int_equal(board.tile[number / row], BOARD_BLANK);
        assert_int_equal(board_reach(&grid, &board, &goal), BOARD_REACHED);
        if (number % row > 0)
            assert_true(memcmp(before.tile, board.tile, grid.cells) < 0);
        before = board;
    }
}

TEST(numbers_ascend_with_the_tiles_through_all_solvable_boards)
{
    check_order(2, 2, 3);
    check_order(2, 3, 60);
    check_order(3, 2, 60);
    check_order(3, 3, 20160);
}

TEST(another_goal_numbers_the_other_boards)
{
    struct grid grid;
    struct board goal;
    struct board board = {0};
    struct board other = {0};
    open_grid(3, 3, &grid, &goal);
    ranking_board(&grid, &goal, 12345, &board);
    goal.tile[0] = 2;
    goal.tile[1] = 1;
    ranking_board(&grid, &goal, 12345, &other);
    assert_memory_not_equal(board.tile, other.tile, 9);
    assert_int_equal(board_reach(&grid, &other, &goal), BOARD_REACHED);
}

static void check_cursor(long rows, long columns, uint64_t first)
{
    struct grid grid;
    struct board goal;
    struct ranking_cursor cursor;
    open_grid(rows, columns, &grid, &goal);
    goal.tile[0] = 2; /* half of all orders, the other one of two */
    goal.tile[1] = 1;
    const uint64_t row = ranking_row(&grid);
    ranking_begin(&cursor, &grid, &goal, first);
    for (uint64_t number = first; number < row * grid.cells; number++, ranking_next(&cursor)) {
        struct board board = {0};
        ranking_board(&grid, &goal, number, &board);
        assert_int_equal(cursor.number, number);
        assert_int_equal(cursor.left, row - 1 - number % row);
        assert_memory_equal(cursor.board.tile, board.tile, grid.cells);
    }
}

TEST(a_cursor_goes_through_the_boards_in_that_order)
{
    check_cursor(2, 2, 0);
    check_cursor(3, 2, 0);
    check_cursor(2, 4, 0);
    check_cursor(3, 3, 55555);
    check_cursor(3, 4, 239500800 - 5000);
}

TEST(other_boards_have_no_numbers)
{
    struct grid grid;
    struct board goal;
    open_grid(1, 5, &grid, &goal);
    assert_int_equal(ranking_row(&grid), 0);
    open_grid(2, 7, &grid, &goal);
    assert_int_equal(ranking_row(&grid), 0);
    open_grid(3, 4, &grid, &goal);
    assert_int_equal(ranking_row(&grid) * 12, 239500800);
}
