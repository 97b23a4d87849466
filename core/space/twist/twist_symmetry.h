/* SPDX-License-Identifier: MIT */
/*
 * Symmetries of a permutation puzzle, found from its moves alone: permutations of the moves that a renaming
 * of places, kinds and turns carries out, by which the solved state stays solved. A state and its image are
 * equally far from the solved one.
 */
#ifndef TWIST_TWIST_SYMMETRY_H
#define TWIST_TWIST_SYMMETRY_H

#include "space/twist/twist.h"

struct twist_symmetry {
    uint8_t move[TWIST_MOVES_MAX];   /* what each move becomes */
    uint8_t place[TWIST_PLACES_MAX]; /* where what is in each place goes to … */
    uint8_t set[TWIST_SETS_MAX];
    uint8_t kind[TWIST_SETS_MAX][TWIST_CODES];
    uint8_t factor[TWIST_PLACES_MAX]; /* … its turn times this, plus turn, less back of its kind */
    uint8_t turn[TWIST_PLACES_MAX];
    uint8_t back[TWIST_SETS_MAX][TWIST_CODES];
};

/* Writes up to `most` symmetries, the one that changes nothing first; returns how many. It may miss some of
 * a puzzle with very many, and returns 0 without memory. */
unsigned twist_symmetries(const struct twist *twist, struct twist_symmetry *out, unsigned most);
/* Returns what the code of a piece in a place becomes, in the place's image. */
uint8_t twist_symmetry_code(const struct twist *twist, const struct twist_symmetry *symmetry, unsigned place,
                            uint8_t code);
/* Writes the image of a state. */
void twist_symmetry_apply(const struct twist *twist, const struct twist_symmetry *symmetry,
                          const uint8_t *state, uint8_t *out);

#endif
