/* SPDX-License-Identifier: MIT */
/* Searches by bounds that are named, and by weights: what they find, held against shortest lengths of another
 * method. */
#include "solve_support.h"

#include "solve/bounds/named_bound.h"
#include "solve/solve.h"

#include <math.h>

struct asked {
    enum method method;
    const char *names;
    double weight;
};

static struct solve_result solve_asked(const struct pz_space *space, const uint64_t *start,
                                       const struct asked *asked)
{
    struct pz_error error;
    const struct solve_request request = {.space = space,
                                          .start = start,
                                          .method = asked->method,
                                          .threads = 1,
                                          .partition = asked->names,
                                          .weight = asked->weight};
    assert_ok(solve_check(&request, &error), error);
    struct solve_result result = solved_within(request, UINT64_C(1) << 30);
    if (result.path != NULL)
        assert_path(space, start, &result);
    solve_result_free(&result);
    return result;
}

static struct pz_space *scrambled(const char *size, unsigned walk, struct random *random, uint64_t *start)
{
    struct board board;
    struct pz_space *space = solve_space(size, NULL);
    board_default_goal(slide_grid(space), &board);
    random_walk(slide_grid(space), &board, walk, random);
    slide_state(space, &board, start);
    return space;
}

TEST(every_named_bound_and_their_maximum_find_the_shortest_length)
{
    static const struct {
        const char *size;
        const char *names[6];
    } questions[] = {
        {"3x3", {"manhattan", "linear-conflict", "walking-distance", "4-4", "manhattan,4-4", NULL}},
        {"2x5", {"linear-conflict", "walking-distance", "4-5", "walking-distance,4-5,linear-conflict", NULL}},
        {"4x3", {"walking-distance", "5-6", "linear-conflict,walking-distance", NULL}},
        {"4x4", {"walking-distance", "linear-conflict", NULL}},
    };
    static const enum method methods[] = {METHOD_ASTAR, METHOD_IDASTAR};
    struct random random = {48};
    for (size_t i = 0; i < (SANITIZED ? 2 : sizeof questions / sizeof *questions); i++) {
        for (unsigned board = 0; board < (SANITIZED ? 1 : 3); board++) {
            uint64_t start[PZ_STATE_MAX / 8];
            struct pz_space *space = scrambled(questions[i].size, 30, &random, start);
            const struct asked plain = {.method = METHOD_BIDIRECTIONAL};
            const int64_t shortest = solve_asked(space, start, &plain).moves;
            for (unsigned n = 0; questions[i].names[n] != NULL; n++)
                for (size_t m = 0; m < 2 && shortest > 0; m++) {
                    const struct asked asked = {methods[m], questions[i].names[n], 0};
                    const struct solve_result found = solve_asked(space, start, &asked);
                    assert_int_equal(found.moves, shortest);
                    assert_string_equal(found.partition, asked.names);
                    assert_true(found.method == methods[m] && found.bound <= 0);
                }
            space_close(space);
        }
    }
}

TEST(the_table_of_walking_distances_tells_what_searches_find)
{
    static const char *const sizes[] = {"3x3", "2x6", "4x4"};
    struct random random = {5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t start[PZ_STATE_MAX / 8];
        struct board goal;
        struct budget budget;
        struct pz_error error;
        struct walking_table *table = NULL;
        struct pz_space *space = scrambled(sizes[i], 3, &random, start);
        const struct grid *grid = slide_grid(space);
        budget_init(&budget, NULL, UINT64_C(1) << 28);
        slide_board(space, start, &goal); /* as good as any */
        assert_ok(walking_table_new(grid, &goal, &budget, NULL, &table, &error), error);
        for (unsigned board = 0; board < 10; board++) {
            struct board far = goal;
            unsigned distance = 0;
            random_walk(grid, &far, 40, &random);
            assert_ok(walking_distance(grid, &goal, &far, &budget, &distance, &error), error);
            assert_int_equal(walking_table_value(table, &far), distance);
        }
        walking_table_free(table);
        assert_int_equal(atomic_load(&budget.used), 0);
        space_close(space);
    }
}

TEST(an_answer_by_gaps_says_so)
{
    static const enum method methods[] = {METHOD_ASTAR, METHOD_IDASTAR};
    for (size_t i = 0; i < 2; i++) {
        uint64_t start[PZ_STATE_MAX / 8];
        struct pz_error error;
        struct pz_space *space = NULL;
        const struct pz_setup setup = {0};
        const struct asked asked = {methods[i], "gaps", 0};
        assert_ok(space_open("pancake:8", &setup, &space, &error), error);
        parse_state(space, "3,1,2,8,7,6,5,4", start);
        const struct solve_result found = solve_asked(space, start, &asked);
        assert_int_equal(found.moves, 5);
        assert_string_equal(found.partition, "gaps");
        space_close(space);
    }
}

