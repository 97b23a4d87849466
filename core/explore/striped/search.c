/* SPDX-License-Identifier: MIT */
#include "explore/striped/search.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum {
    LARGE_STATES = 1 << 15,   /* from here on the set is spread over its stripes */
    LARGE_FRONTIER = 1 << 12, /* from here on a level is worth the threads */
    STRIPES_USUAL = 4096,
    PILE_KEYS = 2048, /* keys on a pile that are worth an insertion */
    GROUP_CHUNKS = 8  /* chunks of the frontier taken at a time */
};

struct search {
    const struct pz_space *space;
    struct crew *crew;
    struct set set;
    unsigned words;
    bool keep_all;
    unsigned large_stripes; /* to spread over when large; 0: as the caller asked from the start */
    uint32_t pile_limit;    /* chunks */
    uint32_t level;
    uint64_t frontier_states, previous_states;
    uint64_t states, generated, expanded;     /* of complete levels; the work of one that ended early, too */
    uint64_t generated_whole, expanded_whole; /* without that */
    struct frontier frontier;                 /* guarded by lock while a level runs */
    uint64_t seed;
    double began, reported;
    uint64_t reported_states;

    /* Of the level being made. */
    const struct search_step *step;
    struct control *control;
    unsigned workers;
    pthread_mutex_t lock; /* guards frontier and found */
    uint64_t found[KEY_WORDS_MAX];
    _Atomic int halt;             /* enum halt: the first member to halt sets it, all look at it */
    _Atomic unsigned next_stripe; /* to be settled; members count it up */
};

size_t search_chunk_bytes(const struct pz_space *space)
{
    /* Room for about 120 keys. Not a power of two: chunks fill at one pace, and would fill the same cache sets. */
    return space->state_bytes * (size_t)136;
}

/* As many stripes as leave the threads' open chunks a sixteenth of the budget. */
unsigned search_stripes(const struct budget *budget, unsigned threads, size_t chunk_bytes)
{
    uint64_t share = budget_free(budget) / 16;
    unsigned stripes = STRIPES_USUAL;
    while (stripes > 1 && (uint64_t)stripes * threads * chunk_bytes > share)
        stripes /= 2;
    return stripes;
}

uint16_t search_distance(const struct search *search, uint32_t level)
{
    return search->keep_all ? (uint16_t)level : (uint8_t)level;
}

/* ---- making and freeing ---- */

/*
 * How high piles become before they are inserted: a share of what the stripes hold, since an insertion walks through
 * most of a segment, but no more than a sorter takes, nor all piles together more than a share of the budget.
 */
static void search_set_pile_limit(struct search *search)
{
    const struct pool *pool = &search->crew->pool;
    uint64_t keys = search->states / search->set.stripe_count / 3;
    keys = keys < PILE_KEYS ? PILE_KEYS : keys > SORTER_KEYS ? SORTER_KEYS : keys;
    uint64_t affordable =
        budget_free(search->crew->budget) / 16 / pool->chunk_bytes / search->set.stripe_count;
    uint64_t chunks = keys / pool->capacity;
    chunks = chunks < affordable ? chunks : affordable;
    search->pile_limit = chunks < 1 ? 1 : (uint32_t)chunks;
}

static enum pz_status search_plant(struct search *search, const void *root, struct pz_error *error)
{
    struct member *member = &search->crew->members[0];
    struct chunk *chunk = member_take(member);
    if (chunk == NULL)
        return pz_fail(error, PZ_TOO_LARGE, "the memory limit is too small for any search");
    mix_bytes(root, search->space->state_bytes, chunk->keys);
    chunk_tokens(&search->crew->pool, chunk)[0] = PZ_NO_TOKEN;
    chunk->count = 1;
    struct stripe *stripe = &search->set.stripes[set_stripe_of(&search->set, chunk->keys[0])];
    if (!set_insert(&search->set, stripe, chunk, 0, &search->crew->pool, &member->sorter) ||
        !member_append(member, chunk))
        return pz_fail(error, PZ_TOO_LARGE, "the memory limit is too small for any search");
    member_collect(member, &search->frontier);
    search->frontier_states = search->states = 1;
    return PZ_OK;
}

