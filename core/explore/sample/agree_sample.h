/* SPDX-License-Identifier: MIT */
/* The samples of all ranks become one. All ranks make the same calls in the same order. */
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
/* Adds the samples of all other ranks. All have the same limit. */
void agree_sample(const struct exchange *exchange, struct bottom_k *sample, const struct pz_space *space,
                  struct agree_part *part);

#endif
