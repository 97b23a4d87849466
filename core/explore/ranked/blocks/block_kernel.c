/* SPDX-License-Identifier: MIT */
#include "explore/ranked/blocks/block_kernel.h"

#include <assert.h>
#include <string.h>

enum { ALIGNED_WORDS = PAGE_STATES / WORD_STATES, FORESEEN = 3 };
static const uint64_t EACH_FIELD = UINT64_C(0x5555555555555555);

struct block_shape block_shape_of(const struct pz_runs *runs)
{
    const uint32_t row_words = pz_row_positions(runs->columns) / WORD_STATES;
    const uint32_t words = runs->rows * row_words;
    return (struct block_shape){.rows = runs->rows,
                                .columns = runs->columns,
                                .row_words = row_words,
                                .block_words = (words + ALIGNED_WORDS - 1) / ALIGNED_WORDS * ALIGNED_WORDS};
}

static inline uint64_t level_word(const _Atomic uint64_t *words, uint32_t at)
{
    return atomic_load_explicit(&words[at], memory_order_relaxed);
}

/* Returns the states of the last level in a word; none if it has no active bit. */
static inline uint64_t last_states(const struct block_source *source, uint32_t word)
{
    const uint64_t active = level_word(source->active, word / ALIGNED_WORDS) >> word % ALIGNED_WORDS * 2 & 3;
    return active != 0 ? states_with(level_word(source->levels, word), source->last) : 0;
}

/* Returns the position, counted in states, where a row goes. */
static inline uint32_t row_goes(const struct block_shape *shape, const struct pz_edge *edge, uint32_t row)
{
    return edge->rows != NULL ? edge->rows[row] : row * shape->row_words * WORD_STATES;
}

/* ---- from the last level ---- */

/* Adds the states of a word, whose first one is in a given column, to a list. How many a word has cannot be
 * foreseen, but most have few: that many are written whether they are there or not, where one that is not
 * counts for nothing. */
static inline uint32_t list_word(uint64_t fields, uint32_t first, uint16_t *columns, uint32_t count)
{
    while (fields != 0) {
        for (unsigned i = 0; i < FORESEEN; i++, fields &= fields - 1) {
            columns[count] = (uint16_t)(first + (unsigned)__builtin_ctzll(fields | (fields == 0)) / 2);
            count += fields != 0;
        }
    }
    return count;
}

static void scatter_list(const uint16_t *list, uint32_t count, uint32_t base, const uint16_t *columns,
                         uint64_t *next)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t to = base + columns[list[i]];
        next[to / WORD_STATES] |= UINT64_C(1) << to % WORD_STATES * 2;
    }
}

/* Adds the states of whole words, where each row stays where it is. */
static void scatter_words(const struct block_shape *shape, const struct block_source *source, uint64_t *next)
{
    const uint32_t words = shape->rows * shape->row_words; /* all of another rank's have active bits */
    for (uint32_t from = 0; from < words; from += ALIGNED_WORDS) {
        const uint32_t to = from + ALIGNED_WORDS < words ? from + ALIGNED_WORDS : words;
        if (level_word(source->active, from / ALIGNED_WORDS) == 0)
            continue;
        for (uint32_t word = from; word < to; word++)
            next[word] |= states_with(level_word(source->levels, word), source->last);
    }
}

void block_scatter(const struct block_shape *shape, const struct block_source *source,
                   const struct pz_edge *edge, struct block_list *list, uint64_t *next)
{
    const uint32_t words = shape->rows * shape->row_words; /* all of another rank's have active bits */
    uint32_t row = 0, from = 0, count = 0;                 /* a row, and its first word */
    if (edge->rows == NULL && edge->columns == NULL) {
        scatter_words(shape, source, next);
        return;
    }
    for (uint32_t block = 0; block * ALIGNED_WORDS < shape->block_words; block++) {
        const uint64_t active = level_word(source->active, block);
        uint64_t marked = (active | active >> 1) & EACH_FIELD; /* words */
        for (; marked != 0; marked &= marked - 1) {
            const uint32_t word = block * ALIGNED_WORDS + (unsigned)__builtin_ctzll(marked) / 2;
            if (word >= words)
                break;
            const uint64_t fields = states_with(level_word(source->levels, word), source->last);
            if (word - from >= shape->row_words && count > 0) {
                scatter_list(list->columns, count, row_goes(shape, edge, row), edge->columns, next);
                count = 0;
            }
            for (; word - from >= shape->row_words; row++)
                from += shape->row_words;
            assert(row < shape->rows);
            if (edge->columns == NULL)
                next[row_goes(shape, edge, row) / WORD_STATES + word - from] |= fields;
            else
                count = list_word(fields, (word - from) * WORD_STATES, list->columns, count);
            assert(count <= shape->columns);
        }
    }
    if (count > 0)
        scatter_list(list->columns, count, row_goes(shape, edge, row), edge->columns, next);
}

