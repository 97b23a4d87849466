/* SPDX-License-Identifier: MIT */
/* Holds what moves reach against a search, and tests the symmetries of boards. */
#include "board_equal.h"
#include "some_board.h"

#include "board/board.h"

/* ---- what moves reach ---- */

/* Boards of up to 9 cells, found by a plain search: a nibble a cell, 15 for a wall. */
enum { FOUND_SLOTS = 1 << 16 };
struct found {
    uint64_t list[FOUND_SLOTS / 2], slots[FOUND_SLOTS];
    unsigned count;
};

static uint64_t key_of(const struct board *board)
{
    uint64_t key = 1; /* never 0 */
    for (unsigned cell = 0; cell < board->cells; cell++)
        key = key << 4 | (board->tile[cell] & 15u);
    return key;
}

static struct board board_of(uint64_t key, unsigned cells)
{
    struct board board = {.cells = (uint8_t)cells};
    for (unsigned cell = cells; cell-- > 0; key >>= 4)
        board.tile[cell] = (key & 15) == 15 ? BOARD_WALL : (uint8_t)(key & 15);
    return board;
}

/* Returns the slot of a board: its key, or 0 where it goes. */
static uint64_t *slot_of(struct found *found, uint64_t key)
{
    uint64_t at = key * UINT64_C(0x9E3779B97F4A7C15) >> 48;
    while (found->slots[at] != 0 && found->slots[at] != key)
        at = (at + 1) % FOUND_SLOTS;
    return &found->slots[at];
}

static void note_found(struct found *found, const struct board *board)
{
    const uint64_t key = key_of(board);
    uint64_t *slot = slot_of(found, key);
    if (*slot != 0)
        return;
    assert_true(found->count < FOUND_SLOTS / 2);
    *slot = found->list[found->count++] = key;
}

static void find_all(const struct grid *grid, const struct board *root, struct found *found)
{
    memset(found, 0, sizeof *found);
    note_found(found, root);
    for (unsigned next = 0; next < found->count; next++)
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            struct board board = board_of(found->list[next], grid->cells);
            if (board_move(grid, &board, (enum direction)d))
                note_found(found, &board);
        }
}

/* Takes the ways into walls out of a grid. */
static void wall_off(struct grid *grid, unsigned walls)
{
    for (unsigned cell = 0; cell < grid->cells; cell++)
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            const unsigned to = grid->neighbour[cell][d];
            if (to != GRID_NO_CELL && ((walls >> to | walls >> cell) & 1) != 0)
                grid->neighbour[cell][d] = GRID_NO_CELL;
        }
}

/* Exchanges the tiles of cells that are no walls at random. */
static void shuffle_free(struct random *random, unsigned walls, struct board *board)
{
    for (unsigned i = 0; i < 40; i++) {
        const unsigned a = (unsigned)random_below(random, board->cells);
        const unsigned b = (unsigned)random_below(random, board->cells);
        const uint8_t tile = board->tile[a];
        if (((walls >> a | walls >> b) & 1) != 0)
            continue;
        board->tile[a] = board->tile[b];
        board->tile[b] = tile;
    }
}

/* Holds random boards with the goal's tiles against a search from the goal; counts by what is said. */
static void compare_reach(struct random *random, const struct grid *grid, unsigned walls, unsigned kinds,
                          unsigned counts[4])
{
    static struct found found;
    struct board goal = {.cells = grid->cells};
    unsigned tile = 0;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        if ((walls >> cell & 1) != 0)
            goal.tile[cell] = BOARD_WALL;
        else if (tile++ > 0) /* after the blank */
            goal.tile[cell] = (uint8_t)(1 + (tile - 2) % kinds);
    shuffle_free(random, walls, &goal);
    find_all(grid, &goal, &found);
    for (unsigned i = 0; i < 30; i++) {
        struct board board = goal;
        shuffle_free(random, walls, &board);
        for (unsigned step = 0; i % 3 == 0 && step < 30; step++) {
            if (step == 0)
                board = goal;
            (void)board_move(grid, &board, (enum direction)random_below(random, DIRECTION_COUNT));
        }
        const enum board_reach reach = board_reach(grid, &board, &goal);
        assert_int_equal(reach == BOARD_REACHED, *slot_of(&found, key_of(&board)) != 0);
        assert_int_equal(board_reach(grid, &goal, &board) == BOARD_REACHED, reach == BOARD_REACHED);
        counts[reach]++;
    }
}

TEST(what_is_reached_agrees_with_search_with_walls_equal_tiles_and_closed_lines)
{
    static const uint8_t sizes[][2] = {{1, 2}, {1, 5}, {4, 1}, {2, 2}, {2, 3}, {3, 2}, {2, 4}, {3, 3}};
    struct random random = {17};
    unsigned counts[4] = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes * 2; i++) {
        struct grid whole = grid_of(sizes[i / 2][0], sizes[i / 2][1]);
        if (i % 2 == 1)
            grid_wrap(&whole);
        for (unsigned walls = 0; walls < 1u << whole.cells; walls++) {
            const int tiles = whole.cells - __builtin_popcount(walls) - 1;
            struct grid grid = whole;
            wall_off(&grid, walls);
            for (int kinds = tiles > 6 ? tiles / 2 : tiles; kinds > 0; kinds -= 1 + tiles / 3)
                compare_reach(&random, &grid, walls, (unsigned)kinds, counts);
        }
    }
    for (unsigned reach = BOARD_REACHED; reach <= BOARD_ODD; reach++)
        assert_true(counts[reach] > 200);
}

TEST(plain_boards_reach_half_of_all)
{
    static const struct {
        long rows, columns;
        unsigned reachable;
    } sizes[] = {{1, 2, 2}, {1, 5, 5}, {4, 1, 4}, {2, 2, 12}, {2, 3, 360}, {3, 2, 360}, {1, 6, 6}};
    static struct found found;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct grid grid = grid_of(sizes[i].rows, sizes[i].columns);
        for (unsigned blank = 0; blank < grid.cells; blank++) {
            struct board goal;
            board_ordered(&grid, blank, &goal);
            find_all(&grid, &goal, &found);
            assert_int_equal(found.count, sizes[i].reachable);
            for (unsigned j = 0; j < found.count; j++) {
                const struct board board = board_of(found.list[j], grid.cells);
                assert_int_equal(board_reach(&grid, &board, &goal), BOARD_REACHED);
            }
        }
    }
}

TEST(published_unsolvable_boards_are_known)
{
    struct grid grid = grid_of(4, 4);
    struct pz_error error;
    struct board goal;
    struct board board;
    board_default_goal(&grid, &goal);
    /* Sam Loyd's 14-15, and the blank-first record holder, which the blank-last goal cannot reach. */
    assert_ok(board_parse(&grid, "1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0", &board, &error), error);
    assert_int_equal(board_reach(&grid, &board, &goal), BOARD_ODD);
    assert_ok(board_parse(&grid, "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0", &board, &error), error);
    assert_int_equal(board_reach(&grid, &board, &goal), BOARD_ODD);
    board_ordered(&grid, 0, &goal);
    assert_int_equal(board_reach(&grid, &board, &goal), BOARD_REACHED);
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
