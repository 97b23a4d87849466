/* SPDX-License-Identifier: MIT */
#include "explore/ranked/blocks/block_level.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- a block's words ---- */

static uint64_t place_of_block(const struct block_space *space, uint64_t block)
{
    assert(block < space->runs->outers && block_share_has(space->share, block));
    return block_share_place(space->share, block);
}

static _Atomic uint64_t *block_levels(const struct block_space *space, uint64_t place)
{
    return space->states->levels + place * space->shape.block_words;
}

static _Atomic uint64_t *block_active(const struct block_space *space, uint32_t level, uint64_t place)
{
    return space->states->active[level & 1] + place * block_active_words(&space->shape);
}

/* A block's states, and its active bits of one level. */
struct block_words {
    _Atomic uint64_t *levels, *active;
};

static struct block_words words_in_memory(const struct block_space *space, uint32_t level, uint64_t block)
{
    const uint64_t place = place_of_block(space, block);
    return (struct block_words){block_levels(space, place), block_active(space, level, place)};
}

static struct block_words words_read(const struct block_space *space, uint64_t *words)
{
    _Atomic uint64_t *levels = (_Atomic uint64_t *)words;
    return (struct block_words){levels, levels + space->shape.block_words};
}

/* Returns the words of the block being made; on disk the held ones. */
static struct block_words own_words(const struct block_space *space, const struct block_worker *worker,
                                    uint32_t level, uint64_t block)
{
    assert(space->file == NULL || worker->held == block);
    return space->file != NULL ? words_read(space, worker->own) : words_in_memory(space, level, block);
}

/* Returns true if an earlier round has put states of the level being made into a block. */
static bool is_begun(const struct block_space *space, uint32_t level, uint64_t block)
{
    return space->again && space->found[level & 1][place_of_block(space, block)] > 0;
}

/* Reads the block to be made. */
static void hold_block(const struct block_space *space, struct block_worker *worker, uint32_t level,
                       uint64_t block)
{
    if (space->file == NULL)
        return;
    if (is_begun(space, level, block))
        block_file_get_made(space->file, place_of_block(space, block), level, worker->own,
                            space->shape.block_words);
    else
        block_file_get(space->file, place_of_block(space, block), worker->own, space->shape.block_words);
    worker->held = block;
}

const _Atomic uint64_t *block_states(const struct block_space *space, struct block_worker *worker,
                                     uint64_t block)
{
    assert(!space->again);
    if (space->file != NULL && worker->held != block)
        hold_block(space, worker, 0, block);
    return own_words(space, worker, 0, block).levels;
}

static uint32_t count_states(const uint64_t *set, uint32_t words)
{
    uint64_t count = 0;
    for (uint32_t word = 0; word < words; word++)
        count += (uint64_t)__builtin_popcountll(set[word]);
    return (uint32_t)count;
}

/* Returns how many states of a place are in a level. Marked words may also hold states of three levels
 * before: they are counted and carried, too. */
static uint32_t count_block_level(const struct block_space *space, uint32_t level, uint64_t place,
                                  uint64_t *set)
{
    block_active_states(&space->shape, block_levels(space, place), block_active(space, level, place),
                        level % 3, set);
    return count_states(set, space->shape.block_words);
}

bool block_space_count(struct block_space *space, uint32_t level, uint64_t done)
{
    const struct block_shape *shape = &space->shape;
    uint64_t *set = malloc(shape->block_words * sizeof *set);
    const uint64_t own = block_share_count(space->share, space->runs->outers);
    for (uint64_t at = 0; set != NULL && at < own; at++) {
        const uint64_t place = block_share_place(space->share, block_space_at(space, at));
        block_unreached(shape, block_levels(space, place), set);
        space->left[place] = count_states(set, shape->block_words);
        space->found[level & 1][place] = count_block_level(space, level, place, set);
        space->found[(level + 1) & 1][place] = at < done ? count_block_level(space, level + 1, place, set)
                                                         : UINT32_MAX; /* active bits to be cleared */
    }
    free(set);
    return set != NULL;
}

/* ---- where new states come from ---- */

