/* SPDX-License-Identifier: MIT */
/*
 * Numbers of the states that the moves reach from the solved one, as products of coordinates. Kinds and turns
 * of each orbit of places are coordinates; those that depend on each other are joined, so that nearly each
 * number is a reached state. At most one is cut (cut.h); where others are too large to be listed, or the cut
 * one is no giant, there are no numbers.
 *
 *   number = (outer × rows + row) × columns + column
 *
 * which coordinates make which of the three is chosen so that most moves leave columns, or rows and columns,
 * as they are (struct pz_runs in puzzled/space.h).
 */
#ifndef TWIST_TWIST_NUMBERS_H
#define TWIST_TWIST_NUMBERS_H

#include "puzzled/space.h"
#include "space/twist/twist.h"

enum { TWIST_LISTED_STEPS_MAX = 1 << 22 }; /* of one coordinate: values × moves */

struct twist_numbers;

/* The twist must live as long. *out becomes NULL where there are no numbers. Returns false without memory. */
bool twist_numbers_new(const struct twist *twist, struct twist_numbers **out);
void twist_numbers_free(struct twist_numbers *numbers); /* NULL is fine */
uint64_t twist_numbers_count(const struct twist_numbers *numbers);
/* Returns the number of a state; UINT64_MAX if the coordinates show that it cannot be reached. */
uint64_t twist_numbers_rank(const struct twist_numbers *numbers, const uint8_t *state);
void twist_numbers_unrank(const struct twist_numbers *numbers, uint64_t number, uint8_t *state);

/* A coordinate as a table of moves: next[move * count + value]. A number is the sum of values times weights.
 */
struct twist_part {
    const uint32_t *next;
    uint32_t count;
    uint64_t weight;
};
enum { TWIST_PARTS_MAX = 12 };
/* Writes the coordinates; returns how many, 0 where one is too large to be listed. */
unsigned twist_numbers_parts(const struct twist_numbers *numbers, struct twist_part out[TWIST_PARTS_MAX]);

/* Makes the runs; close() frees them. The numbers must live as long. NULL without memory. */
struct pz_runs *twist_runs_new(const struct twist_numbers *numbers);

/* ---- numbers that are made when they are first asked for; any thread may ask ---- */

struct twist_lazy;

/* Says what the puzzle is: sets, solved state and moves of a zeroed twist. Called once at most, by whoever
 * asks first. */
typedef void twist_describe(const void *context, struct twist *twist);

/* The context must live as long. Returns NULL without memory. */
struct twist_lazy *twist_lazy_new(twist_describe *describe, const void *context);
void twist_lazy_free(struct twist_lazy *lazy); /* NULL is fine */
/* Returns NULL if there are no numbers. */
const struct twist_numbers *twist_lazy_numbers(struct twist_lazy *lazy);

/* Return the space's count and its runs. */
uint64_t twist_lazy_count(struct twist_lazy *lazy);
struct pz_runs *twist_lazy_runs(struct twist_lazy *lazy);

#endif
