/* SPDX-License-Identifier: MIT */
#include "solve_support.h"

#include "base/clock.h"
#include "solve/solver.h"

typedef enum pz_status method_function(const struct solve_request *request, struct control *control,
                                       struct solve_result *result, struct pz_error *error);

/* Solves by a method, replays the path, and returns its length; -1 when there is none. */
static int64_t solve_within(uint64_t memory, method_function *method, const struct pz_space *space,
                            const void *start, struct solve_result *result)
{
    struct budget budget;
    struct control control = {0};
    struct pz_error error;
    memset(result, 0, sizeof *result);
    budget_init(&budget, NULL, memory);
    struct solve_request request = {.space = space, .start = start, .threads = 1, .budget = &budget};
    assert_ok(method(&request, &control, result, &error), error);
    assert_int_equal(result->outcome, OUTCOME_DONE);
    if (result->solvable == PZ_YES || result->path != NULL)
        assert_path(space, start, result);
    assert_int_equal(atomic_load(&budget.used), 0);
    free(result->path);
    return result->moves;
}

static int64_t solve_by(method_function *method, const struct pz_space *space, const void *start,
                        struct solve_result *result)
{
    return solve_within((uint64_t)1 << 30, method, space, start, result);
}

/* ---- the bound ---- */

struct bound_check {
    const struct pz_space *space;
    uint64_t boards;
};

static void check_bound(void *context, const struct board *board, unsigned distance)
{
    struct bound_check *check = context;
    const struct pz_space *space = check->space;
    uint64_t state[1];
    uint64_t next[DIRECTION_COUNT];
    uint8_t tokens[DIRECTION_COUNT];
    slide_state(space, board, state);
    unsigned value = space->puzzle->heuristic(space, state);
    if (value > distance || (distance - value) % 2 != 0)
        fail_msg("the bound is %u at distance %u", value, distance);
    unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, next, tokens);
    for (unsigned i = 0; i < count; i++) {
        unsigned after = space->puzzle->heuristic(space, &next[i]);
        if (after + 1 != value && value + 1 != after)
            fail_msg("the bound goes from %u to %u in one move", value, after);
    }
    check->boards++;
}

TEST(the_bound_is_admissible_and_consistent_on_every_3x3_board)
{
    static const char *const goals[] = {"1,2,3/4,5,6/7,8,0", "1,2,3/8,0,4/7,6,5", "4,1,7/2,6,3/5,0,8"};
    for (size_t i = 0; i < (SANITIZED ? 1 : 3); i++) {
        struct pz_space *space = solve_space("3x3", goals[i]);
        struct distances distances;
        struct board goal;
        struct pz_error error;
        struct bound_check check = {.space = space};
        assert_ok(board_parse(slide_grid(space), goals[i], &goal, &error), error);
        distances_init(&distances, slide_grid(space), &goal);
        each_reachable(&distances, check_bound, &check);
        assert_int_equal(check.boards, 181440);
        distances_clear(&distances);
        space_close(space);
    }
}

TEST(the_bound_is_consistent_on_sampled_larger_boards)
{
    static const char *const sizes[] = {"4x4", "3x5", "5x5", "6x7"};
    struct random random = {1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pz_space *space = solve_space(sizes[i], NULL);
        struct board board;
        uint64_t packed[PZ_STATE_MAX / 8];
        uint64_t next[DIRECTION_COUNT * PZ_STATE_MAX / 8];
        uint8_t tokens[DIRECTION_COUNT];
        for (unsigned j = 0; j < 3000; j++) {
            shuffle(&random, slide_grid(space), &board);
            slide_state(space, &board, packed);
            unsigned value = space->puzzle->heuristic(space, packed);
            unsigned count = space->puzzle->expand(space, packed, PZ_NO_TOKEN, next, tokens);
            for (unsigned k = 0; k < count; k++) {
                unsigned after = space->puzzle->heuristic(space, (uint8_t *)next + k * space->state_bytes);
                assert_true(after + 1 == value || value + 1 == after);
            }
        }
        space_close(space);
    }
}

TEST(two_tiles_in_each_others_way_cost_two_moves_more)
{
    static const struct {
        const char *board;
        unsigned value;
    } cases[] = {
        {"1,2,3/4,5,6/7,8,0", 0}, {"2,1,3/4,5,6/7,8,0", 4}, {"3,2,1/4,5,6/7,8,0", 4 + 4},
        {"1,2,3/4,5,6/8,7,0", 4}, {"4,2,3/1,5,6/7,8,0", 4},
    };
    struct pz_space *space = solve_space("3x3", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t packed;
        parse_state(space, cases[i].board, &packed);
        assert_int_equal(space->puzzle->heuristic(space, &packed), cases[i].value);
    }
    space_close(space);
}

/* ---- answers ---- */

TEST(every_answer_on_3x3_and_2x4_is_the_true_distance)
{
    static const char *const sizes[] = {"3x3", "2x4", "2x3"};
    struct random random = {2};
    for (size_t i = 0; i < 3; i++) {
        struct pz_space *space = solve_space(sizes[i], NULL);
        struct distances distances;
        struct board goal;
        board_default_goal(slide_grid(space), &goal);
        distances_init(&distances, slide_grid(space), &goal);
        for (unsigned j = 0; j < (SANITIZED ? 20 : 300); j++) {
            struct board board;
            struct solve_result result;
            uint64_t start;
            random_solvable(slide_grid(space), &goal, &board, &random);
            slide_state(space, &board, &start);
            assert_int_equal(solve_by(astar_run, space, &start, &result), distance_of(&distances, &board));
            assert_true(result.expanded > 0 || result.moves == 0);
        }
        distances_clear(&distances);
        space_close(space);
    }
}

