/* SPDX-License-Identifier: MIT */
#include "explore/ranked/runs/run_kernel.h"

#include <string.h>

enum { ALIGNED_WORDS = BLOCK_STATES / WORD_STATES };

struct run_shape run_shape_of(const struct pz_runs *runs)
{
    const uint32_t row_words = pz_row_positions(runs->columns) / WORD_STATES;
    const uint32_t words = runs->rows * row_words;
    return (struct run_shape){.rows = runs->rows,
                              .columns = runs->columns,
                              .row_words = row_words,
                              .run_words = (words + ALIGNED_WORDS - 1) / ALIGNED_WORDS * ALIGNED_WORDS};
}

static inline uint64_t word_at(const _Atomic uint64_t *words, uint32_t at)
{
    return atomic_load_explicit(&words[at], memory_order_relaxed);
}

/* Returns the states of the last level in a word; none if it has no mark. */
static inline uint64_t last_states(const struct run_source *source, uint32_t word)
{
    const uint64_t marks = word_at(source->marks, word / ALIGNED_WORDS) >> word % ALIGNED_WORDS * 2 & 3;
    return marks != 0 ? states_with(word_at(source->levels, word), source->last) : 0;
}

/* Returns the position, counted in states, where a row goes. */
static inline uint32_t row_goes(const struct run_shape *shape, const struct pz_edge *edge, uint32_t row)
{
    return edge->rows != NULL ? edge->rows[row] : row * shape->row_words * WORD_STATES;
}

/* ---- from the last level ---- */

static void scatter_word(uint64_t fields, uint32_t base, const uint16_t *columns, uint64_t *next)
{
    for (; fields != 0; fields &= fields - 1) {
        const uint32_t to = base + columns[(unsigned)__builtin_ctzll(fields) / 2];
        next[to / WORD_STATES] |= UINT64_C(1) << to % WORD_STATES * 2;
    }
}

void run_scatter(const struct run_shape *shape, const struct run_source *source, const struct pz_edge *edge,
                 uint64_t *next)
{
    for (uint32_t row = 0; row < shape->rows; row++) {
        const uint32_t from = row * shape->row_words;
        const uint32_t base = row_goes(shape, edge, row);
        for (uint32_t word = 0; word < shape->row_words; word++) {
            const uint64_t fields = last_states(source, from + word);
            if (edge->columns == NULL)
                next[base / WORD_STATES + word] |= fields;
            else
                scatter_word(fields, base, edge->columns + word * WORD_STATES, next);
        }
    }
}

/* ---- towards the last level ---- */

static uint64_t gather_word(const struct run_source *source, uint64_t left, uint32_t base,
                            const uint16_t *columns)
{
    uint64_t found = 0;
    for (uint64_t fields = left; fields != 0; fields &= fields - 1) {
        const unsigned shift = (unsigned)__builtin_ctzll(fields);
        const uint32_t to = base + columns[shift / 2];
        const uint64_t level = word_at(source->levels, to / WORD_STATES) >> to % WORD_STATES * 2 & 3;
        found |= (uint64_t)(level == source->last) << shift;
    }
    return found;
}

uint64_t run_gather(const struct run_shape *shape, const struct run_source *source,
                    const struct pz_edge *edge, uint64_t *left, uint64_t *next)
{
    uint64_t count = 0;
    for (uint32_t row = 0; row < shape->rows; row++) {
        const uint32_t from = row * shape->row_words;
        const uint32_t base = row_goes(shape, edge, row);
        for (uint32_t word = 0; word < shape->row_words; word++) {
            if (left[from + word] == 0)
                continue;
            const uint64_t found =
                edge->columns == NULL
                    ? left[from + word] &
                          states_with(word_at(source->levels, base / WORD_STATES + word), source->last)
                    : gather_word(source, left[from + word], base, edge->columns + word * WORD_STATES);
            if (found == 0)
                continue;
            next[from + word] |= found;
            left[from + word] ^= found;
            count += (uint64_t)__builtin_popcountll(found);
        }
    }
    return count;
}

/* ---- between rows ---- */

uint64_t run_word_mask(const struct run_shape *shape, uint32_t word)
{
    const uint64_t all = UINT64_C(0x5555555555555555);
    if (word >= shape->rows * shape->row_words)
        return 0;
    const uint32_t kept = shape->columns % WORD_STATES * 2; /* bits of the last word of a row */
    return word % shape->row_words < shape->row_words - 1 ? all : all & ((UINT64_C(1) << kept) - 1);
}

void run_trim(const struct run_shape *shape, uint64_t *next)
{
    const uint32_t kept = shape->columns % WORD_STATES * 2; /* bits of the last word of a row */
    const uint32_t words = shape->rows * shape->row_words;
    for (uint32_t word = shape->row_words - 1; word < words; word += shape->row_words)
        next[word] &= (UINT64_C(1) << kept) - 1;
    memset(next + words, 0, (shape->run_words - words) * sizeof *next);
}

void run_unreached(const struct run_shape *shape, const _Atomic uint64_t *levels, uint64_t *left)
{
    for (uint32_t word = 0; word < shape->run_words; word++)
        left[word] = states_with(word_at(levels, word), UNREACHED);
    run_trim(shape, left);
}

void run_marked(const struct run_shape *shape, const _Atomic uint64_t *levels, const _Atomic uint64_t *marks,
                unsigned level, uint64_t *set)
{
    const struct run_source source = {.levels = levels, .marks = marks, .last = level};
    for (uint32_t word = 0; word < shape->run_words; word++)
        set[word] = last_states(&source, word);
}
