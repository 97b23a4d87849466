/* SPDX-License-Identifier: MIT */
#include "explore/striped/agree.h"

#include <stdlib.h>
#include <string.h>

/* A rank's status, as it travels. */
struct opinion {
    uint64_t status, least;
    char text[sizeof((struct pz_error *)NULL)->text];
};

enum pz_status agree_status(const struct exchange *exchange, enum pz_status status, uint64_t *least,
                            struct pz_error *error)
{
    if (exchange == NULL)
        return status;
    struct opinion own = {.status = status, .least = least != NULL ? *least : 0};
    if (status != PZ_OK && error != NULL)
        memcpy(own.text, error->text, sizeof own.text);
    const struct opinion *opinions = exchange->gather(exchange->context, &own, sizeof own);
    for (unsigned i = 0; i < exchange->ranks; i++) {
        if (opinions[i].status != PZ_OK)
            return pz_fail(error, (enum pz_status)opinions[i].status, "rank %u: %s", i, opinions[i].text);
        if (least != NULL && opinions[i].least < *least)
            *least = opinions[i].least;
    }
    return PZ_OK;
}

static size_t part_bytes(unsigned limit)
{
    return sizeof(struct agree_part) + limit * sizeof(struct bottom_k_entry);
}

struct agree_part *agree_part_new(unsigned limit)
{
    return calloc(1, part_bytes(limit));
}

void agree_sample(const struct exchange *exchange, struct bottom_k *sample, unsigned words,
                  struct agree_part *part)
{
    size_t bytes = part_bytes(sample->limit);
    part->count = sample->count;
    memcpy(part->entries, sample->entries, sample->count * sizeof *sample->entries);
    const unsigned char *all = exchange->gather(exchange->context, part, bytes);
    for (unsigned i = 0; i < exchange->ranks; i++) {
        const struct agree_part *theirs = (const void *)(all + i * bytes);
        for (uint64_t k = 0; i != exchange->rank && k < theirs->count; k++)
            bottom_k_offer(sample, theirs->entries[k].hash, theirs->entries[k].key, words);
    }
}
