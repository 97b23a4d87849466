/* SPDX-License-Identifier: MIT */
#include "explore/striped/state_walk.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- on disk: one partition after the other is read and sorted, as a walk in memory does it ---- */

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
        key_copy(to, entry, words);
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

/* Begins a walk through levels 0 … depth. No level may be made until it has ended. */
static void disk_walk_begin(struct disk_walk *walk, struct disk_search *search, uint32_t depth)
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

/* Moves to the next state. Returns false at the end, and after a failure, which status and error report. */
static bool disk_walk_next(struct disk_walk *walk, uint64_t *key, uint32_t *level)
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

/* ---- the walk ---- */

void state_walk_begin(struct state_walk *walk, const struct walked *walked)
{
    assert((walked->search != NULL) + (walked->graph != NULL) + (walked->disk != NULL) == 1);
    walk->walked = *walked;
    walk->at = walk->passed = 0;
    walk->ahead = walk->more = false;
    memset(walk->next_key, 0, sizeof walk->next_key);
    if (walked->search != NULL)
        cursor_begin(&walk->cursor, walked->search, 0, walked->depth);
    if (walked->disk != NULL)
        disk_walk_begin(&walk->partitions, walked->disk, walked->depth);
}

/* Moves to the next state of a graph; with complete also to dead ones. */
static bool next_of_graph(struct state_walk *walk, uint64_t *key, uint32_t *distance)
{
    const struct move_graph *graph = walk->walked.graph;
    const uint32_t depth = walk->walked.depth;
    assert(depth <= EXPLORE_COST_MAX && walk->at <= graph->count);
    while (walk->at < graph->count) {
        const uint64_t at = walk->at++;
        *distance = graph->distances[at] == COST_UNREACHED ? depth + 1 : graph->distances[at];
        if (*distance > depth && !walk->walked.complete)
            continue;
        memcpy(key, graph->keys + at * graph->words, graph->words * sizeof *key);
        return true;
    }
    return false;
}

static bool next_found(struct state_walk *walk, uint64_t *key, uint32_t *level)
{
    const struct walked *walked = &walk->walked;
    if (walked->disk != NULL)
        return disk_walk_next(&walk->partitions, key, level);
    return walked->graph != NULL ? next_of_graph(walk, key, level) : cursor_next(&walk->cursor, key, level);
}

/* Merges the dead states with the others. */
static bool next_of_both(struct state_walk *walk, uint64_t *key, uint32_t *level)
{
    const struct key_list *dead = walk->walked.dead;
    if (!walk->ahead)
        walk->more = next_found(walk, walk->next_key, &walk->next_level);
    walk->ahead = true;
    const uint64_t *next = walk->passed < dead->count ? dead->keys[walk->passed] : NULL;
    if (next != NULL && (!walk->more || key_list_compare(next, walk->next_key) < 0)) {
        memcpy(key, next, walk->walked.words * sizeof *key);
        *level = walk->walked.depth + 1;
        walk->passed++;
        return true;
    }
    if (!walk->more)
        return false;
    memcpy(key, walk->next_key, walk->walked.words * sizeof *key);
    *level = walk->next_level;
    walk->ahead = false;
    return true;
}

bool state_walk_next(struct state_walk *walk, uint64_t *key, uint32_t *level)
{
    return walk->walked.dead != NULL ? next_of_both(walk, key, level) : next_found(walk, key, level);
}

enum pz_status state_walk_status(const struct state_walk *walk, const char *what, struct pz_error *error)
{
    if (walk->walked.disk != NULL && walk->partitions.status != PZ_OK) {
        if (error != NULL)
            *error = walk->partitions.error;
        return walk->partitions.status;
    }
    return walk->walked.search != NULL && walk->cursor.failed
               ? pz_fail(error, PZ_MEMORY, "no memory to %s", what)
               : PZ_OK;
}

void state_walk_end(struct state_walk *walk)
{
    if (walk->walked.search != NULL)
        cursor_end(&walk->cursor);
    if (walk->walked.disk != NULL)
        partition_reader_end(&walk->walked.disk->workers[0].reader);
}

/* ---- runs of the table ---- */

static bool begin_runs(struct table_runs *runs, const struct walked *walked)
{
    runs->keys = malloc((size_t)TABLE_RUN_KEYS * runs->words * sizeof *runs->keys);
    if (runs->keys == NULL)
        return false;
    state_walk_begin(&runs->walk, walked);
    runs->begun = true;
    return true;
}

enum pz_status table_runs_next(struct table_runs *runs, const struct walked *walked, struct explore_run *out,
                               struct pz_error *error)
{
    uint32_t level;
    size_t count = 0;
    if (!runs->begun && !begin_runs(runs, walked))
        return pz_fail(error, PZ_MEMORY, "no memory to write the table");
    while (count < TABLE_RUN_KEYS && state_walk_next(&runs->walk, runs->keys + count * runs->words, &level)) {
        assert(level <= EXPLORE_COST_MAX + 1);
        runs->distances[count++] = level;
    }
    const enum pz_status status = state_walk_status(&runs->walk, "write the table", error);
    if (status != PZ_OK)
        return status;
    *out = (struct explore_run){
        .keys = runs->keys, .distances = runs->distances, .count = count, .key_words = runs->words};
    return PZ_OK;
}

void table_runs_clear(struct table_runs *runs)
{
    if (runs->begun)
        state_walk_end(&runs->walk);
    free(runs->keys);
}

/* ---- examples ---- */

enum pz_status walk_sample(const struct search *search, uint32_t level, uint64_t seed,
                           struct monitor *monitor, struct bottom_k *sample, struct pz_error *error)
{
    const unsigned words = search_words(search);
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t found;
    enum pz_status status = PZ_OK;
    cursor_begin(&cursor, search, level, level);
    for (uint64_t passed = 1; status == PZ_OK && cursor_next(&cursor, key, &found); passed++) {
        assert(found == level);
        bottom_k_offer(sample, bottom_k_hash(key, seed, words), key, words);
        if (passed % WALK_LOOK_STATES != 0)
            continue;
        if (control_poll(monitor->control) == PZ_CANCELLED)
            status = pz_fail(error, PZ_CANCELLED, "cancelled while the last level was looked through");
        monitor_tell(monitor, "examples", (double)passed / (double)search_states(search));
    }
    cursor_end(&cursor);
    return status;
}
