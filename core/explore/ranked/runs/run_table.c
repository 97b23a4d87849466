/* SPDX-License-Identifier: MIT */
/* The table of states that lie in runs. */
#include "explore/ranked/ranked_table.h"
#include "explore/ranked/runs/run_level.h"

#include <endian.h>
#include <string.h>

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

size_t run_table_encode(const struct run_space *space, struct run_member *member, uint64_t number,
                        uint8_t *chunk) // NOLINT(readability-non-const-parameter): the writer writes to it
{
    const struct run_shape *shape = &space->shape;
    const uint64_t size = (uint64_t)shape->rows * shape->columns; /* of a run */
    const uint64_t in_run = (uint64_t)shape->run_words * WORD_STATES;
    const uint64_t chunk_states = (uint64_t)RANKED_CHUNK_BYTES * 4;
    const uint64_t from = number * chunk_states;
    const uint64_t to =
        space->states->numbers - from < chunk_states ? space->states->numbers : from + chunk_states;
    struct field_writer writer = {.at = chunk};
    for (uint64_t at = from; at < to;) {
        const uint64_t in_row = shape->columns - at % shape->columns;
        const uint64_t count = in_row < to - at ? in_row : to - at;
        append_row(&writer, run_states(space, member, at / size), run_position(shape, at) % in_run, count);
        at += count;
    }
    if (writer.filled > 0) { /* after the last state, as without runs: unreached */
        writer.word |= UINT64_MAX << writer.filled;
        put_word(&writer);
    }
    return (size_t)(ranked_table_bytes(to) - from / 4);
}