static enum pz_status search_take_place(struct search *search, const struct search_place *place,
                                        struct pz_error *error)
{
    search->level = place->level;
    search->frontier_states = place->frontier_states;
    search->previous_states = place->previous_states;
    search->states = place->states;
    search->generated = search->generated_whole = place->generated;
    search->expanded = search->expanded_whole = place->expanded;
    if (search->keep_all && search->level > UINT8_MAX && !set_widen(&search->set))
        return pz_fail(error, PZ_TOO_LARGE, "the memory limit is too small for this search");
    return PZ_OK;
}

enum pz_status search_new(struct crew *crew, const struct search_options *options, struct search **out,
                          struct pz_error *error)
{
    struct search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    search->space = crew->space;
    search->crew = crew;
    search->words = crew->words;
    search->keep_all = options->keep_all || (crew->space->flags & PZ_REVERSIBLE) == 0;
    search->seed = options->seed;
    search->began = search->reported = clock_seconds();
    (void)pthread_mutex_init(&search->lock, NULL);
    if (options->stripes == 0)
        search->large_stripes = search_stripes(crew->budget, crew->threads, crew->pool.chunk_bytes);
    bool large = options->place != NULL && options->place->states >= LARGE_STATES;
    unsigned begin_with = large ? search->large_stripes : 1;
    struct set_options set = {.budget = crew->budget,
                              .words = crew->words,
                              .stripes = options->stripes != 0 ? options->stripes : begin_with,
                              .first_capacity = options->first_capacity};
    enum pz_status status = set_init(&search->set, &set, error);
    if (status == PZ_OK && options->place != NULL)
        status = search_take_place(search, options->place, error);
    else if (status == PZ_OK)
        status = search_plant(search, options->root, error);
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
    set_clear(&search->set);
    (void)pthread_mutex_destroy(&search->lock);
    free(search);
}

/* ---- halting and reporting ---- */

static void search_halt(struct search *search, enum halt halt)
{
    int none = HALT_NONE;
    /* Release: who sees HALT_FOUND may read found after the barrier; relaxed would do for the others. */
    (void)atomic_compare_exchange_strong_explicit(&search->halt, &none, (int)halt, memory_order_release,
                                                  memory_order_relaxed);
}

static bool search_halted(const struct search *search)
{
    return atomic_load_explicit(&search->halt, memory_order_relaxed) != HALT_NONE;
}

static void search_found(struct search *search, const uint64_t *key)
{
    (void)pthread_mutex_lock(&search->lock);
    if (!search_halted(search)) {
        memcpy(search->found, key, search->words * sizeof(uint64_t));
        search_halt(search, HALT_FOUND);
    }
    (void)pthread_mutex_unlock(&search->lock);
}

static void search_report(struct search *search, double now)
{
    struct control *control = search->control;
    uint64_t found = 0, walked = 0, settled = 0;
    for (unsigned i = 0; i < search->workers; i++) {
        struct member *member = &search->crew->members[i];
        found += atomic_load_explicit(&member->found, memory_order_relaxed);
        walked += atomic_load_explicit(&member->walked, memory_order_relaxed);
        settled += atomic_load_explicit(&member->settled, memory_order_relaxed);
    }
    uint64_t states = search->step->states_before + search->states + found;
    struct progress progress = {
        .phase = "search",
        .level = search->level,
        .frontier = search->frontier_states,
        .states = states,
        .rate = now > search->reported && states > search->reported_states
                    ? (double)(states - search->reported_states) / (now - search->reported)
                    : 0,
        .bytes = atomic_load_explicit(&search->crew->budget->used, memory_order_relaxed),
        .done = 0.9 * (double)walked / (double)search->frontier_states +
                0.1 * (double)settled / (double)search->set.stripe_count,
        .seconds = now - search->began,
    };
    search->reported = now;
    search->reported_states = states;
    control->report(control->context, &progress);
}

