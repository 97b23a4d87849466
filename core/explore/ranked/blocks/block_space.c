/* SPDX-License-Identifier: MIT */
/* A space of blocks and its workers: what they own, and which number is where. */
#include "explore/ranked/blocks/block_level.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- siblings ---- */

static bool siblings_init(struct siblings *siblings, size_t words, unsigned moves)
{
    *siblings = (struct siblings){.words = words,
                                  .set = malloc(words * sizeof *siblings->set),
                                  .blocks = malloc((moves + 1) * sizeof *siblings->blocks),
                                  .found = malloc((moves + 1) * sizeof *siblings->found)};
    return siblings->set != NULL && siblings->blocks != NULL && siblings->found != NULL;
}

static void siblings_clear(struct siblings *siblings)
{
    free(siblings->set);
    free(siblings->blocks);
    free(siblings->found);
}

static void sort_blocks(uint64_t *runs, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        const uint64_t next = runs[i];
        unsigned at = i;
        for (; at > 0 && runs[at - 1] > next; at--)
            runs[at] = runs[at - 1];
        runs[at] = next;
    }
}

bool siblings_begin(struct siblings *siblings, uint32_t last, unsigned count)
{
    const size_t bytes = count * sizeof *siblings->blocks;
    assert(count > 0);
    sort_blocks(siblings->found, count);
    if (siblings->last == last && siblings->count == count &&
        memcmp(siblings->blocks, siblings->found, bytes) == 0)
        return false;
    siblings->last = last;
    siblings->count = count;
    memcpy(siblings->blocks, siblings->found, bytes);
    memset(siblings->set, 0, siblings->words * sizeof *siblings->set);
    return true;
}

/* Puts the places of a rank's blocks in an order in which siblings are together. Returns the most that are
 * siblings; 0 without memory. */
static uint32_t siblings_order(const struct pz_runs *runs, struct block_share share, uint32_t *order)
{
    const uint64_t own = block_share_count(share, runs->outers);
    bool *has_place = calloc(own + 1, sizeof *has_place);
    uint64_t count = 0, most = 1;
    if (has_place == NULL)
        return 0;
    for (uint64_t place = 0; place < own; place++) {
        const uint64_t first = count;
        if (has_place[place])
            continue;
        has_place[place] = true;
        order[count++] = (uint32_t)place;
        for (unsigned move = 0; move < runs->moves; move++) {
            struct pz_edge edge;
            runs->edge(runs, move, block_share_at(share, place), &edge);
            if (!siblings_join(&edge) || !block_share_has(share, edge.outer))
                continue;
            const uint64_t other = block_share_place(share, edge.outer);
            if (!has_place[other])
                order[count++] = (uint32_t)other;
            has_place[other] = true;
        }
        most = count - first > most ? count - first : most;
    }
    free(has_place);
    assert(count == own);
    return (uint32_t)most;
}

/* ---- spaces and workers ---- */

uint64_t block_space_bytes(const struct pz_runs *runs, struct block_share share)
{
    const uint64_t places = block_share_places(share, runs->outers);
    return runs->bytes + runs->align_bytes + places * (runs->align_bytes > 0 ? 4 : 3) * sizeof(uint32_t);
}

uint64_t block_positions(const struct pz_runs *runs, struct block_share share)
{
    return block_share_places(share, runs->outers) * block_shape_of(runs).block_words * WORD_STATES;
}

size_t block_file_words(const struct block_shape *shape)
{
    return shape->block_words + block_active_words(shape);
}

bool block_space_init(struct block_space *space, struct pz_runs *runs, struct block_share share,
                      struct states *states, uint64_t seed)
{
    assert(runs->outers > 0 && share.rank < share.ranks);
    const uint64_t own = block_share_places(share, runs->outers);
    *space = (struct block_space){.runs = runs,
                                  .shape = block_shape_of(runs),
                                  .share = share,
                                  .states = states,
                                  .seed = seed,
                                  .together = 1};
    space->left = calloc(3 * own, sizeof *space->left);
    if (space->left == NULL || !runs->prepare(runs) || (runs->align != NULL && !runs->align(runs)))
        return false;
    if (runs->to_numbers != NULL && own <= UINT32_MAX) {
        space->order = malloc(own * sizeof *space->order);
        space->together = space->order != NULL ? siblings_order(runs, share, space->order) : 0;
        if (space->together == 0)
            return false;
    }
    for (uint64_t place = 0; place < own; place++)
        space->left[place] = runs->rows * runs->columns;
    space->found[0] = space->left + own;
    space->found[1] = space->left + 2 * own;
    return true;
}

