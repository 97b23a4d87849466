/* SPDX-License-Identifier: MIT */
#include "plain_search.h"

#include "base/random.h"

#include <stdatomic.h>

static struct pz_space *open_linkup(const char *board, const char *from, const char *to, const char *border,
                                    const char *turns)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    const struct pz_key keys[] = {{"from", from}, {"to", to}, {"border", border}, {"turns", turns}};
    const struct pz_setup setup = {.start = board, .keys = keys, .key_count = 4};
    assert_ok(space_open("linkup", &setup, &space, &error), error);
    return space;
}

static struct pz_solution solve(const char *board, const char *from, const char *to, const char *border,
                                const char *turns)
{
    static struct pz_solution solution;
    struct pz_error error = {0};
    uint64_t state[PZ_STATE_MAX / 8];
    atomic_bool stop = false;
    struct pz_space *space = open_linkup(board, from, to, border, turns);
    parse_state(space, board, state);
    assert_ok(space->puzzle->solve(space, state, &stop, &solution, &error), error);
    space_close(space);
    return solution;
}

TEST(a_path_around_the_outside_is_found_only_with_a_border)
{
    const char *board = "BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC";
    struct pz_solution solution = solve(board, "4,2", "4,5", "yes", "2");
    assert_int_equal(solution.solvable, PZ_YES);
    assert_int_equal(solution.moves, 2);
    assert_string_equal(solution.path, "4,2>5,2>5,5>4,5");
    assert_non_null(strstr(solution.detail, "turns=2 cells=6"));
    assert_non_null(strstr(solution.detail, "drawing=......../.BABBAA./..C.BBC./.BBAAAB./..CBAAB./"
                                            ".AAC.CC./...+--+."));
    solution = solve(board, "4,2", "4,5", "no", "2");
    assert_int_equal(solution.solvable, PZ_NO);
    assert_int_equal(solution.moves, -1);
    assert_string_equal(solution.path, "");
}

TEST(neighbours_are_joined_without_a_cell_between_them)
{
    struct pz_solution solution = solve("AA", "0,0", "0,1", "no", "0");
    assert_int_equal(solution.moves, 0);
    assert_string_equal(solution.path, "0,0>0,1");
    assert_non_null(strstr(solution.detail, "cells=2 drawing=AA"));
}

/*
 * The trap, on the smallest board that has it. The ray down queues (1,0), the ray to the right (0,1). From
 * (1,0) a ray queues (1,1); the ray down from (0,1) meets that cell queued, and must cross it to see the
 * other A with one turn. A search whose rays stop at queued cells answers two, here or, for another order of
 * the directions, on one of the mirror images.
 */
