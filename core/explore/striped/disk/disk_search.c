/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/disk_search.h"

#include "base/budget.h"
#include "base/clock.h"
#include "explore/striped/visited/visited.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDE_LEVEL = 1 << 12, /* states that are worth the threads */
    /* without checkpoints: the part of the memory for kept pieces that a level may take */
    NARROW_SHARE = 32,
    DISK_THREADS = 6,
    WORKER_PIECES = WRITER_BUFFERS + READER_BUFFERS,
    SORT_LEAST = 1 << 13, /* words */
    SORT_MOST = 1 << 28
};

/* ---- what it takes ---- */

static uint64_t disk_worker_bytes(size_t piece_bytes, uint64_t sort_words)
{
    return sizeof(struct disk_worker) + WORKER_PIECES * piece_bytes + 20 * sort_words + (64 << 10);
}

uint64_t disk_search_least(const struct pz_space *space, unsigned threads)
{
    return searchers_bytes(space, threads) + threads * disk_worker_bytes(PIECE_LEAST, SORT_LEAST) + (1 << 20);
}

/* Divides the memory: two fifths at most for buffers, as much for sorting, the rest for indices and pieces
 * that are kept. */
static void divide_memory(struct disk_search *search)
{
    size_t *piece_bytes = &search->store.piece_bytes;
    const uint64_t share = budget_free(search->searchers->budget) / search->searchers->threads * 2 / 5;
    *piece_bytes = PIECE_LEAST;
    while (*piece_bytes < PIECE_MOST && 2 * *piece_bytes * WORKER_PIECES <= share)
        *piece_bytes *= 2;
    search->sort_words = share / 20;
    search->sort_words = search->sort_words < SORT_LEAST ? SORT_LEAST : search->sort_words;
    search->sort_words = search->sort_words > SORT_MOST ? SORT_MOST : search->sort_words;
    search->store.kept_most = budget_free(search->searchers->budget) / 10;
}

/* ---- making and freeing ---- */

static enum pz_status disk_make_workers(struct disk_search *search, bool examples, struct pz_error *error)
{
    const unsigned threads = search->searchers->threads;
    divide_memory(search);
    const size_t worker_bytes = WORKER_PIECES * search->store.piece_bytes;
    const uint64_t bytes = threads * (uint64_t)(worker_bytes + sizeof(struct disk_worker));
    if (!budget_take(search->searchers->budget, bytes))
        return pz_fail(error, PZ_TOO_LARGE, "threads=%u needs %" PRIu64 "K to begin with on disk", threads,
                       (disk_search_least(search->space, threads) >> 10) + 1);
    search->memory_bytes = threads * worker_bytes;
    search->memory = memory_map(search->memory_bytes, MEMORY_SMALL_PAGES);
    search->workers = calloc(threads, sizeof *search->workers);
    bool made = search->memory != NULL && search->workers != NULL;
    for (unsigned i = 0; made && i < threads; i++) {
        struct disk_worker *worker = &search->workers[i];
        uint8_t *memory = search->memory + i * worker_bytes;
        worker->search = search;
        worker->searchers = &search->searchers->workers[i];
        partition_writer_init(&worker->writer, &search->store, memory);
        partition_reader_init(&worker->reader, &search->store,
                              memory + WRITER_BUFFERS * search->store.piece_bytes);
        made = !examples || bottom_k_init(&worker->deepest, EXPLORE_DEEPEST_MAX);
    }
    return made ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a search on disk");
}

enum pz_status disk_search_new(struct searchers *searchers, struct monitor *monitor,
                               const struct disk_search_options *options, struct disk_search **out,
                               struct pz_error *error)
{
    struct disk_search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search on disk");
    search->space = searchers->space;
    search->searchers = searchers;
    search->monitor = monitor;
    search->words = searchers->words;
    search->seed = options->seed;
    search->joined = visited_tokens_join(searchers->space) && !options->spread;
    search->goals = options->goals;
    search->keep_all = options->keep_all || (searchers->space->flags & PZ_REVERSIBLE) == 0;
    search->syncs = options->syncs;
    (void)pthread_mutex_init(&search->lock, NULL);
    search->store = (struct partition_store){.disk = scratch_closed,
                                             .budget = searchers->budget,
                                             .words = searchers->words,
                                             .mark = (uint64_t)(clock_seconds() * 1e9) ^ (uintptr_t)search};
    enum pz_status status = disk_make_workers(search, options->examples, error);
    if (status == PZ_OK)
        status =
            scratch_store_open(&search->store.disk, options->directory, options->disk, DISK_THREADS, error);
    if (status != PZ_OK) {
        disk_search_free(search, true);
        return status;
    }
    *out = search;
    return PZ_OK;
}