TEST(what_is_no_bound_of_the_puzzle_is_refused)
{
    static const struct {
        const char *puzzle, *names;
        enum pz_status status;
    } cases[] = {
        {"3x3", "manhattan,", PZ_BAD_REQUEST},
        {"3x3", "", PZ_BAD_REQUEST},
        {"3x3", ",", PZ_BAD_REQUEST},
        {"3x3", "gaps", PZ_BAD_REQUEST},
        {"3x3", "manhattan,5-5", PZ_BAD_REQUEST},
        {"3x3", "manhattan,manhattan,manhattan,manhattan,manhattan", PZ_BAD_REQUEST},
        {"3x3", "manhattan,linear-conflict,walking-distance,4-4", PZ_OK},
        {"pancake:6", "gaps", PZ_OK},
        {"pancake:6", "manhattan", PZ_BAD_REQUEST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pz_error error;
        struct pz_space *space = NULL;
        const struct pz_setup setup = {0};
        assert_ok(space_open(cases[i].puzzle, &setup, &space, &error), error);
        const struct solve_request request = {
            .space = space, .method = METHOD_ASTAR, .partition = cases[i].names};
        assert_int_equal(solve_check(&request, &error), cases[i].status);
        space_close(space);
    }
}

/* ---- weights ---- */

TEST(what_is_found_by_a_weight_is_as_good_as_is_told)
{
    static const char *const sizes[] = {"3x3", "3x4", "2x5"};
    static const double weights[] = {1, 1.2, 1.5, 2, 5, INFINITY};
    static const enum method methods[] = {METHOD_ASTAR, METHOD_IDASTAR};
    struct random random = {15};
    unsigned longer = 0, proven = 0;
    for (unsigned i = 0; i < (SANITIZED ? 3 : 30); i++) {
        uint64_t start[PZ_STATE_MAX / 8];
        struct pz_space *space = scrambled(sizes[i % 3], 60, &random, start);
        const struct asked plain = {.method = METHOD_BIDIRECTIONAL};
        const int64_t shortest = solve_asked(space, start, &plain).moves;
        for (unsigned n = 0; n < 12 && shortest > 0; n++) {
            const struct asked asked = {methods[n % 2], n % 4 < 2 ? NULL : "manhattan", weights[n / 2]};
            if (isinf(asked.weight) && asked.method == METHOD_IDASTAR)
                continue;
            const struct solve_result found = solve_asked(space, start, &asked);
            assert_true(found.moves >= shortest && (double)found.moves <= asked.weight * (double)shortest);
            if (found.bound > 0) {
                assert_true(found.at_least <= shortest && found.at_least < found.moves);
                assert_true(found.bound <= asked.weight &&
                            found.bound >= (double)found.moves / (double)shortest);
            } else {
                assert_int_equal(found.moves, shortest);
                proven += asked.weight > 1;
            }
            longer += found.moves > shortest;
        }
        space_close(space);
    }
    assert_true(SANITIZED || (longer > 10 && proven > 10));
}

/* 6x7 has the most cells. */
TEST(a_great_weight_solves_boards_that_no_shortest_search_reaches)
{
    struct random random = {77};
    for (unsigned i = 0; i < (SANITIZED ? 1 : 6); i++) {
        uint64_t start[PZ_STATE_MAX / 8];
        struct pz_space *space = scrambled(i % 2 == 0 ? "6x6" : "6x7", 20000, &random, start);
        const struct asked asked = {.method = METHOD_AUTO, .weight = 10};
        const struct solve_result found = solve_asked(space, start, &asked);
        assert_true(found.solvable == PZ_YES && found.method == METHOD_ASTAR && found.expanded < 300000);
        assert_true(found.at_least >= 100 && found.moves > found.at_least && found.bound > 1);

        space_close(space);
    }
}

TEST(a_weight_is_a_number_from_1_on_or_inf)
{
    static const char *const wrong[] = {"", "0.9", "101", "-2", "nan", "1.5x", "infinity"};
    struct pz_error error;
    double weight = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(solve_read_weight(wrong[i], &weight, &error), PZ_BAD_REQUEST);
    assert_ok(solve_read_weight("inf", &weight, &error), error);
    assert_true(isinf(weight));
    assert_ok(solve_read_weight("1.25", &weight, &error), error);
    assert_true(weight > 1.2 && weight < 1.3);
}
