/* SPDX-License-Identifier: MIT */
/* The rule by which a puzzle itself says that a state has no solution, in words. */
#include "plain_search.h"

#include "base/random.h"
#include "space/reason.h"

enum { SIDE = 4, BOARDS = 6000 };

static void expect_reason(const char *puzzle, const char *opening, const char *goal, const char *start,
                          const char *begins)
{
    char line[PZ_TEXT_MAX];
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    struct pz_space *space = plain_open(puzzle, opening, goal, NULL, NULL);
    if (start != NULL)
        parse_state(space, start, state);
    else
        assert_ok(space->puzzle->root(space, state, &error), error);
    assert_int_equal(space->puzzle->solvable(space, state), PZ_NO);
    assert_true(space_reason(space, state, line));
    assert_memory_equal(line, begins, strlen(begins));
    space_close(space);
}

TEST(each_puzzle_names_its_own_rule)
{
    expect_reason("slide:3x3", NULL, NULL, "2,1,3/4,5,6/7,8,0",
                  "1 pair of tiles is out of order, an odd number; with 3 columns every move keeps it odd");
    expect_reason(
        "slide:2x2", NULL, "1,2/3,0", "2,1/3,0",
        "1 pair of tiles is out of order, the blank is 0 rows from its place: together an odd number");
    expect_reason("slide:2x2", NULL, "1,2/3,0", "1,0/2,3",
                  "0 pairs of tiles are out of order, the blank is 1 row from its place");
    expect_reason("slide:1x4", NULL, NULL, "2,1,3,0", "tiles in one row keep their order");
    expect_reason("slide:3x3", "#,1,2/3,4,5/6,7,0", "#,1,2/3,4,5/6,7,0", "#,2,1/3,4,5/6,7,0",
                  "each move exchanges the blank");
    expect_reason("slide:3x3", NULL, "2,1,3/4,#,5/7,6,0", "1,2,3/4,#,5/6,7,0",
                  "tiles in a ring only go round");
    expect_reason("slide:2x4", NULL, "1,2,3,4/5,6,0,#", "4,2,3,1/5,6,0,#",
                  "a tile or the blank is in a part of the board that it cannot leave");
    expect_reason("jugs:4,6", NULL, "5", NULL, "the goal breaks what no move changes");
    expect_reason("jugs:4,6", NULL, "8", NULL, "the goal is more than the jugs hold");
    expect_reason("sokoban", "#####/#@  #/#  $#/#. ##/#####", NULL, NULL,
                  "the box in row 2, column 3 is dead there");
    expect_reason("sokoban", "#######/#@$$..#/#######/#######", NULL, NULL,
                  "a box that is on no goal can never");
    expect_reason("rushhour", "AA.BB./....../....../....../....../......", NULL, NULL,
                  "car B keeps to the lane of the car that leaves");
    expect_reason("rushhour", "AA.x../....../....../....../....../......", NULL, NULL,
                  "a wall is in the lane");
}

/* ---- blocks that can never pass ---- */

static void expect_blocked(const char *puzzle, const char *board, const char *goal, const char *reason)
{
    char line[PZ_TEXT_MAX] = "";
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    struct pz_space *space = plain_open(puzzle, board, goal, NULL, NULL);
    assert_ok(space->puzzle->root(space, state, &error), error);
    assert_int_equal(space_reason(space, state, line), *reason != '\0');
    assert_string_equal(line, reason);
    space_close(space);
}

TEST(two_blocks_that_can_never_pass_are_named)
{
    expect_blocked("klotski", "AA../AA../BBBC/..../....", "A:3:1",
                   "block A at row 0, column 0 can never pass block B at row 2, column 0, even if no other "
                   "were there");
    expect_blocked("klotski", "AA../AA../BB.C/..../....", "A:3:1", "");
    expect_blocked("klotski", "AB./###", "A:0:2",
                   "block A at row 0, column 0 can never pass block N at row 0, column 1, even if no other "
                   "were there");
    expect_blocked("klotski", "AB./...", "A:0:1+B:0:0", "");
    expect_blocked("klotski", "AB./##.", "A:0:1+B:0:0",
                   "block A at row 0, column 0 can never pass block B at row 0, column 1, even if no other "
                   "were there");
    expect_blocked("klotski", "AA..../AA.#..", "A:0:4",
                   "block A at row 0, column 0 cannot reach its goal, even if no other were there");
    expect_blocked("klotski", "AA.B/AA.B", NULL, "");
    expect_blocked("rushhour", "AA.B/...B/...B", NULL,
                   "car A at row 0, column 0 can never pass car B at row 0, column 3, even if no other were "
                   "there");
    expect_blocked("rushhour", "AA.B/...B/....", NULL, "");
}

/* Puts up to so many blocks, A first, among walls. Returns false if one has no room. */
static bool throw_blocks(struct random *random, unsigned blocks, char out[SIDE * (SIDE + 1)])
{
    const unsigned rows = 2 + (unsigned)random_below(random, SIDE - 1),
                   columns = 2 + (unsigned)random_below(random, SIDE - 1);
    for (unsigned i = 0; i < rows * (columns + 1); i++)
        out[i] = (char)(i % (columns + 1) == columns ? '/' : random_below(random, 9) == 0 ? '#' : '.');
    out[rows * (columns + 1) - 1] = '\0';
    for (unsigned block = 0, tries = 0; block < blocks; tries++) {
        const unsigned high = 1 + (unsigned)random_below(random, 2),
                       wide = 1 + (unsigned)random_below(random, 3);
        const unsigned row = (unsigned)random_below(random, rows),
                       column = (unsigned)random_below(random, columns);
        bool free = row + high <= rows && column + wide <= columns;
        for (unsigned i = 0; free && i < high * wide; i++)
            free = out[(row + i / wide) * (columns + 1) + column + i % wide] == '.';
        for (unsigned i = 0; free && i < high * wide; i++)
            out[(row + i / wide) * (columns + 1) + column + i % wide] = (char)('A' + block);
        block += free;
        if (tries == 100)
            return false;
    }
    return true;
}

/* Holds the reason for a random board against a plain search. Returns true if there is one. */
static bool check_thrown(struct random *random, unsigned blocks)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    struct plain_search search;
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    char board[SIDE * (SIDE + 1)], goal[32], line[PZ_TEXT_MAX] = "";
    const unsigned a = (unsigned)random_below(random, SIDE * SIDE),
                   b = (unsigned)random_below(random, SIDE * SIDE);
    (void)snprintf(goal, sizeof goal, random_below(random, 2) == 0 ? "A:%u:%u" : "A:%u:%u+B:%u:%u", a / SIDE,
                   a % SIDE, b / SIDE, b % SIDE);
    if (!throw_blocks(random, blocks, board) ||
        plain_try_open(&space, "klotski", board, goal, NULL, NULL, &error) != PZ_OK)
        return false;
    assert_ok(space->puzzle->root(space, state, &error), error);
    plain_explore_own(&search, space);
    const bool told = space_reason(space, state, line);
    if ((told && search.goal_depth >= 0) || (!told && search.goal_depth < 0 && blocks == 2))
        fail_msg("%s goal=%s: depth %d, reason '%s'", board, goal, (int)search.goal_depth, line);
    plain_free(&search);
    space_close(space);
    return told;
}

TEST(no_board_with_a_solution_has_a_reason_and_each_two_blocks_without_one_have)
{
    struct random random = {.state = 50};
    unsigned told = 0;
    for (unsigned i = 0; i < BOARDS; i++)
        told += check_thrown(&random, 2 + i % 3);
    assert_in_range(told, BOARDS / 20, BOARDS);
}