void block_space_clear(struct block_space *space)
{
    free(space->left);
    free(space->order);
    block_file_free(space->file);
    block_exchange_free(space->foreign);
    if (space->runs != NULL)
        space->runs->close(space->runs);
    *space = (struct block_space){0};
}

bool block_worker_init(struct block_worker *worker, const struct block_space *space)
{
    const struct block_shape *shape = &space->shape;
    const size_t words = shape->block_words;
    const size_t read = space->file != NULL ? block_file_words(shape) + 1 : 1;
    *worker = (struct block_worker){.next = malloc(words * sizeof *worker->next),
                                    .left = malloc(words * sizeof *worker->left),
                                    .forward = calloc(space->runs->moves, sizeof *worker->forward),
                                    .own = malloc(read * sizeof *worker->own),
                                    .source = malloc(read * sizeof *worker->source),
                                    .list.columns =
                                        malloc((shape->rows * (size_t)shape->columns + 1) * sizeof(uint16_t)),
                                    .list.count = malloc(shape->rows * sizeof(uint32_t)),
                                    .held = UINT64_MAX};
    return worker->next != NULL && worker->left != NULL && worker->forward != NULL && worker->own != NULL &&
           worker->source != NULL && worker->list.columns != NULL && worker->list.count != NULL &&
           siblings_init(&worker->siblings, words, space->runs->moves);
}

void block_worker_clear(struct block_worker *worker)
{
    free(worker->next);
    free(worker->left);
    free(worker->forward);
    free(worker->own);
    free(worker->source);
    free(worker->list.columns);
    free(worker->list.count);
    siblings_clear(&worker->siblings);
    *worker = (struct block_worker){0};
}

uint64_t block_number(const struct block_space *space, uint64_t position)
{
    const struct pz_runs *runs = space->runs;
    const struct block_shape *shape = &space->shape;
    const uint64_t word = position / WORD_STATES, block = word / shape->block_words;
    const uint32_t in_run = (uint32_t)(word % shape->block_words);
    uint32_t row = in_run / shape->row_words;
    uint32_t column = in_run % shape->row_words * WORD_STATES + (uint32_t)(position % WORD_STATES);
    struct pz_edge by_number = {0};
    if (runs->to_numbers != NULL)
        runs->to_numbers(runs, block, &by_number);
    assert(row < shape->rows && column < shape->columns);
    row = by_number.rows != NULL ? by_number.rows[row] / pz_row_positions(shape->columns) : row;
    column = by_number.columns != NULL ? by_number.columns[column] : column;
    return (block * shape->rows + row) * shape->columns + column;
}

/* ---- examples ---- */

/* Returns the n-th bit of a set, or 0. */
static uint64_t nth_bit(uint64_t set, unsigned n)
{
    for (; n > 0; n--)
        set &= set - 1;
    return set & -set;
}

unsigned block_examples(const struct block_space *space, const struct bottom_k *sample, uint64_t *numbers,
                        unsigned most)
{
    unsigned count = 0;
    for (unsigned round = 0; round < WORD_STATES; round++) {
        for (unsigned i = 0; i < sample->count && count < most; i++) {
            const uint64_t bit = nth_bit(sample->entries[i].key[1], round);
            assert(sample->entries[i].key[1] != 0);
            if (bit != 0)
                numbers[count++] = block_number(space, sample->entries[i].key[0] * WORD_STATES +
                                                           (unsigned)__builtin_ctzll(bit) / 2);
        }
    }
    return count;
}

/* ---- merging the samples of several rounds and ranks ---- */

void block_examples_join(struct bottom_k *sample, const struct bottom_k *other)
{
    for (unsigned i = 0; i < other->count; i++) {
        const struct bottom_k_entry *entry = &other->entries[i];
        unsigned same = entry->hash <= sample->worst ? 0 : sample->count;
        while (same < sample->count && sample->entries[same].key[0] != entry->key[0])
            same++;
        assert(same == sample->count || sample->entries[same].hash == entry->hash);
        if (same < sample->count)
            sample->entries[same].key[1] |= entry->key[1];
        else
            bottom_k_offer(sample, entry->hash, entry->key, 2);
    }
}

const char *block_example_fault(const void *context, unsigned from, const struct bottom_k_entry *entry)
{
    const struct block_space *space = context;
    const struct block_shape *shape = &space->shape;
    const uint64_t block = entry->key[0] / shape->block_words, word = entry->key[0] % shape->block_words;
    if (block >= space->runs->outers || block_share_owner(space->share, block) != from)
        return "an example of a block that is not its own";
    if (entry->key[1] == 0 || (entry->key[1] & ~block_word_mask(shape, (uint32_t)word)) != 0)
        return "an example that is no state";
    return entry->hash != bottom_k_hash(entry->key, space->seed, 1) ? "an example out of its order" : NULL;
}
