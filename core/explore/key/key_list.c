/* SPDX-License-Identifier: MIT */
#include "explore/key/key_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_KEYS = 64 };

/* Makes room for so many more keys. */
static bool make_room(struct key_list *keys, struct budget *budget, uint64_t more)
{
    assert(keys->count <= keys->room && (keys->keys != NULL) == (keys->room > 0));
    if (keys->room - keys->count >= more)
        return true;
    const uint64_t least = 2 * keys->room + FIRST_KEYS;
    const uint64_t room = keys->count + more > least ? keys->count + more : least;
    void *grown = budget_realloc(budget, (void *)keys->keys, keys->room * sizeof *keys->keys,
                                 room * sizeof *keys->keys);
    if (grown == NULL)
        return false;
    keys->keys = grown;
    keys->room = room;
    return true;
}

bool key_list_put(struct key_list *keys, struct budget *budget, const uint64_t *key, unsigned words)
{
    assert(words > 0 && words <= KEY_WORDS_MAX);
    if (!make_room(keys, budget, 1))
        return false;
    uint64_t *own = keys->keys[keys->count++];
    memset(own, 0, sizeof keys->keys[0]);
    memcpy(own, key, words * sizeof *key);
    return true;
}

bool key_list_add(struct key_list *keys, struct budget *budget, const void *state, uint32_t state_bytes)
{
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(state, state_bytes, key);
    return key_list_put(keys, budget, key, state_bytes / sizeof *key);
}

bool key_list_join(struct key_list *keys, struct budget *budget, const struct key_list *others)
{
    assert(keys != others);
    if (others->count == 0)
        return true;
    if (!make_room(keys, budget, others->count))
        return false;
    memcpy(keys->keys + keys->count, others->keys, others->count * sizeof *keys->keys);
    keys->count += others->count;
    return true;
}

int key_list_compare(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;
    for (unsigned i = 0; i < KEY_WORDS_MAX; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

void key_list_sort(struct key_list *keys)
{
    if (keys->count > 0)
        qsort((void *)keys->keys, keys->count, sizeof *keys->keys, key_list_compare);
}

void key_list_clear(struct key_list *keys, struct budget *budget)
{
    budget_give(budget, keys->room * sizeof *keys->keys);
    free((void *)keys->keys);
    *keys = (struct key_list){0};
}

/* ---- states that are held as bytes ---- */

void mix_bytes(const void *state, size_t state_bytes, uint64_t *key)
{
    uint64_t words[KEY_WORDS_MAX];
    const unsigned count = (unsigned)(state_bytes / 8);
    assert(count > 0 && count <= KEY_WORDS_MAX && state_bytes % 8 == 0);
    memcpy(words, state, state_bytes);
    mix_state(words, key, count);
}

void unmix_bytes(const uint64_t *key, size_t state_bytes, void *state)
{
    uint64_t words[KEY_WORDS_MAX];
    const unsigned count = (unsigned)(state_bytes / 8);
    assert(count > 0 && count <= KEY_WORDS_MAX && state_bytes % 8 == 0);
    unmix_state(key, words, count);
    memcpy(state, words, state_bytes);
}
