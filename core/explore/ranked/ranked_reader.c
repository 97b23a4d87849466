/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked_table.h"

#include "base/random.h"
#include "base/table/state_table.h"
#include "space/registry.h"
#include "space/root_set.h"

#include <assert.h>
#include <endian.h>
#include <inttypes.h>
#include <string.h>

/* ---- life ---- */

enum pz_status ranked_unnumbered(const struct pz_space *space, const char *name, struct pz_error *error)
{
    if (space->puzzle->count != NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to number the states of the table %.300s", name);
    return pz_fail(error, PZ_STORAGE, "the table %.300s is ranked, its puzzle numbers no states", name);
}

static enum pz_status ranked_check(const struct table_about *about, struct pz_error *error)
{
    const uint64_t numbers = space_count(about->space);
    if (numbers == 0)
        return ranked_unnumbered(about->space, about->name, error);
    if (about->states > numbers || about->depth >= numbers ||
        about->table_bytes < ranked_table_bytes(numbers))
        return pz_fail(error, PZ_STORAGE,
                       "the table %.300s has %" PRIu64 " states and depth %" PRIu32 ", its puzzle %" PRIu64
                       " states",
                       about->name, about->states, about->depth, numbers);
    return PZ_OK;
}

/* ---- the walk: the distance of a struct table_walker is its residue, modulo 3, or UNREACHED ---- */

static enum pz_status ranked_too_short(struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "a chunk of the table is too short");
}

