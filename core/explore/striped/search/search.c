/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/search.h"
#include "explore/striped/search/search_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE_FRONTIER = 1 << 12, /* a level of so many states is worth the threads */
    PARTITIONS_USUAL = 4096,
    PARTITIONS_LAYERS = 1024,
    PARTITIONS_RANK = 256 /* at least, of each of several ranks */
};

size_t search_chunk_bytes(const struct pz_space *space)
{
    /* About 120 keys. No power of two: chunks fill at one pace, and would use the same cache sets. */
    return space->state_bytes * (size_t)136;
}

/* Chooses the number of partitions so that the threads' open chunks stay within a sixteenth of the budget.
 * Each of several ranks may have fewer partitions than a search that is alone. */
unsigned search_partitions(const struct searchers *searchers, unsigned ranks)
{
    uint64_t share = budget_free(searchers->budget) / 16;
    unsigned partitions = visited_layers_suit(searchers->space) ? PARTITIONS_LAYERS : PARTITIONS_USUAL;
    while (partitions < SET_STRIPES_MAX && partitions / PARTITIONS_RANK < ranks)
        partitions *= 2;
    while (partitions > 1 && (uint64_t)partitions * searchers->threads * searchers->pool.chunk_bytes > share)
        partitions /= 2;
    return partitions;
}

/* ---- making and freeing ---- */

static enum pz_status search_insert_root(struct search *search, const void *root, struct pz_error *error)
{
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(root, search->space->state_bytes, key);
    if (remote_has_key(&search->remote, key)) {
        search->remote.frontier_states = search->remote.states = 1;
        return PZ_OK;
    }
    search->frontier_states = search->states = 1;
    return search->visited->put_back(search, key, 0) && search->visited->reopen(search)
               ? PZ_OK
               : pz_fail(error, PZ_TOO_LARGE, "the memory limit is too small for any search");
}

static void take_place(struct search *search, const struct search_place *place)
{
    assert(search->states == 0);
    search->level = place->level;
    search->frontier_states = place->frontier_states;
    search->previous_states = place->previous_states;
    search->states = place->states;
    search->generated = search->generated_whole = place->generated;
    search->expanded = search->expanded_whole = place->expanded;
}

static unsigned partitions_to_begin_with(const struct search *search, const struct search_options *options)
{
    if (options->partitions != 0)
        return options->partitions;
    bool large = options->place != NULL && options->place->states >= SEARCH_LARGE_STATES;
    return large ? search->large_partitions : 1;
}

enum pz_status search_new(struct searchers *searchers, const struct search_options *options,
                          struct search **out, struct pz_error *error)
{
    struct search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    search->space = searchers->space;
    search->searchers = searchers;
    search->words = searchers->words;
    search->keep_all = options->keep_all || (searchers->space->flags & PZ_REVERSIBLE) == 0;
    search->spread = options->spread;
    search->tokens_missing = true;
    search->seed = options->seed;
    (void)pthread_mutex_init(&search->lock, NULL);
    if (options->partitions == 0)
        search->large_partitions = search_partitions(searchers, 1);
    unsigned partitions = partitions_to_begin_with(search, options);
    assert(partitions > 0 && (partitions & (partitions - 1)) == 0);
    /* Only the hash set has a first capacity. */
    search->visited = options->first_capacity == 0 ? visited_for(search->space, partitions) : &visited_hash;
    if (!remote_init(search, options->exchange, partitions)) {
        search_free(search);
        return pz_fail(error, PZ_MEMORY, "no memory for what goes to other ranks");
    }
    enum pz_status status = search->visited->init(search, partitions, options->first_capacity, error);
    if (status == PZ_OK && options->place != NULL)
        take_place(search, options->place);
    else if (status == PZ_OK)
        status = search_insert_root(search, options->root, error);
    if (status != PZ_OK) {
        search_free(search);
        return status;
    }
    *out = search;
    return PZ_OK;
}

void search_free(struct search *search)
{
    if (search == NULL)
        return;
    restore_clear(search);
    set_clear(&search->set);
    layers_clear(&search->layers);
    remote_clear(&search->remote);
    (void)pthread_mutex_destroy(&search->lock);
    free(search);
}

/* ---- a level ---- */

/* Adds the contents of the worker's open buckets, as full ones. */
static void flush_buckets(struct search *search, struct searcher *worker)
{
    size_t room = search_bucket_room(search);
    for (unsigned i = 0; i < search->searchers->partitions; i++) {
        if (worker->buckets[i].next == NULL)
            continue;
        if (!search->visited->add(search, worker, i, bucket_close(&worker->buckets[i], room, search->words)))
            search_halt(search, HALT_MEMORY);
    }
}

