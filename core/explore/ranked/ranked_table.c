/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked_table.h"

#include <endian.h>
#include <string.h>

uint64_t ranked_table_bytes(uint64_t count)
{
    return (count + RANKED_BYTE_STATES - 1) / RANKED_BYTE_STATES;
}

size_t ranked_table_encode(const struct states *states, uint64_t number, uint8_t *chunk)
{
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

_Static_assert(sizeof(struct ranked_part) == 32 && RANKED_CHUNK_BYTES % sizeof(struct ranked_part) == 0,
               "no part lies in two chunks");

uint64_t ranked_table_parts_at(uint64_t count)
{
    return (ranked_table_bytes(count) + RANKED_CHUNK_BYTES - 1) / RANKED_CHUNK_BYTES * RANKED_CHUNK_BYTES;
}

size_t ranked_table_encode_parts(const struct ranked_parts *parts, uint64_t number, uint8_t *chunk)
{
    const uint64_t most = RANKED_CHUNK_BYTES / sizeof(struct ranked_part);
    const uint64_t from = number * most;
    const uint64_t to = parts->count - from < most ? parts->count : from + most;
    for (uint64_t i = from; i < to; i++) {
        const struct ranked_part *part = &parts->all[i];
        const struct ranked_part written = {.states = htole64(part->states),
                                            .first = htole64(part->first),
                                            .deepest = htole64(part->deepest),
                                            .depth = htole32(part->depth)};
        memcpy(chunk + (i - from) * sizeof written, &written, sizeof written);
    }
    return (size_t)(to - from) * sizeof(struct ranked_part);
}
