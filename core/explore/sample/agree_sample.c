/* SPDX-License-Identifier: MIT */
#include "explore/sample/agree_sample.h"

#include "explore/exchange/frame.h"
#include "space/registry.h"

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

/* Returns what is wrong with a rank's sample. */
static const char *sample_fault(const struct agree_part *part, unsigned limit, const struct pz_space *space)
{
    if (part->count > limit)
        return "a sample of too many states";
    for (uint64_t i = 0; i < part->count; i++) {
        uint64_t state[KEY_WORDS_MAX];
        unmix_bytes(part->entries[i].key, space->state_bytes, state);
        if (!space_state_valid(space, state))
            return "an example that is no state";
    }
    return NULL;
}

void agree_sample(const struct exchange *exchange, struct bottom_k *sample, const struct pz_space *space,
                  struct agree_part *part)
{
    size_t bytes = part_bytes(sample->limit);
    part->count = sample->count;
    memcpy(part->entries, sample->entries, sample->count * sizeof *sample->entries);
    const unsigned char *all = frame_gather(exchange, FRAME_SAMPLE, part, bytes);
    for (unsigned i = 0; i < exchange->ranks; i++) {
        const struct agree_part *theirs = (const void *)(all + i * bytes);
        const char *fault = sample_fault(theirs, sample->limit, space);
        if (fault != NULL)
            frame_fail(exchange, i, fault);
        for (uint64_t k = 0; i != exchange->rank && k < theirs->count; k++)
            bottom_k_offer(sample, theirs->entries[k].hash, theirs->entries[k].key, space->state_bytes / 8);
    }
}
