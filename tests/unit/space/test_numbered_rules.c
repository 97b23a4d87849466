/* SPDX-License-Identifier: MIT */
/* The spaces that number their states: pancakes, TopSpin, Hanoi. */
#include "plain_search.h"

#include "base/random.h"

static const char *const puzzles[] = {
    "pancake:2",   "pancake:6",           "pancake:7",           "pancake:8",           "pancake:10",
    "pancake:13",  "pancake:2,burnt:yes", "pancake:5,burnt:yes", "pancake:7,burnt:yes", "pancake:9,burnt:yes",
    "topspin:4,2", "topspin:9,4",         "topspin:12,4",        "hanoi:3,1",           "hanoi:3,9",
    "hanoi:5,6",   "hanoi:8,20"};
enum { PUZZLES = sizeof puzzles / sizeof *puzzles, PROBES = 3000 };

/* Returns some numbers in ascending order: all if they are few. */
static uint64_t probe(uint64_t count, uint64_t i)
{
    __extension__ typedef unsigned __int128 wide;
    return count <= PROBES ? i : (uint64_t)((wide)count * i / PROBES);
}

TEST(every_number_is_that_of_the_state_it_stands_for)
{
    for (unsigned i = 0; i < PUZZLES; i++) {
        struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
        const uint64_t count = space_count(space);
        assert_true(count > 0);
        for (uint64_t k = 0; k < PROBES && k < count; k++) {
            uint64_t one[PZ_STATE_MAX / 8] = {0};
            space->puzzle->unrank(space, probe(count, k), one);
            assert_int_equal(space->puzzle->rank(space, one), probe(count, k));
        }
        space_close(space);
    }
}

/* Each state that plain search reaches has a number of its own. */
TEST(reached_states_have_different_numbers)
{
    static const char *const whole[] = {"pancake:6", "pancake:4,burnt:yes", "topspin:7,4", "hanoi:3,6"};
    for (unsigned i = 0; i < 4; i++) {
        struct plain_search search;
        uint64_t root[PZ_STATE_MAX / 8];
        struct pz_space *space = plain_open(whole[i], NULL, NULL, NULL, NULL);
        const uint64_t count = space_count(space);
        bool *seen = calloc(count, sizeof *seen);
        assert_non_null(seen);
        space->puzzle->goal(space, root);
        plain_explore(&search, space, root, false);
        for (size_t k = 0; k < search.count; k++) {
            const uint64_t number = space->puzzle->rank(space, plain_state(&search, k));
            assert_true(number < count && !seen[number]);
            seen[number] = true;
        }
        free(seen);
        plain_free(&search);
        space_close(space);
    }
}

/* Returns the number that a move carries a number to. */
static uint64_t carried(const struct pz_runs *runs, unsigned move, uint64_t number)
{
    const uint64_t row = number / runs->columns % runs->rows, column = number % runs->columns;
    struct pz_edge edge;
    runs->edge(runs, move, number / runs->columns / runs->rows, &edge);
    const uint64_t to_row = edge.rows != NULL ? edge.rows[row] / pz_row_positions(runs->columns) : row;
    const uint64_t to_column = edge.columns != NULL ? edge.columns[column] : column;
    return (edge.outer * runs->rows + to_row) * runs->columns + to_column;
}

/* A move of runs goes where expand on states goes, and its inverse comes back. */
TEST(a_move_carries_numbers_as_it_does_states)
{
    for (unsigned i = 0; i < PUZZLES; i++) {
        struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
        struct pz_runs *runs = space_runs(space);
        const uint64_t count = space_count(space);
        assert_true(runs == NULL || runs->prepare(runs));
        assert_true(runs == NULL || runs->outers * runs->rows * runs->columns == count);
        for (unsigned move = 0; runs != NULL && move < space->max_successors; move++) {
            for (unsigned k = 0; k < PROBES && k < count; k++) {
                uint64_t one[PZ_STATE_MAX / 8] = {0}, successors[32];
                uint8_t tokens[32];
                const uint64_t number = probe(count, k), next = carried(runs, move, number);
                space->puzzle->unrank(space, number, one);
                assert_int_equal(space->puzzle->expand(space, one, PZ_NO_TOKEN, successors, tokens),
                                 space->max_successors);
                assert_int_equal(next, space->puzzle->rank(space, &successors[move]));
                assert_int_equal(carried(runs, runs->inverse(runs, move), next), number);
            }
        }
        if (runs != NULL)
            runs->close(runs);
        space_close(space);
    }
}