/* The sources from which a block can be made. */
struct block_sources {
    uint64_t all;     /* states of the last level in them, by move */
    uint64_t carried; /* those of them that are carried one by one */
    unsigned changed; /* moves with such states that change the columns */
};

/* Returns how many states of the last level a block has that must be carried in this round. */
static uint32_t states_in(const struct block_space *space, uint32_t last, uint64_t block)
{
    if (!block_share_has(space->share, block))
        return block_exchange_found(space->foreign, block);
    return space->again ? 0 : space->found[last & 1][place_of_block(space, block)];
}

static struct block_sources find_block_sources(const struct block_space *space, struct block_worker *worker,
                                               uint32_t last, uint64_t block)
{
    const struct pz_runs *runs = space->runs;
    struct block_sources sources = {0};
    for (unsigned move = 0; move < runs->moves; move++) {
        struct pz_edge *edge = &worker->forward[move];
        runs->edge(runs, move, block, edge);
        const uint32_t found = edge->outer != PZ_NO_RUN ? states_in(space, last, edge->outer) : 0;
        if (found == 0)
            edge->outer = PZ_NO_RUN;
        sources.all += found;
        sources.carried += edge->columns != NULL ? found : 0;
        sources.changed += edge->columns != NULL && found > 0;
    }
    return sources;
}

/* Announces the blocks that will be read soon. */
static void read_blocks_ahead(const struct block_space *space, const struct block_worker *worker)
{
    for (unsigned move = 0; space->file != NULL && move < space->runs->moves; move++) {
        const uint64_t block = worker->forward[move].outer;
        if (block != PZ_NO_RUN && block_share_has(space->share, block))
            block_file_ahead(space->file, place_of_block(space, block));
    }
}

/* Returns the source by a move. On disk it is valid until the next call. */
static struct block_source source_of(const struct block_space *space, const struct block_worker *worker,
                                     uint32_t last, uint64_t block)
{
    if (!block_share_has(space->share, block))
        return block_exchange_source(space->foreign, block);
    const bool reads = space->file != NULL && block != worker->held;
    if (reads)
        block_file_get(space->file, place_of_block(space, block), worker->source, space->shape.block_words);
    const struct block_words words =
        reads ? words_read(space, worker->source) : own_words(space, worker, last, block);
    return (struct block_source){.levels = words.levels, .active = words.active, .last = last % 3};
}

const uint64_t *block_last_states(const struct block_space *space, struct block_worker *worker, uint32_t last,
                                  uint64_t block)
{
    assert(block_share_has(space->share, block));
    const struct block_source source = source_of(space, worker, last, block);
    block_active_states(&space->shape, source.levels, source.active, source.last, worker->left);
    return worker->left;
}

/* With other ranks, and where blocks are not in order, there are no siblings: each block would need a set of
 * its own.
 */
static bool leads_to_sibling(const struct block_space *space, const struct pz_edge *edge)
{
    return space->together > 1 && space->foreign == NULL && siblings_join(edge);
}

/* Returns the states of the last level in a block and its siblings; NULL if it has none that have some. */
static const uint64_t *siblings_of(const struct block_space *space, struct block_worker *worker,
                                   uint32_t last, uint64_t block)
{
    static const struct pz_edge same = {0};
    struct siblings *siblings = &worker->siblings;
    unsigned count = 0;
    for (unsigned move = 0; move < space->runs->moves; move++)
        if (leads_to_sibling(space, &worker->forward[move]))
            siblings->found[count++] = worker->forward[move].outer;
    assert(count <= space->runs->moves); /* and one more in found */
    if (count == 0)
        return NULL;
    if (states_in(space, last, block) > 0)
        siblings->found[count++] = block;
    if (siblings_begin(siblings, last, count)) {
        for (unsigned i = 0; i < count; i++) {
            const struct block_source source = source_of(space, worker, last, siblings->blocks[i]);
            block_scatter(&space->shape, &source, &same, &worker->list, siblings->set);
        }
    }
    return siblings->set;
}

