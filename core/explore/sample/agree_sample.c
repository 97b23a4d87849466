/* SPDX-License-Identifier: MIT */
#include "explore/sample/agree_sample.h"

#include "explore/exchange/frame.h"

#include <stdlib.h>
#include <string.h>

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
    const unsigned char *all = frame_gather(exchange, FRAME_SAMPLE, part, bytes);
    for (unsigned i = 0; i < exchange->ranks; i++) {
        const struct agree_part *theirs = (const void *)(all + i * bytes);
        if (theirs->count > sample->limit)
            frame_fail(exchange, i, "a sample of too many states");
        for (uint64_t k = 0; i != exchange->rank && k < theirs->count; k++)
            bottom_k_offer(sample, theirs->entries[k].hash, theirs->entries[k].key, words);
    }
}
