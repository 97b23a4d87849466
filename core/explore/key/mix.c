/* SPDX-License-Identifier: MIT */
#include "explore/key/mix.h"

#include <string.h>

void mix_bytes(const void *state, size_t state_bytes, uint64_t *key)
{
    uint64_t words[KEY_WORDS_MAX];
    memcpy(words, state, state_bytes);
    mix_state(words, key, (unsigned)(state_bytes / 8));
}

void unmix_bytes(const uint64_t *key, size_t state_bytes, void *state)
{
    uint64_t words[KEY_WORDS_MAX];
    unmix_state(key, words, (unsigned)(state_bytes / 8));
    memcpy(state, words, state_bytes);
}
