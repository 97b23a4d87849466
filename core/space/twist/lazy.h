/* SPDX-License-Identifier: MIT */
/* The numbers of a permutation puzzle, made when they are first asked for. Any thread may ask. */
#ifndef TWIST_LAZY_H
#define TWIST_LAZY_H

#include "puzzled/space.h"
#include "space/twist/twist.h"

struct twist_lazy;
struct twist_numbers;

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