/* Every member looks at the halt word; the owner also at the clock and at the caller. */
static bool search_goes_on(struct search *search, const struct member *member)
{
    struct control *control = search->control;
    if (control_stopped(control))
        search_halt(search, HALT_CANCELLED);
    if (member == search->crew->members) {
        double now = clock_seconds();
        if (control->deadline > 0 && now >= control->deadline)
            search_halt(search, HALT_TIME);
        if (control->report != NULL && now - search->reported >= 0.1)
            search_report(search, now);
    }
    return !search_halted(search);
}

/* ---- what was new ---- */

static bool chunk_goal(struct search *search, const struct chunk *chunk)
{
    const struct search_step *step = search->step;
    for (unsigned i = 0; i < chunk->count; i++) {
        const uint64_t *key = chunk->keys + (size_t)i * search->words;
        bool reached = false;
        if (step->goal != NULL)
            reached = key_equal(key, step->goal, search->words);
        if (step->any_goal) {
            uint64_t state[KEY_WORDS_MAX];
            unmix_bytes(key, search->space->state_bytes, state);
            reached = search->space->puzzle->is_goal(search->space, state);
        }
        if (reached) {
            search_found(search, key);
            return true;
        }
    }
    return false;
}

static bool chunk_meets(struct search *search, const struct chunk *chunk)
{
    const struct search *other = search->step->other;
    int64_t met = set_find_any(&other->set, chunk, search_distance(other, other->level));
    if (met >= 0)
        search_found(search, chunk->keys + (size_t)met * search->words);
    return met >= 0;
}

/* Takes the chunks of an insertion, in which only new states are left. */
static void search_take_new(struct search *search, struct member *member, struct chunk *list)
{
    const struct search_step *step = search->step;
    while (list != NULL) {
        struct chunk *chunk = list;
        list = chunk->next;
        uint64_t found = atomic_load_explicit(&member->found, memory_order_relaxed) + chunk->count;
        atomic_store_explicit(&member->found, found, memory_order_relaxed);
        if ((step->goal != NULL || step->any_goal) && chunk_goal(search, chunk))
            continue;
        if (step->other != NULL && chunk_meets(search, chunk))
            continue;
        if (step->last || chunk->count == 0)
            member_give(member, chunk);
        else if (!member_append(member, chunk))
            search_halt(search, HALT_MEMORY);
    }
}

/* ---- piles ---- */

/* Inserts all that lies on the pile. The caller holds the stripe's lock, which is released. */
static void stripe_settle(struct search *search, struct member *member, struct stripe *stripe)
{
    uint16_t distance = search_distance(search, search->level + 1);
    struct chunk *list = atomic_exchange_explicit(&stripe->pile, NULL, memory_order_acquire);
    uint32_t height = 0;
    for (const struct chunk *chunk = list; chunk != NULL; chunk = chunk->next)
        height++;
    (void)atomic_fetch_sub_explicit(&stripe->height, height, memory_order_relaxed);
    bool inserted = set_insert(&search->set, stripe, list, distance, &search->crew->pool, &member->sorter);
    (void)pthread_mutex_unlock(&stripe->lock);
    if (inserted)
        search_take_new(search, member, list);
    else
        search_halt(search, HALT_MEMORY); /* the chunks are lost to the pool until it is cleared */
}

static void pile_push(struct stripe *stripe, struct chunk *chunk)
{
    struct chunk *top = atomic_load_explicit(&stripe->pile, memory_order_relaxed);
    do {
        chunk->next = top;
    } while (!atomic_compare_exchange_weak_explicit(&stripe->pile, &top, chunk, memory_order_release,
                                                    memory_order_relaxed));
}

