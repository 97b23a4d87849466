/* SPDX-License-Identifier: MIT */
/* How threads share an iteration of the deepening. */
#include "solve_support.h"

#include "solve/idastar/deepening.h"

enum { THREADS_MAX = 8 };

/* The subtrees that one worker took in the iteration of one bound, seen through the kernel. */
struct taken {
    unsigned bound;
    unsigned subtrees;
    unsigned backwards; /* that come before the last one in the order of one thread */
    unsigned depth;     /* of the last one, and the moves that lead there */
    uint8_t move[WALK_DEPTH_MAX];
};

static struct taken taken[THREADS_MAX]; /* by worker: each thread writes its own */

/* Walks by Manhattan distance try directions in ascending order: the order of one thread is that of the moves
 * as words. */
static bool comes_before(const struct idastar_walk *walk, const struct taken *last)
{
    unsigned shorter = walk->depth < last->depth ? walk->depth : last->depth;
    int order = memcmp(walk->move, last->move, shorter);
    return order < 0 || (order == 0 && walk->depth <= last->depth);
}

/* The driver is a worker of its own. */
static unsigned workers;

static void noting_add(struct idastar_walk *walk, const struct board *root)
{
    struct taken *mine = &taken[walk->worker];
    if (walk->worker < workers) {
        if (mine->bound != walk->bound)
            *mine = (struct taken){.bound = walk->bound};
        mine->backwards += mine->subtrees > 0 && comes_before(walk, mine);
        mine->subtrees++;
        mine->depth = walk->depth;
        memcpy(mine->move, walk->move, walk->depth);
    }
    manhattan_kernel.add(walk, root);
}

/* A question by Manhattan distance alone; the tree is divided once more nodes than that are generated.
 * Returns the length found. */
static unsigned deepen(const char *text, unsigned threads, uint64_t divide_nodes)
{
    struct walk_kernel kernel = manhattan_kernel;
    struct grid grid;
    struct board goal;
    struct board start;
    struct manhattan manhattan;
    struct monitor monitor;
    struct pz_error error;
    struct deepening_result result;
    memset(taken, 0, sizeof taken);
    workers = threads;
    kernel.add = noting_add;
    assert_ok(grid_parse(&grid, "4x4", &error), error);
    assert_ok(board_parse(&grid, text, &start, &error), error);
    board_ordered(&grid, grid.cells - 1u, &goal);
    manhattan_init(&manhattan, &grid, &goal);
    monitor_init(&monitor, NULL, NULL, "search");
    struct deepening deepening = {.grid = &grid,
                                  .start = &start,
                                  .kernel = &kernel,
                                  .heuristic = &manhattan,
                                  .threads = threads,
                                  .divide_nodes = divide_nodes,
                                  .monitor = &monitor};
    assert_ok(deepening_run(&deepening, &result, &error), error);
    assert_true(result.found);
    for (unsigned i = 0; i < result.moves; i++)
        assert_true(board_move(&grid, &start, (enum direction)result.move[i]));
    assert_memory_equal(start.tile, goal.tile, grid.cells);
    free(result.move);
    return result.moves;
}

/*
 * One thread finds the goal of this board early in the last iteration, which is six times as large as the one
 * before. So threads take the subtrees that the driver leaves, in order: those after the goal would be in
 * vain.
 */
static const char *const early = "5,8,15,10/13,6,14,7/0,9,1,4/11,12,3,2";

TEST(threads_take_subtrees_in_the_order_in_which_one_would_come_to_them)
{
    for (unsigned threads = 2; threads <= THREADS_MAX; threads *= 2) {
        unsigned subtrees = 0;
        assert_int_equal(deepen(early, threads, UINT64_MAX), 52);
        for (unsigned worker = 0; worker < threads; worker++) {
            if (taken[worker].bound != 52)
                continue;
            assert_int_equal(taken[worker].backwards, 0);
            subtrees += taken[worker].subtrees;
        }
        assert_true(subtrees > threads);
    }
}

TEST(one_thread_takes_the_whole_tree)
{
    assert_int_equal(deepen(early, 1, UINT64_MAX), 52);
    assert_int_equal(taken[0].subtrees, 1);
    assert_int_equal(taken[0].depth, 0);
}

/* ---- branches ---- */

/* A list of the branches whose first two moves are these, in the order given. */
static struct subtree *list_of(const uint8_t *pairs, unsigned count)
{
    struct subtree *list = NULL;
    for (unsigned i = count; i-- > 0;) {
        uint8_t move[BRANCH_DEPTH] = {pairs[i] / 4, pairs[i] % 4};
        struct subtree *root = subtree_new(move, BRANCH_DEPTH);
        assert_non_null(root);
        root->next = list;
        list = root;
    }
    return list;
}

static void assert_order(const struct subtree *list, const uint8_t *pairs, unsigned count)
{
    for (unsigned i = 0; i < count; i++, list = list->next) {
        assert_non_null(list);
        assert_int_equal(list->move[0] * 4 + list->move[1], pairs[i]);
    }
    assert_null(list);
}

