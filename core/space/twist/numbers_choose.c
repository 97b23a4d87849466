/* SPDX-License-Identifier: MIT */
/* Chooses the coordinates that become the outer number, the rows and the columns. */
#include "space/twist/numbers_own.h"

#include "puzzled/space.h"

enum { RUN_POSITIONS_MAX = 1 << 18, TRIED_MAX = 10 /* coordinates: 3^10 ways */ };

struct numbers_choice {
    const struct twist_numbers *numbers;
    bool moves_it[COORDINATES_MAX][TWIST_MOVES_MAX]; /* which move changes which coordinate */
};

static void note_moves(struct numbers_choice *choice)
{
    const struct twist_numbers *numbers = choice->numbers;
    for (unsigned i = 0; i < numbers->coordinates; i++) {
        const struct coordinate *coordinate = &numbers->coordinate[i];
        for (unsigned move = 0; move < numbers->twist->moves; move++) {
            const uint32_t *next = coordinate->next + (size_t)move * coordinate->count;
            uint32_t value = 0;
            while (value < coordinate->count && next[value] == value)
                value++;
            choice->moves_it[i][move] = value < coordinate->count;
        }
    }
}

/* Returns about how long a state takes, relative to a move that carries each state of a run by itself. */
static double cost(const struct numbers_choice *choice, const uint8_t *part, double rows, double columns)
{
    const struct twist_numbers *numbers = choice->numbers;
    const unsigned moves = numbers->twist->moves;
    double sum = moves * (100.0 / (rows * columns) + 8.0 / columns);
    for (unsigned move = 0; move < moves; move++) {
        bool changed = numbers->has_cut;
        for (unsigned i = 0; i < numbers->coordinates; i++)
            changed = changed || (part[i] == PART_COLUMN && choice->moves_it[i][move]);
        sum += changed ? 1 : 0.05;
    }
    return sum * (1 + 32.0 / columns); /* memory, of which rows leave some unused */
}

/* Tries one way, whose digits to the base three are the parts. Returns false if it is too large. */
static bool try_division(const struct numbers_choice *choice, unsigned division, uint8_t *part, double *worth)
{
    const struct twist_numbers *numbers = choice->numbers;
    double size[3] = {1, 1, numbers->has_cut ? numbers->cut.orders : 1};
    for (unsigned i = 0; i < numbers->coordinates; i++, division /= 3) {
        part[i] = i < TRIED_MAX ? (uint8_t)(division % 3) : PART_OUTER;
        size[part[i]] *= numbers->coordinate[i].count;
    }
    if (size[PART_COLUMN] > CUT_ORDERS_MAX || (numbers->has_cut && size[PART_COLUMN] > numbers->cut.orders) ||
        size[PART_ROW] * pz_row_positions((uint32_t)size[PART_COLUMN]) > RUN_POSITIONS_MAX)
        return false;
    *worth = cost(choice, part, size[PART_ROW], size[PART_COLUMN]);
    return true;
}

bool twist_numbers_choose(struct twist_numbers *numbers)
{
    struct numbers_choice choice = {.numbers = numbers};
    uint8_t part[COORDINATES_MAX] = {0};
    unsigned divisions = 1;
    double best = 0;
    bool found = false;
    note_moves(&choice);
    for (unsigned i = 0; i < numbers->coordinates && i < TRIED_MAX; i++)
        divisions *= 3;
    for (unsigned division = 0; division < divisions; division++) {
        double worth = 0;
        if (!try_division(&choice, division, part, &worth) || (found && worth >= best))
            continue;
        found = true;
        best = worth;
        for (unsigned i = 0; i < numbers->coordinates; i++)
            numbers->part[i] = part[i];
    }
    return found;
}
