/* SPDX-License-Identifier: MIT */
#include "explore/dense/resume.h"

#include <string.h>

uint64_t dense_resume_bytes(const struct planes *planes, uint64_t states)
{
    uint64_t count = planes->mark[0] != NULL ? 4 : 2;
    uint64_t blocks = states < planes->blocks ? states : planes->blocks;
    return sizeof(struct dense_place) + count * (planes->blocks + blocks * planes->block);
}

/* Each block is a byte that says whether it is empty, and then, if not, its classes. */
static void save_plane(const struct planes *planes, const uint8_t *bytes, struct checkpointer *checkpointer)
{
    for (uint32_t block = 0; block < planes->blocks; block++) {
        const uint8_t *from = bytes + (uint64_t)block * planes->block;
        const uint8_t filled = memcmp(from, planes->zeros, planes->block) != 0;
        checkpointer_put(checkpointer, &filled, sizeof filled);
        if (filled)
            checkpointer_put(checkpointer, from, planes->block);
    }
}

void dense_save(const struct planes *planes, const struct dense_place *place,
                struct checkpointer *checkpointer)
{
    checkpointer_put(checkpointer, place, sizeof *place);
    for (unsigned colour = 0; colour < 2; colour++) {
        save_plane(planes, planes->bytes[colour], checkpointer);
        if (planes->mark[colour] != NULL)
            save_plane(planes, planes->mark[colour], checkpointer);
    }
}

static bool load_plane(const struct planes *planes, uint8_t *bytes, struct checkpointer *checkpointer)
{
    for (uint32_t block = 0; block < planes->blocks; block++) {
        uint8_t filled = 0;
        if (!checkpointer_get(checkpointer, &filled, sizeof filled))
            return false;
        if (filled && !checkpointer_get(checkpointer, bytes + (uint64_t)block * planes->block, planes->block))
            return false;
    }
    return true;
}

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

bool dense_load(struct planes *planes, struct dense_place *place, struct checkpointer *checkpointer)
{
    if (!checkpointer_get(checkpointer, place, sizeof *place) || place->colour > 1)
        return false;
    for (unsigned colour = 0; colour < 2; colour++) {
        if (!load_plane(planes, planes->bytes[colour], checkpointer))
            return false;
        if (planes->mark[colour] != NULL && !load_plane(planes, planes->mark[colour], checkpointer))
            return false;
    }
    uint64_t states[2] = {survey(planes, 0), survey(planes, 1)};
    uint32_t ranges = (planes->blocks + planes->range_blocks - 1) / planes->range_blocks;
    return states[place->colour] == place->width && place->ranges <= ranges &&
           place->level == checkpointer_levels(checkpointer);
}