static void pile_add(struct search *search, struct member *member, unsigned number, struct chunk *chunk)
{
    struct stripe *stripe = &search->set.stripes[number];
    pile_push(stripe, chunk);
    uint32_t height = atomic_fetch_add_explicit(&stripe->height, 1, memory_order_relaxed) + 1;
    if (height < search->pile_limit)
        return;
    if (height < 4 * search->pile_limit) {
        if (pthread_mutex_trylock(&stripe->lock) != 0)
            return;
    } else {
        (void)pthread_mutex_lock(&stripe->lock);
    }
    stripe_settle(search, member, stripe);
}

/* ---- expanding ---- */

__attribute__((always_inline)) static inline bool send(struct search *search, struct member *member,
                                                       const uint64_t *state, uint8_t token, unsigned words)
{
    const struct pool *pool = &search->crew->pool;
    uint64_t key[KEY_WORDS_MAX] = {0};
    mix_state(state, key, words);
    unsigned stripe = set_stripe_of(&search->set, key[0]);
    struct chunk *batch = member->batches[stripe];
    if (batch == NULL) {
        batch = member_take(member);
        if (batch == NULL)
            return false;
        member->batches[stripe] = batch;
    }
    unsigned at = member->fill[stripe]++;
    key_copy(batch->keys + (size_t)at * words, key, words);
    ((uint8_t *)(batch->keys + (size_t)pool->capacity * words))[at] = token;
    if (at + 1 == pool->capacity) {
        batch->count = pool->capacity;
        member->batches[stripe] = NULL;
        member->fill[stripe] = 0;
        pile_add(search, member, stripe, batch);
    }
    return true;
}

/* false when there was no memory. */
__attribute__((always_inline)) static inline bool expand_chunk(struct search *search, struct member *member,
                                                               struct chunk *chunk, unsigned words)
{
    const struct pz_space *space = search->space;
    const uint8_t *tokens = chunk_tokens(&search->crew->pool, chunk);
    for (unsigned i = 0; i < chunk->count; i++) {
        const uint64_t *key = chunk->keys + (size_t)i * words;
        uint64_t state[KEY_WORDS_MAX];
        sample_offer(&member->examples, sample_hash(key, search->seed, words), key, words);
        unmix_state(key, state, words);
        unsigned count = space->puzzle->expand(space, state, tokens[i], member->successors, member->tokens);
        member->generated += count;
        for (unsigned k = 0; k < count; k++)
            if (!send(search, member, member->successors + (size_t)k * words, member->tokens[k], words))
                return false;
    }
    return true;
}

static bool expand_any(struct search *search, struct member *member, struct chunk *chunk)
{
    switch (search->words) {
    case 1:
        return expand_chunk(search, member, chunk, 1);
    case 2:
        return expand_chunk(search, member, chunk, 2);
    default:
        return expand_chunk(search, member, chunk, 4);
    }
}

/* A few chunks of the frontier: fewer where it is short, so that all members find work. */
static struct chunk *frontier_take(struct search *search)
{
    struct frontier *frontier = &search->frontier;
    uint64_t share = frontier->states / search->crew->pool.capacity / search->workers / 4;
    unsigned wanted = share < 1 ? 1 : share < GROUP_CHUNKS ? (unsigned)share : GROUP_CHUNKS;
    (void)pthread_mutex_lock(&search->lock);
    struct chunk *list = frontier->chunks;
    struct chunk *last = list;
    for (unsigned i = 1; i < wanted && last != NULL && last->next != NULL; i++)
        last = last->next;
    if (last != NULL) {
        frontier->chunks = last->next;
        last->next = NULL;
    }
    (void)pthread_mutex_unlock(&search->lock);
    return list;
}

