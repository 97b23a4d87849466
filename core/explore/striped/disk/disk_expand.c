/* SPDX-License-Identifier: MIT */
/* The first half of a level: expands the frontier's states and writes their successors to partitions. */
#include "explore/striped/disk/disk_search.h"

#include <assert.h>

__attribute__((always_inline)) static inline bool
disk_send(struct partition_writer *writer, const uint64_t *state, uint8_t token, unsigned words)
{
    uint64_t key[KEY_WORDS_MAX];
    uint64_t entry[KEY_WORDS_MAX];
    mix_state(state, key, words);
    entry_make(entry, key, token, words);
    return partition_writer_put(writer, (unsigned)(key[0] >> (64 - ENTRY_TOKEN_BITS)), entry, words);
}

/* Copies states from the piece: offers them as examples, and unmixes them for expand. */
__attribute__((always_inline)) static inline void
disk_take(const struct disk_search *search, struct searcher *searchers, const uint64_t *entries,
          unsigned count, uint64_t top, uint64_t *states, uint8_t *tokens, unsigned words)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t *entry = entries + (size_t)i * words;
        uint64_t key[KEY_WORDS_MAX];
        entry_key(entry, top, key, words);
        worker_unmix(searchers, key, search->seed, states + (size_t)i * words, words);
        tokens[i] = entry_token(entry);
    }
}

/* Returns false after a failure. */
static bool note_goals(struct disk_worker *worker, const uint64_t *states, unsigned count)
{
    const struct pz_space *space = worker->search->space;
    struct budget *budget = worker->search->searchers->budget;
    for (unsigned i = 0; i < count; i++, states += worker->search->words) {
        if (!space->puzzle->is_goal(space, states) ||
            key_list_add(&worker->goals, budget, states, space->state_bytes))
            continue;
        disk_search_failed(worker->search, PZ_MEMORY, "no memory for the goals");
        return false;
    }
    return true;
}

/* Returns false after a failure. */
__attribute__((always_inline)) static inline bool disk_expand_entries(struct disk_worker *worker,
                                                                      const uint64_t *entries, uint32_t count,
                                                                      uint64_t top, unsigned words)
{
    const struct disk_search *search = worker->search;
    struct searcher *searchers = worker->searchers;
    const unsigned together = search->searchers->together;
    uint64_t states[EXPAND_TOGETHER * KEY_WORDS_MAX];
    uint8_t came[EXPAND_TOGETHER] = {0};
    for (uint32_t first = 0; first < count; first += together) {
        const unsigned share = count - first < together ? count - first : together;
        disk_take(search, searchers, entries + (size_t)first * words, share, top, states, came, words);
        if (search->goals && !note_goals(worker, states, share))
            return false;
        const unsigned made = worker_expand(searchers, states, came, share);
        assert(made <= share * search->space->max_successors);
        for (unsigned k = 0; k < made; k++)
            if (!disk_send(&worker->writer, searchers->successors + (size_t)k * words, searchers->tokens[k],
                           words))
                return false;
    }
    return true;
}

static bool disk_expand_piece(struct disk_worker *worker, const struct partition_place *place,
                              const uint64_t *entries)
{
    assert(place->partition < DISK_PARTITIONS && place->count > 0);
    const uint64_t top = partition_top(place->partition);
    return MIX_BY_WORDS(worker->search->words, disk_expand_entries, worker, entries, place->count, top);
}

bool disk_feed_frontier(void *context, struct partition_want *want)
{
    const struct disk_worker *worker = context;
    struct disk_search *search = worker->search;
    const struct control *control = search->monitor->control;
    uint64_t turn;
    if (control != NULL && control_stopped(control))
        turns_end(&search->turns, PZ_CANCELLED);
    if (!turns_take(&search->turns, (unsigned)(worker - search->workers), &turn))
        return false;
    *want = (struct partition_want){.file = search->levels[search->read_level], .place = (uint32_t)turn};
    return true;
}

void disk_expand(void *context, unsigned number)
{
    struct disk_search *search = context;
    struct disk_worker *worker = &search->workers[number];
    const struct partition_want *want;
    const uint64_t *entries = NULL;
    int failure;
    assert(number < search->searchers->threads && search->successors != NULL);
    partition_writer_turn_to(&worker->writer, search->successors);
    partition_reader_begin(&worker->reader, disk_feed_frontier, worker);
    while ((failure = partition_reader_next(&worker->reader, &want, &entries)) == 0 && want != NULL) {
        const struct partition_place *place = partition_want_place(want);
        if (!disk_expand_piece(worker, place, entries))
            break;
        worker_count(&worker->searchers->expanded, place->count);
    }
    partition_reader_end(&worker->reader);
    if (failure != 0)
        disk_search_disk_failed(search, failure, "read a level");
    failure = partition_writer_flush(&worker->writer);
    if (failure != 0)
        disk_search_disk_failed(search, failure, "write successors");
}
