/* SPDX-License-Identifier: MIT */
#include "client/many/make_board.h"

#include "client/show/sliding.h"
#include "protocol/text/board_rows.h"

#include <stdlib.h>
#include <string.h>

struct thrower {
    const char *name;
    unsigned rows, columns, least, most; /* the usual size, and the bounds of a side */
    void (*throw)(struct make_plan *plan, struct make_field *field);
    void (*change)(struct make_plan *plan, struct make_field *field); /* NULL: all is thrown again */
    void (*write)(const struct make_plan *plan, const struct make_field *field, struct text *out);
    bool explored;
};

static unsigned draw_number(struct make_plan *plan, unsigned bound)
{
    return sliding_below(&plan->seed, bound);
}

/* Puts a piece of a size at a random place, if it is free there. */
static bool throw_piece(struct make_plan *plan, struct make_field *field, unsigned high, unsigned wide,
                        char letter, unsigned not_in_row)
{
    if (high > plan->rows || wide > plan->columns)
        return false;
    const unsigned row = draw_number(plan, plan->rows - high + 1),
                   column = draw_number(plan, plan->columns - wide + 1);
    if (row == not_in_row && high == 1)
        return false;
    for (unsigned i = 0; i < high * wide; i++)
        if (field->cell[row + i / wide][column + i % wide] != '.')
            return false;
    for (unsigned i = 0; i < high * wide; i++)
        field->cell[row + i / wide][column + i % wide] = letter;
    return true;
}

static void throw_cells(struct make_plan *plan, struct make_field *field, unsigned count, char letter,
                        unsigned not_in_row)
{
    for (unsigned tries = 0; count > 0 && tries < 1000; tries++)
        count -= throw_piece(plan, field, 1, 1, letter, not_in_row);
}

static unsigned cells_of(const struct make_plan *plan, const struct make_field *field, char letter)
{
    unsigned count = 0;
    for (unsigned i = 0; i < plan->rows * plan->columns; i++)
        count += field->cell[i / plan->columns][i % plan->columns] == letter;
    return count;
}

static void take_away(const struct make_plan *plan, struct make_field *field, char letter)
{
    for (unsigned i = 0; i < plan->rows * plan->columns; i++)
        if (field->cell[i / plan->columns][i % plan->columns] == letter)
            field->cell[i / plan->columns][i % plan->columns] = '.';
}

/* Returns the first letter from 'B' on, small ones after 'Z', that no piece has. */
static char free_letter(const struct make_plan *plan, const struct make_field *field)
{
    char letter = 'B';
    while (cells_of(plan, field, letter) > 0)
        letter = (char)(letter == 'Z' ? 'a' : letter + 1);
    return letter;
}

/* Returns the letter of a random piece of at least so many cells beside 'A'; 0 if none is found. */
static char any_piece(struct make_plan *plan, const struct make_field *field, unsigned cells)
{
    for (unsigned tries = 0; tries < 1000; tries++) {
        const char c = field->cell[draw_number(plan, plan->rows)][draw_number(plan, plan->columns)];
        if (c > 'A' && c != 'x' && cells_of(plan, field, c) >= cells)
            return c;
    }
    return 0;
}

/* ---- Rush Hour: cars on all of the board, but none that lies in the lane of the one that leaves ---- */

static void add_cars(struct make_plan *plan, struct make_field *field, unsigned cars)
{
    const unsigned lane = (plan->rows - 1) / 2;
    for (unsigned tries = 20 * plan->rows * plan->columns; cars > 0 && tries > 0; tries--) {
        const unsigned length = draw_number(plan, 10) < 7 ? 2 : 3;
        const bool lies = draw_number(plan, 2) == 0;
        const char letter = free_letter(plan, field);
        cars -= letter <= 'W' && throw_piece(plan, field, lies ? 1 : length, lies ? length : 1, letter, lane);
    }
}

static void throw_cars(struct make_plan *plan, struct make_field *field)
{
    const unsigned lane = (plan->rows - 1) / 2, usual = plan->rows * plan->columns / 3 - 1;
    field->cell[lane][0] = field->cell[lane][1] = 'A';
    throw_cells(plan, field, plan->walls, 'x', lane);
    add_cars(plan, field, plan->pieces != 0 ? plan->pieces - 1 : usual + draw_number(plan, 3));
}

