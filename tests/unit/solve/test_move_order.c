/* SPDX-License-Identifier: MIT */
/* Counts that depend on the order of moves: published ones, and those of a plain IDA* of another make. */
#include "solve_support.h"

#include "solve/idastar/walk/idastar_kernel.h"
#include "solve/solve.h"
#include "solve/solver.h"

static const struct solve_result *solve_in_order(const struct pz_space *space, const uint64_t *start,
                                                 const char *partition, const char *order, bool forget)
{
    static struct solve_result result;
    const struct solve_request request = {.space = space,
                                          .start = start,
                                          .method = METHOD_IDASTAR,
                                          .threads = 2,
                                          .partition = partition,
                                          .order = order,
                                          .forget = forget};
    result = solved_within(request, UINT64_C(1) << 30);
    assert_path(space, start, &result);
    uint64_t sum = 0;
    for (unsigned i = 0; i < result.iterations.count; i++) {
        assert_true(i == 0 || result.iterations.each[i].bound == result.iterations.each[i - 1].bound + 2);
        sum += result.iterations.each[i].generated;
    }
    assert_int_equal(sum, result.generated);
    assert_int_equal(result.iterations.each[result.iterations.count - 1].bound, result.moves);
    solve_result_free(&result);
    return &result;
}

/* The published numbers count the start, too. */
TEST(korfs_nodes_of_1985_come_out_to_the_last_digit)
{
    enum { EASY = 1100000, BOARDS = 5 };
    struct test_rows rows;
    struct pz_space *space = solve_space("4x4", KORF15_GOAL);
    unsigned easy = 0;
    test_rows_open(&rows, "korf15.csv", "id,board,md,optimal,korf_nodes");
    while (test_rows_next(&rows, 5)) {
        uint64_t start[PZ_STATE_MAX / 8];
        if (test_number(rows.field[4]) > (SANITIZED ? 600000 : EASY))
            continue;
        easy++;
        parse_state(space, rows.field[1], start);
        const struct solve_result *result = solve_in_order(space, start, IDASTAR_MANHATTAN, "ULRD", true);
        assert_int_equal(result->moves, test_number(rows.field[3]));
        assert_int_equal(result->generated + 1, test_number(rows.field[4]));
    }
    test_rows_close(&rows, 100);
    assert_int_equal(easy, SANITIZED ? 2 : BOARDS);
    space_close(space);
}

/* ---- a plain search ---- */

struct plain {
    const struct grid *grid;
    struct board board, goal;
    enum direction order[DIRECTION_COUNT];
    unsigned bound;
    uint64_t generated;
};

static unsigned plain_distance(const struct plain *plain)
{
    unsigned sum = 0;
    for (unsigned from = 0; from < plain->grid->cells; from++)
        for (unsigned to = 0; to < plain->grid->cells && plain->board.tile[from] != BOARD_BLANK; to++)
            if (plain->goal.tile[to] == plain->board.tile[from])
                sum += (unsigned)abs((int)(from / plain->grid->columns) - (int)(to / plain->grid->columns)) +
                       (unsigned)abs((int)(from % plain->grid->columns) - (int)(to % plain->grid->columns));
    return sum;
}

static bool plain_walk(struct plain *plain, unsigned depth, unsigned last)
{
    if (plain_distance(plain) == 0)
        return true;
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) {
        const enum direction d = plain->order[i];
        if ((depth > 0 && d == direction_inverse((enum direction)last)) ||
            !board_move(plain->grid, &plain->board, d))
            continue;
        plain->generated++;
        if (depth + 1 + plain_distance(plain) <= plain->bound && plain_walk(plain, depth + 1, d))
            return true;
        (void)board_move(plain->grid, &plain->board, direction_inverse(d));
    }
    return false;
}

static uint64_t plain_count(struct plain *plain, const struct board *start)
{
    plain->generated = 0;
    plain->board = *start;
    plain->bound = plain_distance(plain);
    while (!plain_walk(plain, 0, 0)) {
        plain->board = *start;
        plain->bound += 2;
    }
    return plain->generated;
}

/* Writes one of the 24 orders. */
static void write_order(unsigned number, struct plain *plain, char text[DIRECTION_COUNT + 1])
{
    enum direction left[DIRECTION_COUNT] = {DIRECTION_UP, DIRECTION_DOWN, DIRECTION_LEFT, DIRECTION_RIGHT};
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) {
        const unsigned at = number % (DIRECTION_COUNT - i);
        number /= DIRECTION_COUNT - i;
        plain->order[i] = left[at];
        left[at] = left[DIRECTION_COUNT - 1 - i];
        text[i] = direction_letter(plain->order[i]);
    }
    text[DIRECTION_COUNT] = '\0';
}

/* Goals with their blank anywhere: most are searched on another grid, turned or reflected. */
TEST(any_order_to_any_goal_counts_as_a_plain_search)
{
    static const char *const sizes[] = {"3x3", "2x4", "4x2", "3x4"};
    struct random random = {24};
    for (unsigned i = 0; i < (SANITIZED ? 24 : 96); i++) {
        struct plain plain;
        struct board start;
        char order[DIRECTION_COUNT + 1];
        char goal[BOARD_TEXT_MAX];
        uint64_t state_of[PZ_STATE_MAX / 8];
        struct pz_space *space = solve_space(sizes[i % 4], NULL);
        plain.grid = slide_grid(space);
        board_default_goal(plain.grid, &plain.goal);
        random_walk(plain.grid, &plain.goal, 30, &random);
        start = plain.goal;
        random_walk(plain.grid, &start, 24, &random);
        board_format(plain.grid, &plain.goal, goal);
        space_close(space);
        space = solve_space(sizes[i % 4], goal);
        plain.grid = slide_grid(space);
        slide_state(space, &start, state_of);
        write_order(i, &plain, order);
        if (memcmp(&start, &plain.goal, sizeof start) != 0)
            assert_int_equal(solve_in_order(space, state_of, IDASTAR_MANHATTAN, order, false)->generated,
                             plain_count(&plain, &start));
        space_close(space);
    }
}

TEST(without_a_memory_of_boards_databases_generate_more)
{
    uint64_t start[PZ_STATE_MAX / 8];
    struct pz_space *space = solve_space("3x4", NULL);
    parse_state(space, "0,8,6,9/11,7,10,1/4,3,2,5", start);
    const uint64_t usual = solve_in_order(space, start, "5-6", NULL, false)->generated;
    assert_true(solve_in_order(space, start, "5-6", NULL, true)->generated > usual);
    space_close(space);
}

TEST(an_order_is_four_letters_and_goes_with_manhattan_distance)
{
    static const char *const wrong[] = {"", "ULR", "ULRU", "ULRDU", "ulrd", "ABCD"};
    struct pz_error error;
    struct pz_space *space = solve_space("3x3", NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(move_order_parse(wrong[i], NULL, &error), PZ_BAD_REQUEST);
    assert_ok(move_order_parse("RLDU", NULL, &error), error);
    space_close(space);
}