static void search_work(void *context, unsigned number)
{
    struct search *search = context;
    struct searcher *worker = &search->searchers->workers[number];
    search->visited->expand(search, worker);
    flush_buckets(search, worker);
    if (search->remote.exchange != NULL) {
        remote_meet(search, worker);
        flush_buckets(search, worker);
    }
    if (search->working > 1)
        (void)team_barrier(search->searchers->team);
    search->visited->merge(search, worker);
}

static enum halt search_prepare(struct search *search)
{
    if (search->keep_all && !search->step->visits && search->level + 1 > SET_DISTANCE_MAX)
        return HALT_LEVELS;
    search_spread(search);
    if (!search->visited->prepare(search))
        return HALT_MEMORY;
    bool large = search->frontier_states >= LARGE_FRONTIER || search->large_partitions == 0;
    search->working = large && searchers_team(search->searchers) != NULL ? search->searchers->threads : 1;
    if (search->searchers->alone)
        search->working = 1;
    return HALT_NONE;
}

static void search_begin(struct search *search)
{
    assert(search->working <= search->searchers->threads);
    atomic_store_explicit(&search->remote.flushed, 0, memory_order_relaxed);
    searchers_begin_level(search->searchers);
    atomic_store_explicit(&search->next_partition, 0, memory_order_relaxed);
    atomic_store_explicit(&search->halt, HALT_NONE, memory_order_relaxed);
}

/* Adds up the work of a level, also of one that ended early. */
static struct rank_level search_tally(struct search *search)
{
    struct rank_level level = {0};
    for (unsigned i = 0; i < search->searchers->threads; i++) {
        const struct searcher *worker = &search->searchers->workers[i];
        level.found += atomic_load_explicit(&worker->found, memory_order_relaxed);
        level.generated += worker->generated;
        level.expanded += atomic_load_explicit(&worker->expanded, memory_order_relaxed);
    }
    search->generated += level.generated;
    search->expanded += level.expanded;
    /* Acquire: with HALT_FOUND, found can be read. */
    level.halt = (uint64_t)atomic_load_explicit(&search->halt, memory_order_acquire);
    return level;
}

/* Makes the new level the frontier. */
static void search_end(struct search *search, uint64_t found)
{
    search->visited->end(search);
    search->previous_states = search->frontier_states;
    search->frontier_states = found;
    search->states += found;
    assert(search->previous_states <= search->states);
    search->level++;
    search->generated_whole = search->generated;
    search->expanded_whole = search->expanded;
    atomic_store_explicit(&search->next_partition, 0, memory_order_relaxed); /* so that is_whole says true */
}

/* Runs the level. With a halt, gives the level up and reports it to the other ranks. */
static void search_run(struct search *search, enum halt halt)
{
    if (halt != HALT_NONE) {
        search->working = 1;
        search_halt(search, halt);
        remote_meet(search, &search->searchers->workers[0]);
    } else if (search->working > 1) {
        team_run(search->searchers->team, search_work, search);
    } else {
        search_work(search, 0);
    }
}

enum halt search_advance(struct search *search, struct monitor *monitor, const struct search_step *step,
                         uint64_t *found)
{
    search->step = step;
    search->monitor = monitor;
    assert(step->other != search);
    enum halt halt = search_prepare(search);
    if (halt != HALT_NONE && search->remote.exchange == NULL)
        return halt;
    search_begin(search);
    search_run(search, halt);
    struct rank_level level = search_tally(search);
    halt = search->remote.exchange != NULL ? remote_settle(search, &level) : (enum halt)level.halt;
    if (halt == HALT_NONE)
        search_end(search, level.found);
    if (halt == HALT_FOUND && found != NULL)
        memcpy(found, search->found, search->words * sizeof(uint64_t));
    return halt;
}

/* ---- going on after a restart ---- */

struct search_place search_place(const struct search *search)
{
    return (struct search_place){.level = search->level,
                                 .frontier_states = search->frontier_states,
                                 .previous_states = search->previous_states,
                                 .states = search->states,
                                 .generated = search->generated_whole,
                                 .expanded = search->expanded_whole};
}

bool search_is_whole(const struct search *search)
{
    return search->keep_all || search->visited->is_whole == NULL || search->visited->is_whole(search);
}

bool search_put_back(struct search *search, const uint64_t *key, uint16_t distance)
{
    uint32_t level = distance;
    if (!search->keep_all)
        level = distance == (uint16_t)search->level ? search->level : search->level - 1;
    return level <= search->level && search->visited->put_back(search, key, level);
}

bool search_reopen(struct search *search)
{
    return search->visited->reopen(search);
}

/* ---- reading ---- */

int64_t search_find(const struct search *search, const uint64_t *key)
{
    return search->visited->find(search, key);
}

uint32_t search_lowest(const struct search *search)
{
    return search->keep_all || search->level == 0 ? 0 : search->level - 1;
}

unsigned search_words(const struct search *search)
{
    return search->words;
}

