/* SPDX-License-Identifier: MIT */
#include "client/many/make_board.h"

#include "client/show/sliding.h"
#include "protocol/text/board_rows.h"

#include <string.h>

const char *const make_names[MAKE_PUZZLES] = {"rushhour", "klotski", "sokoban"};

struct field {
    struct make_plan *plan;
    unsigned rows, columns;
    char cell[MAKE_SIDE_MAX][MAKE_SIDE_MAX];
};

const char *make_plan_read(struct make_plan *plan, const char *puzzle, const char *size)
{
    static const struct {
        unsigned rows, columns, least, most;
    } sizes[MAKE_PUZZLES] = {{6, 6, 3, 8}, {5, 4, 3, 6}, {7, 7, 5, MAKE_SIDE_MAX}};
    unsigned i = 0;
    while (i < MAKE_PUZZLES && strcmp(make_names[i], puzzle) != 0)
        i++;
    if (i == MAKE_PUZZLES)
        return "boards are made of rushhour, klotski and sokoban; of sliding puzzles: puzzlectl random, "
               "sample";
    plan->puzzle = (enum make_puzzle)i;
    plan->rows = sizes[i].rows;
    plan->columns = sizes[i].columns;
    if (size != NULL &&
        (!board_rows_size(size, &plan->rows, &plan->columns) || plan->rows < sizes[i].least ||
         plan->columns < sizes[i].least || plan->rows > sizes[i].most || plan->columns > sizes[i].most))
        return "--size: rows and columns, as 6x6; Rush Hour has 3 to 8 of each, Klotski 3 to 6, Sokoban 5 to "
               "12";
    return NULL;
}

static unsigned draw(struct field *field, unsigned bound)
{
    return sliding_below(&field->plan->seed, bound);
}

/* Puts a piece of a size at a random place, if it is free there. */
static bool throw_piece(struct field *field, unsigned high, unsigned wide, char letter, unsigned not_in_row)
{
    if (high > field->rows || wide > field->columns)
        return false;
    const unsigned row = draw(field, field->rows - high + 1), column = draw(field, field->columns - wide + 1);
    if (row == not_in_row && high == 1)
        return false;
    for (unsigned i = 0; i < high * wide; i++)
        if (field->cell[row + i / wide][column + i % wide] != '.')
            return false;
    for (unsigned i = 0; i < high * wide; i++)
        field->cell[row + i / wide][column + i % wide] = letter;
    return true;
}

/* Cars on all of the board, but none that lies in the lane of the one that leaves. */
static void throw_cars(struct field *field)
{
    const unsigned lane = (field->rows - 1) / 2, cells = field->rows * field->columns;
    unsigned cars = field->plan->pieces != 0 ? field->plan->pieces - 1 : cells / 3 + draw(field, 3);
    field->cell[lane][0] = field->cell[lane][1] = 'A';
    char letter = 'B';
    for (unsigned tries = 20 * cells; cars > 0 && tries > 0 && letter <= 'W'; tries--) {
        const unsigned length = draw(field, 10) < 7 ? 2 : 3;
        const bool lies = draw(field, 2) == 0;
        if (!throw_piece(field, lies ? 1 : length, lies ? length : 1, letter, lane))
            continue;
        letter++;
        cars--;
    }
}

/* The square, dominoes, and single blocks but for two cells. */
static void throw_blocks(struct field *field)
{
    const unsigned cells = field->rows * field->columns;
    unsigned dominoes = 2 + draw(field, cells / 5), left = cells - 4;
    (void)throw_piece(field, 2, 2, 'A', UINT32_MAX);
    char letter = 'B';
    for (unsigned tries = 10 * cells; dominoes > 0 && tries > 0 && left > 3; tries--) {
        const bool lies = draw(field, 2) == 0;
        if (!throw_piece(field, lies ? 1 : 2, lies ? 2 : 1, letter, UINT32_MAX))
            continue;
        letter++;
        dominoes--;
        left -= 2;
    }
    const unsigned most = field->plan->pieces != 0 ? field->plan->pieces : cells;
    for (unsigned blocks = (unsigned)(letter - 'B'); left > 2 && blocks < most; left--, blocks++) {
        while (!throw_piece(field, 1, 1, letter, UINT32_MAX))
            continue;
        letter = (char)(letter == 'Z' ? 'a' : letter + 1);
    }
}

/* A room with walls around and some inside, boxes, as many goals, and the player. */
static void throw_room(struct field *field)
{
    const unsigned inside = (field->rows - 2) * (field->columns - 2);
    const unsigned boxes = field->plan->pieces != 0 ? field->plan->pieces : 2 + draw(field, 2);
    for (unsigned i = 0; i < field->rows * field->columns; i++) {
        const unsigned row = i / field->columns, column = i % field->columns;
        if (row == 0 || column == 0 || row + 1 == field->rows || column + 1 == field->columns)
            field->cell[row][column] = '#';
    }
    for (unsigned walls = inside / 5 + draw(field, inside / 5 + 1); walls > 0; walls--)
        (void)throw_piece(field, 1, 1, '#', UINT32_MAX);
    for (unsigned i = 0, tries = 0; i < 2 * boxes + 1 && tries < 1000; tries++)
        i += throw_piece(field, 1, 1, "@o$"[i == 0 ? 0 : 1 + (i + 1) % 2], UINT32_MAX);
}

void make_board(struct make_plan *plan, char out[MAKE_BOARD_MAX])
{
    static void (*const throw[MAKE_PUZZLES])(struct field * field) = {throw_cars, throw_blocks, throw_room};
    struct field field = {.plan = plan, .rows = plan->rows, .columns = plan->columns};
    unsigned length = 0;
    memset(field.cell, '.', sizeof field.cell);
    throw[plan->puzzle](&field);
    for (unsigned row = 0; row < plan->rows; row++) {
        if (row > 0)
            out[length++] = '/';
        for (unsigned column = 0; column < plan->columns; column++) {
            const char c = field.cell[row][column];
            out[length++] = (char)(plan->puzzle == MAKE_SOKOBAN && c == '.' ? '-' : c);
        }
    }
    out[length] = '\0';
}