TEST(a_ray_crosses_cells_that_are_queued_already)
{
    static const char *const cases[][3] = {{"A./../BA", "0,0", "2,1"}, {".A/../AB", "0,1", "2,0"},
                                           {"AB/../.A", "2,1", "0,0"}, {"BA/../A.", "0,1", "2,0"},
                                           {"A.B/..A", "0,0", "1,2"},  {"A../B.A", "0,0", "1,2"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pz_solution solution = solve(cases[i][0], cases[i][1], cases[i][2], "no", "1");
        assert_int_equal(solution.solvable, PZ_YES);
        assert_int_equal(solution.moves, 1);
        assert_non_null(strstr(solution.detail, "cells=4"));
    }
}

/* Every row of the published pairs, in both rules. */
TEST(the_published_pairs_have_their_turns)
{
    struct test_rows rows;
    test_rows_open(&rows, "linkup_pairs.csv", "rows,cols,board,");
    while (test_rows_next(&rows, 9)) {
        char *const *field = rows.field;
        const char *from = text_of("%s,%s", field[3], field[4]);
        const char *to = text_of("%s,%s", field[5], field[6]);
        assert_int_equal(solve(field[2], from, to, "no", "2").moves, test_number(field[7]));
        assert_int_equal(solve(field[2], from, to, "yes", "2").moves, test_number(field[8]));
    }
    test_rows_close(&rows, 120);
}

/* ---- the plain search ---- */

enum { SIDE_MAX = 10, RING = SIDE_MAX + 2, NODES = RING * RING * 4, FAR = 1000000 };

struct plain {
    unsigned rows, columns;
    char at[RING][RING]; /* with the ring */
    int cost[NODES];     /* turns × 1000 + cells, over (cell, direction) */
};

/* Returns the least turns × 1000 + cells, by relaxing (cell, direction) until nothing changes. */
static int plain_cost(struct plain *plain, unsigned from_row, unsigned from_column, unsigned to_row,
                      unsigned to_column)
{
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    static unsigned queue[NODES * 64];
    unsigned head = 0;
    unsigned tail = 0;
    int best = FAR;
    for (unsigned i = 0; i < NODES; i++)
        plain->cost[i] = FAR;
    for (unsigned d = 0; d < 4; d++) {
        unsigned node = (from_row * RING + from_column) * 4 + d;
        plain->cost[node] = 1;
        queue[tail++] = node;
    }
    while (head < tail) {
        unsigned node = queue[head++];
        unsigned cell = node / 4;
        for (unsigned d = 0; d < 4; d++) {
            int row = (int)(cell / RING) + step[d][0];
            int column = (int)(cell % RING) + step[d][1];
            bool first = cell == from_row * RING + from_column;
            if (row < 0 || column < 0 || row > (int)plain->rows + 1 || column > (int)plain->columns + 1)
                continue;
            int cost = plain->cost[node] + 1 + (d != node % 4 && !first ? 1000 : 0);
            unsigned next = ((unsigned)row * RING + (unsigned)column) * 4 + d;
            if ((unsigned)row == to_row && (unsigned)column == to_column)
                best = cost < best ? cost : best;
            if (plain->at[row][column] != '.' || cost >= plain->cost[next])
                continue;
            plain->cost[next] = cost;
            assert_true(tail < NODES * 64);
            queue[tail++] = next;
        }
    }
    return best;
}

/* A board with about two thirds of tiles, and two equal ones among them. */
static void make_board(struct random *random, struct plain *plain, bool border, char *text, unsigned ends[4])
{
    size_t length = 0;
    unsigned density = 20 + (unsigned)random_below(random, 60);
    plain->rows = 1 + (unsigned)random_below(random, SIDE_MAX);
    plain->columns = 2 + (unsigned)random_below(random, SIDE_MAX - 1);
    memset(plain->at, border ? '.' : '#', sizeof plain->at);
    for (unsigned row = 1; row <= plain->rows; row++)
        for (unsigned column = 1; column <= plain->columns; column++)
            plain->at[row][column] = random_below(random, 100) < density ? 'B' : '.';
    do {
        for (unsigned i = 0; i < 4; i++)
            ends[i] = 1 + (unsigned)random_below(random, i % 2 == 0 ? plain->rows : plain->columns);
    } while (ends[0] == ends[2] && ends[1] == ends[3]);
    plain->at[ends[0]][ends[1]] = 'A';
    plain->at[ends[2]][ends[3]] = 'A';
    for (unsigned row = 1; row <= plain->rows; row++) {
        memcpy(text + length, &plain->at[row][1], plain->columns);
        length += plain->columns;
        text[length++] = '/';
    }
    text[length - 1] = '\0';
}

/* Walks a path's corners; returns turns × 1000 + cells of what it really is. */
static int walk_path(const struct plain *plain, const char *path)
{
    int cells = 1;
    int segments = 0;
    char *end = NULL;
    long row = strtol(path, &end, 10) + 1;
    long column = strtol(end + 1, &end, 10) + 1;
    while (*end == '>') {
        long next_row = strtol(end + 1, &end, 10) + 1;
        long next_column = strtol(end + 1, &end, 10) + 1;
        assert_true((row == next_row) != (column == next_column));
        while (row != next_row || column != next_column) {
            row += (next_row > row) - (next_row < row);
            column += (next_column > column) - (next_column < column);
            cells++;
            bool last = row == next_row && column == next_column && *end == '\0';
            assert_int_equal(plain->at[row][column], last ? 'A' : '.');
        }
        segments++;
    }
    return (segments - 1) * 1000 + cells;
}

static void check_random_board(struct random *random)
{
    static struct plain plain;
    char text[RING * RING];
    unsigned ends[4];
    bool border = random_below(random, 2) == 0;
    unsigned limit = (unsigned)random_below(random, 8);
    make_board(random, &plain, border, text, ends);
    const char *from = text_of("%u,%u", ends[0] - 1, ends[1] - 1);
    const char *to = text_of("%u,%u", ends[2] - 1, ends[3] - 1);
    const char *turns = text_of("%u", limit);
    int cost = plain_cost(&plain, ends[0], ends[1], ends[2], ends[3]);
    struct pz_solution solution = solve(text, from, to, border ? "yes" : "no", turns);
    if (cost == FAR || cost / 1000 > (int)limit) {
        assert_int_equal(solution.solvable, PZ_NO);
        return;
    }
    const char *expected = text_of("turns=%d cells=%d ", cost / 1000, cost % 1000);
    assert_int_equal(solution.moves, cost / 1000);
    if (strncmp(solution.detail, expected, strlen(expected)) != 0)
        fail_msg("%s from %s to %s: %s, expected %s", text, from, to, solution.detail, expected);
    assert_int_equal(walk_path(&plain, solution.path), cost);
}

TEST(a_hundred_thousand_random_boards_agree_with_a_plain_search)
{
    struct random random = {8};
    unsigned boards = 100000;
#ifdef PUZZLED_SANITIZED
    boards = 5000;
#endif
    for (unsigned i = 0; i < boards; i++)
        check_random_board(&random);
}

TEST(different_tiles_are_never_joined)
{
    struct pz_solution solution = solve("AB", "0,0", "0,1", "yes", "2");
    assert_int_equal(solution.solvable, PZ_NO);
    assert_string_equal(solution.detail, "reason=different-tiles");
}

TEST(the_size_opens_the_same_question_again)
{
    char name[PZ_SIZE_MAX + 64];
    struct pz_space *space = open_linkup("A_A/BBB", "0,0", "0,2", "no", "3");
    assert_string_equal(space->size, "A.A/BBB,from:0:0,to:0:2,border:no,turns:3");
    (void)space_name(space, name);
    struct pz_space *again = plain_open(name, NULL, NULL, NULL, NULL);
    assert_string_equal(again->size, space->size);
    space_close(again);
    space_close(space);
}

static void refused(enum pz_status code, const char *words, const char *board, const char *from,
                    const char *to, const char *key, const char *value)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    const struct pz_key keys[] = {{"from", from}, {"to", to}, {key, value}};
    const struct pz_setup setup = {.start = board, .keys = keys, .key_count = key != NULL ? 3 : 2};
    enum pz_status status = space_open("linkup", &setup, &space, &error);
    if (status != code || strstr(error.text, words) == NULL)
        fail_msg("status %d, text '%s', expected '%s'", (int)status, error.text, words);
}

