/* SPDX-License-Identifier: MIT */
/* The rule by which a puzzle itself says that a state has no solution, in words. */
#include "plain_search.h"

#include "space/reason.h"

static void expect_reason(const char *puzzle, const char *opening, const char *goal, const char *start,
                          const char *begins)
{
    char line[PZ_TEXT_MAX];
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    struct pz_space *space = plain_open(puzzle, opening, goal, NULL, NULL);
    if (start != NULL)
        assert_ok(space->puzzle->parse(space, start, state, &error), error);
    else
        assert_ok(space->puzzle->root(space, state, &error), error);
    assert_int_equal(space->puzzle->solvable(space, state), PZ_NO);
    space_reason(space, state, line);
    assert_memory_equal(line, begins, strlen(begins));
    space_close(space);
}

static void each_puzzle_names_its_own_rule(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_puzzle_names_its_own_rule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