/* Expanding with a token leaves out only the way back. Gaps never overestimate or fall by more than one. */
TEST(moves_can_be_undone_and_gaps_are_consistent)
{
    static const char *const walks[] = {"pancake:9",
                                        "pancake:6,burnt:yes",
                                        "hanoi:4,6",
                                        "topspin:8,3",
                                        "topspin:7,4",
                                        "pancake:7,goal:3:1:7:2:6:4:5",
                                        "pancake:5,burnt:yes,goal:3:-1:5:-2:4",
                                        "hanoi:4,6,goal:1:2:2:4:3:1",
                                        "topspin:7,4,goal:1:4:2:7:3:6:5"};
    struct random random = {5};
    for (unsigned i = 0; i < sizeof walks / sizeof *walks; i++) {
        struct pz_space *space = plain_open(walks[i], NULL, NULL, NULL, NULL);
        uint64_t at[PZ_STATE_MAX / 8] = {0}, successors[32], back[32];
        uint8_t tokens[32], other[32];
        space->puzzle->goal(space, at);
        assert_true(space->puzzle->is_goal(space, at));
        assert_int_equal(space->puzzle->heuristic(space, at), 0);
        for (unsigned step = 0; step < 500; step++) {
            const unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
            for (unsigned k = 0; k < count; k++) {
                bool found = false, left_out = tokens[k] != PZ_NO_TOKEN;
                unsigned ways = space->puzzle->expand(space, &successors[k], PZ_NO_TOKEN, back, other);
                for (unsigned j = 0; j < ways; j++)
                    found |= back[j] == at[0];
                assert_true(found);
                ways = space->puzzle->expand(space, &successors[k], tokens[k], back, other);
                for (unsigned j = 0; j < ways && left_out; j++)
                    assert_true(back[j] != at[0]);
                const int change = (int)space->puzzle->heuristic(space, &successors[k]) -
                                   (int)space->puzzle->heuristic(space, at);
                assert_true(change >= -1 && change <= 1);
            }
            at[0] = successors[random_below(&random, count)];
        }
        space_close(space);
    }
}

/* Another goal is another puzzle; the usual one is not written. A goal has as many states at each distance as
 * any other where the pieces only change their names. */
TEST(a_goal_is_part_of_the_name_and_levels_begin_there)
{
    static const struct {
        const char *puzzle, *goal, *name;
        bool alike;
    } goals[] = {
        {"pancake:6", "2,1,3,6,5,4", "6,goal:2:1:3:6:5:4", true},
        {"pancake:6", "1,2,3,4,5,6", "6", true},
        {"pancake:4,burnt:yes", "2,-1,4,-3", "4,burnt:yes,goal:2:-1:4:-3", true},
        {"topspin:7,4", "3,1,2,4,5,7,6", "7,4,goal:1:2:4:5:7:6:3", true},
        {"pancake:5", "1:0:3:2:4", "5,goal:2:1:4:3:5", true},         /* 0 the smallest, colons as in names */
        {"topspin:6,3", "1,3,2,4,5,6", "6,3,goal:1:3:2:4:5:6", true}, /* which 12 of 120 reach */
        {"hanoi:4,5", "1,1,1,1,1", "4,5,goal:1:1:1:1:1", true},
        {"hanoi:3,5", "3,3,3,3,3", "3,5", true},
        {"hanoi:3,5", "1,2,1,2,3", "3,5,goal:1:2:1:2:3", false}};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        struct plain_search usual, other;
        struct pz_space *plain = plain_open(goals[i].puzzle, NULL, NULL, NULL, NULL);
        struct pz_space *space = plain_open(goals[i].puzzle, NULL, goals[i].goal, NULL, NULL);
        assert_string_equal(space->size, goals[i].name);
        plain_explore_own(&usual, plain);
        plain_explore_own(&other, space);
        assert_int_equal(other.count, usual.count);
        assert_int_equal(other.goal_depth, 0);
        if (goals[i].alike)
            assert_memory_equal(other.level, usual.level, sizeof usual.level);
        for (size_t k = 0; k < other.count; k++) {
            const uint8_t *at = plain_state(&other, k);
            assert_true(space->puzzle->rank(space, at) < space_count(space));
            assert_true(space->puzzle->heuristic(space, at) <= other.depths[k]);
        }
        plain_free(&usual);
        plain_free(&other);
        space_close(space);
        space_close(plain);
    }
    plain_assert_refused(PZ_BAD_BOARD, "each of 1 to 6 is there once", "pancake:6", NULL, "1,2,3,4,5,5", NULL,
                         NULL);
}