TEST(bad_input_is_refused_with_the_reason)
{
    refused(PZ_BAD_REQUEST, "needs a board", NULL, "0,0", "0,1", NULL, NULL);
    refused(PZ_BAD_BOARD, "row 1 has 1", "AA/A", "0,0", "0,1", NULL, NULL);
    refused(PZ_BAD_BOARD, "0xE9", "A\xe9", "0,0", "0,1", NULL, NULL);
    refused(PZ_BAD_BOARD, "0x3F", "A?A", "0,0", "0,1", NULL, NULL);
    refused(PZ_BAD_REQUEST, "not on the board", "AA", "0,0", "0,2", NULL, NULL);
    refused(PZ_BAD_REQUEST, "not on the board", "AA", "1,0", "0,1", NULL, NULL);
    refused(PZ_BAD_REQUEST, "ROW,COLUMN", "AA", "0", "0,1", NULL, NULL);
    refused(PZ_BAD_REQUEST, "ROW,COLUMN", "AA", "0,1,2", "0,1", NULL, NULL);
    refused(PZ_BAD_REQUEST, "no tile", "A.A", "0,0", "0,1", NULL, NULL);
    refused(PZ_BAD_REQUEST, "same cell", "A.A", "0,0", "0,0", NULL, NULL);
    refused(PZ_BAD_REQUEST, "turns=x", "A.A", "0,0", "0,2", "turns", "x");
    refused(PZ_BAD_REQUEST, "border=maybe", "A.A", "0,0", "0,2", "border", "maybe");
    plain_assert_refused(PZ_BAD_REQUEST, "to=ROW,COLUMN is missing", "linkup", "AA", NULL, "from", "0,0");
}

TEST(a_cancelled_search_says_so)
{
    struct pz_error error = {0};
    static struct pz_solution solution;
    uint64_t packed[PZ_STATE_MAX / 8] = {0};
    atomic_bool stop = true;
    struct pz_space *space = open_linkup("A.A", "0,0", "0,2", "no", "2");
    assert_int_equal(space->puzzle->solve(space, packed, &stop, &solution, &error), PZ_CANCELLED);
    assert_ok(space->puzzle->root(space, packed, &error), error);
    space_close(space);
}
