/* SPDX-License-Identifier: MIT */
/* A list of states in memory: the first level of a search on disk, and the goals that one finds. */
#ifndef STRIPED_BIN_KEYS_H
#define STRIPED_BIN_KEYS_H

#include "base/budget.h"
#include "explore/key/mix.h"

#include <stdbool.h>

/* Mixed keys, with zeros after the words of the space. Zeroed memory is an empty list. */
struct bin_keys {
    uint64_t (*keys)[KEY_WORDS_MAX];
    uint64_t count, room;
};

/* Adds a state. Returns false without memory, which is taken from the budget. */
bool bin_keys_add(struct bin_keys *keys, struct budget *budget, const void *state, uint32_t state_bytes);
/* Adds all of another list. Returns false without memory. */
bool bin_keys_join(struct bin_keys *keys, struct budget *budget, const struct bin_keys *others);
/* Brings the keys into ascending order. */
void bin_keys_sort(struct bin_keys *keys);
void bin_keys_clear(struct bin_keys *keys, struct budget *budget);

#endif
