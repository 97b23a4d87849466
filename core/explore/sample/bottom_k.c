/* SPDX-License-Identifier: MIT */
#include "explore/sample/bottom_k.h"

#include "explore/exchange/frame.h"
#include "explore/key/key_list.h"
#include "space/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool bottom_k_init(struct bottom_k *sample, unsigned limit)
{
    assert(limit > 0);
    *sample = (struct bottom_k){.room = limit, .limit = limit, .worst = UINT64_MAX};
    sample->entries = malloc(limit * sizeof(struct bottom_k_entry));
    return sample->entries != NULL;
}

void bottom_k_clear(struct bottom_k *sample)
{
    free(sample->entries);
    memset(sample, 0, sizeof *sample);
}

void bottom_k_empty(struct bottom_k *sample)
{
    sample->count = 0;
    sample->worst = UINT64_MAX;
}

void bottom_k_begin(struct bottom_k *sample, unsigned limit)
{
    assert(limit <= sample->room);
    bottom_k_empty(sample);
    sample->limit = limit;
}

/* Orders entries by hash, and by key if two hashes are equal (unused words are 0): a total order. */
static int entry_compare(const void *left, const void *right)
{
    const struct bottom_k_entry *a = left;
    const struct bottom_k_entry *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return key_list_compare(a->key, b->key);
}

static void entry_swap(struct bottom_k_entry *a, struct bottom_k_entry *b)
{
    struct bottom_k_entry kept = *a;
    *a = *b;
    *b = kept;
}

static void sift_down(struct bottom_k *sample)
{
    struct bottom_k_entry *entries = sample->entries;
    for (unsigned top = 0;;) {
        unsigned greatest = top;
        for (unsigned child = 2 * top + 1; child <= 2 * top + 2 && child < sample->count; child++)
            if (entry_compare(&entries[child], &entries[greatest]) > 0)
                greatest = child;
        if (greatest == top)
            return;
        entry_swap(&entries[top], &entries[greatest]);
        top = greatest;
    }
}

static void sift_up(struct bottom_k *sample)
{
    struct bottom_k_entry *entries = sample->entries;
    for (unsigned at = sample->count - 1; at > 0;) {
        unsigned parent = (at - 1) / 2;
        if (entry_compare(&entries[at], &entries[parent]) <= 0)
            return;
        entry_swap(&entries[at], &entries[parent]);
        at = parent;
    }
}

void bottom_k_add(struct bottom_k *sample, uint64_t hash, const uint64_t *key, unsigned words)
{
    assert(words > 0 && words <= KEY_WORDS_MAX && sample->count <= sample->limit);
    struct bottom_k_entry entry = {.hash = hash};
    memcpy(entry.key, key, words * sizeof(uint64_t));
    if (sample->count < sample->limit) {
        sample->entries[sample->count++] = entry;
        sift_up(sample);
    } else if (entry_compare(&entry, &sample->entries[0]) < 0) {
        sample->entries[0] = entry;
        sift_down(sample);
    }
    if (sample->count == sample->limit)
        sample->worst = sample->entries[0].hash;
}

void bottom_k_merge(struct bottom_k *sample, const struct bottom_k *other, unsigned words)
{
    for (unsigned i = 0; i < other->count; i++)
        bottom_k_offer(sample, other->entries[i].hash, other->entries[i].key, words);
}

void bottom_k_sort(struct bottom_k *sample)
{
    qsort(sample->entries, sample->count, sizeof(struct bottom_k_entry), entry_compare);
}

unsigned bottom_k_states(struct bottom_k *sample, size_t state_bytes, uint8_t *states)
{
    assert(sample->count <= sample->limit && state_bytes <= KEY_WORDS_MAX * sizeof(uint64_t));
    bottom_k_sort(sample);
    for (unsigned i = 0; i < sample->count; i++)
        unmix_bytes(sample->entries[i].key, state_bytes, states + i * state_bytes);
    return sample->count;
}

/* ---- samples of all ranks ---- */

/* A sample as it travels. */
struct agree_part {
    uint64_t count;
    struct bottom_k_entry entries[]; /* room for the sample's limit */
};

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
    assert(space->state_bytes % 8 == 0 && space->state_bytes <= PZ_STATE_MAX);
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
                  const struct agree_entries *entries)
{
    assert(exchange->rank < exchange->ranks && sample->count <= sample->limit);
    const size_t bytes = sizeof(struct agree_part) + sample->limit * sizeof(struct bottom_k_entry);
    struct agree_part *part = calloc(1, bytes);
    if (part == NULL)
        exchange->fail(exchange->context, "no memory for the ranks' examples");
    part->count = sample->count;
    memcpy(part->entries, sample->entries, sample->count * sizeof *sample->entries);
    const unsigned char *all = frame_gather(exchange, FRAME_SAMPLE, part, bytes);
    free(part);
    for (unsigned i = 0; i < exchange->ranks; i++) {
        const struct agree_part *theirs = (const void *)(all + i * bytes);
        const char *fault = sample_fault(theirs, i, sample->limit, entries);
        if (fault != NULL)
            frame_fail(exchange, i, fault);
        for (uint64_t k = 0; i != exchange->rank && k < theirs->count; k++)
            bottom_k_offer(sample, theirs->entries[k].hash, theirs->entries[k].key, entries->words);
    }
}
