/* SPDX-License-Identifier: MIT */
/* A list of states in memory, as keys: of goals, or of all that a search did not reach. */
#ifndef EXPLORE_KEY_LIST_H
#define EXPLORE_KEY_LIST_H

#include "base/budget.h"
#include "explore/key/mix.h"

#include <stdbool.h>

/* Mixed keys, with zeros after the words of the space. Zeroed memory is an empty list. */
struct key_list {
    uint64_t (*keys)[KEY_WORDS_MAX];
    uint64_t count, room;
};

/* Adds a state. Returns false without memory, which is taken from the budget. */
bool key_list_add(struct key_list *keys, struct budget *budget, const void *state, uint32_t state_bytes);
/* Adds all of another list. Returns false without memory. */
bool key_list_join(struct key_list *keys, struct budget *budget, const struct key_list *others);
/* Adds a key of so many words. Returns false without memory. */
bool key_list_put(struct key_list *keys, struct budget *budget, const uint64_t *key, unsigned words);
/* Compares two keys, with their zeros, as qsort wants it.
 */
int key_list_compare(const void *left, const void *right);
/* Brings the keys into ascending order. */
void key_list_sort(struct key_list *keys);
void key_list_clear(struct key_list *keys, struct budget *budget);

#endif