uint64_t search_held(const struct search *search)
{
    return search->keep_all ? search->states : search->frontier_states + search->previous_states;
}

void cursor_begin(struct search_cursor *cursor, const struct search *search, uint32_t lowest,
                  uint32_t deepest)
{
    assert(lowest <= deepest);
    memset(cursor, 0, sizeof *cursor);
    cursor->search = search;
    cursor->lowest = lowest;
    cursor->deepest = deepest < search->level ? deepest : search->level;
    /* Sorting takes a few thousandths of the states' memory. It has a budget of its own, because the job's
     * budget may be spent. */
    budget_init(&cursor->own, NULL, UINT64_MAX);
    cursor->radix.budget = &cursor->own;
}

void cursor_end(struct search_cursor *cursor)
{
    radix_clear(&cursor->radix);
}

bool cursor_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    return cursor->search->visited->next(cursor, key, level);
}

/* ---- figures ---- */

uint32_t search_level(const struct search *search)
{
    return search->level;
}

uint64_t search_frontier(const struct search *search)
{
    return search->frontier_states + search->remote.frontier_states;
}

double search_growth(const struct search *search)
{
    uint64_t before = search->previous_states + search->remote.previous_states;
    return search->level == 0 ? 1.0 : (double)search_frontier(search) / (double)before;
}

uint64_t search_states(const struct search *search)
{
    return search->states + search->remote.states;
}

uint64_t search_generated(const struct search *search)
{
    return search->generated + search->remote.generated;
}

uint64_t search_expanded(const struct search *search)
{
    return search->expanded + search->remote.expanded;
}

size_t search_bucket_room(const struct search *search)
{
    const struct pool *pool = &search->searchers->pool;
    return (size_t)(search->visited->tokens_apart ? pool->capacity : pool->entries) * search->words;
}

/* While a level is made: the owner reports, every worker checks if it should go on, and the first to halt
 * says why. */

void search_halt(struct search *search, enum halt halt)
{
    assert(halt > HALT_NONE && halt <= HALT_LEVELS);
    int none = HALT_NONE;
    /* Release: a thread that sees HALT_FOUND may read found. Relaxed would do for the others. */
    (void)atomic_compare_exchange_strong_explicit(&search->halt, &none, (int)halt, memory_order_release,
                                                  memory_order_relaxed);
}

bool search_halted(const struct search *search)
{
    return atomic_load_explicit(&search->halt, memory_order_relaxed) != HALT_NONE;
}

void search_found(struct search *search, const uint64_t *key)
{
    (void)pthread_mutex_lock(&search->lock);
    if (!search_halted(search)) {
        memcpy(search->found, key, search->words * sizeof(uint64_t));
        search_halt(search, HALT_FOUND);
    }
    (void)pthread_mutex_unlock(&search->lock);
}

bool search_wants_goal(const struct search *search)
{
    return search->step->goal != NULL || search->step->any_goal;
}

bool search_is_goal(const struct search *search, const uint64_t *key, const uint64_t *state)
{
    const struct search_step *step = search->step;
    if (step->goal != NULL && key_equal(key, step->goal, search->words))
        return true;
    return step->any_goal && search->space->puzzle->is_goal(search->space, state);
}

/* ---- polling ---- */

/* Reports to the monitor how far the level is. */
static void search_report(struct search *search)
{
    struct progress *progress = &search->monitor->progress;
    uint64_t found = 0, expanded = 0, merged = 0;
    for (unsigned i = 0; i < search->working; i++) {
        struct searcher *worker = &search->searchers->workers[i];
        found += atomic_load_explicit(&worker->found, memory_order_relaxed);
        expanded += atomic_load_explicit(&worker->expanded, memory_order_relaxed);
        merged += atomic_load_explicit(&worker->merged, memory_order_relaxed);
    }
    const double frontier = search->frontier_states > 0 ? (double)search->frontier_states : 1;
    progress->level = search->level;
    progress->frontier = search_frontier(search);
    progress->states = search->step->states_before + search_states(search) + found;
    monitor_tell(search->monitor, "search",
                 0.9 * (double)expanded / frontier +
                     0.1 * (double)merged / (double)search->searchers->partitions);
}

static enum halt halt_of(enum pz_status status)
{
    return status == PZ_CANCELLED ? HALT_CANCELLED : HALT_TIME;
}

bool search_goes_on(struct search *search, const struct searcher *worker)
{
    struct control *control = search->monitor->control;
    if (worker == search->searchers->workers) {
        const enum pz_status status = control_poll(control);
        if (status != PZ_OK)
            search_halt(search, halt_of(status));
        if (search->remote.exchange != NULL)
            (void)remote_work(search);
        if (monitor_due(search->monitor))
            search_report(search);
    } else if (control != NULL && control_stopped(control)) {
        search_halt(search, HALT_CANCELLED);
    }
    return !search_halted(search);
}
