/* SPDX-License-Identifier: MIT */
/* Makes a level on disk: the work of every worker, and what follows it. */
#include "explore/striped/disk/disk_search.h"
#include "explore/striped/visited/visited.h"

#include <assert.h>
#include <string.h>

/* ---- the first half: expands the frontier's states and writes their successors to partitions ---- */

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

/* Feeds a reader with the pieces of the frontier, by turns. */
static bool disk_feed_frontier(void *context, struct partition_want *want)
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

/* ---- the second half: sorts the successors of a partition, removes duplicates, and subtracts earlier
 * states; first, which pieces a worker reads ---- */

/* Returns the file with a partition's pieces of that age; NULL if there is no such file. */
static const struct partition_file *file_of_age(const void *context, uint32_t age)
{
    const struct disk_search *search = context;
    if (age == 0)
        return search->successors;
    return age <= search->level + 1 ? search->levels[search->level + 1 - age] : NULL;
}

/* Returns how many ages may have to be read; a level that was dropped was not needed. */
static uint32_t ages(const struct disk_search *search)
{
    if (search->joined)
        return 1;
    return (search->space->flags & PZ_REVERSIBLE) != 0 ? 3 : search->level + 2;
}

/* Takes the next partition that has successors. */
static bool take_partition(struct disk_worker *worker)
{
    struct disk_search *search = worker->search;
    uint64_t partition;
    do {
        if (!turns_take(&search->turns, (unsigned)(worker - search->workers), &partition))
            return false;
    } while (search->successors->of_partition[partition] == 0);
    partition_parts_open(&worker->feed, (uint32_t)partition,
                         search->successors->of_partition[partition] * search->words, search->sort_words);
    return true;
}

static bool feed_partitions(void *context, struct partition_want *want)
{
    struct disk_worker *worker = context;
    while (!partition_parts_next(&worker->feed, want))
        if (!take_partition(worker))
            return false;
    return true;
}

/* ---- one part of a partition ---- */

static uint32_t partition_of_want(const struct partition_want *want)
{
    return partition_want_place(want)->partition;
}

static bool begin_turn(struct disk_worker *worker, const struct partition_want *want)
{
    const struct disk_search *search = worker->search;
    const uint64_t words =
        search->successors->of_partition[partition_of_want(want)] * search->words >> want->parts_bits;
    const uint64_t most = words + words / 4 + 64 * search->words;
    assert(want->age == 0 && want->part < 1u << want->parts_bits);
    worker->turn = *want;
    worker->count = 0;
    return radix_reserve(&worker->searchers->radix, most < search->sort_words ? most : search->sort_words);
}

static void merge_sort(struct disk_worker *worker)
{
    worker->count = radix_sort_unique(&worker->searchers->radix, worker->count, worker->search->words,
                                      worker->turn.parts_bits, visited_tokens_join(worker->search->space));
}

/* Adds a piece's successors that are in the part. Returns false where they do not fit: many are equal. */
static bool merge_gather(struct disk_worker *worker, const uint64_t *entries, uint32_t count)
{
    const unsigned words = worker->search->words;
    const struct radix *radix = &worker->searchers->radix;
    const unsigned bits = worker->turn.parts_bits;
    if ((worker->count + count) * words > radix->room)
        merge_sort(worker);
    if ((worker->count + count) * words > radix->room)
        return false;
    uint64_t *to = radix->entries + worker->count * words;
    if (bits == 0) {
        memcpy(to, entries, (size_t)count * words * sizeof *to);
        worker->count += count;
        return true;
    }
    for (uint32_t i = 0; i < count; i++, entries += words) {
        key_copy(to, entries, words);
        to += entries[0] >> (64 - bits) == worker->turn.part ? words : 0;
    }
    worker->count = (uint64_t)(to - radix->entries) / words;
    assert(worker->count * words <= radix->room);
    return true;
}

/* Switches to the pieces of another age: the entries left by the age before are all that stay. */
static void turn_age(struct disk_worker *worker, uint32_t age)
{
    assert(age == 0 || age > worker->turn.age);
    if (worker->turn.age == 0)
        merge_sort(worker);
    else
        worker->count = entries_close(&worker->cut, worker->searchers->radix.entries, worker->count,
                                      worker->search->words);
    worker->cut = (struct entry_cut){0};
    worker->turn.age = age;
}

/* ---- the new states ---- */

static bool leads_on(struct disk_worker *worker, const uint64_t *key, uint8_t token)
{
    const struct pz_space *space = worker->search->space;
    uint64_t state[KEY_WORDS_MAX];
    unmix_bytes(key, space->state_bytes, state);
    return space->puzzle->expand(space, state, token, worker->searchers->successors,
                                 worker->searchers->tokens) > 0;
}

