/* SPDX-License-Identifier: MIT */
/* IDA* by a space's own bound, and what lies beyond 16 bits. */
#include "number_puzzle.h"
#include "plain_search.h"
#include "solve_support.h"

static enum pz_status solve(const struct pz_space *space, const void *start, enum method method,
                            double deadline, struct solve_result *result)
{
    struct budget budget;
    struct control control = {.deadline = deadline};
    struct pz_error error = {0};
    budget_init(&budget, NULL, 64 << 20);
    const struct solve_request request = {
        .space = space, .start = start, .method = method, .threads = 1, .budget = &budget};
    enum pz_status status = solve_run(&request, &control, result, &error);
    assert_int_equal(atomic_load(&budget.used), 0);
    return status;
}

TEST(every_stack_is_sorted_by_as_few_flips_as_plain_search_finds)
{
    static const char *const puzzles[] = {"pancake:6", "pancake:4,burnt:yes"};
    for (unsigned i = 0; i < 2; i++) {
        struct plain_search search;
        uint64_t goal[PZ_STATE_MAX / 8];
        struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
        space->puzzle->goal(space, goal);
        plain_explore(&search, space, goal, false);
        for (size_t k = 1; k < search.count; k++) {
            struct solve_result result;
            uint64_t start[PZ_STATE_MAX / 8] = {0};
            memcpy(start, plain_state(&search, k), space->state_bytes);
            assert_int_equal(solve(space, start, METHOD_AUTO, 0, &result), PZ_OK);
            assert_int_equal(result.method, METHOD_IDASTAR);
            assert_int_equal(result.moves, search.depths[k]);
            assert_path(space, start, &result);
            solve_result_free(&result);
        }
        plain_free(&search);
        space_close(space);
    }
}

/* The bound is exact and the first path leads to the goal, so only the states of the path are expanded. */
TEST(sixteen_pancakes_take_few_nodes)
{
    struct solve_result by_depth, by_distance;
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space = plain_open("pancake:16", NULL, NULL, NULL, NULL);
    parse_state(space, "7,2,14,9,4,16,1,11,6,13,3,8,15,5,10,12", start);
    assert_int_equal(solve(space, start, METHOD_AUTO, 0, &by_depth), PZ_OK);
    assert_int_equal(solve(space, start, METHOD_ASTAR, 0, &by_distance), PZ_OK);
    assert_int_equal(by_depth.moves, by_distance.moves);
    assert_true(by_depth.moves >= (int64_t)space->puzzle->heuristic(space, start));
    assert_path(space, start, &by_depth);
    solve_result_free(&by_depth);
    solve_result_free(&by_distance);
    space_close(space);
}

TEST(a_deadline_ends_it_with_what_is_proven)
{
    struct solve_result result;
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    /* Among burnt stacks the one with all sides turned is hardest: the gaps say least about it. */
    struct pz_space *space = plain_open("pancake:12,burnt:yes", NULL, NULL, NULL, NULL);
    parse_state(space, "-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11,-12", start);
    assert_int_equal(solve(space, start, METHOD_IDASTAR, 1e-9, &result), PZ_OK);
    assert_int_equal(result.outcome, OUTCOME_STOPPED);
    assert_int_equal(result.reason, STOP_TIME);
    assert_true(result.at_least >= (int64_t)space->puzzle->heuristic(space, start));
    solve_result_free(&result);
    space_close(space);
}

/* As near the distance as a bound may tell: those of PZ_HOPELESS and more say something else. */
static unsigned chain_bound(const struct pz_space *space, const void *state)
{
    const uint64_t distance = number_of(space, state);
    return distance < PZ_HOPELESS ? (unsigned)distance : PZ_HOPELESS - 1;
}

TEST(a_solution_of_more_than_39999_moves_is_found)
{
    enum { MOVES = 40004 };
    struct pz_puzzle puzzle = number_puzzle;
    struct number_space chain = number_space(1, true, 50000, 0);
    struct solve_result result;
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    puzzle.heuristic = chain_bound;
    chain.base.puzzle = &puzzle;
    number_state(&chain.base, MOVES, start);
    assert_int_equal(solve(&chain.base, start, METHOD_IDASTAR, 0, &result), PZ_OK);
    assert_int_equal(result.solvable, PZ_YES);
    assert_int_equal(result.moves, MOVES);
    assert_path(&chain.base, start, &result);
    solve_result_free(&result);
}

static unsigned bound_beyond_16_bits(const struct pz_space *space, const void *state)
{
    return number_of(space, state) == 0 ? 0 : 65536;
}

/* Cut to 16 bits it would be 0, and the goal be found. */
TEST(a_bound_of_65536_says_that_no_goal_can_be_reached)
{
    static const enum method methods[] = {METHOD_ASTAR, METHOD_IDASTAR};
    struct pz_puzzle puzzle = number_puzzle;
    struct number_space chain = number_space(1, true, 9, 0);
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    puzzle.heuristic = bound_beyond_16_bits;
    chain.base.puzzle = &puzzle;
    number_state(&chain.base, 3, start);
    for (unsigned i = 0; i < 2; i++) {
        struct solve_result result;
        assert_int_equal(solve(&chain.base, start, methods[i], 0, &result), PZ_OK);
        assert_int_equal(result.solvable, PZ_NO);
        solve_result_free(&result);
    }
}

TEST(astar_finds_a_solution_of_more_than_65535_moves)
{
    enum { MOVES = 70000 };
    struct pz_puzzle puzzle = number_puzzle;
    struct number_space chain = number_space(1, true, MOVES, 0);
    struct solve_result result;
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    puzzle.heuristic = chain_bound;
    chain.base.puzzle = &puzzle;
    number_state(&chain.base, MOVES, start);
    assert_int_equal(solve(&chain.base, start, METHOD_ASTAR, 0, &result), PZ_OK);
    assert_int_equal(result.moves, MOVES);
    assert_path(&chain.base, start, &result);
    solve_result_free(&result);
}
