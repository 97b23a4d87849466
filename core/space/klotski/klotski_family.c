/* SPDX-License-Identifier: MIT */
/*
 * The numbers of a family's boards. Cells are filled in row order; a cell that no earlier block covers is
 * left empty, or gets the first cell of a block. What can follow depends only on the cell, on which of the
 * next five cells are covered, on whether the square is there, and on the empty cells so far (two and more
 * are the same). So the boards that follow are counted once for each such place, and a board's number is the
 * sum of those that come before its choice at each cell.
 *
 * Explorations rank far more than anything else: that looks up a row of four cells at a time.
 */
#include "space/klotski/klotski.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 4,
    ROWS_MAX = 5,
    CELLS_MAX = ROWS_MAX * COLUMNS,
    MASKS = 1 << (COLUMNS + 1), /* cells covered, from the one to fill on */
    EMPTY_MOST = 2
};

enum choice { EMPTY, SINGLE, LYING, STANDING, SQUARE, CHOICES };

static const uint64_t shapes[CHOICES] = {
    [SINGLE] = 1, [LYING] = 3, [STANDING] = 1 | 1 << COLUMNS, [SQUARE] = 3 | 3 << COLUMNS};
struct family_place {
    unsigned mask, square, empty;
};

enum {
    PLACES = MASKS * 2 * (EMPTY_MOST + 1),
    ROW_PLACES = PLACES / 2, /* at the beginning of a row the fifth cell is not covered */
    CODE_BITS = 3,           /* of a cell in a state */
    ROW_CODES = 1 << CODE_BITS * COLUMNS,
    ROW_KINDS = 625, /* rows of cells that are empty or have one of four kinds */
    BEFORE_BITS = 25 /* of a number of boards; the place behind the row is above them */
};

struct klotski_numbers {
    uint32_t total;
    unsigned cells;
    /* Boards before those of a choice; UINT32_MAX: it cannot be. A covered cell has the choice EMPTY only. */
    uint32_t before[CELLS_MAX][PLACES][CHOICES];
    uint16_t next[PLACES][CHOICES]; /* the place at the next cell */
    uint8_t code[CHOICES];          /* kind + 1 */
    uint8_t choice[1 << CODE_BITS]; /* of a code */
    uint16_t row_kind[ROW_CODES];
    uint32_t row[ROWS_MAX][ROW_PLACES][ROW_KINDS];
};

static unsigned index_of(struct family_place place)
{
    return (place.mask * 2 + place.square) * (EMPTY_MOST + 1) + place.empty;
}