static void search_walk(struct search *search, struct member *member)
{
    while (search_goes_on(search, member)) {
        struct chunk *list = frontier_take(search);
        if (list == NULL)
            return;
        while (list != NULL) {
            struct chunk *chunk = list;
            list = chunk->next;
            if (!expand_any(search, member, chunk))
                search_halt(search, HALT_MEMORY);
            uint64_t walked = atomic_load_explicit(&member->walked, memory_order_relaxed) + chunk->count;
            atomic_store_explicit(&member->walked, walked, memory_order_relaxed);
            member_give(member, chunk);
        }
    }
}

static void search_settle(struct search *search, struct member *member)
{
    while (search_goes_on(search, member)) {
        unsigned number = atomic_fetch_add_explicit(&search->next_stripe, 1, memory_order_relaxed);
        if (number >= search->set.stripe_count)
            return;
        struct stripe *stripe = &search->set.stripes[number];
        if (atomic_load_explicit(&stripe->pile, memory_order_relaxed) != NULL) {
            (void)pthread_mutex_lock(&stripe->lock);
            stripe_settle(search, member, stripe);
        }
        if (!search->keep_all && search->level > 0)
            set_drop(&search->set, number, (uint8_t)(search->level - 1));
        uint64_t settled = atomic_load_explicit(&member->settled, memory_order_relaxed) + 1;
        atomic_store_explicit(&member->settled, settled, memory_order_relaxed);
    }
}

static void search_member(void *context, unsigned number)
{
    struct search *search = context;
    struct member *member = &search->crew->members[number];
    search_walk(search, member);
    for (unsigned i = 0; i < search->set.stripe_count; i++) {
        struct chunk *batch = member->batches[i];
        if (batch == NULL)
            continue;
        batch->count = member->fill[i];
        member->batches[i] = NULL;
        member->fill[i] = 0;
        pile_push(&search->set.stripes[i], batch);
    }
    if (search->workers > 1)
        (void)team_barrier(search->crew->team);
    search_settle(search, member);
}

/* ---- a level ---- */

/* Spreads a set that has become large over its stripes. Where that fails the search stays as it is. */
static void search_spread(struct search *search)
{
    if (search->large_stripes <= search->set.stripe_count || search->states < LARGE_STATES)
        return;
    struct set_options options = {
        .budget = search->crew->budget, .words = search->words, .stripes = search->large_stripes};
    if (!set_restripe(&search->set, &options))
        search->large_stripes = 0;
}

/*
 * Whether the next level can be expected to fit: as many new states as the ratio of the last two levels says, each
 * with a slot at the load that a segment has on average, and a place in the new frontier beyond what the
 * old one's chunks will give.
 */
static bool search_fits(const struct search *search)
{
    double ratio =
        search->level == 0 ? 1.0 : (double)search->frontier_states / (double)search->previous_states;
    double expected = ratio * (double)search->frontier_states;
    double slot_bytes = search->words * 8.0 + (search->set.shape.wide ? 2 : 1);
    double load = 0.76;
    double needed =
        ((double)set_count(&search->set) + expected) * slot_bytes / load - (double)set_bytes(&search->set);
    double frontier = (expected - (double)search->frontier_states) * (search->words * 8.0 + 1.0) -
                      (double)pool_spare(&search->crew->pool);
    if (needed < 0)
        needed = 0;
    if (frontier > 0 && !search->step->last)
        needed += frontier;
    return needed <= (double)budget_free(search->crew->budget);
}

static enum halt search_prepare(struct search *search)
{
    if (search->keep_all && search->level + 1 > SET_DISTANCE_MAX)
        return HALT_DEPTH;
    if (search->keep_all && search->level + 1 > UINT8_MAX && !search->set.shape.wide &&
        !set_widen(&search->set))
        return HALT_MEMORY;
    search_spread(search);
    search_set_pile_limit(search);
    if (!crew_prepare(search->crew, search->set.stripe_count) || !search_fits(search))
        return HALT_MEMORY;
    bool large = search->frontier_states >= LARGE_FRONTIER || search->large_stripes == 0;
    search->workers = large && crew_team(search->crew) != NULL ? search->crew->threads : 1;
    if (search->crew->alone)
        search->workers = 1;
    return HALT_NONE;
}