/* Finds the residue of a state; UNREACHED for one that has no number. */
static enum pz_status ranked_residue_of(const struct table_walker *ranked, const void *state,
                                        unsigned *residue, struct pz_error *error)
{
    const struct table_reader *base = &ranked->base;
    const struct pz_space *space = base->about.space;
    const uint64_t number = space->puzzle->rank(space, state);
    const uint64_t byte = number / RANKED_BYTE_STATES;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    *residue = UNREACHED;
    if (number >= space_count(space))
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

/* Goes to a state that has this residue. */
static void ranked_stand_at(struct table_walker *ranked, const void *state, unsigned residue)
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

/* ---- samples ---- */

/*
 * States at exactly one distance. Of a wide level random numbers are drawn, and those at another distance are
 * rejected. A narrow level is made whole, level by level, if that is soon done. Both are
 * uniform. Else random walks lead from random states to the level, and not every state of it is as likely.
 */
enum {
    DRAWS_MAX = 40000,         /* random lookups of one call */
    MAKING_STATES = 400000,    /* of all levels that one call makes: some tenths of a second */
    MAKING_EACH = 64,          /* bytes of such a state beside its own, and its successors' */
    WANDER_EXPANSIONS = 100000 /* of one call: some tenths of a second */
};

static void ranked_keep(const struct table_walker *ranked, struct table_sample *sample, const void *state)
{
    const size_t bytes = ranked->base.about.space->state_bytes;
    assert(sample->found < sample->count);
    if (!table_sample_has(sample, state, bytes))
        memcpy(sample->states + sample->found++ * bytes, state, bytes);
}

static enum pz_status ranked_distance(struct table_walker *ranked, const void *state, unsigned residue,
                                      uint32_t *distance, struct pz_error *error)
{
    ranked_stand_at(ranked, state, residue);
    return table_reader_home(&ranked->base, distance, error);
}

static enum pz_status ranked_draw(struct table_walker *ranked, struct table_sample *sample,
                                  struct random *random, struct pz_error *error)
{
    const struct table_about *about = &ranked->base.about;
    const uint64_t numbers = space_count(about->space);
    const unsigned wanted = sample->depth > about->depth ? UNREACHED : sample->depth % 3;
    for (unsigned draws = 0; draws < DRAWS_MAX && sample->found < sample->count; draws++) {
        uint64_t state[PZ_STATE_MAX / 8];
        unsigned residue = UNREACHED;
        uint32_t distance = sample->depth;
        about->space->puzzle->unrank(about->space, random_below(random, numbers), state);
        enum pz_status status = ranked_residue_of(ranked, state, &residue, error);
        if (status == PZ_OK && residue == wanted && residue != UNREACHED)
            status = ranked_distance(ranked, state, residue, &distance, error);
        if (status != PZ_OK)
            return status;
        if (residue == wanted && distance == sample->depth)
            ranked_keep(ranked, sample, state);
    }
    return PZ_OK;
}

/* Offers a dead state to the sample: as many as are wanted stay. */
static void ranked_offer(const struct pz_space *space, struct table_sample *sample, struct random *random,
                         uint64_t number, uint64_t *seen)
{
    uint8_t *slot = table_sample_slot(sample, space->state_bytes, random, seen);
    if (slot != NULL)
        space->puzzle->unrank(space, number, slot);
}

/* Chooses among all dead states, in one pass. */
static enum pz_status ranked_choose_dead(const struct table_walker *ranked, struct table_sample *sample,
                                         struct random *random, struct pz_error *error)
{
    const struct table_reader *base = &ranked->base;
    const uint64_t numbers = space_count(base->about.space);
    uint64_t seen = 0, number = 0;
    sample->found = 0;
    for (uint64_t chunk = 0; number < numbers && seen < sample->total; chunk++) {
        const uint8_t *bytes = NULL;
        size_t length = 0;
        enum pz_status status = base->source.chunk(base->source.context, chunk, &bytes, &length, error);
        if (status == PZ_OK && length == 0)
            status = ranked_too_short(error);
        if (status != PZ_OK)
            return status;
        for (size_t at = 0; at < length; at++, number += RANKED_BYTE_STATES)
            for (unsigned i = 0; i < RANKED_BYTE_STATES && (bytes[at] & bytes[at] >> 1 & 0x55) != 0; i++)
                if ((bytes[at] >> 2 * i & 3) == UNREACHED && number + i < numbers)
                    ranked_offer(base->about.space, sample, random, number + i, &seen);
    }
    return PZ_OK;
}

/* Makes the levels up to a depth, from the root or from all goals; the last one begins at *first. Returns
 * false if that would take too long, or without memory. */
static bool ranked_make_levels(const struct table_walker *ranked, uint32_t depth, struct state_table *made,
                               uint32_t *first)
{
    const struct table_about *about = &ranked->base.about;
    const struct pz_space *space = about->space;
    const uint64_t numbers = about->from == FROM_GOALS ? space_count(space) : 0;
    const unsigned roots = about->from == FROM_GOALS ? 0 : about->roots;
    bool fits = numbers <= MAKING_STATES;
    for (unsigned i = 0; fits && i < roots; i++)
        fits = state_table_add(made, root_set_at(about->root, space->state_bytes, i)) != STATE_TABLE_NONE;
    for (uint64_t number = 0; fits && number < numbers; number++) {
        uint64_t state[PZ_STATE_MAX / 8];
        space->puzzle->unrank(space, number, state);
        if (space->puzzle->is_goal(space, state))
            fits = state_table_add(made, state) != STATE_TABLE_NONE;
    }
    for (uint32_t level = *first = 0; fits && level < depth; level++) {
        const uint32_t end = made->count;
        for (uint32_t i = *first; fits && i < end; i++) {
            const unsigned count = table_walker_expand(ranked, state_table_at(made, i));
            for (unsigned k = 0; fits && k < count; k++)
                fits = state_table_add(made, table_walker_successor(ranked, k)) != STATE_TABLE_NONE;
            fits = fits && made->count <= MAKING_STATES;
        }
        *first = end;
    }
    return fits;
}

/* Chooses among the whole level. Returns false, and nothing is chosen, if that would take too long. */
static bool ranked_choose(const struct table_walker *ranked, struct table_sample *sample,
                          struct random *random)
{
    const size_t bytes = ranked->base.about.space->state_bytes;
    struct budget budget;
    struct state_table made;
    uint32_t first = 0;
    uint64_t seen = 0;
    budget_init(&budget, NULL, MAKING_STATES * (uint64_t)(bytes + MAKING_EACH));
    const bool fits = state_table_init(&made, &budget, bytes, 1) &&
                      ranked_make_levels(ranked, sample->depth, &made, &first);
    sample->found = 0;
    for (uint32_t i = first; fits && i < made.count; i++) {
        uint8_t *slot = table_sample_slot(sample, (uint32_t)bytes, random, &seen);
        if (slot != NULL)
            memcpy(slot, state_table_at(&made, i), bytes);
    }
    state_table_clear(&made);
    return fits;
}

/* Goes to a random neighbour that has this residue; *moved is false if there is none. */
static enum pz_status ranked_step(struct table_walker *ranked, unsigned residue, struct random *random,
                                  bool *moved, struct pz_error *error)
{
    assert(residue < 3);
    const unsigned count = table_walker_expand(ranked, ranked->at);
    uint64_t seen = 0;
    const uint8_t *chosen = NULL;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *successor = table_walker_successor(ranked, i);
        unsigned found = UNREACHED;
        enum pz_status status = ranked_residue_of(ranked, successor, &found, error);
        if (status != PZ_OK)
            return status;
        if (found == residue && random_below(random, ++seen) == 0)
            chosen = successor;
    }
    *moved = chosen != NULL;
    if (*moved)
        ranked_stand_at(ranked, chosen, residue);
    return PZ_OK;
}