/* Frame and Stewart's numbers are optimal for four pegs (Bousch 2014); for three 2^n − 1. */
TEST(towers_take_as_many_moves_as_published)
{
    static const int64_t four[] = {1, 3, 5, 9, 13, 17, 25};
    for (unsigned discs = 1; discs <= 7; discs++) {
        char puzzle[32], start[32] = "1";
        for (unsigned i = 1; i < discs; i++)
            (void)strcat(start, ",1");
        (void)snprintf(puzzle, sizeof puzzle, "hanoi:4,%u", discs);
        struct plain_search search;
        uint64_t root[PZ_STATE_MAX / 8] = {0};
        struct pz_space *space = plain_open(puzzle, NULL, NULL, NULL, NULL);
        parse_state(space, start, root);
        plain_explore(&search, space, root, true);
        assert_int_equal(search.goal_depth, four[discs - 1]);
        plain_free(&search);
        space_close(space);
    }
}

/* Fills in how many flips sort the stack of each number: level by level, by runs. */
static void count_flips(const struct pz_space *space, uint64_t count, uint8_t *flips)
{
    uint64_t goal[PZ_STATE_MAX / 8] = {0};
    struct pz_runs *runs = space_runs(space);
    assert_true(runs != NULL && runs->prepare(runs));
    memset(flips, UINT8_MAX, count);
    space->puzzle->goal(space, goal);
    flips[space->puzzle->rank(space, goal)] = 0;
    uint64_t known = 1;
    for (uint8_t level = 0; known < count; level++) {
        for (uint64_t number = 0; number < count; number++) {
            for (unsigned move = 0; flips[number] == level && move < space->max_successors; move++) {
                uint8_t *next = &flips[carried(runs, move, number)];
                known += *next == UINT8_MAX;
                *next = *next == UINT8_MAX ? (uint8_t)(level + 1) : *next;
            }
        }
    }
    runs->close(runs);
}

/* All 3,628,800 stacks of ten by what the gaps lack: table 1 of D. Yang, "Improved Heuristics for Solving the
 * Pancake Problem" (University of Toronto, with R. Valenzano and S. McIlraith). */
TEST(gaps_fall_short_on_as_many_stacks_as_published)
{
    static const uint64_t published[] = {1717763, 1710742, 194280, 5924, 91};
    uint64_t stacks[5] = {0};
    struct pz_space *space = plain_open("pancake:10", NULL, NULL, NULL, NULL);
    const uint64_t count = space_count(space);
    uint8_t *flips = malloc(count);
    assert_non_null(flips);
    count_flips(space, count, flips);
    for (uint64_t number = 0; number < count; number++) {
        uint64_t stack[PZ_STATE_MAX / 8] = {0};
        space->puzzle->unrank(space, number, stack);
        const unsigned gaps = space->puzzle->heuristic(space, stack);
        assert_in_range(flips[number], gaps, gaps + 4);
        stacks[flips[number] - gaps]++;
    }
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(stacks[i], published[i]);
    free(flips);
    space_close(space);
}
