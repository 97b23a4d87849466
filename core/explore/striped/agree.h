/* SPDX-License-Identifier: MIT */
/* Agreements of the ranks of one exploration. All ranks make the same calls in the same order. */
#ifndef STRIPED_AGREE_H
#define STRIPED_AGREE_H

#include "explore/striped/bottom_k.h"
#include "explore/striped/exchange.h"
#include "puzzled/status.h"

/* Returns PZ_OK if that is every rank's status; else the status and the text of the first rank that failed,
 * with its number. *least becomes the least value of all ranks; may be NULL. Without ranks (exchange is NULL)
 * it returns status. */
enum pz_status agree_status(const struct exchange *exchange, enum pz_status status, uint64_t *least,
                            struct pz_error *error);

/* A sample as it travels. */
struct agree_part {
    uint64_t count;
    struct bottom_k_entry entries[]; /* room for the sample's limit */
};
/* Returns a part for samples up to that limit; NULL without memory. The caller frees it with free(). */
struct agree_part *agree_part_new(unsigned limit);
/* Adds the samples of all other ranks. All have the same limit. */
void agree_sample(const struct exchange *exchange, struct bottom_k *sample, unsigned words,
                  struct agree_part *part);

#endif
