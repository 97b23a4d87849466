/* SPDX-License-Identifier: MIT */
#include "explore/sample/bottom_k.h"

#include <stdlib.h>
#include <string.h>

bool bottom_k_init(struct bottom_k *sample, unsigned limit)
{
    *sample = (struct bottom_k){.limit = limit, .worst = UINT64_MAX};
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

/* Orders entries by hash, and by key if two hashes are equal (unused words are 0): a total order. */
static int entry_compare(const void *left, const void *right)
{
    const struct bottom_k_entry *a = left;
    const struct bottom_k_entry *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    for (unsigned i = 0; i < KEY_WORDS_MAX; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return 0;
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
