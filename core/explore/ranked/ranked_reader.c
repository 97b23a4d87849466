/* SPDX-License-Identifier: MIT */

#include "explore/ranked/ranked_table.h"
#include "space/registry.h"
#include "space/root_set.h"

#include <assert.h>
#include <endian.h>
#include <inttypes.h>
#include <string.h>

/* ---- life ---- */

static enum pz_status ranked_check(const struct table_about *about, struct pz_error *error)
{
    const uint64_t numbers = space_count(about->space);
    if (numbers == 0)
        return pz_fail(error, PZ_STORAGE, "the table %.300s is ranked, its puzzle numbers no states",
                       about->name);
    if (about->states > numbers || about->depth >= numbers)
        return pz_fail(error, PZ_STORAGE,
                       "the table %.300s has %" PRIu64 " states and depth %" PRIu32 ", its puzzle %" PRIu64
                       " states",
                       about->name, about->states, about->depth, numbers);
    return PZ_OK;
}

/* ---- the walk ---- */

enum pz_status ranked_too_short(struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "a chunk of the table is too short");
}

enum pz_status ranked_residue_at(const struct table_walker *ranked, uint64_t number, unsigned *residue,
                                 struct pz_error *error)
{
    const struct table_reader *base = &ranked->base;
    const uint64_t byte = number / RANKED_BYTE_STATES;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    *residue = UNREACHED;
    if (number >= space_count(base->about.space)) /* it has no number */
        return PZ_OK;
    enum pz_status status =
        base->source.chunk(base->source.context, byte / RANKED_CHUNK_BYTES, &bytes, &length, error);
    if (status != PZ_OK)
        return status;
    if (byte % RANKED_CHUNK_BYTES >= length)
        return ranked_too_short(error);
    *residue = bytes[byte % RANKED_CHUNK_BYTES] >> number % RANKED_BYTE_STATES * 2 & 3;
    return PZ_OK;
}

enum pz_status ranked_residue_of(const struct table_walker *ranked, const void *state, unsigned *residue,
                                 struct pz_error *error)
{
    const struct pz_space *space = ranked->base.about.space;
    return ranked_residue_at(ranked, space->puzzle->rank(space, state), residue, error);
}

void ranked_stand_at(struct table_walker *ranked, const void *state, unsigned residue)
{
    assert(residue <= UNREACHED);
    const struct table_about *about = &ranked->base.about;
    const struct pz_space *space = about->space;
    memcpy(ranked->at, state, space->state_bytes);
    ranked->distance = residue;
    ranked->base.is_home = about->from == FROM_GOALS
                               ? space->puzzle->is_goal(space, ranked->at)
                               : root_set_has(about->root, about->roots, space->state_bytes, ranked->at);
}

static enum pz_status ranked_start(struct table_reader *reader, const void *state, uint32_t *distance,
                                   struct pz_error *error)
{
    unsigned residue = UNREACHED;
    enum pz_status status = ranked_residue_of(table_walker_of(reader), state, &residue, error);
    if (status != PZ_OK)
        return status;
    ranked_stand_at(table_walker_of(reader), state, residue);
    *distance = residue == UNREACHED ? reader->about.depth + 1 : TABLE_WALK;
    if (residue == UNREACHED && reader->about.from == FROM_ROOT)
        return pz_fail(error, PZ_NO_TABLE, "the root cannot be reached from this state");
    return PZ_OK;
}

static enum pz_status ranked_nearer(struct table_reader *reader, struct pz_error *error)
{
    assert(!reader->is_home && table_walker_of(reader)->distance < 3);
    struct table_walker *ranked = table_walker_of(reader);
    const unsigned wanted = (ranked->distance + 2) % 3;
    const unsigned count = table_walker_expand(ranked, ranked->at);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *successor = table_walker_successor(ranked, i);
        unsigned residue = UNREACHED;
        enum pz_status status = ranked_residue_of(ranked, successor, &residue, error);
        if (status != PZ_OK)
            return status;
        if (residue != wanted)
            continue;
        ranked_stand_at(ranked, successor, residue);
        return PZ_OK;
    }
    return pz_fail(error, PZ_STORAGE, "the table contradicts itself: no neighbour of a state is nearer");
}

/* ---- connected components ---- */

static uint64_t ranked_part_count(const struct table_reader *reader)
{
    const uint64_t at = ranked_table_parts_at(space_count(reader->about.space));
    const uint64_t bytes = reader->about.table_bytes;
    return bytes > at ? (bytes - at) / sizeof(struct ranked_component) : 0;
}

static enum pz_status ranked_read_part(struct table_reader *reader, uint64_t number, struct table_part *out,
                                       struct pz_error *error)
{
    const struct pz_space *space = reader->about.space;
    const uint64_t states = space_count(space);
    const uint64_t at = ranked_table_parts_at(states) + number * sizeof(struct ranked_component);
    const uint8_t *bytes = NULL;
    size_t length = 0;
    struct ranked_component part;
    if (number >= ranked_part_count(reader))
        return pz_fail(error, PZ_NO_TABLE, "the table has no such part");
    enum pz_status status =
        reader->source.chunk(reader->source.context, at / RANKED_CHUNK_BYTES, &bytes, &length, error);
    if (status != PZ_OK)
        return status;
    if (at % RANKED_CHUNK_BYTES + sizeof part > length)
        return ranked_too_short(error);
    memcpy(&part, bytes + at % RANKED_CHUNK_BYTES, sizeof part);
    const uint64_t deepest = le64toh(part.deepest);
    const uint32_t depth = le32toh(part.depth);
    if (le64toh(part.first) >= states || deepest >= states)
        return pz_fail(error, PZ_STORAGE, "a part of the table names no state");
    *out =
        (struct table_part){.states = le64toh(part.states), .depth = depth, .dead = depth == COMPONENT_DEAD};
    space->puzzle->unrank(space, deepest, out->state);
    return PZ_OK;
}

const struct table_format ranked_format = {.check = ranked_check,
                                           .open = table_walker_open,
                                           .close = table_walker_close,
                                           .start = ranked_start,
                                           .nearer = ranked_nearer,
                                           .home = table_reader_home,
                                           .here = table_walker_here,
                                           .sample = ranked_sample,
                                           .part_count = ranked_part_count,
                                           .part = ranked_read_part};