static void carry_block(const struct block_space *space, struct block_worker *worker, uint32_t last,
                        uint64_t block)
{
    const struct pz_runs *runs = space->runs;
    const size_t bytes = space->shape.block_words * sizeof *worker->next;
    const uint64_t *siblings = siblings_of(space, worker, last, block);
    if (siblings != NULL)
        memcpy(worker->next, siblings, bytes);
    else
        memset(worker->next, 0, bytes);
    for (unsigned move = 0; move < runs->moves; move++) {
        if (worker->forward[move].outer == PZ_NO_RUN || leads_to_sibling(space, &worker->forward[move]))
            continue;
        struct pz_edge back;
        const struct block_source source = source_of(space, worker, last, worker->forward[move].outer);
        runs->edge(runs, runs->inverse(runs, move), worker->forward[move].outer, &back);
        assert(back.outer == block);
        block_scatter(&space->shape, &source, &back, &worker->list, worker->next);
    }
    block_trim(&space->shape, worker->next);
}

/* Looks by the moves that change columns, or by those that keep them, while states are left. */
static void look_by(const struct block_space *space, struct block_worker *worker, struct block_sink *sink,
                    uint32_t last, bool changed, uint64_t *left)
{
    const unsigned moves = space->runs->moves;
    for (unsigned move = 0; move < moves; move++) {
        const struct pz_edge *edge = &worker->forward[move];
        if (*left == 0 || edge->outer == PZ_NO_RUN || (edge->columns != NULL) != changed ||
            leads_to_sibling(space, edge))
            continue;
        const struct block_source source = source_of(space, worker, last, edge->outer);
        sink->generated += *left;
        const uint64_t found = changed ? block_gather(&space->shape, &source, edge, &worker->list)
                                       : block_gather_words(&space->shape, &source, edge, worker->left);
        /* A block that could not be read is empty: more may be found. The level fails then. */
        *left -= found < *left ? found : *left;
    }
}

/* Looks among the block's siblings. */
static void look_at_siblings(const struct block_space *space, struct block_worker *worker,
                             struct block_sink *sink, uint32_t last, uint64_t block, uint64_t *left)
{
    const uint64_t *siblings = siblings_of(space, worker, last, block);
    if (siblings == NULL)
        return;
    uint64_t found = 0;
    for (uint32_t word = 0; word < space->shape.block_words; word++) {
        found += states_in_word(worker->left[word] & siblings[word]);
        worker->left[word] &= ~siblings[word];
    }
    sink->generated += *left;
    *left -= found < *left ? found : *left;
}

/* Looks for neighbours of the states left. Begins with moves that keep the columns: those compare whole
 * words. */
static void look_from_block(const struct block_space *space, struct block_worker *worker,
                            struct block_sink *sink, uint32_t last, uint64_t block)
{
    const struct block_shape *shape = &space->shape;
    uint64_t left = space->left[place_of_block(space, block)];
    block_unreached(shape, own_words(space, worker, last, block).levels, worker->left);
    memcpy(worker->next, worker->left, shape->block_words * sizeof *worker->next);
    look_at_siblings(space, worker, sink, last, block, &left);
    look_by(space, worker, sink, last, false, &left);
    block_list(shape, worker->left, &worker->list);
    look_by(space, worker, sink, last, true, &left);
    block_unlist(shape, &worker->list, worker->next);
}

/* Returns true if looking costs less than carrying. If one state in n is in the last level, a state that is
 * left needs about n looks. */
static bool looking_is_less(const struct block_space *space, const struct block_sources *sources,
                            uint64_t left)
{
    const double states = (double)space->shape.rows * space->shape.columns;
    double looks = sources->changed;
    if (sources->carried > 0 && looks * states / (double)sources->carried < looks)
        looks = looks * states / (double)sources->carried;
    return (double)left * looks < (double)sources->carried;
}

/* ---- keeping them ---- */

static void note_word(const struct block_space *space, struct block_sink *sink, uint32_t level, uint64_t word,
                      uint64_t states)
{
    const uint64_t key[2] = {word, states};
    bottom_k_offer(sink->examples, bottom_k_hash(key, space->seed, 1), key, 2);
    for (; sink->parts != NULL && states != 0; states &= states - 1) {
        const uint64_t position = word * WORD_STATES + (unsigned)__builtin_ctzll(states) / 2;
        ranked_components_note(sink->parts, block_number(space, position), level);
    }
}

