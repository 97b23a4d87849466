/* SPDX-License-Identifier: MIT */
/*
 * The numbers of a family's boards. Cells are filled in row order; a cell that no earlier block covers is
 * left empty, or gets the first cell of a block. What can follow depends only on the cell, on which of the
 * next five cells are covered, on whether the square is there, and on the empty cells so far (two and more
 * are the same). So the boards that follow are counted once for each such place, and a board's number is the
 * sum of those that come before its choice at each cell.
 */
#include "space/klotski.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 4,
    CELLS_MAX = 5 * COLUMNS,
    MASKS = 1 << (COLUMNS + 1), /* cells covered, from the one to fill on */
    EMPTY_MOST = 2
};

enum choice { EMPTY, SINGLE, LYING, STANDING, SQUARE, CHOICES };

static const uint64_t shapes[CHOICES] = {
    [SINGLE] = 1, [LYING] = 3, [STANDING] = 1 | 1 << COLUMNS, [SQUARE] = 3 | 3 << COLUMNS};
struct place {
    unsigned mask, square, empty;
};

enum { PLACES = MASKS * 2 * (EMPTY_MOST + 1) };

struct klotski_numbers {
    uint32_t total;
    unsigned cells;
    uint32_t before[CELLS_MAX][PLACES]
                   [CHOICES]; /* boards before those of a choice; UINT32_MAX: it cannot be */
    uint8_t code[CHOICES];    /* kind + 1 */
    uint8_t choice[CHOICES];  /* of a code */
};

static unsigned index_of(struct place place)
{
    return (place.mask * 2 + place.square) * (EMPTY_MOST + 1) + place.empty;
}

static bool can_be(const struct klotski_numbers *numbers, unsigned cell, struct place place,
                   enum choice choice)
{
    const bool right = cell % COLUMNS + 1 < COLUMNS && (place.mask & 2) == 0;
    const bool down = cell + COLUMNS < numbers->cells;
    switch (choice) {
    case LYING:
        return right;
    case STANDING:
        return down;
    case SQUARE:
        return right && down && place.square == 0;
    default:
        return true;
    }
}

/* Returns the place at the next cell. */
static struct place after(struct place place, enum choice choice)
{
    place.mask = (place.mask | (unsigned)shapes[choice]) >> 1;
    place.square |= choice == SQUARE;
    place.empty += choice == EMPTY && place.empty < EMPTY_MOST;
    return place;
}

/* Counts the boards that can follow at a cell, from those at the next one. */
static void count_cell(struct klotski_numbers *numbers, unsigned cell, const uint32_t *next, uint32_t *counts)
{
    for (unsigned i = 0; i < PLACES; i++) {
        const struct place place = {i / (EMPTY_MOST + 1) / 2, i / (EMPTY_MOST + 1) % 2, i % (EMPTY_MOST + 1)};
        struct place covered = place;
        covered.mask >>= 1;
        counts[i] = (place.mask & 1) != 0 ? next[index_of(covered)] : 0;
        for (enum choice choice = EMPTY; choice < CHOICES; choice++) {
            const bool possible = (place.mask & 1) == 0 && can_be(numbers, cell, place, choice);
            numbers->before[cell][i][choice] = possible ? counts[i] : UINT32_MAX;
            counts[i] += possible ? next[index_of(after(place, choice))] : 0;
        }
    }
}

static void count_all(struct klotski_numbers *numbers)
{
    uint32_t counts[2][PLACES] = {0};
    counts[numbers->cells % 2][index_of((struct place){0, 1, EMPTY_MOST})] = 1;
    for (unsigned cell = numbers->cells; cell-- > 0;)
        count_cell(numbers, cell, counts[(cell + 1) % 2], counts[cell % 2]);
    numbers->total = counts[0][0];
}

/* Returns how many blocks of a shape there is room for, beside the square and two empty cells. */
static unsigned most_of(unsigned cells, enum choice choice)
{
    const unsigned room = cells - 6;
    return choice == SQUARE ? 1 : choice == SINGLE ? room : room / 2;
}

void klotski_widen(struct klotski *klotski)
{
    for (unsigned i = 0; i < klotski->kinds; i++)
        for (enum choice choice = SINGLE; choice < CHOICES; choice++)
            if (klotski->kind[i].shape == shapes[choice]) {
                klotski->kind[i].least = choice == SQUARE;
                klotski->kind[i].count = (uint8_t)most_of(klotski->cells, choice);
            }
}

bool klotski_number(struct klotski *klotski)
{
    struct klotski_numbers *numbers = calloc(1, sizeof *numbers);
    klotski->numbers = numbers;
    if (numbers == NULL)
        return false;
    numbers->cells = klotski->cells;
    for (unsigned i = 0; i < klotski->kinds; i++)
        for (enum choice choice = SINGLE; choice < CHOICES; choice++)
            if (klotski->kind[i].shape == shapes[choice]) {
                numbers->code[choice] = (uint8_t)(i + 1);
                numbers->choice[i + 1] = (uint8_t)choice;
            }
    count_all(numbers);
    return true;
}

const char *klotski_family_board(const char *rows)
{
    static const char *const boards[] = {"AABB/AAHN/@@H@", "AABB/AAHN/@@H@/@@@@", "HAAI/HAAI/JBBK/JNOK/P@@Q"};
    if (rows == NULL)
        return boards[2];
    return *rows >= '3' && *rows <= '5' && rows[1] == '\0' ? boards[*rows - '3'] : NULL;
}

uint64_t klotski_count(const struct pz_space *space)
{
    const struct klotski *klotski = (const struct klotski *)space;
    return klotski->numbers != NULL ? klotski->numbers->total : 0;
}

uint64_t klotski_rank(const struct pz_space *space, const void *state)
{
    const struct klotski *klotski = (const struct klotski *)space;
    const struct klotski_numbers *numbers = klotski->numbers;
    struct place place = {0};
    uint64_t number = 0;
    for (unsigned cell = 0; cell < numbers->cells; cell++) {
        if ((place.mask & 1) != 0) {
            place.mask >>= 1;
            continue;
        }
        const enum choice choice = numbers->choice[klotski_get(klotski, state, cell)];
        number += numbers->before[cell][index_of(place)][choice];
        place = after(place, choice);
    }
    return number;
}

void klotski_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    const struct klotski *klotski = (const struct klotski *)space;
    const struct klotski_numbers *numbers = klotski->numbers;
    struct place place = {0};
    memset(state, 0, space->state_bytes);
    for (unsigned cell = 0; cell < numbers->cells; cell++) {
        if ((place.mask & 1) != 0) {
            place.mask >>= 1;
            continue;
        }
        const uint32_t *before = numbers->before[cell][index_of(place)];
        enum choice choice = SQUARE;
        while (before[choice] > number)
            choice--;
        number -= before[choice];
        klotski_toggle(klotski, state, cell, numbers->code[choice]);
        place = after(place, choice);
    }
}