static bool can_be(const struct klotski_numbers *numbers, unsigned cell, struct family_place place,
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
static struct family_place after(struct family_place place, enum choice choice)
{
    const bool covered = (place.mask & 1) != 0;
    place.mask = (place.mask | (unsigned)shapes[choice]) >> 1;
    if (covered)
        return place;
    place.square |= choice == SQUARE;
    place.empty += choice == EMPTY && place.empty < EMPTY_MOST;
    return place;
}

static struct family_place place_of_index(unsigned index)
{
    return (struct family_place){index / (EMPTY_MOST + 1) / 2, index / (EMPTY_MOST + 1) % 2,
                                 index % (EMPTY_MOST + 1)};
}

/* Counts the boards that can follow at a cell, from those at the next one. */
static void count_cell(struct klotski_numbers *numbers, unsigned cell, const uint32_t *next, uint32_t *counts)
{
    for (unsigned i = 0; i < PLACES; i++) {
        const struct family_place place = place_of_index(i);
        const bool covered = (place.mask & 1) != 0;
        counts[i] = 0;
        for (enum choice choice = EMPTY; choice < CHOICES; choice++) {
            const bool possible = covered ? choice == EMPTY : can_be(numbers, cell, place, choice);
            numbers->next[i][choice] = (uint16_t)index_of(after(place, choice));
            numbers->before[cell][i][choice] = possible ? counts[i] : UINT32_MAX;
            counts[i] += possible ? next[numbers->next[i][choice]] : 0;
        }
    }
}

static void family_count_all(struct klotski_numbers *numbers)
{
    uint32_t counts[2][PLACES] = {0};
    counts[numbers->cells % 2][index_of((struct family_place){0, 1, EMPTY_MOST})] = 1;
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

/* Adds up the choices of a row's cells, whose codes are given. */
static uint32_t count_row(const struct klotski_numbers *numbers, unsigned row, unsigned at, unsigned codes)
{
    struct family_place place = place_of_index(at);
    uint32_t number = 0;
    for (unsigned cell = row * COLUMNS; cell < (row + 1) * COLUMNS; cell++, codes >>= CODE_BITS) {
        if ((place.mask & 1) != 0) {
            place.mask >>= 1;
            continue;
        }
        const enum choice choice = numbers->choice[codes & ((1 << CODE_BITS) - 1)];
        if (!can_be(numbers, cell, place, choice))
            return 0; /* no board has it */
        number += numbers->before[cell][index_of(place)][choice];
        place = after(place, choice);
    }
    return number | (uint32_t)index_of(place) << BEFORE_BITS;
}

static void count_rows(struct klotski_numbers *numbers)
{
    for (unsigned kind = 0; kind < ROW_KINDS; kind++) {
        unsigned codes = 0;
        for (unsigned cell = 0, rest = kind; cell < COLUMNS; cell++, rest /= CHOICES)
            codes |= rest % CHOICES << cell * CODE_BITS;
        numbers->row_kind[codes] = (uint16_t)kind;
        for (unsigned row = 0; row < numbers->cells / COLUMNS; row++)
            for (unsigned at = 0; at < ROW_PLACES; at++)
                numbers->row[row][at][kind] = count_row(numbers, row, at, codes);
    }
}

static void make_family_numbers(struct klotski_numbers *numbers, const struct klotski *klotski)
{
    numbers->cells = klotski->cells;
    for (unsigned i = 0; i < klotski->kinds; i++)
        for (enum choice choice = SINGLE; choice < CHOICES; choice++)
            if (klotski->kind[i].shape == shapes[choice]) {
                numbers->code[choice] = (uint8_t)(i + 1);
                numbers->choice[i + 1] = (uint8_t)choice;
            }
    family_count_all(numbers);
    count_rows(numbers);
}

const struct klotski_numbers *klotski_number(const struct klotski *klotski)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct klotski_numbers *made[ROWS_MAX + 1]; /* by rows; under the lock. They stay */
    (void)pthread_mutex_lock(&lock);
    struct klotski_numbers **numbers = &made[klotski->rows];
    if (*numbers == NULL && (*numbers = calloc(1, sizeof **numbers)) != NULL)
        make_family_numbers(*numbers, klotski);
    (void)pthread_mutex_unlock(&lock);
    return *numbers;
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
    const struct klotski *klotski = klotski_of(space);
    return klotski->numbers != NULL ? klotski->numbers->total : 0;
}

uint64_t klotski_rank(const struct pz_space *space, const void *state)
{
    const struct klotski *klotski = klotski_of(space);
    const struct klotski_numbers *numbers = klotski->numbers;
    uint64_t codes = *(const uint64_t *)state;
    uint64_t number = 0;
    uint32_t at = 0;
    for (unsigned row = 0; row < klotski->rows; row++, codes >>= CODE_BITS * COLUMNS) {
        const uint32_t found = numbers->row[row][at][numbers->row_kind[codes & (ROW_CODES - 1)]];
        number += found & ((UINT32_C(1) << BEFORE_BITS) - 1);
        at = found >> BEFORE_BITS;
    }
    return number;
}

void klotski_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    const struct klotski *klotski = klotski_of(space);
    const struct klotski_numbers *numbers = klotski->numbers;
    uint64_t codes = 0;
    unsigned at = 0;
    for (unsigned cell = 0; cell < numbers->cells; cell++) {
        const uint32_t *before = numbers->before[cell][at];
        enum choice choice = EMPTY;
        for (enum choice higher = SINGLE; higher < CHOICES; higher++)
            choice = before[higher] <= number ? higher : choice;
        number -= before[choice];
        codes |= (uint64_t)numbers->code[choice] << cell * CODE_BITS;
        at = numbers->next[at][choice];
    }
    memset(state, 0, space->state_bytes);
    memcpy(state, &codes, sizeof codes);
}
