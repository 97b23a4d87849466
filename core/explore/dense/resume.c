/* SPDX-License-Identifier: MIT */
#include "explore/dense/resume.h"

#include <string.h>

static uint64_t bytes_of(uint64_t blocks, uint64_t block, uint64_t filled, bool marked)
{
    return sizeof(struct dense_place) + (marked ? 4 : 2) * (blocks + filled * block);
}

uint64_t dense_resume_bytes(const struct planes *planes, uint64_t states)
{
    uint64_t filled = states < planes->blocks ? states : planes->blocks;
    return bytes_of(planes->blocks, planes->block, filled, planes->mark[0] != NULL);
}

uint64_t dense_resume_bytes_ahead(const struct dense_geometry *geometry, bool marked)
{
    uint64_t block = plan_block_classes(geometry);
    return bytes_of(geometry->classes / block, block, geometry->classes / block, marked);
}

static uint32_t ranges_of(const struct planes *planes)
{
    return (planes->blocks + planes->range_blocks - 1) / planes->range_blocks;
}

static uint32_t range_end(const struct planes *planes, uint32_t range)
{
    uint32_t end = (range + 1) * planes->range_blocks;
    return end < planes->blocks ? end : planes->blocks;
}

/* A byte that says whether the block is empty, and then, if not, its classes. */
static void put_block(const struct planes *planes, const uint8_t *from, bool filled,
                      struct snapshot_sink *sink)
{
    const uint8_t said = filled;
    snapshot_put(sink, &said, sizeof said);
    if (filled)
        snapshot_put(sink, from, planes->block);
}

static void put_range(void *context, unsigned colour, uint32_t turn, struct snapshot_sink *sink)
{
    const struct planes *planes = context;
    uint32_t range = plan_range_of_turn(ranges_of(planes), turn);
    for (uint32_t block = range * planes->range_blocks; block < range_end(planes, range); block++) {
        uint64_t first = (uint64_t)block * planes->block;
        put_block(planes, planes->bytes[colour] + first, planes->any[colour][block] != 0, sink);
        if (planes->mark[colour] == NULL)
            continue;
        const uint8_t *mark = planes->mark[colour] + first;
        put_block(planes, mark, memcmp(mark, planes->zeros, planes->block) != 0, sink);
    }
}

static bool get_block(const struct planes *planes, uint8_t *to, struct checkpointer *checkpointer)
{
    uint8_t filled = 0;
    return checkpointer_get(checkpointer, &filled, sizeof filled) &&
           (!filled || checkpointer_get(checkpointer, to, planes->block));
}

static bool get_range(void *context, unsigned colour, uint32_t turn, struct checkpointer *checkpointer)
{
    const struct planes *planes = context;
    uint32_t range = plan_range_of_turn(ranges_of(planes), turn);
    for (uint32_t block = range * planes->range_blocks; block < range_end(planes, range); block++) {
        uint64_t first = (uint64_t)block * planes->block;
        if (!get_block(planes, planes->bytes[colour] + first, checkpointer))
            return false;
        if (planes->mark[colour] != NULL && !get_block(planes, planes->mark[colour] + first, checkpointer))
            return false;
    }
    return true;
}

struct snapshot_planes dense_pieces(struct planes *planes)
{
    return (struct snapshot_planes){.context = planes,
                                    .pieces = ranges_of(planes),
                                    .piece_bytes = (planes->mark[0] != NULL ? 2 : 1) *
                                                   (size_t)planes->range_blocks * (planes->block + 1u),
                                    .put = put_range,
                                    .get = get_range};
}

/* ---- after loading ---- */

/* The bits that some class of a block has, and how many it has altogether. */
static uint32_t count_block(const uint8_t *bytes, uint32_t length, uint8_t *any)
{
    uint64_t all = 0;
    uint32_t count = 0;
    for (uint32_t at = 0; at < length; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, length - at < sizeof word ? length - at : sizeof word);
        all |= word;
        count += (uint32_t)__builtin_popcountll(word);
    }
    for (*any = 0; all != 0; all >>= 8)
        *any |= (uint8_t)all;
    return count;
}

/* What is known of each block follows from its classes. Returns the states in the plane. */
static uint64_t survey(struct planes *planes, unsigned colour)
{
    uint64_t states = 0;
    for (uint32_t block = 0; block < planes->blocks; block++) {
        const uint8_t *bytes = planes->bytes[colour] + (uint64_t)block * planes->block;
        uint32_t count = count_block(bytes, planes->block, &planes->any[colour][block]);
        planes->count[colour][block] = count;
        if (count > 0)
            planes->busy[colour][block / planes->range_blocks] = 1;
        states += count;
    }
    return states;
}

bool dense_loaded(struct planes *planes, const struct dense_place *place, uint32_t levels)
{
    if (place->colour > 1)
        return false;
    uint64_t states[2] = {survey(planes, 0), survey(planes, 1)};
    return states[place->colour] == place->width && place->turns <= ranges_of(planes) &&
           place->level == levels;
}
