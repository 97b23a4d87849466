/* SPDX-License-Identifier: MIT */
/*
 * The k keys of a level whose seeded hash is smallest: a random choice that is the same whatever threads made
 * the level, and in whatever order.
 */
#ifndef STRIPED_SAMPLE_H
#define STRIPED_SAMPLE_H

#include "explore/striped/mix.h"

#include <stdbool.h>

struct sample_entry {
    uint64_t hash;
    uint64_t key[KEY_WORDS_MAX];
};

/* A binary heap, the greatest hash on top. All zeros is an empty sample that takes nothing. */
struct sample {
    struct sample_entry *entries; /* room for limit */
    unsigned limit;
    unsigned count;
    uint64_t worst; /* hash of the top when full, else the greatest value: what a new hash must beat */
};

bool sample_init(struct sample *sample, unsigned limit);
void sample_clear(struct sample *sample);
void sample_empty(struct sample *sample);
void sample_add(struct sample *sample, uint64_t hash, const uint64_t *key, unsigned words);
/* Adds the entries of another sample. */
void sample_merge(struct sample *sample, const struct sample *other, unsigned words);
/* Orders the entries by hash; the sample takes no more until sample_empty. */
void sample_sort(struct sample *sample);

__attribute__((always_inline)) static inline uint64_t sample_hash(const uint64_t *key, uint64_t seed,
                                                                  unsigned words)
{
    uint64_t folded = key[0] ^ seed;
    for (unsigned i = 1; i < words; i++)
        folded = (folded ^ key[i]) * 0x9E3779B97F4A7C15u;
    return mix_word(folded);
}

/* Most keys are refused by this one comparison. */
static inline void sample_offer(struct sample *sample, uint64_t hash, const uint64_t *key, unsigned words)
{
    if (hash <= sample->worst && sample->limit > 0)
        sample_add(sample, hash, key, words);
}

#endif
