/* SPDX-License-Identifier: MIT */
#include "explore/dense/plane/planes_stream.h"

#include <string.h>

uint64_t planes_save_bytes(const struct planes *planes, uint64_t states)
{
    uint64_t count = (planes->mark[0] != NULL ? 4u : 2u) << (planes->before[0] != NULL);
    uint64_t filled = states < planes->blocks ? states : planes->blocks;
    return count * (planes->blocks + filled * planes->block);
}

/* ---- saving: for each block a byte, 0 if it is empty; otherwise its classes follow ---- */

static bool save_block(const struct planes *planes, const uint8_t *from, bool filled,
                       struct checkpointer *checkpointer)
{
    const uint8_t flag = filled;
    return checkpointer_put(checkpointer, &flag, sizeof flag) &&
           (!filled || checkpointer_put(checkpointer, from, planes->block));
}

static bool save_plane(const struct planes *planes, unsigned colour, struct checkpointer *checkpointer)
{
    for (uint32_t block = 0; block < planes->blocks; block++) {
        uint64_t first = (uint64_t)block * planes->block;
        bool filled = planes->present[colour][block] != 0;
        if (!save_block(planes, planes->bytes[colour] + first, filled, checkpointer))
            return false;
        uint8_t *const others[] = {planes->before[colour], planes->mark[colour], planes->mark0[colour]};
        for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
            if (others[i] != NULL &&
                !save_block(planes, others[i] + first,
                            memcmp(others[i] + first, planes->zeros, planes->block) != 0, checkpointer))
                return false;
    }
    return true;
}

void planes_save(const struct planes *planes, struct checkpointer *checkpointer)
{
    if (save_plane(planes, 0, checkpointer))
        (void)save_plane(planes, 1, checkpointer);
}

/* ---- loading ---- */

static bool load_block(const struct planes *planes, uint8_t *to, struct checkpointer *checkpointer)
{
    uint8_t filled = 0;
    return checkpointer_get(checkpointer, &filled, sizeof filled) &&
           (!filled || checkpointer_get(checkpointer, to, planes->block));
}

static bool load_plane(const struct planes *planes, unsigned colour, struct checkpointer *checkpointer)
{
    for (uint32_t block = 0; block < planes->blocks; block++) {
        uint64_t first = (uint64_t)block * planes->block;
        uint8_t *const all[] = {planes->bytes[colour], planes->before[colour], planes->mark[colour],
                                planes->mark0[colour]};
        for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
            if (all[i] != NULL && !load_block(planes, all[i] + first, checkpointer))
                return false;
    }
    return true;
}

/* Counts the bits of a block; *present becomes those that some class of it has. */
static uint32_t count_block(const uint8_t *bytes, uint32_t length, uint8_t *present)
{
    uint64_t all = 0;
    uint32_t count = 0;
    for (uint32_t at = 0; at < length; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, length - at < sizeof word ? length - at : sizeof word);
        all |= word;
        count += (uint32_t)__builtin_popcountll(word);
    }
    for (*present = 0; all != 0; all >>= 8)
        *present |= (uint8_t)all;
    return count;
}

/* Fills in the arrays that describe each block. Returns the number of states in the plane. */
static uint64_t survey(struct planes *planes, unsigned colour)
{
    uint64_t states = 0;
    for (uint32_t block = 0; block < planes->blocks; block++) {
        const uint64_t first = (uint64_t)block * planes->block;
        uint8_t before = 0;
        uint32_t count =
            count_block(planes->bytes[colour] + first, planes->block, &planes->present[colour][block]);
        planes->count[colour][block] = count;
        if (planes->before[colour] !=
            NULL) /* of both levels; blocks that are not turned yet will be counted */
            planes->older[colour][block] =
                count_block(planes->before[colour] + first, planes->block, &before) - count;
        planes->present[colour][block] |= before;
        if (planes->present[colour][block] != 0)
            planes->busy[colour][block / planes->range_blocks] = 1;
        states += count;
    }
    return states;
}

bool planes_load(struct planes *planes, struct checkpointer *checkpointer, uint64_t states[2])
{
    if (!load_plane(planes, 0, checkpointer) || !load_plane(planes, 1, checkpointer))
        return false;
    states[0] = survey(planes, 0);
    states[1] = survey(planes, 1);
    return true;
}