/* Reaches the new states of `next`, and marks them. */
static void settle_block(const struct block_space *space, struct block_worker *worker,
                         struct block_sink *sink, uint32_t level, uint64_t block)
{
    const uint32_t words = space->shape.block_words;
    const uint64_t cleared = UNREACHED ^ level % 3;
    const struct block_words own = own_words(space, worker, level, block);
    const uint64_t place = place_of_block(space, block);
    const bool begun = is_begun(space, level, block);
    _Atomic uint64_t *levels = own.levels, *active = own.active;
    uint64_t bits = 0;
    uint32_t count = 0;
    for (uint32_t word = 0; word < words; word++) {
        if (worker->next[word] != 0) {
            const uint64_t old = atomic_load_explicit(&levels[word], memory_order_relaxed);
            const uint64_t states = worker->next[word] & states_with(old, UNREACHED);
            if (states != 0) {
                atomic_store_explicit(&levels[word], old & ~(states * cleared), memory_order_relaxed);
                bits |= (uint64_t)((uint32_t)states != 0) << word % 32 * 2;
                bits |= (uint64_t)(states >> 32 != 0) << (word % 32 * 2 + 1);
                count += states_in_word(states);
                note_word(space, sink, level, block * words + word, states);
            }
        }
        if (word % 32 == 31) {
            bits |= begun ? atomic_load_explicit(&active[word / 32], memory_order_relaxed) : 0;
            atomic_store_explicit(&active[word / 32], bits, memory_order_relaxed);
            bits = 0;
        }
    }
    space->found[level & 1][place] = count + (begun ? space->found[level & 1][place] : 0);
    space->left[place] -= count;
    sink->found += count;
    if (space->file != NULL && count > 0)
        block_file_put(space->file, place, level, worker->own);
    worker->held = UINT64_MAX;
}

/* Records that a block has no new states. */
static void settle_empty_block(const struct block_space *space, uint32_t level, uint64_t place)
{
    if (space->again)
        return;
    if (space->file == NULL && space->found[level & 1][place] != 0)
        memset((void *)block_active(space, level, place), 0,
               block_active_words(&space->shape) * sizeof(uint64_t));
    space->found[level & 1][place] = 0;
}

void block_level_make(const struct block_space *space, struct block_worker *worker, struct block_sink *sink,
                      uint32_t level, uint64_t block)
{
    const uint64_t place = place_of_block(space, block);
    const struct block_sources sources = space->left[place] > 0
                                             ? find_block_sources(space, worker, level - 1, block)
                                             : (struct block_sources){0};
    if (sources.all == 0) {
        settle_empty_block(space, level, place);
        return;
    }
    read_blocks_ahead(space, worker);
    hold_block(space, worker, level, block);
    if (looking_is_less(space, &sources, space->left[place])) {
        look_from_block(space, worker, sink, level - 1, block);
    } else {
        carry_block(space, worker, level - 1, block);
        sink->generated += sources.all;
    }
    settle_block(space, worker, sink, level, block);
}

void block_level_choose(const struct block_space *space, struct block_worker *worker, struct block_sink *sink,
                        uint64_t block, bool (*is_chosen)(const void *context, uint64_t number),
                        const void *context)
{
    const struct block_shape *shape = &space->shape;
    const uint64_t first = block * shape->block_words * WORD_STATES;
    memset(worker->next, 0, shape->block_words * sizeof *worker->next);
    for (uint32_t row = 0; row < shape->rows; row++) {
        for (uint32_t column = 0; column < shape->columns; column++) {
            const uint32_t at = row * shape->row_words * WORD_STATES + column;
            if (is_chosen(context, block_number(space, first + at)))
                worker->next[at / WORD_STATES] |= UINT64_C(1) << at % WORD_STATES * 2;
        }
    }
    hold_block(space, worker, 0, block);
    settle_block(space, worker, sink, 0, block);
}
