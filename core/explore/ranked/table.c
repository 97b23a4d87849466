/* SPDX-License-Identifier: MIT */
#include "explore/ranked/table.h"

#include "base/random.h"
#include "space/registry.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE_STATES = 4, SAMPLE_TRIES = 20000 };

uint64_t ranked_table_bytes(uint64_t count)
{
    return (count + BYTE_STATES - 1) / BYTE_STATES;
}

size_t ranked_table_encode(const struct states *states, uint64_t number, uint8_t *chunk)
{
    const uint64_t from = number * RANKED_CHUNK_BYTES;
    const uint64_t left = ranked_table_bytes(states->count) - from;
    const size_t length = left < RANKED_CHUNK_BYTES ? (size_t)left : RANKED_CHUNK_BYTES;
    for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
        const uint64_t word =
            htole64(atomic_load_explicit(&states->levels[(from + at) / sizeof word], memory_order_relaxed));
        memcpy(chunk + at, &word, sizeof word); /* fits: the buffer is whole words */
    }
    return length;
}

/* ---- parts ---- */

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

uint64_t ranked_table_part_count(const struct ranked_table *table, uint64_t all_bytes)
{
    const uint64_t at = ranked_table_parts_at(space_count(table->space));
    return all_bytes > at ? (all_bytes - at) / sizeof(struct ranked_part) : 0;
}

enum pz_status ranked_table_part(const struct ranked_table *table, uint64_t all_bytes, uint64_t number,
                                 struct ranked_part *part, struct pz_error *error)
{
    const uint64_t states = space_count(table->space);
    const uint64_t at = ranked_table_parts_at(states) + number * sizeof *part;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    if (number >= ranked_table_part_count(table, all_bytes))
        return pz_fail(error, PZ_NO_TABLE, "the table has no such part");
    enum pz_status status =
        table->source.chunk(table->source.context, at / RANKED_CHUNK_BYTES, &bytes, &length, error);
    if (status != PZ_OK)
        return status;
    if (at % RANKED_CHUNK_BYTES + sizeof *part > length)
        return pz_fail(error, PZ_STORAGE, "a chunk of the table is too short");
    memcpy(part, bytes + at % RANKED_CHUNK_BYTES, sizeof *part);
    *part = (struct ranked_part){.states = le64toh(part->states),
                                 .first = le64toh(part->first),
                                 .deepest = le64toh(part->deepest),
                                 .depth = le32toh(part->depth)};
    if (part->first >= states || part->deepest >= states)
        return pz_fail(error, PZ_STORAGE, "a part of the table names no state");
    return PZ_OK;
}

/* ---- walking down ---- */

static enum pz_status residue_of(const struct ranked_table *table, const void *state, unsigned *residue,
                                 struct pz_error *error)
{
    const uint64_t number = table->space->puzzle->rank(table->space, state);
    const uint64_t byte = number / BYTE_STATES;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    enum pz_status status =
        table->source.chunk(table->source.context, byte / RANKED_CHUNK_BYTES, &bytes, &length, error);
    if (status != PZ_OK)
        return status;
    if (byte % RANKED_CHUNK_BYTES >= length)
        return pz_fail(error, PZ_STORAGE, "a chunk of the table is too short");
    *residue = bytes[byte % RANKED_CHUNK_BYTES] >> number % BYTE_STATES * 2 & 3;
    return PZ_OK;
}

/* Room to expand one state. */
struct table_walk {
    const struct ranked_table *table;
    uint64_t at[PZ_STATE_MAX / 8];
    unsigned residue;
    uint8_t *successors, *tokens; /* both in one malloc'd block */
};

static bool walk_init(struct table_walk *walk, const struct ranked_table *table)
{
    const size_t successors = (size_t)table->space->max_successors * table->space->state_bytes;
    *walk =
        (struct table_walk){.table = table, .successors = malloc(successors + table->space->max_successors)};
    walk->tokens = walk->successors != NULL ? walk->successors + successors : NULL;
    return walk->successors != NULL;
}