TEST(it_agrees_with_idastar_on_larger_boards)
{
    static const char *const sizes[] = {"3x5", "5x5"};
    struct random random = {4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pz_space *space = solve_space(sizes[i], NULL);
        for (unsigned j = 0; j < (SANITIZED ? 2 : 20); j++) {
            struct board board;
            struct solve_result result;
            uint64_t start[PZ_STATE_MAX / 8];
            board_default_goal(slide_grid(space), &board);
            random_walk(slide_grid(space), &board, 40, &random);
            slide_state(space, &board, start);
            int64_t moves = solve_by(astar_run, space, start, &result);
            /* Too little for pattern databases, which would be built for each board again. */
            assert_int_equal(moves, solve_within((uint64_t)8 << 20, idastar_run, space, start, &result));
        }
        space_close(space);
    }
}

TEST(the_hardest_3x3_boards_take_31_moves)
{
    static const char *const hardest[] = {"8,6,7/2,5,4/3,0,1", "6,4,7/8,5,0/3,2,1"};
    struct pz_space *space = solve_space("3x3", NULL);
    for (size_t i = 0; i < 2; i++) {
        uint64_t start;
        struct solve_result result;
        parse_state(space, hardest[i], &start);
        assert_int_equal(solve_by(astar_run, space, &start, &result), 31);
    }
    space_close(space);
}

TEST(a_pair_without_a_way_is_known_after_all_was_seen)
{
    struct pz_space *space = solve_space("2x3", NULL);
    uint64_t start;
    struct solve_result result;
    parse_state(space, "2,1,3/4,5,0", &start);
    assert_int_equal(solve_by(astar_run, space, &start, &result), -1);
    assert_int_equal(result.solvable, PZ_NO);
    assert_int_equal(result.expanded, 360);
    space_close(space);
}

TEST(a_puzzle_without_a_bound_is_searched_by_distance)
{
    struct pz_puzzle blind = slide_puzzle;
    struct pz_space *space = solve_space("2x3", NULL);
    uint64_t start;
    struct pz_error error;
    struct solve_result result;
    parse_state(space, "4,5,0/1,2,3", &start);
    int64_t moves = solve_by(astar_run, space, &start, &result);
    uint64_t guided = result.expanded;
    blind.heuristic = NULL;
    blind.expand = space->puzzle->expand;
    struct solve_request request = {.space = space, .start = &start, .threads = 1};
    struct budget budget;
    struct control control = {0};
    budget_init(&budget, NULL, (uint64_t)64 << 20);
    request.budget = &budget;
    space->puzzle = &blind;
    memset(&result, 0, sizeof result);
    assert_ok(astar_run(&request, &control, &result, &error), error);
    space->puzzle = &slide_puzzle;
    assert_int_equal(result.moves, moves);
    assert_true(result.expanded > guided);
    free(result.path);
    space_close(space);
}

/* ---- limits ---- */

TEST(memory_that_runs_out_ends_it_as_stopped)
{
    static const uint64_t limits[] = {1000, (uint64_t)2 << 20, (uint64_t)10 << 20};
    struct pz_space *space = solve_space("4x4", NULL);
    uint64_t start;
    struct pz_error error;
    parse_state(space, "0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1", &start);
    for (size_t i = 0; i < 3; i++) {
        struct budget budget;
        struct control control = {0};
        struct solve_result result = {0};
        budget_init(&budget, NULL, limits[i]);
        struct solve_request request = {.space = space, .start = &start, .threads = 1, .budget = &budget};
        assert_ok(astar_run(&request, &control, &result, &error), error);
        assert_int_equal(result.outcome, OUTCOME_STOPPED);
        assert_int_equal(result.reason, STOP_MEMORY);
        assert_int_equal(result.moves, -1);
        assert_null(result.path);
        assert_true(atomic_load(&budget.peak) <= limits[i]);
        assert_int_equal(atomic_load(&budget.used), 0);
    }
    space_close(space);
}

TEST(it_ends_when_told_and_at_its_deadline)
{
    struct pz_space *space = solve_space("4x4", NULL);
    uint64_t start;
    struct pz_error error;
    struct budget budget;
    struct control control = {0};
    struct solve_result result = {0};
    parse_state(space, "0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1", &start);
    budget_init(&budget, NULL, (uint64_t)1 << 30);
    struct solve_request request = {.space = space, .start = &start, .threads = 1, .budget = &budget};
    atomic_store(&control.stop, true);
    assert_int_equal(astar_run(&request, &control, &result, &error), PZ_CANCELLED);
    atomic_store(&control.stop, false);
    assert_true(result.expanded <
                2048); /* it left while its table of states grew, which takes long later on */
    control.deadline = clock_seconds() + 0.05;
    assert_ok(astar_run(&request, &control, &result, &error), error);
    assert_int_equal(result.reason, STOP_TIME);
    assert_int_equal(atomic_load(&budget.used), 0);
    space_close(space);
}
