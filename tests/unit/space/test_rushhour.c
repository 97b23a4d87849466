/* SPDX-License-Identifier: MIT */
#include "plain_search.h"

#include "base/random.h"

/* M. Fogleman's hardest board of 6x6. Published: 60 moves, 2,332 positions
 * (https://www.michaelfogleman.com/rush/). */
static const char hardest[] = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM";

/* Of the positions that a board reaches, and how far the nearest solved one is. */
static void check_whole(const char *board, size_t positions, int64_t moves)
{
    struct plain_search search;
    struct pz_space *space = plain_open("rushhour", board, NULL, NULL, NULL);
    plain_explore_own(&search, space);
    assert_int_equal(search.count, positions);
    assert_int_equal(search.goal_depth, moves);
    plain_free(&search);
    space_close(space);
}

TEST(the_hardest_board_takes_60_moves_and_reaches_2332_positions)
{
    check_whole(hardest, 2332, 60);
}

/* 27 cars: no name of a car is read as an empty cell. */
TEST(lots_with_many_cars_read_back_as_they_are_printed)
{
    static const char board[] = "BBCCDDEE/FFGGHHII/JJKKLLMM/NNOOPPQQ/RRSSTTUU/VVWW..XX/YYZZ...0/AA.....0";
    struct pz_space *space = plain_open("rushhour", board, NULL, NULL, NULL);
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    char printed[PZ_TEXT_MAX] = "";
    assert_ok(space->puzzle->root(space, root, &error), error);
    printed[space->puzzle->print(space, root, printed)] = '\0';
    space_close(space);
    check_whole(board, 880, 3);
    check_whole(printed, 880, 3);
}

/* ---- the rules once more, on text ---- */

enum { ROW_MAX = 8, CELLS = 64, NEIGHBOURS = 256 };

struct lot {
    size_t rows, columns;
    char cell[CELLS + 1]; /* by rows, without slashes */
};

static bool is_car(char c)
{
    return c != 'o' && c != 'x';
}

/* Moves the car whose first cell is at a place by some cells along its axis. False if something is in its
 * way. */
static bool drive(struct lot *lot, size_t first, int by)
{
    const char car = lot->cell[first];
    const bool lies = (first + 1) % lot->columns != 0 && lot->cell[first + 1] == car;
    const int stride = lies ? 1 : (int)lot->columns;
    int length = 0;
    for (size_t i = 0; i < lot->rows * lot->columns; i++) {
        length += lot->cell[i] == car;
        if (lot->cell[i] == car)
            lot->cell[i] = 'o';
    }
    for (int i = 0; i < length; i++) {
        const int at = (int)first + (i + by) * stride;
        const bool outside = lies ? at < 0 || (size_t)at / lot->columns != first / lot->columns
                                  : at < 0 || (size_t)at >= lot->rows * lot->columns;
        if (outside || lot->cell[at] != 'o')
            return false;
        lot->cell[at] = car;
    }
    return true;
}

static void read_lot(const struct pz_space *space, const void *state, struct lot *lot)
{
    char text[PZ_TEXT_MAX];
    size_t length = space->puzzle->print(space, state, text);
    size_t kept = 0;
    lot->columns = strcspn(text, "/");
    if (lot->columns == length)
        for (lot->columns = 1; lot->columns * lot->columns < length;)
            lot->columns++;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '/')
            lot->cell[kept++] = text[i];
    lot->cell[kept] = '\0';
    lot->rows = kept / lot->columns;
}

/* Adds the state of a lot to a list of distinct ones. */
static void add_state(const struct pz_space *space, const struct lot *lot, uint64_t (*list)[PZ_STATE_MAX / 8],
                      size_t *count)
{
    char text[CELLS + ROW_MAX + 1];
    size_t length = 0;
    for (size_t i = 0; i < lot->rows * lot->columns; i++) {
        if (i > 0 && i % lot->columns == 0)
            text[length++] = '/';
        text[length++] = lot->cell[i];
    }
    text[length] = '\0';
    memset(list[*count], 0, sizeof list[0]);
    parse_state(space, text, list[*count]);
    ++*count;
    assert_true(*count < NEIGHBOURS);
}