/* Moves to the first successor that is one move nearer. */
static enum pz_status walk_down(struct table_walk *walk, struct pz_error *error)
{
    const struct pz_space *space = walk->table->space;
    const unsigned nearer = (walk->residue + 2) % 3;
    unsigned count = space->puzzle->expand(space, walk->at, PZ_NO_TOKEN, walk->successors, walk->tokens);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *successor = walk->successors + (size_t)i * space->state_bytes;
        unsigned residue = UNREACHED;
        enum pz_status status = residue_of(walk->table, successor, &residue, error);
        if (status != PZ_OK)
            return status;
        if (residue != nearer)
            continue;
        memcpy(walk->at, successor, space->state_bytes);
        walk->residue = nearer;
        return PZ_OK;
    }
    return pz_fail(error, PZ_STORAGE, "the table contradicts itself: no neighbour of a state is nearer");
}

static bool is_home(const struct table_walk *walk)
{
    const struct pz_space *space = walk->table->space;
    return walk->table->to_goals ? space->puzzle->is_goal(space, walk->at)
                                 : memcmp(walk->at, walk->table->root, space->state_bytes) == 0;
}

/* Walks from walk->at to the root or a goal; states: room for depth + 1 of them, or NULL. */
static enum pz_status walk_to_root(struct table_walk *walk, uint32_t *distance, uint8_t *states,
                                   struct pz_error *error)
{
    const struct ranked_table *table = walk->table;
    const size_t bytes = table->space->state_bytes;
    enum pz_status status = residue_of(table, walk->at, &walk->residue, error);
    *distance = table->depth + 1;
    if (status == PZ_OK && walk->residue == UNREACHED && table->to_goals)
        return states == NULL ? PZ_OK : pz_fail(error, PZ_NO_TABLE, "no goal can be reached from this state");
    if (status == PZ_OK && walk->residue == UNREACHED)
        return pz_fail(error, PZ_NO_TABLE, "the root cannot be reached from this state");
    for (*distance = 0; status == PZ_OK; (*distance)++) {
        if (states != NULL)
            memcpy(states + *distance * bytes, walk->at, bytes);
        if (is_home(walk))
            return PZ_OK;
        if (*distance == table->depth)
            return pz_fail(error, PZ_STORAGE, "the table contradicts itself: a way is longer than its depth");
        status = walk_down(walk, error);
    }
    return status;
}

enum pz_status ranked_table_walk(const struct ranked_table *table, const void *state, uint32_t *distance,
                                 uint8_t **path, struct pz_error *error)
{
    struct table_walk walk;
    uint8_t *states = path != NULL ? malloc(((size_t)table->depth + 1) * table->space->state_bytes) : NULL;
    enum pz_status status = PZ_OK;
    if (!walk_init(&walk, table) || (path != NULL && states == NULL))
        status = pz_fail(error, PZ_MEMORY, "no memory for a path");
    if (status == PZ_OK) {
        memcpy(walk.at, state, table->space->state_bytes);
        status = walk_to_root(&walk, distance, states, error);
    }
    free(walk.successors);
    if (status == PZ_OK && path != NULL)
        *path = states;
    else
        free(states);
    return status;
}

/* ---- samples ---- */

static bool is_among(const uint8_t *states, unsigned count, const void *state, size_t bytes)
{
    for (unsigned i = 0; i < count; i++)
        if (memcmp(states + i * bytes, state, bytes) == 0)
            return true;
    return false;
}

enum pz_status ranked_table_sample(const struct ranked_table *table, uint32_t depth, uint64_t seed,
                                   unsigned count, uint8_t *states, unsigned *found, struct pz_error *error)
{
    const struct pz_space *space = table->space;
    const uint64_t numbers = space_count(space);
    struct random random = {.state = seed};
    struct table_walk walk;
    enum pz_status status = PZ_OK;
    *found = 0;
    if (!walk_init(&walk, table))
        return pz_fail(error, PZ_MEMORY, "no memory for a walk");
    for (unsigned tries = 0; tries < SAMPLE_TRIES && *found < count; tries++) {
        uint64_t state[PZ_STATE_MAX / 8];
        unsigned residue = UNREACHED;
        uint32_t distance = 0;
        space->puzzle->unrank(space, random_below(&random, numbers), state);
        status = residue_of(table, state, &residue, error);
        if (status == PZ_OK && residue != (depth > table->depth ? UNREACHED : depth % 3))
            continue;
        memcpy(walk.at, state, sizeof state);
        if (status == PZ_OK)
            status = walk_to_root(&walk, &distance, NULL, error);
        if (status != PZ_OK)
            break;
        if (distance == depth && !is_among(states, *found, state, space->state_bytes))
            memcpy(states + (size_t)(*found)++ * space->state_bytes, state, space->state_bytes);
    }
    free(walk.successors);
    return status;
}