/* ---- towards the last level ---- */

uint64_t block_gather_words(const struct block_shape *shape, const struct block_source *source,
                            const struct pz_edge *edge, uint64_t *left)
{
    uint64_t count = 0;
    assert(edge->columns == NULL);
    for (uint32_t row = 0; row < shape->rows; row++) {
        const uint32_t from = row * shape->row_words;
        const uint32_t to = row_goes(shape, edge, row) / WORD_STATES;
        for (uint32_t word = 0; word < shape->row_words; word++) {
            if (left[from + word] == 0)
                continue;
            const uint64_t found =
                left[from + word] & states_with(level_word(source->levels, to + word), source->last);
            left[from + word] ^= found;
            count += states_in_word(found);
        }
    }
    return count;
}

void block_list(const struct block_shape *shape, const uint64_t *set, struct block_list *list)
{
    for (uint32_t row = 0; row < shape->rows; row++) {
        uint16_t *columns = list->columns + (size_t)row * shape->columns;
        uint32_t count = 0;
        for (uint32_t word = 0; word < shape->row_words; word++)
            count = list_word(set[row * shape->row_words + word], word * WORD_STATES, columns, count);
        assert(count <= shape->columns);
        list->count[row] = count;
    }
}

void block_unlist(const struct block_shape *shape, const struct block_list *list, uint64_t *set)
{
    for (uint32_t row = 0; row < shape->rows; row++) {
        const uint16_t *columns = list->columns + (size_t)row * shape->columns;
        uint64_t *words = set + row * shape->row_words;
        for (uint32_t i = 0; i < list->count[row]; i++)
            words[columns[i] / WORD_STATES] &= ~(UINT64_C(1) << columns[i] % WORD_STATES * 2);
    }
}

uint64_t block_gather(const struct block_shape *shape, const struct block_source *source,
                      const struct pz_edge *edge, struct block_list *list)
{
    const uint16_t *columns = edge->columns;
    uint64_t found = 0;
    assert(columns != NULL);
    for (uint32_t row = 0; row < shape->rows; row++) {
        const uint32_t base = row_goes(shape, edge, row), count = list->count[row];
        uint16_t *left = list->columns + (size_t)row * shape->columns;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) { /* without a branch: what is found cannot be foreseen */
            const uint16_t column = left[i];
            const uint32_t to = base + columns[column];
            left[kept] = column;
            kept +=
                (level_word(source->levels, to / WORD_STATES) >> to % WORD_STATES * 2 & 3) != source->last;
        }
        list->count[row] = kept;
        found += count - kept;
    }
    return found;
}

/* ---- between rows ---- */

uint64_t block_word_mask(const struct block_shape *shape, uint32_t word)
{
    if (word >= shape->rows * shape->row_words)
        return 0;
    const uint32_t kept = shape->columns % WORD_STATES * 2; /* bits of the last word of a row */
    return word % shape->row_words < shape->row_words - 1 ? EACH_FIELD
                                                          : EACH_FIELD & ((UINT64_C(1) << kept) - 1);
}

void block_trim(const struct block_shape *shape, uint64_t *next)
{
    const uint32_t kept = shape->columns % WORD_STATES * 2; /* bits of the last word of a row */
    const uint32_t words = shape->rows * shape->row_words;
    for (uint32_t word = shape->row_words - 1; word < words; word += shape->row_words)
        next[word] &= (UINT64_C(1) << kept) - 1;
    memset(next + words, 0, (shape->block_words - words) * sizeof *next);
}

void block_unreached(const struct block_shape *shape, const _Atomic uint64_t *levels, uint64_t *left)
{
    for (uint32_t word = 0; word < shape->block_words; word++)
        left[word] = states_with(level_word(levels, word), UNREACHED);
    block_trim(shape, left);
}

void block_active_states(const struct block_shape *shape, const _Atomic uint64_t *levels,
                         const _Atomic uint64_t *active, unsigned level, uint64_t *set)
{
    const struct block_source source = {.levels = levels, .active = active, .last = level};
    for (uint32_t word = 0; word < shape->block_words; word++)
        set[word] = last_states(&source, word);
}
