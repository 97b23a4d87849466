/* SPDX-License-Identifier: MIT */
/* Walking distance: the published histograms, and a lower bound that Manhattan distance does not exceed. */
#include "solve_support.h"

#include "solve/bounds/named_bound.h"

/* The levels of an axis, as in the file: " 0:1 1:1 2:2 …". */
static void check_levels(const struct grid *grid, unsigned row, const char *published)
{
    struct walking walking;
    struct plain_search search;
    struct board goal;
    board_ordered(grid, row * grid->columns, &goal);
    assert_true(walking_init(&walking, grid, &goal, WALKING_ROWS));
    plain_explore(&search, &walking.ends.base, walking.ends.goal, false);
    const char *at = strstr(published, " 0:");
    for (unsigned level = 0; level < search.levels; level++) {
        const char *expected = text_of(" %u:%llu", level, (unsigned long long)search.level[level]);
        if (strncmp(at, expected, strlen(expected)) != 0)
            fail_msg("%ux%u row %u: %s is not at the beginning of %s", grid->rows, grid->columns, row,
                     expected, at);
        at += strlen(expected);
    }
    assert_int_equal(at[strspn(at, " \n")], '\0');
    plain_free(&search);
}

TEST(the_levels_of_an_axis_are_the_published_ones)
{
    char line[1024];
    FILE *file = test_data("walking_distance.txt");
    unsigned checked = 0;
    unsigned side = 0;
    unsigned row = 0;
    while (test_data_line(file, line, sizeof line)) {
        struct grid grid;
        const char *of = strstr(line, "blank goal row ");
        if (of != NULL) {
            side = (unsigned)strtoul(line, NULL, 10);
            row = (unsigned)strtoul(of + strlen("blank goal row "), NULL, 10);
            continue;
        }
        assert_int_equal(grid_init(&grid, side, side, NULL), PZ_OK);
        check_levels(&grid, row, line);
        checked++;
    }
    assert_int_equal(checked, 5);
    (void)fclose(file);
}

static unsigned manhattan_of(const struct grid *grid, const struct board *goal, const struct board *board)
{
    unsigned sum = 0;
    for (int a = 0; a < grid->cells; a++)
        for (int b = 0; b < grid->cells; b++)
            if (board->tile[a] == goal->tile[b] && board->tile[a] != BOARD_BLANK)
                sum += (unsigned)(abs(a / grid->columns - b / grid->columns) +
                                  abs(a % grid->columns - b % grid->columns));
    return sum;
}

struct check {
    struct board goal;
    unsigned seen, better;
};

static void check_board(void *context, const struct board *board, unsigned distance)
{
    struct check *check = context;
    struct grid grid;
    struct budget budget;
    struct pz_error error;
    unsigned walked = 0;
    if (check->seen++ % 200 != 0)
        return;
    budget_init(&budget, NULL, 16 << 20);
    assert_int_equal(grid_init(&grid, 3, 3, NULL), PZ_OK);
    assert_ok(walking_distance(&grid, &check->goal, board, &budget, &walked, &error), error);
    unsigned manhattan = manhattan_of(&grid, &check->goal, board);
    assert_true(walked <= distance && walked % 2 == distance % 2);
    assert_true(walked >= manhattan);
    check->better += walked > manhattan;
}

TEST(it_lies_between_manhattan_distance_and_the_true_one)
{
    struct grid grid;
    struct distances distances;
    struct check check = {0};
    assert_int_equal(grid_init(&grid, 3, 3, NULL), PZ_OK);
    board_default_goal(&grid, &check.goal);
    distances_init(&distances, &grid, &check.goal);
    each_reachable(&distances, check_board, &check);
    assert_true(check.better > 300);
    distances_clear(&distances);
}

TEST(boards_that_are_too_long_have_none)
{
    struct grid grid;
    struct board goal;
    struct budget budget;
    unsigned walked = 0;
    budget_init(&budget, NULL, 1 << 20);
    assert_int_equal(grid_init(&grid, 2, 8, NULL), PZ_OK);
    board_default_goal(&grid, &goal);
    assert_int_equal(walking_distance(&grid, &goal, &goal, &budget, &walked, NULL), PZ_UNSUPPORTED);
}