void disk_search_free(struct disk_search *search, bool keeps)
{
    if (search == NULL)
        return;
    for (uint32_t level = 0; level < search->level_room; level++)
        partition_file_free(search->levels[level], !keeps);
    budget_give(search->searchers->budget, search->level_room * sizeof(struct partition_file *));
    free((void *)search->levels);
    scratch_store_close(&search->store.disk);
    const unsigned threads = search->searchers->threads;
    for (unsigned i = 0; search->workers != NULL && i < threads; i++) {
        bottom_k_clear(&search->workers[i].deepest);
        key_list_clear(&search->workers[i].goals, search->searchers->budget);
    }
    if (search->memory_bytes > 0)
        budget_give(search->searchers->budget, search->memory_bytes + threads * sizeof(struct disk_worker));
    memory_unmap(search->memory, search->memory_bytes);
    free(search->workers);
    (void)pthread_mutex_destroy(&search->lock);
    free(search);
}

bool disk_search_put_level(struct disk_search *search, struct partition_file *file)
{
    if (file->level >= search->level_room) {
        const uint32_t room = 2 * file->level + 16;
        struct partition_file **levels = budget_realloc(search->searchers->budget, (void *)search->levels,
                                                        search->level_room * sizeof(struct partition_file *),
                                                        room * sizeof(struct partition_file *));
        if (levels == NULL)
            return false;
        memset((void *)(levels + search->level_room), 0,
               (room - search->level_room) * sizeof(struct partition_file *));
        search->levels = levels;
        search->level_room = room;
    }
    assert(file->level <= search->level + 1 && search->levels[file->level] == NULL);
    search->levels[file->level] = file;
    return true;
}

/* Returns true if the frontier's file, where it was written, has what the counters say. */
__attribute__((unused)) static bool disk_search_is_sound(const struct disk_search *search)
{
    const struct partition_file *file =
        search->level < search->level_room ? search->levels[search->level] : NULL;
    return search->frontier_states <= search->states && search->successors == NULL &&
           (file == NULL || (file->level == search->level && file->entries == search->frontier_states));
}

/* ---- work in step ---- */

/* The first failure ends the work of all workers. */
void disk_search_failed(struct disk_search *search, enum pz_status status, const char *why)
{
    assert(status != PZ_OK);
    (void)pthread_mutex_lock(&search->lock);
    if (search->failed == PZ_OK)
        search->failed = pz_fail(&search->error, status, "%s", why);
    (void)pthread_mutex_unlock(&search->lock);
    turns_end(&search->turns, status);
}

void disk_search_disk_failed(struct disk_search *search, int failure, const char *what)
{
    struct pz_error error = {0};
    const enum pz_status status = scratch_failed(&search->store.disk, failure, what, &error);
    disk_search_failed(search, status, error.text);
}

/* Runs a function on as many workers as the level is wide enough for. Returns why it ended early. */
static enum pz_status disk_search_team(struct disk_search *search, team_function *function, uint64_t first,
                                       uint64_t turns)
{
    turns_begin(&search->turns, first, turns);
    if (search->working > 1)
        team_run(search->searchers->team, function, search);
    else
        function(search, 0);
    return search->failed != PZ_OK ? search->failed : turns_status(&search->turns);
}

/* Reports the progress of a level, of which a pass over the turns is one half. */
static bool tick_half(void *context, double done)
{
    const struct disk_search *search = context;
    const double half = search->successors->first[DISK_PARTITIONS] > 0 ? 0.5 : 0;
    return search->tick != NULL && search->tick(search->context, half + done / 2);
}

/* ---- level 0 ---- */

