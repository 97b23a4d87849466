/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked_table.h"

#include "explore/ranked/blocks/block_level.h"

#include <assert.h>
#include <endian.h>
#include <string.h>

uint64_t ranked_table_bytes(uint64_t count)
{
    return (count + RANKED_BYTE_STATES - 1) / RANKED_BYTE_STATES;
}

size_t ranked_table_encode(const struct states *states, uint64_t number, uint8_t *chunk)
{
    assert(number * RANKED_CHUNK_BYTES < ranked_table_bytes(states->numbers));
    const uint64_t from = number * RANKED_CHUNK_BYTES;
    const uint64_t left = ranked_table_bytes(states->numbers) - from;
    const size_t length = left < RANKED_CHUNK_BYTES ? (size_t)left : RANKED_CHUNK_BYTES;
    for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
        const uint64_t word =
            htole64(atomic_load_explicit(&states->levels[(from + at) / sizeof word], memory_order_relaxed));
        memcpy(chunk + at, &word, sizeof word); /* fits: the buffer is whole words */
    }
    return length;
}

/* ---- connected components ---- */

_Static_assert(sizeof(struct ranked_component) == 32 &&
                   RANKED_CHUNK_BYTES % sizeof(struct ranked_component) == 0,
               "no component lies in two chunks");

uint64_t ranked_table_parts_at(uint64_t count)
{
    return (ranked_table_bytes(count) + RANKED_CHUNK_BYTES - 1) / RANKED_CHUNK_BYTES * RANKED_CHUNK_BYTES;
}

size_t ranked_table_encode_parts(const struct ranked_components *parts, uint64_t number, uint8_t *chunk)
{
    assert(number * (RANKED_CHUNK_BYTES / sizeof(struct ranked_component)) < parts->count);
    const uint64_t most = RANKED_CHUNK_BYTES / sizeof(struct ranked_component);
    const uint64_t from = number * most;
    const uint64_t to = parts->count - from < most ? parts->count : from + most;
    for (uint64_t i = from; i < to; i++) {
        const struct ranked_component *part = &parts->all[i];
        const struct ranked_component written = {.states = htole64(part->states),
                                                 .first = htole64(part->first),
                                                 .deepest = htole64(part->deepest),
                                                 .depth = htole32(part->depth)};
        memcpy(chunk + (i - from) * sizeof written, &written, sizeof written);
    }
    return (size_t)(to - from) * sizeof(struct ranked_component);
}

/* ---- states that lie in blocks ---- */

/* Words that are filled field by field, from the lowest bits on. */
struct field_writer {
    uint8_t *at;
    uint64_t word;
    unsigned filled; /* bits, less than 64 */
};

static void put_word(struct field_writer *writer)
{
    const uint64_t word = htole64(writer->word);
    memcpy(writer->at, &word, sizeof word);
    writer->at += sizeof word;
}

/* Appends the lowest bits of a word, 1 to 64; the others are 0. */
static void append(struct field_writer *writer, uint64_t fields, unsigned bits)
{
    assert(bits > 0 && bits <= 64 && writer->filled < 64 && (bits == 64 || fields >> bits == 0));
    const unsigned room = 64 - writer->filled;
    writer->word |= fields << writer->filled;
    if (bits < room) {
        writer->filled += bits;
        return;
    }
    put_word(writer);
    writer->word = room < 64 ? fields >> room : 0;
    writer->filled = bits - room;
}

/* Appends this many states of a row, from a position on. */
static void append_row(struct field_writer *writer, const _Atomic uint64_t *levels, uint64_t position,
                       uint64_t count)
{
    while (count > 0) {
        const unsigned shift = position % WORD_STATES * 2;
        const unsigned here = (unsigned)(count < WORD_STATES - shift / 2 ? count : WORD_STATES - shift / 2);
        const uint64_t word =
            atomic_load_explicit(&levels[position / WORD_STATES], memory_order_relaxed) >> shift;
        append(writer, here < WORD_STATES ? word & ((UINT64_C(1) << 2 * here) - 1) : word, 2 * here);
        position += here;
        count -= here;
    }
}

/* Puts the states of a block in the order of their numbers. */
static void order(const struct block_shape *shape, const _Atomic uint64_t *levels,
                  const struct pz_edge *by_number, uint64_t *ordered)
{
    memset(ordered, 0, shape->block_words * sizeof *ordered);
    for (uint32_t row = 0; row < shape->rows; row++) {
        const uint32_t from = row * shape->row_words * WORD_STATES;
        const uint32_t to = by_number->rows != NULL ? by_number->rows[row] : from;
        for (uint32_t column = 0; column < shape->columns; column++) {
            const uint32_t at = from + column;
            const uint32_t then = to + (by_number->columns != NULL ? by_number->columns[column] : column);
            assert(then / WORD_STATES < shape->block_words);
            const uint64_t word = atomic_load_explicit(&levels[at / WORD_STATES], memory_order_relaxed);
            ordered[then / WORD_STATES] |= (word >> at % WORD_STATES * 2 & 3) << then % WORD_STATES * 2;
        }
    }
}

/* Returns a block's states in the order of their numbers, until the worker's next call. */
static const _Atomic uint64_t *ordered_states(const struct block_space *space, struct block_worker *worker,
                                              uint64_t block)
{
    const _Atomic uint64_t *levels = block_states(space, worker, block);
    struct pz_edge by_number = {0};
    if (space->runs->to_numbers != NULL)
        space->runs->to_numbers(space->runs, block, &by_number);
    if (by_number.rows == NULL && by_number.columns == NULL)
        return levels;
    order(&space->shape, levels, &by_number, worker->next);
    return (const _Atomic uint64_t *)worker->next;
}

size_t
ranked_table_encode_blocks(const struct block_space *space, struct block_worker *worker, uint64_t number,
                           uint8_t *chunk) // NOLINT(readability-non-const-parameter): the writer writes to it
{
    const struct block_shape *shape = &space->shape;
    const uint64_t size = (uint64_t)shape->rows * shape->columns; /* of a block */
    const uint64_t chunk_states = (uint64_t)RANKED_CHUNK_BYTES * 4;
    const uint64_t from = number * chunk_states;
    const uint64_t to =
        space->states->numbers - from < chunk_states ? space->states->numbers : from + chunk_states;
    struct field_writer writer = {.at = chunk};
    const _Atomic uint64_t *levels = NULL;
    uint64_t block = UINT64_MAX;
    for (uint64_t at = from; at < to;) {
        const uint64_t in_row = shape->columns - at % shape->columns;
        const uint64_t count = in_row < to - at ? in_row : to - at;
        if (at / size != block)
            levels = ordered_states(space, worker, block = at / size);
        const uint64_t row = at / shape->columns % shape->rows;
        append_row(&writer, levels, row * shape->row_words * WORD_STATES + at % shape->columns, count);
        at += count;
    }
    if (writer.filled > 0) { /* after the last state, as without blocks: unreached */
        writer.word |= UINT64_MAX << writer.filled;
        put_word(&writer);
    }
    return (size_t)(ranked_table_bytes(to) - from / 4);
}