static struct branch *branch_at(const struct branches *branches, uint8_t pair)
{
    const uint8_t move[BRANCH_DEPTH + 1] = {pair / 4, pair % 4};
    struct branch *branch = branches_find(branches, move, BRANCH_DEPTH + 1);
    assert_null(branches_find(branches, move, BRANCH_DEPTH - 1));
    return branch;
}

TEST(the_branches_that_came_nearest_are_first)
{
    static const uint8_t walked[] = {9, 4, 6, 1};
    static const uint8_t next[] = {2, 1, 9, 4, 6};
    static const uint8_t ordered[] = {9, 6, 4, 2, 1};
    struct branches branches = {0};
    struct subtree *list = list_of(walked, 4);
    assert_null(branch_at(&branches, 9));
    assert_true(branches_begin(&branches, &list));
    assert_order(list, walked, 4); /* nothing is known yet */
    subtree_free_all(list);
    assert_int_equal(branches.count, 4);
    assert_null(branch_at(&branches, 2));
    *branch_at(&branches, 4) = (struct branch){branch_at(&branches, 4)->path, 4000000, 400000};
    *branch_at(&branches, 6) = (struct branch){branch_at(&branches, 6)->path, 1000000, 200000};
    *branch_at(&branches, 9) = (struct branch){branch_at(&branches, 9)->path, 1000, 900};
    list = list_of(next, 5);
    assert_true(branches_begin(&branches, &list));
    assert_order(list, ordered, 5);
    assert_int_equal(branches.count, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_true(branch_at(&branches, next[i])->expanded == 0 && branch_at(&branches, next[i])->near == 0);
    subtree_free_all(list);
    branches_free(&branches);
}

/* Counts the paths from the cell that never turn back, by their end and last move, step by step. */
static uint32_t paths_of(const struct grid *grid, unsigned cell)
{
    uint32_t ways[GRID_CELLS_MAX][DIRECTION_COUNT + 1] = {0}; /* the last: no move yet */
    uint32_t sum = 0;
    ways[cell][DIRECTION_COUNT] = 1;
    for (unsigned step = 0; step < BRANCH_DEPTH; step++) {
        uint32_t next[GRID_CELLS_MAX][DIRECTION_COUNT + 1] = {0};
        for (unsigned c = 0; c < grid->cells; c++)
            for (unsigned last = 0; last <= DIRECTION_COUNT; last++)
                for (unsigned d = 0; d < DIRECTION_COUNT; d++)
                    if (d != (last ^ 1u) && grid->neighbour[c][d] != GRID_NO_CELL)
                        next[grid->neighbour[c][d]][d] += ways[c][last];
        memcpy(ways, next, sizeof ways);
    }
    for (unsigned c = 0; c < grid->cells; c++)
        for (unsigned last = 0; last < DIRECTION_COUNT; last++)
            sum += ways[c][last];
    return sum;
}

TEST(no_tree_has_more_branches_than_there_is_room_for)
{
    uint32_t most = 0;
    for (unsigned rows = 1; rows <= 6; rows++) {
        for (unsigned columns = rows > 1 ? rows : 2; rows * columns <= GRID_CELLS_MAX; columns++) {
            struct pz_error error;
            struct grid grid;
            assert_ok(grid_init(&grid, rows, columns, &error), error);
            for (unsigned cell = 0; cell < grid.cells; cell++) {
                const uint32_t paths = paths_of(&grid, cell);
                assert_true(paths <= branches_most(grid.cells));
                most = rows == 5 && columns == 5 && paths > most ? paths : most;
            }
        }
    }
    assert_int_equal(most, 11600);
}

TEST(a_divided_tree_has_the_same_shortest_way)
{
    for (unsigned threads = 1; threads <= THREADS_MAX; threads *= 2) {
        assert_int_equal(deepen(early, threads, 1), 52);
        for (unsigned worker = 0; worker < threads; worker++)
            assert_true(taken[worker].bound != 52 || taken[worker].depth >= BRANCH_DEPTH);
    }
}

/* ---- the end of the range ---- */

TEST(a_bound_beyond_1000_moves_is_told)
{
    struct grid grid;
    struct board goal, start;
    struct manhattan manhattan;
    struct monitor monitor;
    struct pz_error error = {0};
    struct deepening_result result;
    assert_ok(grid_parse(&grid, "3x3", &error), error);
    assert_ok(board_parse(&grid, "1,2,3/4,5,6/7,0,8", &start, &error), error);
    board_ordered(&grid, grid.cells - 1u, &goal);
    manhattan_init(&manhattan, &grid, &goal);
    monitor_init(&monitor, NULL, NULL, "search");
    const struct deepening deepening = {.grid = &grid,
                                        .start = &start,
                                        .kernel = &manhattan_kernel,
                                        .heuristic = &manhattan,
                                        .threads = 1,
                                        .first_bound = WALK_DEPTH_MAX + 1,
                                        .monitor = &monitor};
    assert_int_equal(deepening_run(&deepening, &result, &error), PZ_TOO_LARGE);
    assert_string_equal(error.text, "no solution within 1000 moves");
    assert_int_equal(result.at_least, WALK_DEPTH_MAX + 1);
}