/* Writes states, which come in the order of their keys. Returns an errno. */
static int put_states(struct disk_search *search, struct partition_file *file, const struct key_list *keys)
{
    struct partition_writer *writer = &search->workers[0].writer;
    bool put = true;
    partition_writer_turn_to(writer, file);
    for (uint64_t i = 0; put && i < keys->count; i++) {
        const uint64_t *key = keys->keys[i];
        assert(i == 0 || key_list_compare(keys->keys[i - 1], key) < 0);
        uint64_t entry[KEY_WORDS_MAX];
        entry_make(entry, key, PZ_NO_TOKEN, search->words);
        put =
            partition_writer_put(writer, (unsigned)(key[0] >> (64 - ENTRY_TOKEN_BITS)), entry, search->words);
    }
    int failure = partition_writer_flush(writer);
    if (failure == 0 && !partition_file_order(file))
        failure = ENOMEM;
    return failure == 0 && search->syncs ? partition_file_sync(file) : failure;
}

enum pz_status disk_search_begin(struct disk_search *search, const struct key_list *keys,
                                 struct pz_error *error)
{
    assert(search->level == 0 && search->states == 0 && keys->count > 0);
    enum pz_status status = partition_store_clear(&search->store, error);
    struct partition_file *file = status == PZ_OK ? partition_file_new(&search->store, 0, true) : NULL;
    if (status != PZ_OK)
        return status;
    if (file == NULL || !disk_search_put_level(search, file)) {
        partition_file_free(file, true);
        return pz_fail(error, PZ_TOO_LARGE, "the memory limit is too small for any search");
    }
    file->narrow = keys->count <= DISK_NARROW_LEVEL;
    search->frontier_states = search->states = keys->count;
    search->failed = PZ_OK;
    const int failure = put_states(search, file, keys);
    if (failure != 0)
        disk_search_disk_failed(search, failure, "write the first level");
    if (search->failed != PZ_OK && error != NULL)
        *error = search->error;
    return search->failed;
}

/* ---- a level ---- */

bool disk_search_needs(const struct disk_search *search, uint32_t level)
{
    return search->keep_all || level + (search->joined ? 0 : 1) >= search->level;
}

/* Drops the levels that the next level does not need; a checkpoint of this level does not need them
 * either. */
static void disk_drop_levels(struct disk_search *search)
{
    for (uint32_t level = search->level; level-- > 0;) {
        if (disk_search_needs(search, level))
            continue;
        if (search->levels[level] == NULL)
            break;
        partition_file_free(search->levels[level], true);
        search->levels[level] = NULL;
    }
}

static bool is_narrow(const struct disk_search *search)
{
    const uint64_t bytes = search->frontier_states * search->words * sizeof(uint64_t);
    return search->frontier_states <= DISK_NARROW_LEVEL ||
           (!search->syncs && bytes <= search->store.kept_most / NARROW_SHARE);
}

static enum pz_status disk_prepare(struct disk_search *search, struct pz_error *error)
{
    assert(disk_search_is_sound(search) && search->levels[search->level] != NULL);
    struct partition_file *next = NULL;
    const bool narrow = is_narrow(search);
    search->failed = PZ_OK;
    atomic_store_explicit(&search->beyond, false, memory_order_relaxed);
    search->working = 1;
    if (search->frontier_states >= WIDE_LEVEL && searchers_team(search->searchers) != NULL &&
        !search->searchers->alone)
        search->working = search->searchers->threads;
    search->turns.control = search->monitor->control;
    search->turns.tick = tick_half;
    search->turns.context = search;
    search->read_level = search->level;
    searchers_begin_level(search->searchers);
    for (unsigned i = 0; i < search->searchers->threads; i++)
        bottom_k_empty(&search->workers[i].deepest);
    search->successors = partition_file_new(&search->store, search->level + 1, false);
    if (search->writes)
        next = partition_file_new(&search->store, search->level + 1, true);
    if (search->successors == NULL || (search->writes && next == NULL) ||
        (next != NULL && !disk_search_put_level(search, next))) {
        partition_file_free(next, true);
        return pz_fail(error, PZ_MEMORY, "no memory for another level");
    }
    search->successors->narrow = narrow;
    if (next != NULL)
        next->narrow = narrow;
    return PZ_OK;
}