static void search_begin(struct search *search)
{
    for (unsigned i = 0; i < search->crew->threads; i++) {
        struct member *member = &search->crew->members[i];
        member->generated = 0;
        sample_empty(&member->examples);
        atomic_store_explicit(&member->found, 0, memory_order_relaxed);
        atomic_store_explicit(&member->walked, 0, memory_order_relaxed);
        atomic_store_explicit(&member->settled, 0, memory_order_relaxed);
    }
    atomic_store_explicit(&search->next_stripe, 0, memory_order_relaxed);
    atomic_store_explicit(&search->halt, HALT_NONE, memory_order_relaxed);
}

/* The work done, also in a level that ended early. */
static void search_tally(struct search *search)
{
    for (unsigned i = 0; i < search->crew->threads; i++) {
        const struct member *member = &search->crew->members[i];
        search->generated += member->generated;
        search->expanded += atomic_load_explicit(&member->walked, memory_order_relaxed);
    }
}

/* The new level becomes the frontier. */
static void search_end(struct search *search)
{
    uint64_t found = 0;
    search->frontier = (struct frontier){0};
    for (unsigned i = 0; i < search->crew->threads; i++) {
        struct member *member = &search->crew->members[i];
        member_collect(member, &search->frontier);
        found += atomic_load_explicit(&member->found, memory_order_relaxed);
    }
    search->previous_states = search->frontier_states;
    search->frontier_states = found;
    search->states += found;
    search->level++;
    search->generated_whole = search->generated;
    search->expanded_whole = search->expanded;
    atomic_store_explicit(&search->next_stripe, 0, memory_order_relaxed); /* whole again */
}

enum halt search_advance(struct search *search, struct control *control, const struct search_step *step,
                         uint64_t *found)
{
    search->step = step;
    search->control = control;
    enum halt halt = search_prepare(search);
    if (halt != HALT_NONE)
        return halt;
    search_begin(search);
    if (search->workers > 1)
        team_run(search->crew->team, search_member, search);
    else
        search_member(search, 0);
    halt = (enum halt)atomic_load_explicit(&search->halt, memory_order_acquire);
    search_tally(search);
    if (halt == HALT_NONE)
        search_end(search);
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

/* The level before the last is dropped stripe by stripe while a level is settled. */
bool search_is_whole(const struct search *search)
{
    return search->keep_all || atomic_load_explicit(&search->next_stripe, memory_order_relaxed) == 0;
}

bool search_put_back(struct search *search, const uint64_t *key, uint16_t distance)
{
    if (search->keep_all && distance > search->level)
        return false;
    if (!set_put_back(&search->set, key, distance))
        return false;
    return distance != search_distance(search, search->level) || member_add(&search->crew->members[0], key);
}

bool search_reopen(struct search *search)
{
    member_collect(&search->crew->members[0], &search->frontier);
    return search->frontier.states == search->frontier_states;
}

/* ---- reading ---- */

uint32_t search_level(const struct search *search)
{
    return search->level;
}

uint64_t search_frontier(const struct search *search)
{
    return search->frontier_states;
}

uint64_t search_states(const struct search *search)
{
    return search->states;
}

uint64_t search_generated(const struct search *search)
{
    return search->generated;
}

uint64_t search_expanded(const struct search *search)
{
    return search->expanded;
}

const struct set *search_set(const struct search *search)
{
    return &search->set;
}

void search_examples(struct search *search, struct sample *sample)
{
    for (unsigned i = 0; i < search->crew->threads; i++)
        sample_merge(sample, &search->crew->members[i].examples, search->words);
}