/* Walks from random states, nearer or farther at random, until the level is met. */
static enum pz_status ranked_wander(struct table_walker *ranked, struct table_sample *sample,
                                    struct random *random, struct pz_error *error)
{
    const struct pz_space *space = ranked->base.about.space;
    enum pz_status status = PZ_OK;
    for (uint32_t expansions = 0; expansions < WANDER_EXPANSIONS && sample->found < sample->count;) {
        uint64_t state[PZ_STATE_MAX / 8];
        unsigned residue = UNREACHED;
        uint32_t distance = 0;
        bool moved = true;
        space->puzzle->unrank(space, random_below(random, space_count(space)), state);
        status = ranked_residue_of(ranked, state, &residue, error);
        expansions++;
        if (status == PZ_OK && residue == UNREACHED)
            continue;
        if (status == PZ_OK)
            status = ranked_distance(ranked, state, residue, &distance, error);
        expansions += distance;
        ranked_stand_at(ranked, state, residue);
        while (status == PZ_OK && moved && distance != sample->depth) {
            distance += distance > sample->depth ? UINT32_MAX : 1;
            status = ranked_step(ranked, distance % 3, random, &moved, error);
            expansions++;
        }
        if (status != PZ_OK)
            return status;
        if (moved)
            ranked_keep(ranked, sample, ranked->at);
    }
    return PZ_OK;
}

static enum pz_status ranked_sample(struct table_reader *reader, struct table_sample *sample,
                                    struct pz_error *error)
{
    struct table_walker *ranked = table_walker_of(reader);
    struct random random = {.state = sample->seed};
    const uint64_t numbers = space_count(reader->about.space);
    const bool dead = sample->depth > reader->about.depth;
    sample->total = dead ? numbers - reader->about.states : 0;
    const uint64_t states = dead ? sample->total : sample->level_states;
    const uint64_t wanted = states > 0 && states < sample->count ? states : sample->count;
    const bool narrow = states > 0 && numbers / states * wanted > DRAWS_MAX / 2;
    if (dead && states == 0)
        return PZ_OK;
    enum pz_status status = narrow ? PZ_OK : ranked_draw(ranked, sample, &random, error);
    if (status != PZ_OK || sample->found >= wanted)
        return status;
    if (dead)
        return ranked_choose_dead(ranked, sample, &random, error);
    if (ranked_choose(ranked, sample, &random))
        return PZ_OK;
    sample->skewed = true;
    return ranked_wander(ranked, sample, &random, error);
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