/* Expands pieces of the frontier and merges their successors. */
static enum pz_status disk_make_level(struct disk_search *search, uint64_t first, uint64_t end)
{
    assert(first < end && end <= search->levels[search->level]->count);
    enum pz_status status = disk_search_team(search, disk_expand, first, end);
    if (status == PZ_OK && !partition_file_order(search->successors))
        disk_search_failed(search, status = PZ_MEMORY, "no memory for the index of a level");
    return status == PZ_OK ? disk_search_team(search, disk_merge, 0, DISK_PARTITIONS) : status;
}

static enum pz_status disk_make_safe(struct disk_search *search)
{
    struct partition_file *file = search->writes ? search->levels[search->level + 1] : NULL;
    if (file != NULL && !partition_file_order(file))
        disk_search_failed(search, PZ_MEMORY, "no memory for the index of a level");
    const int failure = file != NULL && search->syncs ? partition_file_sync(file) : 0;
    if (failure != 0)
        disk_search_disk_failed(search, failure, "make a level safe");
    return search->failed;
}

static void disk_end_level(struct disk_search *search, bool whole)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < search->searchers->threads; i++) {
        const struct searcher *worker = &search->searchers->workers[i];
        found += atomic_load_explicit(&worker->found, memory_order_relaxed);
        search->generated += search->probes ? 0 : worker->generated;
    }
    partition_file_free(search->successors, true);
    search->successors = NULL;
    assert(!whole || !search->probes);
    if (whole) {
        search->level++;
        search->frontier_states = found;
        search->states += found;
        assert(disk_search_is_sound(search));
    } else if (search->writes && search->level + 1 < search->level_room) {
        partition_file_free(search->levels[search->level + 1], true);
        search->levels[search->level + 1] = NULL;
    }
}

enum pz_status disk_search_advance(struct disk_search *search, bool last, level_tick *tick, void *context,
                                   struct pz_error *error)
{
    search->last = last;
    search->probes = search->chosen = false;
    search->writes = !last || search->keep_all || !search->joined;
    search->tick = tick;
    search->context = context;
    disk_drop_levels(search);
    enum pz_status status = disk_prepare(search, error);
    if (status == PZ_OK)
        status = disk_make_level(search, 0, search->levels[search->level]->count);
    if (status == PZ_OK)
        status = disk_make_safe(search);
    if (search->failed != PZ_OK && error != NULL)
        *error = search->error;
    disk_end_level(search, status == PZ_OK);
    search->chosen = status == PZ_OK && last;
    return status;
}

/* ---- looking ---- */

/* Expands more and more pieces of the frontier until one leads to a new state. */
static enum pz_status disk_probe(struct disk_search *search)
{
    const uint64_t count = search->levels[search->level]->count;
    enum pz_status status = PZ_OK;
    search->probes = true;
    search->writes = search->last = search->chosen = false;
    search->tick = NULL;
    for (uint64_t first = 0, share = 1; status == PZ_OK && first < count; first += share, share *= 2) {
        status = disk_prepare(search, NULL);
        if (status == PZ_OK)
            status = disk_make_level(search, first, count - first < share ? count : first + share);
        disk_end_level(search, false);
    }
    return status;
}

enum pz_status disk_search_exhausted(struct disk_search *search)
{
    if (search->joined && search->last)
        return atomic_load_explicit(&search->beyond, memory_order_relaxed) ? PZ_BUSY : PZ_OK;
    return disk_probe(search);
}

enum pz_status disk_search_look(struct disk_search *search, uint32_t level, struct bottom_k *sample,
                                struct pz_error *error)
{
    assert(level <= search->level && disk_search_is_sound(search));
    enum pz_status status = PZ_OK;
    const bool chosen = search->chosen && level == search->level;
    const struct partition_file *file = level < search->level_room && !chosen ? search->levels[level] : NULL;
    if (file != NULL) {
        search->read_level = level;
        search->failed = PZ_OK;
        search->turns.tick = NULL;
        search->turns.control = NULL; /* a deadline that has passed must not end this early */
        status = disk_search_team(search, disk_look, 0, file->count);
        if (search->failed != PZ_OK && error != NULL)
            *error = search->error;
    }
    for (unsigned i = 0; i < search->searchers->threads; i++)
        bottom_k_merge(sample, &search->workers[i].deepest, search->words);
    return status;
}

void disk_search_figures(const struct disk_search *search, struct explorer_figures *out)
{
    assert(search->states >= search->frontier_states);
    out->generated = search->generated;
    explorer_scratch(&search->store.disk, out);
}