/* A car goes, one comes, or both. */
static void change_cars(struct make_plan *plan, struct make_field *field)
{
    const unsigned way = plan->pieces != 0 ? 0 : draw_number(plan, 3);
    char letter = 0;
    if (way < 2)
        letter = any_piece(plan, field, 2);
    if (letter != 0)
        take_away(plan, field, letter);
    if (way != 1)
        add_cars(plan, field, 1);
}

/* ---- Klotski: the square, dominoes, and single blocks but for two cells ---- */

static unsigned blocks_of(const struct make_plan *plan, const struct make_field *field)
{
    unsigned count = 0;
    for (int letter = 'B'; letter <= 'z'; letter = letter == 'Z' ? 'a' : letter + 1)
        count += cells_of(plan, field, (char)letter) > 0;
    return count;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Returns how many dominoes may come, so that the wanted number of blocks finds room. */
static unsigned most_dominoes(const struct make_plan *plan, const struct make_field *field)
{
    const unsigned blocks = blocks_of(plan, field), free = cells_of(plan, field, '.');
    const unsigned missing = plan->pieces - smaller(plan->pieces, blocks), room = free - smaller(free, 2);
    return smaller(missing, room - smaller(room, missing));
}

static void add_blocks(struct make_plan *plan, struct make_field *field, unsigned dominoes)
{
    const unsigned cells = plan->rows * plan->columns;
    if (plan->pieces != 0)
        dominoes = smaller(dominoes, most_dominoes(plan, field));
    for (unsigned tries = 10 * cells; dominoes > 0 && tries > 0 && cells_of(plan, field, '.') > 3; tries--) {
        const bool lies = draw_number(plan, 2) == 0;
        dominoes -=
            throw_piece(plan, field, lies ? 1 : 2, lies ? 2 : 1, free_letter(plan, field), UINT32_MAX);
    }
    for (unsigned left = cells_of(plan, field, '.'); left > 2; left--) {
        const char letter = free_letter(plan, field);
        if (plan->pieces != 0 && blocks_of(plan, field) >= plan->pieces)
            break;
        while (!throw_piece(plan, field, 1, 1, letter, UINT32_MAX))
            continue;
    }
}

static void throw_blocks(struct make_plan *plan, struct make_field *field)
{
    (void)throw_piece(plan, field, 2, 2, 'A', UINT32_MAX);
    throw_cells(plan, field, plan->walls, '#', UINT32_MAX);
    add_blocks(plan, field, 2 + draw_number(plan, plan->rows * plan->columns / 5));
}

/* Single blocks go and are thrown again, with a domino, or two halves of one, in another place. */
static void change_blocks(struct make_plan *plan, struct make_field *field)
{
    const char domino = any_piece(plan, field, 2);
    for (unsigned i = 0; i < plan->rows * plan->columns; i++) {
        const char c = field->cell[i / plan->columns][i % plan->columns];
        if (c > 'A' && cells_of(plan, field, c) == 1)
            take_away(plan, field, c);
    }
    if (domino != 0)
        take_away(plan, field, domino);
    add_blocks(plan, field, draw_number(plan, 3));
}

/* ---- Sokoban: a room with walls around and some inside, boxes, as many goals, and the player ---- */

static void throw_room(struct make_plan *plan, struct make_field *field)
{
    const unsigned inside = (plan->rows - 2) * (plan->columns - 2);
    const unsigned boxes = plan->pieces != 0 ? plan->pieces : 2 + draw_number(plan, 2);
    for (unsigned i = 0; i < plan->rows * plan->columns; i++) {
        const unsigned row = i / plan->columns, column = i % plan->columns;
        if (row == 0 || column == 0 || row + 1 == plan->rows || column + 1 == plan->columns)
            field->cell[row][column] = '#';
    }
    throw_cells(plan, field, plan->walls != 0 ? plan->walls : inside / 5 + draw_number(plan, inside / 5 + 1),
                '#', UINT32_MAX);
    throw_cells(plan, field, 1, '@', UINT32_MAX);
    throw_cells(plan, field, boxes, 'o', UINT32_MAX);
    throw_cells(plan, field, boxes, '$', UINT32_MAX);
}

/* Two cells change places. edge: how many rows and columns around stay. */
static void exchange_pieces(struct make_plan *plan, struct make_field *field, unsigned edge)
{
    for (unsigned tries = 0; tries < 1000; tries++) {
        char *cell[2];
        for (unsigned i = 0; i < 2; i++)
            cell[i] = &field->cell[edge + draw_number(plan, plan->rows - 2 * edge)]
                                  [edge + draw_number(plan, plan->columns - 2 * edge)];
        if (*cell[0] == *cell[1])
            continue;
        const char kept = *cell[0];
        *cell[0] = *cell[1];
        *cell[1] = kept;
        return;
    }
}

static void change_room(struct make_plan *plan, struct make_field *field)
{
    exchange_pieces(plan, field, 1);
}

/* ---- sliding tiles among walls ---- */

static void throw_walls(struct make_plan *plan, struct make_field *field)
{
    throw_cells(plan, field, plan->walls, '#', UINT32_MAX);
}

static void change_walls(struct make_plan *plan, struct make_field *field)
{
    exchange_pieces(plan, field, 0);
}

/* The goal of such a board: the tiles in row order, the blank last. */
static void write_walls(const struct make_plan *plan, const struct make_field *field, struct text *out)
{
    const unsigned cells = plan->rows * plan->columns, tiles = cells_of(plan, field, '.') - 1;
    unsigned tile = 0;
    text_format(out, "slide:%ux%u,goal:", plan->rows, plan->columns);
    for (unsigned i = 0; i < cells; i++) {
        const bool wall = field->cell[i / plan->columns][i % plan->columns] == '#';
        text_add(out, i == 0 ? "" : i % plan->columns == 0 ? "/" : ":");
        if (wall)
            text_add(out, "#");
        else
            text_format(out, "%u", tile == tiles ? 0 : tile + 1);
        tile += !wall;
    }
}

/* ---- jugs: different capacities without a common divisor, and an amount ---- */

static unsigned divisor(unsigned a, unsigned b)
{
    while (b != 0) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void throw_jugs(struct make_plan *plan, struct make_field *field)
{
    const unsigned jugs = plan->pieces != 0 ? plan->pieces : 2 + draw_number(plan, 2);
    unsigned common = 0;
    field->count = 0;
    for (unsigned litres = 2; litres <= 24 && field->count < jugs; litres++)
        if (draw_number(plan, 25 - litres) < jugs - field->count)
            field->number[field->count++] = litres;
    for (unsigned i = 0; i < field->count; i++)
        common = divisor(field->number[i], common);
    for (unsigned i = 0; i < field->count; i++)
        field->number[i] /= common;
    field->goal = 1 + draw_number(plan, field->number[field->count - 1]);
}

static void write_jugs(const struct make_plan *plan, const struct make_field *field, struct text *out)
{
    (void)plan;
    for (unsigned i = 0; i < field->count; i++)
        text_format(out, "%s%u", i == 0 ? "jugs:" : ",", field->number[i]);
    text_format(out, ",goal:%u", field->goal);
}

/* ---- link-up: pairs of tiles, two of which are to be joined ---- */

static void throw_pairs(struct make_plan *plan, struct make_field *field)
{
    const unsigned cells = plan->rows * plan->columns;
    const unsigned pairs = plan->pieces != 0 ? plan->pieces : cells / 4 + draw_number(plan, cells / 8 + 1);
    for (unsigned i = 0; i < pairs; i++)
        throw_cells(plan, field, 2, (char)('A' + i % 9), UINT32_MAX);
    do {
        field->number[0] = draw_number(plan, cells);
        field->number[1] = draw_number(plan, cells);
    } while (field->number[0] == field->number[1] ||
             field->cell[field->number[0] / plan->columns][field->number[0] % plan->columns] == '.' ||
             field->cell[field->number[0] / plan->columns][field->number[0] % plan->columns] !=
                 field->cell[field->number[1] / plan->columns][field->number[1] % plan->columns]);
}

static void write_rows(const struct make_plan *plan, const struct make_field *field, struct text *out);

static void write_pairs(const struct make_plan *plan, const struct make_field *field, struct text *out)
{
    const char *const ends[] = {"from", "to"};
    write_rows(plan, field, out);
    for (unsigned i = 0; i < 2; i++)
        text_format(out, ",%s:%u:%u", ends[i], field->number[i] / plan->columns,
                    field->number[i] % plan->columns);
    if (plan->most > 2 && plan->most <= 100)
        text_format(out, ",turns:%u", (unsigned)plan->most);
}

/* ---- all of them ---- */

static const struct thrower throwers[MAKE_PUZZLES] = {
    [MAKE_RUSHHOUR] = {"rushhour", 6, 6, 3, 8, throw_cars, change_cars, write_rows, true},
    [MAKE_KLOTSKI] = {"klotski", 5, 4, 3, 6, throw_blocks, change_blocks, write_rows, true},
    [MAKE_SOKOBAN] = {"sokoban", 7, 7, 5, MAKE_SIDE_MAX, throw_room, change_room, write_rows, true},
    [MAKE_JUGS] = {"jugs", 1, 1, 1, 1, throw_jugs, NULL, write_jugs, false},
    [MAKE_LINKUP] = {"linkup", 6, 8, 2, MAKE_SIDE_MAX, throw_pairs, NULL, write_pairs, false},
    [MAKE_SLIDE] = {"slide", 3, 3, 2, 6, throw_walls, change_walls, write_walls, true},
};

static void write_rows(const struct make_plan *plan, const struct make_field *field, struct text *out)
{
    text_format(out, "%s:", throwers[plan->puzzle].name);
    for (unsigned row = 0; row < plan->rows; row++) {
        text_add(out, row > 0 ? "/" : "");
        for (unsigned column = 0; column < plan->columns; column++) {
            const char c = field->cell[row][column];
            text_char(out, (char)(plan->puzzle == MAKE_SOKOBAN && c == '.' ? '-' : c));
        }
    }
}

static unsigned thrower_of(const char *puzzle)
{
    unsigned i = 0;
    while (i < MAKE_PUZZLES && strcmp(throwers[i].name, puzzle) != 0)
        i++;
    return i;
}

bool make_plan_knows(const char *puzzle)
{
    return thrower_of(puzzle) < MAKE_PUZZLES;
}

const char *make_plan_read(struct make_plan *plan, const char *puzzle, const char *size)
{
    const struct thrower *thrower = &throwers[thrower_of(puzzle)];
    plan->puzzle = (enum make_puzzle)(thrower - throwers);
    plan->rows = thrower->rows;
    plan->columns = thrower->columns;
    if (size != NULL && (!board_rows_size(size, MAKE_SIDE_MAX * MAKE_SIDE_MAX, &plan->rows, &plan->columns) ||
                         plan->rows < thrower->least || plan->columns < thrower->least ||
                         plan->rows > thrower->most || plan->columns > thrower->most))
        return "--size: rows and columns, as 6x6; Rush Hour has 3 to 8 of each, Klotski 3 to 6, Sokoban 5 to "
               "12, link-up 2 to 12, tiles among walls 2 to 6, jugs none";
    if (plan->walls > plan->rows * plan->columns / 3)
        return "--walls: a third of the cells at most";
    if (plan->puzzle == MAKE_KLOTSKI && plan->pieces + plan->walls + 6 > plan->rows * plan->columns)
        return "--pieces: there is no room for so many blocks: the square has 4 cells, and 2 stay free";
    if (plan->puzzle == MAKE_JUGS && plan->pieces > MAKE_JUGS_MAX)
        return "--pieces: 8 jugs at most";
    if (plan->puzzle == MAKE_LINKUP && plan->pieces > plan->rows * plan->columns / 2)
        return "--pieces: there is no room for so many pairs";
    return NULL;
}

bool make_explored(const struct make_plan *plan)
{
    return throwers[plan->puzzle].explored;
}

const char *make_memory(const struct make_plan *plan)
{
    return plan->puzzle == MAKE_RUSHHOUR && plan->pieces == 0 && plan->rows * plan->columns <= 36 ? "640K"
                                                                                                  : "16M";
}

void make_field_throw(struct make_plan *plan, struct make_field *field)
{
    memset(field->cell, '.', sizeof field->cell);
    throwers[plan->puzzle].throw(plan, field);
}

void make_field_change(struct make_plan *plan, struct make_field *field)
{
    if (throwers[plan->puzzle].change != NULL)
        throwers[plan->puzzle].change(plan, field);
    else
        make_field_throw(plan, field);
}

void make_field_name(const struct make_plan *plan, const struct make_field *field, struct text *out)
{
    throwers[plan->puzzle].write(plan, field, out);
}
