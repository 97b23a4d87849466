/* SPDX-License-Identifier: MIT */
/* Parity and the symmetries of boards. */
#include "board_equal.h"
#include "some_board.h"

#include "board/board.h"
#include "board/pack.h"

/* ---- parity ---- */

/* Everything reachable from a board of few cells, by plain search over board texts packed in a word. */
static unsigned reachable(const struct grid *grid, const struct board *root, uint64_t *found, unsigned room)
{
    struct pack_plan plan;
    unsigned count = 1;
    pack_plan_init(&plan, grid->cells);
    pack_board(&plan, root, &found[0]);
    for (unsigned next = 0; next < count; next++) {
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            struct board board;
            uint64_t packed = 0;
            unpack_board(&plan, &found[next], &board);
            if (!board_move(grid, &board, (enum direction)d))
                continue;
            pack_board(&plan, &board, &packed);
            unsigned at = 0;
            while (at < count && found[at] != packed)
                at++;
            assert_true(at < room);
            if (at == count)
                found[count++] = packed;
        }
    }
    return count;
}

/* Calls check for every permutation of the grid's tiles. */
static void each_board(const struct grid *grid, struct board *board, unsigned cell, unsigned used,
                       void (*check)(const struct grid *, const struct board *, void *), void *context)
{
    if (cell == grid->cells) {
        check(grid, board, context);
        return;
    }
    for (unsigned tile = 0; tile < grid->cells; tile++) {
        if (used >> tile & 1)
            continue;
        board->tile[cell] = (uint8_t)tile;
        each_board(grid, board, cell + 1, used | 1u << tile, check, context);
    }
}

struct parity_case {
    uint64_t found[720];
    unsigned count;
    unsigned solvable;
    struct board goal;
};

static void check_parity(const struct grid *grid, const struct board *board, void *context)
{
    struct parity_case *c = context;
    struct pack_plan plan;
    uint64_t packed = 0;
    bool there = false;
    pack_plan_init(&plan, grid->cells);
    pack_board(&plan, board, &packed);
    for (unsigned i = 0; i < c->count && !there; i++)
        there = c->found[i] == packed;
    assert_true(parity_solvable(grid, board, &c->goal) == there);
    assert_true(parity_solvable(grid, &c->goal, board) == there);
    c->solvable += there;
}

TEST(parity_agrees_with_search_for_every_pair_of_small_boards)
{
    static const struct {
        long rows, columns;
        unsigned reachable;
    } sizes[] = {{1, 2, 2}, {1, 5, 5}, {4, 1, 4}, {2, 2, 12}, {2, 3, 360}, {3, 2, 360}, {1, 6, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct grid grid = grid_of(sizes[i].rows, sizes[i].columns);
        for (unsigned blank = 0; blank < grid.cells; blank++) {
            struct parity_case c = {0};
            struct board board = {.cells = grid.cells};
            board_ordered(&grid, blank, &c.goal);
            c.count = reachable(&grid, &c.goal, c.found, 720);
            assert_int_equal(c.count, sizes[i].reachable);
            each_board(&grid, &board, 0, 0, check_parity, &c);
            assert_int_equal(c.solvable, sizes[i].reachable);
        }
    }
}

TEST(published_unsolvable_boards_are_known_by_parity)
{
    struct grid grid = grid_of(4, 4);
    struct pz_error error;
    struct board goal;
    struct board board;
    board_default_goal(&grid, &goal);
    /* Sam Loyd's 14-15, and the blank-first record holder, which the blank-last goal cannot reach. */
    assert_ok(board_parse(&grid, "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0", &board, &error), error);
    assert_false(parity_solvable(&grid, &board, &goal));
    assert_ok(board_parse(&grid, "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", &board, &error), error);
    assert_false(parity_solvable(&grid, &board, &goal));
    board_ordered(&grid, 0, &goal);
    assert_true(parity_solvable(&grid, &board, &goal));
}

/* ---- symmetry ---- */

TEST(a_view_makes_the_goal_ordered_and_keeps_moves)
{
    struct random random = {3};
    static const uint8_t sizes[][2] = {{1, 5}, {5, 1}, {2, 3}, {3, 2}, {3, 3},
                                       {3, 4}, {4, 3}, {4, 4}, {6, 7}, {7, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct grid grid = grid_of(sizes[i][0], sizes[i][1]);
        for (int round = 0; round < 40; round++) {
            struct board goal;
            struct board ordered;
            struct board there;
            struct board back;
            struct board_view view;
            shuffle(&random, &grid, &goal);
            view_of_goal(&grid, &goal, &view);
            struct grid canonical = grid_of(view.rows, view.columns);
            assert_true(view.rows <= view.columns);
            board_ordered(&canonical, view.blank, &ordered);
            view_in(&view, &goal, &there);
            assert_true(board_equal(&there, &ordered));
            view_out(&view, &there, &back);
            assert_true(board_equal(&back, &goal));
            /* A move here is some move there. */
            unsigned blank = board_blank(&goal);
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                struct board moved = goal;
                if (!board_move(&grid, &moved, (enum direction)d))
                    continue;
                view_in(&view, &moved, &there);
                unsigned to = board_blank(&there);
                bool touches = false;
                for (unsigned e = 0; e < DIRECTION_COUNT; e++)
                    touches |= canonical.neighbour[view.cell_to[blank]][e] == to;
                assert_true(touches);
            }
        }
    }
}

TEST(the_representatives_are_few_and_the_farthest_cells)
{
    static const struct {
        uint8_t rows, columns, classes;
    } sizes[] = {{1, 5, 3}, {2, 3, 2}, {2, 4, 2}, {3, 3, 3}, {3, 4, 4}, {4, 4, 3}, {5, 5, 6}, {4, 3, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct grid grid = grid_of(sizes[i].rows, sizes[i].columns);
        uint64_t seen = 0;
        for (unsigned blank = 0; blank < grid.cells; blank++) {
            struct board goal;
            struct board_view view;
            board_ordered(&grid, blank, &goal);
            view_of_goal(&grid, &goal, &view);
            seen |= (uint64_t)1 << view.blank;
        }
        assert_int_equal(__builtin_popcountll(seen), sizes[i].classes);
        unsigned last = sizes[i].rows * sizes[i].columns - 1u;
        assert_true((seen >> last & 1) != 0);
    }
}
