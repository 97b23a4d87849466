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

static const char *state_fault(const void *context, unsigned from, const struct bottom_k_entry *entry)
{
    const struct pz_space *space = context;
    uint64_t state[KEY_WORDS_MAX];
    (void)from;
    unmix_bytes(entry->key, space->state_bytes, state);
    return space_state_valid(space, state) ? NULL : "an example that is no state";
}

struct agree_entries agree_states(const struct pz_space *space)
{
    return (struct agree_entries){.words = space->state_bytes / 8, .fault = state_fault, .context = space};
}

/* Returns what is wrong with a rank's sample; NULL if nothing is. */
static const char *sample_fault(const struct agree_part *part, unsigned from, unsigned limit,
                                const struct agree_entries *entries)
{
    const char *fault = part->count > limit ? "a sample of too many states" : NULL;
    for (uint64_t i = 0; fault == NULL && i < part->count; i++)
        fault = entries->fault(entries->context, from, &part->entries[i]);
    return fault;
}

void agree_sample(const struct exchange *exchange, struct bottom_k *sample,
                  const struct agree_entries *entries, struct agree_part *part)
{
    size_t bytes = part_bytes(sample->limit);
    part->count = sample->count;
    memcpy(part->entries, sample->entries, sample->count * sizeof *sample->entries);
    const unsigned char *all = frame_gather(exchange, FRAME_SAMPLE, part, bytes);
    for (unsigned i = 0; i < exchange->ranks; i++) {
        const struct agree_part *theirs = (const void *)(all + i * bytes);
        const char *fault = sample_fault(theirs, i, sample->limit, entries);
        if (fault != NULL)
            frame_fail(exchange, i, fault);
        for (uint64_t k = 0; i != exchange->rank && k < theirs->count; k++)
            bottom_k_offer(sample, theirs->entries[k].hash, theirs->entries[k].key, entries->words);
    }
}
