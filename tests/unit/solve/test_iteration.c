/* SPDX-License-Identifier: MIT */
/* How threads share an iteration of the deepening. */
#include "solve_support.h"

#include "solve/idastar/deepening.h"
#include "solve/idastar/iteration.h"

enum { THREADS_MAX = 8 };

/* The subtrees that one member took in the iteration of one bound, seen through the kernel. */
struct taken {
    unsigned bound;
    unsigned subtrees;
    unsigned backwards; /* that come before the last one in the order of one thread */
    unsigned depth;     /* of the last one, and the moves that lead there */
    uint8_t move[WALK_DEPTH_MAX];
};

static struct taken taken[THREADS_MAX]; /* by member: each thread writes its own */

/* Walks by Manhattan distance try directions in ascending order: the order of one thread is that of the moves
 * as words. */
static bool comes_before(const struct idastar_walk *walk, const struct taken *last)
{
    unsigned shorter = walk->depth < last->depth ? walk->depth : last->depth;
    int order = memcmp(walk->move, last->move, shorter);
    return order < 0 || (order == 0 && walk->depth <= last->depth);
}

/* The driver is a member of its own. */
static unsigned members;

static void noting_add(struct idastar_walk *walk, const struct board *root)
{
    struct taken *mine = &taken[walk->member];
    if (walk->member < members) {
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
    members = threads;
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

static void threads_take_subtrees_in_the_order_in_which_one_would_come_to_them(void **state)
{
    for (unsigned threads = 2; threads <= THREADS_MAX; threads *= 2) {
        unsigned subtrees = 0;
        assert_int_equal(deepen(early, threads, UINT64_MAX), 52);
        for (unsigned member = 0; member < threads; member++) {
            if (taken[member].bound != 52)
                continue;
            assert_int_equal(taken[member].backwards, 0);
            subtrees += taken[member].subtrees;
        }
        assert_true(subtrees > threads);
    }
}

static void one_thread_takes_the_whole_tree(void **state)
{
    assert_int_equal(deepen(early, 1, UINT64_MAX), 52);
    assert_int_equal(taken[0].subtrees, 1);
    assert_int_equal(taken[0].depth, 0);
}

/* ---- branches ---- */

/* Paths of the blank that never turn back, counted by the cell and the last move, step by step. */
static uint32_t paths_of(const struct grid *grid, unsigned cell)
{
    uint32_t ways[GRID_CELLS_MAX][DIRECTION_COUNT] = {0};
    uint32_t sum = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (grid->neighbour[cell][d] != GRID_NO_CELL)
            ways[grid->neighbour[cell][d]][d] = 1;
    for (unsigned step = 1; step < BRANCH_DEPTH; step++) {
        uint32_t next[GRID_CELLS_MAX][DIRECTION_COUNT] = {0};
        for (unsigned c = 0; c < grid->cells; c++)
            for (unsigned last = 0; last < DIRECTION_COUNT; last++)
                for (unsigned d = 0; d < DIRECTION_COUNT; d++)
                    if (d != direction_inverse((enum direction)last) && grid->neighbour[c][d] != GRID_NO_CELL)
                        next[grid->neighbour[c][d]][d] += ways[c][last];
        memcpy(ways, next, sizeof ways);
    }
    for (unsigned c = 0; c < grid->cells; c++)
        for (unsigned last = 0; last < DIRECTION_COUNT; last++)
            sum += ways[c][last];
    return sum;
}

static void moves_of(const struct branch *branch, uint8_t *move)
{
    for (unsigned i = 0; i < BRANCH_DEPTH; i++)
        move[i] = branch->path >> 2 * (BRANCH_DEPTH - 1 - i) & 3u;
}

static void a_tree_is_divided_into_all_paths_that_never_turn_back(void **state)
{
    static const char *const sizes[] = {"1x3", "2x2", "3x3", "4x5", "6x7"};
    for (unsigned size = 0; size < 5; size++) {
        struct pz_error error;
        struct grid grid;
        assert_ok(grid_parse(&grid, sizes[size], &error), error);
        for (unsigned blank = 0; blank < grid.cells; blank++) {
            struct branches branches = {0};
            assert_true(branches_make(&branches, &grid, blank));
            assert_int_equal(branches.count, paths_of(&grid, blank));
            assert_true(branches.count * sizeof(struct branch) <= branches_bytes(grid.cells));
            for (uint32_t i = 0; i < branches.count; i++) {
                uint8_t move[BRANCH_DEPTH];
                unsigned cell = blank;
                moves_of(&branches.branch[i], move);
                for (unsigned m = 0; m < BRANCH_DEPTH; m++)
                    assert_int_not_equal(cell = grid.neighbour[cell][move[m]], GRID_NO_CELL);
                assert_ptr_equal(branches_find(&branches, move, BRANCH_DEPTH), &branches.branch[i]);
                assert_null(branches_find(&branches, move, BRANCH_DEPTH - 1));
            }
            branches_free(&branches);
        }
    }
}

static void the_branch_with_the_greatest_share_of_near_nodes_is_first(void **state)
{
    struct pz_error error;
    struct grid grid;
    struct branches branches = {0};
    assert_ok(grid_parse(&grid, "3x3", &error), error);
    assert_true(branches_make(&branches, &grid, 4));
    assert_true(branches.count > 9);
    branches.branch[7].expanded = 1000000; /* a tenth, then a fifth, then a few */
    branches.branch[7].near = 100000;
    branches.branch[3].expanded = 500000;
    branches.branch[3].near = 100000;
    branches.branch[9].expanded = 1;
    branches.branch[9].near = 1;
    branches.branch[0].expanded = 2000000;
    const unsigned order[] = {3, 7, 9, 0, 1, 2, 4, 5, 6, 8};
    struct subtree *list = branches_list(&branches);
    uint32_t count = 0;
    for (const struct subtree *subtree = list; subtree != NULL; subtree = subtree->next, count++)
        if (count < sizeof order / sizeof *order)
            assert_ptr_equal(branches_find(&branches, subtree->move, subtree->depth),
                             &branches.branch[order[count]]);
    assert_int_equal(count, branches.count);
    for (uint32_t i = 0; i < branches.count; i++)
        assert_true(branches.branch[i].expanded == 0 && branches.branch[i].near == 0);
    subtree_free_all(list);
    branches_free(&branches);
}

static void a_divided_tree_has_the_same_shortest_way(void **state)
{
    for (unsigned threads = 1; threads <= THREADS_MAX; threads *= 2) {
        assert_int_equal(deepen(early, threads, 1), 52);
        assert_int_equal(taken[0].bound, 52);
        assert_true(taken[0].depth >= BRANCH_DEPTH);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_take_subtrees_in_the_order_in_which_one_would_come_to_them),
        cmocka_unit_test(one_thread_takes_the_whole_tree),
        cmocka_unit_test(a_tree_is_divided_into_all_paths_that_never_turn_back),
        cmocka_unit_test(the_branch_with_the_greatest_share_of_near_nodes_is_first),
        cmocka_unit_test(a_divided_tree_has_the_same_shortest_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
