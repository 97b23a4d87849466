/* SPDX-License-Identifier: MIT */
/* How threads share an iteration of the deepening. */
#include "solve_support.h"

#include "solve/idastar/deepening.h"

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

/* A question by Manhattan distance alone. Returns the length found. */
static unsigned deepen(const char *text, unsigned threads)
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
        assert_int_equal(deepen(early, threads), 52);
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
    assert_int_equal(deepen(early, 1), 52);
    assert_int_equal(taken[0].subtrees, 1);
    assert_int_equal(taken[0].depth, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_take_subtrees_in_the_order_in_which_one_would_come_to_them),
        cmocka_unit_test(one_thread_takes_the_whole_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
