/* SPDX-License-Identifier: MIT */
/* Merges the samples of all ranks. All ranks make the same calls in the same order. */
#ifndef STRIPED_AGREE_SAMPLE_H
#define STRIPED_AGREE_SAMPLE_H

#include "explore/exchange/exchange.h"
#include "explore/sample/bottom_k.h"
#include "puzzled/space.h"

/* A sample as it travels. */
struct agree_part {
    uint64_t count;
    struct bottom_k_entry entries[]; /* room for the sample's limit */
};
/* Returns a part for samples up to that limit; NULL without memory. The caller frees it with free(). */
struct agree_part *agree_part_new(unsigned limit);
/* Checks of an entry that comes from a rank. */
struct agree_entries {
    unsigned words; /* of a key */
    /* Returns what is wrong with it; NULL if it is valid. */
    const char *(*fault)(const void *context, unsigned from, const struct bottom_k_entry *entry);
    const void *context;
};
/* Adds the samples of all other ranks. All have the same limit. No two ranks have the same key. */
void agree_sample(const struct exchange *exchange, struct bottom_k *sample,
                  const struct agree_entries *entries, struct agree_part *part);
/* Returns the entries of a sample of the space's states, by their mixed keys. */
struct agree_entries agree_states(const struct pz_space *space);

#endif
