/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/bin_keys.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_KEYS = 64 };

/* Makes room for so many more keys. */
static bool make_room(struct bin_keys *keys, struct budget *budget, uint64_t more)
{
    if (keys->room - keys->count >= more)
        return true;
    const uint64_t least = 2 * keys->room + FIRST_KEYS;
    const uint64_t room = keys->count + more > least ? keys->count + more : least;
    const uint64_t bytes = (room - keys->room) * sizeof *keys->keys;
    if (!budget_take(budget, bytes))
        return false;
    void *grown = realloc((void *)keys->keys, room * sizeof *keys->keys);
    if (grown == NULL) {
        budget_give(budget, bytes);
        return false;
    }
    keys->keys = grown;
    keys->room = room;
    return true;
}

bool bin_keys_add(struct bin_keys *keys, struct budget *budget, const void *state, uint32_t state_bytes)
{
    if (!make_room(keys, budget, 1))
        return false;
    uint64_t *key = keys->keys[keys->count++];
    memset(key, 0, sizeof keys->keys[0]);
    mix_bytes(state, state_bytes, key);
    return true;
}

bool bin_keys_join(struct bin_keys *keys, struct budget *budget, const struct bin_keys *others)
{
    if (others->count == 0)
        return true;
    if (!make_room(keys, budget, others->count))
        return false;
    memcpy(keys->keys + keys->count, others->keys, others->count * sizeof *keys->keys);
    keys->count += others->count;
    return true;
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;
    for (unsigned i = 0; i < KEY_WORDS_MAX; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

void bin_keys_sort(struct bin_keys *keys)
{
    if (keys->count > 0)
        qsort((void *)keys->keys, keys->count, sizeof *keys->keys, compare_keys);
}

void bin_keys_clear(struct bin_keys *keys, struct budget *budget)
{
    budget_give(budget, keys->room * sizeof *keys->keys);
    free((void *)keys->keys);
    *keys = (struct bin_keys){0};
}
