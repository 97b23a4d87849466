/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/disk_search.h"

#include <assert.h>
#include <errno.h>

/* ---- which pieces are read ---- */

static uint64_t states_of(const struct disk_walk *walk, uint32_t partition)
{
    uint64_t states = 0;
    for (uint32_t level = 0; level <= walk->depth; level++)
        states += walk->search->levels[level]->of_partition[partition];
    return states;
}

static const struct partition_file *file_of_level(const void *context, uint32_t level)
{
    const struct disk_walk *walk = context;
    return walk->search->levels[level];
}

static void walk_partition(struct disk_walk *walk, uint32_t partition)
{
    partition_parts_open(&walk->feed, partition, states_of(walk, partition) * (walk->search->words + 1),
                         walk->search->sort_words);
}

static bool feed_all(void *context, struct partition_want *want)
{
    struct disk_walk *walk = context;
    while (!partition_parts_next(&walk->feed, want)) {
        if (walk->feed.partition + 1 == DISK_PARTITIONS)
            return false;
        walk_partition(walk, walk->feed.partition + 1);
    }
    return true;
}

/* ---- a part of a partition ---- */

static bool walk_fail(struct disk_walk *walk, int failure)
{
    walk->status =
        failure == ENOMEM
            ? pz_fail(&walk->error, PZ_MEMORY, "no memory to bring the states of a partition into order")
            : scratch_failed(&walk->search->store.disk, failure, "read a level", &walk->error);
    walk->got = NULL;
    walk->at = walk->count = 0;
    return false;
}

/* Copies a piece's entries that are in the part, each with its level. Returns false without room. */
static bool walk_copy_piece(struct disk_walk *walk, struct radix *radix)
{
    const unsigned words = walk->search->words;
    const struct partition_want *want = walk->got;
    const uint32_t count = partition_want_place(want)->count;
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
static bool walk_load(struct disk_walk *walk)
{
    struct disk_search *search = walk->search;
    struct radix *radix = &search->workers[0].searchers->radix;
    if (walk->got == NULL)
        return false;
    const uint32_t partition = walk->partition = partition_want_place(walk->got)->partition;
    const uint32_t part = walk->got->part;
    const uint32_t bits = walk->got->parts_bits;
    const uint64_t words = (states_of(walk, partition) * (search->words + 1)) >> bits;
    walk->at = walk->count = 0;
    if (!radix_reserve(radix, bits == 0 ? words : words + words / 4 + 4096))
        return walk_fail(walk, ENOMEM);
    while (walk->got != NULL && partition_want_place(walk->got)->partition == partition &&
           walk->got->part == part) {
        if (!walk_copy_piece(walk, radix))
            return walk_fail(walk, ENOMEM);
        const int failure = partition_reader_next(&search->workers[0].reader, &walk->got, &walk->entries);
        if (failure != 0)
            return walk_fail(walk, failure);
    }
    radix_sort_pairs(radix, walk->count, search->words, bits);
    return true;
}

/* ---- the walk ---- */

void disk_walk_begin(struct disk_walk *walk, struct disk_search *search, uint32_t depth)
{
    assert(search->keep_all && depth <= search->level);
    *walk = (struct disk_walk){.search = search, .depth = depth, .status = PZ_OK};
    walk->feed = (struct partition_parts){.file_of = file_of_level, .context = walk, .ages = depth + 1};
    walk_partition(walk, 0);
    partition_reader_begin(&search->workers[0].reader, feed_all, walk);
    const int failure = partition_reader_next(&search->workers[0].reader, &walk->got, &walk->entries);
    if (failure != 0)
        (void)walk_fail(walk, failure);
}

bool disk_walk_next(struct disk_walk *walk, uint64_t *key, uint32_t *level)
{
    const unsigned words = walk->search->words;
    while (walk->at == walk->count)
        if (!walk_load(walk))
            return false;
    const uint64_t *entry = walk->search->workers[0].searchers->radix.entries + walk->at++ * (words + 1);
    entry_key(entry, partition_top(walk->partition), key, words);
    *level = (uint32_t)entry[words];
    assert(*level <= walk->depth);
    return true;
}

void disk_walk_end(struct disk_walk *walk)
{
    partition_reader_end(&walk->search->workers[0].reader);
}
