/* SPDX-License-Identifier: MIT */
/* The tables of a board: where each kind of block can lie, and how a state is packed. */
#include "space/klotski/klotski.h"

#include <string.h>

/* Fills in the places of a kind's blocks, and the steps between them. */
void klotski_fill_kind(const struct klotski *klotski, struct klotski_kind *kind)
{
    unsigned columns = klotski->columns;
    unsigned indent = (unsigned)__builtin_ctzll(kind->shape);
    memset(kind->at, 0, sizeof kind->at);
    memset(kind->step, KLOTSKI_NO_CELL, sizeof kind->step);
    kind->places = kind->to_left = kind->to_right = 0;
    const bool keeps_row = klotski->lanes && kind->width > 1;
    const bool keeps_column = klotski->lanes && kind->height > 1;
    kind->row_shift = keeps_row ? 0 : columns % 64; /* with one row nothing steps up or down */
    for (unsigned row = 0; row + kind->height <= klotski->rows; row++) {
        for (unsigned column = 0; column + kind->width <= columns; column++) {
            unsigned corner = row * columns + column;
            unsigned cell = corner + indent;
            if ((kind->shape << corner & klotski->walls) != 0)
                continue;
            kind->at[cell] = kind->shape << corner;
            kind->places |= UINT64_C(1) << cell;
            if (!keeps_row && row > 0 && kind->at[cell - columns] != 0) {
                kind->step[cell][0] = (uint8_t)(cell - columns);
                kind->step[cell - columns][1] = (uint8_t)cell;
            }
            if (!keeps_column && column > 0 && kind->at[cell - 1] != 0) {
                kind->step[cell][2] = (uint8_t)(cell - 1);
                kind->step[cell - 1][3] = (uint8_t)cell;
                kind->to_left |= UINT64_C(1) << cell;
                kind->to_right |= UINT64_C(1) << (cell - 1);
            }
        }
    }
}

bool klotski_plan(struct klotski *klotski)
{
    unsigned bits = 1;
    while (klotski->kinds >> bits != 0)
        bits++;
    unsigned per_word = 64 / bits;
    unsigned words = (klotski->cells + per_word - 1) / per_word;
    if (words > 4)
        return false;
    klotski->bits = (uint8_t)bits;
    klotski->per_word = (uint8_t)per_word;
    for (unsigned cell = 0; cell < klotski->cells; cell++) {
        klotski->word_of[cell] = (uint8_t)(cell / per_word);
        klotski->shift_of[cell] = (uint8_t)(cell % per_word * bits);
    }
    for (unsigned bit = 0; bit < 64; bit++)
        klotski->field_of_bit[bit] = (uint8_t)(bit / bits);
    klotski->base.state_bytes = words <= 1 ? 8 : words == 2 ? 16 : 32;
    return true;
}
