/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/grouped.h"

#include <assert.h>
#include <string.h>

void grouped_fail(struct grouped *grouped, enum pz_status status)
{
    if (status != PZ_OK)
        atomic_store_explicit(&grouped->failure, (int)status, memory_order_relaxed);
}

enum pz_status grouped_failed(struct grouped *grouped, struct pz_error *error)
{
    enum pz_status status = (enum pz_status)atomic_load_explicit(&grouped->failure, memory_order_relaxed);
    if (status == PZ_STORAGE)
        return pz_fail(error, status, "a piece of group %u is damaged", grouped->group);
    if (status == PZ_STORAGE_FULL)
        return pz_fail(error, status, "scratch space: no room for the packets of group %u", grouped->group);
    if (status == PZ_MEMORY)
        return pz_fail(error, status, "no memory for the pieces of group %u", grouped->group);
    return status;
}

/* ---- chunks: the ranges of a group ---- */

static uint32_t chunk_blocks(const struct grouped *grouped, uint32_t chunk)
{
    const struct planes *planes = grouped->planes;
    assert(chunk < planes->ranges);
    return planes_range_end(planes, chunk) - chunk * planes->range_blocks;
}

uint8_t *grouped_plain(struct grouped *grouped, enum piece_age age, uint32_t chunk)
{
    struct pieces *pieces = grouped->pieces;
    assert(age < PIECE_AGES && chunk < pieces->size.chunks);
    uint8_t *plain = pieces->ops->plain != NULL ? pieces->ops->plain(pieces, age) : NULL;
    return plain != NULL ? plain + (size_t)chunk * pieces->size.classes : NULL;
}

/* A coded chunk is its present bytes, then the blocks that hold anything. */
uint64_t grouped_load(struct grouped *grouped, enum piece_age age, uint32_t chunk, uint8_t *scratch,
                      uint8_t *present, uint8_t *out)
{
    struct pieces *pieces = grouped->pieces;
    struct piece_chunk found;
    uint32_t blocks = chunk_blocks(grouped, chunk);
    size_t block = grouped->planes->block;
    assert(out != NULL && present != NULL);
    enum pz_status status = pieces->ops->chunk(pieces, age, chunk, scratch, &found);
    if (status == PZ_OK && found.states == 0) {
        memset(present, 0, blocks);
        return 0;
    }
    if (status == PZ_OK && found.plain != NULL) {
        memcpy(present, found.bytes, blocks);
        if (out != found.plain)
            memcpy(out, found.plain, blocks * block);
        return found.states;
    }
    const struct codec_row row = {found.bytes, blocks, (uint32_t)block};
    bool sound = status == PZ_OK && found.length > blocks &&
                 codec_decode(found.code, found.bytes + blocks, found.length - blocks, &row, out);
    if (!sound) {
        grouped_fail(grouped, status != PZ_OK ? status : PZ_STORAGE);
        return UINT64_MAX;
    }
    memcpy(present, found.bytes, blocks);
    return found.states;
}

uint64_t grouped_load_whole(struct grouped *grouped, enum piece_age age, uint32_t chunk, uint8_t *scratch,
                            uint8_t *present, uint8_t *out)
{
    uint64_t states = grouped_load(grouped, age, chunk, scratch, present, out);
    size_t block = grouped->planes->block;
    uint32_t blocks = states > 0 && states != UINT64_MAX ? chunk_blocks(grouped, chunk) : 0;
    for (uint32_t i = 0; i < blocks; i++)
        if (present[i] == 0)
            memset(out + i * block, 0, block);
    return states;
}

bool grouped_next_whole(struct grouped *grouped, enum piece_age age, struct group_worker *worker,
                        struct whole_chunk *out)
{
    const struct planes *planes = grouped->planes;
    const uint32_t chunk = atomic_fetch_add_explicit(&grouped->next_task, 1, memory_order_relaxed);
    if (chunk >= planes->ranges)
        return false;
    const uint32_t first = chunk * planes->range_blocks;
    out->first = (uint64_t)first * planes->block;
    out->bytes = (uint64_t)chunk_blocks(grouped, chunk) * planes->block;
    out->states =
        grouped_load_whole(grouped, age, chunk, worker->scratch, planes->present[0] + first, worker->window);
    return out->states != UINT64_MAX;
}

/* Extracts the bits of a chunk that cross to other groups. */
static void pack_window(struct grouped *grouped, uint64_t first, const uint8_t *present, uint32_t blocks,
                        const uint8_t *window)
{
    uint64_t block = grouped->planes->block;
    for (uint32_t i = 0, end; i < blocks; i = end) {
        bool holds = window != NULL && present[i] != 0;
        for (end = i + 1; end < blocks && (window != NULL && present[end] != 0) == holds; end++)
            ;
        for (unsigned way = 0; way < grouped->ways; way++)
            boundary_pack(grouped->boundary[way], first + i * block, (end - i) * block,
                          holds ? window + i * block : NULL);
    }
}

bool grouped_save(struct grouped *grouped, unsigned colour, uint32_t chunk, uint8_t *window, uint8_t *scratch)
{
    const struct planes *planes = grouped->planes;
    struct pieces *pieces = grouped->pieces;
    uint32_t first = chunk * planes->range_blocks;
    uint32_t blocks = chunk_blocks(grouped, chunk);
    const uint8_t *present = planes->present[colour] + first;
    struct piece_chunk kept = {.bytes = scratch};
    for (uint32_t i = 0; window != NULL && i < blocks; i++)
        kept.states += planes->count[colour][first + i];
    pack_window(grouped, (uint64_t)first * planes->block, present, blocks, window);
    if (kept.states > 0 && grouped_plain(grouped, PIECE_NEXT, chunk) != NULL) {
        kept.bytes = present;
        kept.length = blocks;
    } else if (kept.states > 0) {
        const struct codec_row row = {present, blocks, planes->block};
        memcpy(scratch, present, blocks);
        kept.length = blocks + (uint32_t)codec_encode(window, &row, scratch + blocks, &kept.code);
    }
    assert(window != NULL || kept.states == 0);
    assert(kept.length <= pieces->size.chunk_bytes);
    enum pz_status status = pieces->ops->put(pieces, chunk, &kept);
    if (status != PZ_OK)
        grouped_fail(grouped, status);
    return status == PZ_OK;
}
