/* SPDX-License-Identifier: MIT */
/* Examples of a level whose states lie in runs. */
#include "explore/ranked/runs/run_level.h"

#include <assert.h>

/* Returns the n-th bit of a set, or 0. */
static uint64_t nth_bit(uint64_t set, unsigned n)
{
    for (; n > 0; n--)
        set &= set - 1;
    return set & -set;
}

unsigned run_examples(const struct run_space *space, const struct bottom_k *sample, uint64_t *numbers,
                      unsigned most)
{
    unsigned count = 0;
    for (unsigned round = 0; round < WORD_STATES; round++) {
        for (unsigned i = 0; i < sample->count && count < most; i++) {
            const uint64_t bit = nth_bit(sample->entries[i].key[1], round);
            assert(sample->entries[i].key[1] != 0);
            if (bit != 0)
                numbers[count++] = run_number(space, sample->entries[i].key[0] * WORD_STATES +
                                                         (unsigned)__builtin_ctzll(bit) / 2);
        }
    }
    return count;
}

/* ---- merging the samples of several rounds and ranks ---- */

void run_examples_join(struct bottom_k *sample, const struct bottom_k *other)
{
    for (unsigned i = 0; i < other->count; i++) {
        const struct bottom_k_entry *entry = &other->entries[i];
        unsigned same = entry->hash <= sample->worst ? 0 : sample->count;
        while (same < sample->count && sample->entries[same].key[0] != entry->key[0])
            same++;
        assert(same == sample->count || sample->entries[same].hash == entry->hash);
        if (same < sample->count)
            sample->entries[same].key[1] |= entry->key[1];
        else
            bottom_k_offer(sample, entry->hash, entry->key, 2);
    }
}

const char *run_example_fault(const struct run_space *space, unsigned from,
                              const struct bottom_k_entry *entry)
{
    const struct run_shape *shape = &space->shape;
    const uint64_t run = entry->key[0] / shape->run_words, word = entry->key[0] % shape->run_words;
    if (run >= space->runs->outers || run_share_owner(space->share, run) != from)
        return "an example of a run that is not its own";
    if (entry->key[1] == 0 || (entry->key[1] & ~run_word_mask(shape, (uint32_t)word)) != 0)
        return "an example that is no state";
    return entry->hash != bottom_k_hash(entry->key, space->seed, 1) ? "an example out of its order" : NULL;
}