/* Offers states of a partition to the worker's `deepest`. */
static void disk_offer(struct disk_worker *worker, uint32_t partition, const uint64_t *entries,
                       uint64_t count)
{
    const struct disk_search *search = worker->search;
    const unsigned words = search->words;
    assert(partition < DISK_PARTITIONS);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        entry_key(entries + i * words, partition_top(partition), key, words);
        bottom_k_offer(&worker->deepest, bottom_k_hash(key, search->seed, words), key, words);
    }
}

/* Looks for a state that has a successor, until some worker has found one. */
static void look_beyond(struct disk_worker *worker, const uint64_t *entries)
{
    struct disk_search *search = worker->search;
    assert(search->last && search->joined);
    const uint64_t top = partition_top(partition_of_want(&worker->turn));
    for (uint64_t i = 0; i < worker->count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        const uint64_t *entry = entries + i * search->words;
        if (atomic_load_explicit(&search->beyond, memory_order_relaxed))
            return;
        entry_key(entry, top, key, search->words);
        if (leads_on(worker, key, entry_token(entry)))
            atomic_store_explicit(&search->beyond, true, memory_order_relaxed);
    }
}

static bool merge_write_states(struct disk_worker *worker, const uint64_t *entries)
{
    const struct disk_search *search = worker->search;
    const uint32_t partition = partition_of_want(&worker->turn);
    bool written = true;
    for (uint64_t i = 0; written && i < worker->count; i++)
        written =
            partition_writer_put(&worker->writer, partition, entries + i * search->words, search->words);
    return written && partition_writer_close(&worker->writer, partition);
}

/* Finishes a part of a partition. Returns false after a failure. */
static bool finish_turn(struct disk_worker *worker)
{
    struct disk_search *search = worker->search;
    if (worker->turn.file == NULL)
        return true;
    turn_age(worker, 0);
    const uint64_t *entries = worker->searchers->radix.entries;
    if (search->probes && worker->count > 0)
        turns_end(&search->turns, PZ_BUSY);
    if (search->last)
        disk_offer(worker, partition_of_want(&worker->turn), entries, worker->count);
    if (search->last && search->joined)
        look_beyond(worker, entries);
    const bool written = !search->writes || merge_write_states(worker, entries);
    worker_count(&worker->searchers->found, worker->count);
    worker->turn.file = NULL;
    return written;
}

static bool take_piece(struct disk_worker *worker, const struct partition_want *want, const uint64_t *entries)
{
    const struct partition_place *place = partition_want_place(want);
    const bool same = worker->turn.file != NULL && partition_of_want(&worker->turn) == place->partition &&
                      worker->turn.part == want->part;
    if (!same && !finish_turn(worker))
        return false;
    if (!same && !begin_turn(worker, want)) {
        disk_search_failed(worker->search, PZ_MEMORY, "no memory to sort successors");
        return false;
    }
    if (worker->turn.age != want->age)
        turn_age(worker, want->age);
    if (want->age > 0) {
        entries_cut(&worker->cut, entries, place->count, worker->searchers->radix.entries, worker->count,
                    worker->search->words);
        return true;
    }
    if (merge_gather(worker, entries, place->count))
        return true;
    disk_search_failed(worker->search, PZ_MEMORY, "no memory to sort the successors of a partition");
    return false;
}

void disk_merge(void *context, unsigned number)
{
    struct disk_search *search = context;
    struct disk_worker *worker = &search->workers[number];
    const struct partition_want *want;
    const uint64_t *entries = NULL;
    int failure = 0;
    bool whole = true; /* false once a piece cannot be used; the failure is then recorded */
    worker->turn.file = NULL;
    worker->feed = (struct partition_parts){.file_of = file_of_age, .context = search, .ages = ages(search)};
    partition_writer_turn_to(&worker->writer, search->writes ? search->levels[search->level + 1] : NULL);
    partition_reader_begin(&worker->reader, feed_partitions, worker);
    while (whole && (failure = partition_reader_next(&worker->reader, &want, &entries)) == 0 && want != NULL)
        whole = take_piece(worker, want, entries);
    partition_reader_end(&worker->reader);
    if (failure == 0 && whole)
        (void)finish_turn(worker);
    if (failure != 0)
        disk_search_disk_failed(search, failure, "read successors");
    failure = partition_writer_flush(&worker->writer);
    if (failure != 0)
        disk_search_disk_failed(search, failure, "write a level");
}

/* ---- looking at a level that is done ---- */

void disk_look(void *context, unsigned number)
{
    struct disk_search *search = context;
    struct disk_worker *worker = &search->workers[number];
    const struct partition_want *want;
    const uint64_t *entries = NULL;
    int failure;
    bottom_k_empty(&worker->deepest);
    partition_reader_begin(&worker->reader, disk_feed_frontier, worker);
    while ((failure = partition_reader_next(&worker->reader, &want, &entries)) == 0 && want != NULL)
        disk_offer(worker, partition_want_place(want)->partition, entries, partition_want_place(want)->count);
    partition_reader_end(&worker->reader);
    if (failure != 0)
        disk_search_disk_failed(search, failure, "read a level");
}
