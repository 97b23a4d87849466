/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/bin_search.h"

#include <errno.h>

/* ---- which pieces are read ---- */

static uint64_t states_of(const struct bin_walk *walk, uint32_t bin)
{
    uint64_t states = 0;
    for (uint32_t level = 0; level <= walk->depth; level++)
        states += walk->search->levels[level]->of_bin[bin];
    return states;
}

static const struct bin_file *file_of_level(const void *context, uint32_t level)
{
    const struct bin_walk *walk = context;
    return walk->search->levels[level];
}

static void open_bin(struct bin_walk *walk, uint32_t bin)
{
    bin_feed_open(&walk->feed, bin, states_of(walk, bin) * (walk->search->words + 1),
                  walk->search->sort_words);
}

static bool feed_all(void *context, struct bin_want *want)
{
    struct bin_walk *walk = context;
    while (!bin_feed_next(&walk->feed, want)) {
        if (walk->feed.bin + 1 == BINS)
            return false;
        open_bin(walk, walk->feed.bin + 1);
    }
    return true;
}

/* ---- a part of a partition ---- */

static bool fail(struct bin_walk *walk, int failure)
{
    walk->status = failure == ENOMEM
                       ? pz_fail(&walk->error, PZ_MEMORY, "no memory to bring the states of a bin into order")
                       : scratch_failed(&walk->search->store.disk, failure, "read a level", &walk->error);
    walk->got = NULL;
    walk->at = walk->count = 0;
    return false;
}

/* Copies a piece's entries that are in the part, each with its level. Returns false without room. */
static bool copy_piece(struct bin_walk *walk, struct radix *radix)
{
    const unsigned words = walk->search->words;
    const struct bin_want *want = walk->got;
    const uint32_t count = bin_want_place(want)->count;
    const uint64_t *entry = walk->entries;
    uint64_t *to = radix->entries + walk->count * (words + 1);
    for (uint32_t i = 0; i < count; i++, entry += words) {
        if (want->parts_bits > 0 && entry[0] >> (64 - want->parts_bits) != want->part)
            continue;
        if ((walk->count + 1) * (words + 1) > radix->room)
            return false;
        entry_copy(to, entry, words);
        to[words] = want->file->level;
        to += words + 1;
        walk->count++;
    }
    return true;
}

/* Loads the next part of a partition. Returns false at the end and after a failure. */
static bool load(struct bin_walk *walk)
{
    struct bin_search *search = walk->search;
    struct radix *radix = &search->members[0].searchers->radix;
    if (walk->got == NULL)
        return false;
    const uint32_t bin = walk->bin = bin_want_place(walk->got)->bin;
    const uint32_t part = walk->got->part;
    const uint32_t bits = walk->got->parts_bits;
    const uint64_t words = (states_of(walk, bin) * (search->words + 1)) >> bits;
    walk->at = walk->count = 0;
    if (!radix_reserve(radix, bits == 0 ? words : words + words / 4 + 4096))
        return fail(walk, ENOMEM);
    while (walk->got != NULL && bin_want_place(walk->got)->bin == bin && walk->got->part == part) {
        if (!copy_piece(walk, radix))
            return fail(walk, ENOMEM);
        const int failure = bin_reader_next(&search->members[0].reader, &walk->got, &walk->entries);
        if (failure != 0)
            return fail(walk, failure);
    }
    radix_sort_pairs(radix, walk->count, search->words, bits);
    return true;
}

/* ---- the walk ---- */

void bin_walk_begin(struct bin_walk *walk, struct bin_search *search, uint32_t depth)
{
    *walk = (struct bin_walk){.search = search, .depth = depth, .status = PZ_OK};
    walk->feed = (struct bin_parts){.file_of = file_of_level, .context = walk, .ages = depth + 1};
    open_bin(walk, 0);
    bin_reader_begin(&search->members[0].reader, feed_all, walk);
    const int failure = bin_reader_next(&search->members[0].reader, &walk->got, &walk->entries);
    if (failure != 0)
        (void)fail(walk, failure);
}

bool bin_walk_next(struct bin_walk *walk, uint64_t *key, uint32_t *level)
{
    const unsigned words = walk->search->words;
    while (walk->at == walk->count)
        if (!load(walk))
            return false;
    const uint64_t *entry = walk->search->members[0].searchers->radix.entries + walk->at++ * (words + 1);
    entry_key(entry, bin_top(walk->bin), key, words);
    *level = (uint32_t)entry[words];
    return true;
}

void bin_walk_end(struct bin_walk *walk)
{
    bin_reader_end(&walk->search->members[0].reader);
}