static size_t plain_neighbours(const struct pz_space *space, const void *state, int most,
                               uint64_t (*list)[PZ_STATE_MAX / 8])
{
    struct lot lot;
    bool seen[128] = {false};
    size_t count = 0;
    read_lot(space, state, &lot);
    for (size_t i = 0; i < lot.rows * lot.columns; i++) {
        const char car = lot.cell[i];
        if (!is_car(car) || seen[(unsigned char)car])
            continue;
        seen[(unsigned char)car] = true;
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int by = 1; by <= most; by++) {
                struct lot next = lot;
                if (!drive(&next, i, sign * by))
                    break;
                add_state(space, &next, list, &count);
            }
        }
    }
    return count;
}

static int compare_states(const void *a, const void *b)
{
    return memcmp(a, b, PZ_STATE_MAX);
}

/* Holds the successors of a state against those by the rules on text. */
static void check_state(const struct pz_space *space, const void *state, bool steps)
{
    static uint64_t ours[NEIGHBOURS][PZ_STATE_MAX / 8], theirs[NEIGHBOURS][PZ_STATE_MAX / 8];
    static uint64_t packed[PZ_SUCCESSORS_MAX * PZ_STATE_MAX / 8];
    static uint8_t tokens[PZ_SUCCESSORS_MAX];
    size_t wanted = plain_neighbours(space, state, steps ? 1 : ROW_MAX, theirs);
    unsigned found = space->puzzle->expand(space, state, PZ_NO_TOKEN, packed, tokens);
    assert_int_equal(found, wanted);
    assert_true(found <= space->max_successors);
    memset(ours, 0, sizeof ours);
    for (unsigned i = 0; i < found; i++)
        memcpy(ours[i], (const char *)packed + i * space->state_bytes, space->state_bytes);
    qsort(ours, found, sizeof ours[0], compare_states);
    qsort(theirs, wanted, sizeof theirs[0], compare_states);
    assert_memory_equal(ours, theirs, found * sizeof ours[0]);
}

/* Puts cars and walls on an empty lot at random; car A lies in the row given. */
static void random_lot(struct random *random, struct lot *lot, size_t rows, size_t columns)
{
    *lot = (struct lot){.rows = rows, .columns = columns};
    memset(lot->cell, 'o', rows * columns);
    size_t own = random_below(random, rows) * columns + random_below(random, columns - 2);
    lot->cell[own] = lot->cell[own + 1] = 'A';
    for (int number = 0; number < 9; number++) {
        const char car = (char)('B' + number);
        size_t first = random_below(random, rows * columns);
        size_t length = 2 + random_below(random, 2);
        bool lies = random_below(random, 2) == 0;
        bool fits = lies ? first % columns + length <= columns : first / columns + length <= rows;
        for (size_t i = 0; i < length && fits; i++)
            fits = lot->cell[first + i * (lies ? 1 : columns)] == 'o';
        for (size_t i = 0; i < length && fits; i++)
            lot->cell[first + i * (lies ? 1 : columns)] = car;
    }
    size_t wall = random_below(random, rows * columns);
    if (lot->cell[wall] == 'o' && wall / columns != own / columns)
        lot->cell[wall] = 'x';
}

static void check_lot(const struct lot *lot, bool steps)
{
    char text[CELLS + ROW_MAX + 1];
    struct plain_search search;
    size_t length = 0;
    for (size_t i = 0; i < lot->rows; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.*s", i > 0 ? "/" : "",
                                   (int)lot->columns, lot->cell + i * lot->columns);
    struct pz_space *space = plain_open("rushhour", text, NULL, "metric", steps ? "step" : "move");
    plain_explore_own(&search, space);
    for (size_t i = 0; i < search.count; i += 1 + search.count / 500) {
        check_state(space, plain_state(&search, i), steps);
        assert_true(space->puzzle->valid(space, plain_state(&search, i)));
    }
    plain_free(&search);
    space_close(space);
}

TEST(random_boards_move_as_the_rules_say_in_both_metrics)
{
    struct random random = {7};
    for (unsigned i = 0; i < 24; i++) {
        struct lot lot;
        random_lot(&random, &lot, 5 + i % 3, 5 + i / 3 % 3);
        check_lot(&lot, i % 2 == 0);
    }
}

TEST(cars_keep_their_lanes)
{
    check_whole("AAooooooo", 2, 1); /* alone on 3x3 */
}

