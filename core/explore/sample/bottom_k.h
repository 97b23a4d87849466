/* SPDX-License-Identifier: MIT */
/*
 * A bottom-k sample: the k keys of a level whose seeded hash is smallest. This random choice does not depend
 * on the number of threads or the order in which they make the level.
 */
#ifndef STRIPED_BOTTOM_K_H
#define STRIPED_BOTTOM_K_H

#include "explore/exchange/exchange.h"
#include "explore/key/mix.h"
#include "puzzled/space.h"

#include <stdbool.h>

struct bottom_k_entry {
    uint64_t hash;
    uint64_t key[KEY_WORDS_MAX];
};

/* A binary heap, the greatest hash on top. All zeros is an empty sample that takes nothing. */
struct bottom_k {
    struct bottom_k_entry *entries;
    unsigned room;  /* of entries */
    unsigned limit; /* at most as many are kept */
    unsigned count;
    uint64_t worst; /* what a new hash must beat: hash of the top when full, else the greatest value */
};

bool bottom_k_init(struct bottom_k *sample, unsigned limit);
void bottom_k_clear(struct bottom_k *sample);
void bottom_k_empty(struct bottom_k *sample);
/* Empties it, too; then it keeps so many, at most as many as it was made for. */
void bottom_k_begin(struct bottom_k *sample, unsigned limit);
void bottom_k_add(struct bottom_k *sample, uint64_t hash, const uint64_t *key, unsigned words);
/* Adds the entries of another sample. */
void bottom_k_merge(struct bottom_k *sample, const struct bottom_k *other, unsigned words);
/* Orders the entries by hash; the sample takes no more until bottom_k_empty. */
void bottom_k_sort(struct bottom_k *sample);

/* Sorts a sample of mixed keys and writes its states. Returns how many. */
unsigned bottom_k_states(struct bottom_k *sample, size_t state_bytes, uint8_t *states);

__attribute__((always_inline)) static inline uint64_t bottom_k_hash(const uint64_t *key, uint64_t seed,
                                                                    unsigned words)
{
    uint64_t folded = key[0] ^ seed;
    for (unsigned i = 1; i < words; i++)
        folded = (folded ^ key[i]) * 0x9E3779B97F4A7C15u;
    return mix_word(folded);
}

/* Most keys are refused by this one comparison. */
static inline void bottom_k_offer(struct bottom_k *sample, uint64_t hash, const uint64_t *key, unsigned words)
{
    if (hash <= sample->worst && sample->limit > 0)
        bottom_k_add(sample, hash, key, words);
}

/* ---- samples of all ranks, which all make the same calls in the same order ---- */

/* Checks of an entry that comes from a rank. */
struct agree_entries {
    unsigned words; /* of a key */
    /* Returns what is wrong with it; NULL if it is valid. */
    const char *(*fault)(const void *context, unsigned from, const struct bottom_k_entry *entry);
    const void *context;
};
/* Adds the samples of all other ranks. All have the same limit. No two ranks have the same key. Without
 * memory it ends all ranks, as frame_gather does. */
void agree_sample(const struct exchange *exchange, struct bottom_k *sample,
                  const struct agree_entries *entries);
/* Returns the entries of a sample of the space's states, by their mixed keys. */
struct agree_entries agree_states(const struct pz_space *space);

#endif