/* Four lanes that nothing crosses: A and B have 7 places each, C and D 6. */
TEST(boards_of_8x8_are_read_as_a_line_and_by_rows)
{
    static const char line[] = "AAoooooooooooooooBBooooooooooooooCCCoooooooooooooDDDoooooooooooo";
    struct pz_space *by_rows =
        plain_open("rushhour", "AAoooooo/oooooooo/oBBooooo/oooooooo/oCCCoooo/oooooooo/oDDDoooo/oooooooo",
                   NULL, NULL, NULL);
    struct pz_space *by_line = plain_open("rushhour", line, NULL, NULL, NULL);
    assert_string_equal(by_line->size, by_rows->size);
    space_close(by_line);
    space_close(by_rows);
    check_whole(line, (size_t)7 * 7 * 6 * 6, 1);
    plain_assert_refused(PZ_TOO_LARGE, "at most 8x8", "rushhour",
                         "AAooooooo/ooooooooo/ooooooooo/ooooooooo/ooooooooo/ooooooooo/ooooooooo/ooooooooo",
                         NULL, NULL, NULL);
}

TEST(texts_that_are_no_board_are_refused)
{
    plain_assert_refused(PZ_BAD_BOARD, "35 cells make no square", "rushhour",
                         "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHH", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "no car A", "rushhour", "BBoooCooC", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "is no car", "rushhour", "AAoBBoBBo", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "is no car", "rushhour", "AAoBooooo", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "a wall stands at the exit", "rushhour", "AAxoooBBo", NULL, NULL,
                         NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "is not on the board", "rushhour", "AAxoooBBo", "A:0,2", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "one car leaves", "rushhour", "AAoBBoooo", "A:0,1+B:1,1", NULL,
                         NULL);
    plain_assert_refused(PZ_TOO_LARGE, "at most 8x8", "rushhour", "AAooooooo/ooooooooo", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "needs a board", "rushhour", NULL, NULL, NULL, NULL);
}

TEST(the_exit_may_be_named_and_stands_in_the_name)
{
    struct pz_space *rule = plain_open("rushhour", "AAoooBooB", "A:0,1", NULL, NULL);
    assert_string_equal(rule->size, "AAoooBooB,metric:move");
    struct pz_space *other = plain_open("rushhour", "AAoooBooB", "B:0,2", NULL, NULL);
    assert_string_equal(other->size, "BBoooAooA,metric:move,goal:A:0:2");
    struct pz_space *again = plain_open("rushhour:BBoooAooA,metric:move,goal:A:0:2", NULL, NULL, NULL, NULL);
    assert_string_equal(again->size, other->size);
    space_close(rule);
    space_close(other);
    space_close(again);
}

/* Draws cars, and here and there a wall, on an empty board of 4x5 cells; A lies in its second row. */
static void draw_lot(struct random *random, char text[26])
{
    (void)strcpy(text, "...../AA.../...../.....");
    for (const char *car = "BCDEF"; *car != '\0'; car++) {
        const bool lies = random_below(random, 2) == 0;
        const size_t row = (size_t)random_below(random, lies ? 4 : 3),
                     column = (size_t)random_below(random, lies ? 4 : 5);
        char *first = &text[row * 6 + column], *second = first + (lies ? 1 : 6);
        if (*first == '.' && *second == '.')
            *first = *second = *car;
    }
    char *wall = &text[6 * random_below(random, 4) + random_below(random, 5)];
    if (*wall == '.' && random_below(random, 3) == 0)
        *wall = 'x';
}

TEST(what_is_told_without_a_search_a_search_finds)
{
    struct random random = {7};
    unsigned told = 0;
    for (unsigned i = 0; i < 1000; i++) {
        char text[26];
        uint64_t start[PZ_STATE_MAX / 8] = {0};
        struct pz_error error = {0};
        struct pz_space *space = NULL;
        draw_lot(&random, text);
        if (plain_try_open(&space, "rushhour", text, NULL, NULL, NULL, &error) != PZ_OK)
            continue; /* a wall where the car leaves */
        assert_ok(space->puzzle->root(space, start, &error), error);
        if (space->puzzle->solvable(space, start) == PZ_NO) {
            struct plain_search search;
            plain_explore_own(&search, space);
            assert_int_equal(search.goal_depth, -1);
            plain_free(&search);
            told++;
        }
        space_close(space);
    }
    assert_in_range(told, 100, 900);
}
