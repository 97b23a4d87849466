/* SPDX-License-Identifier: MIT */
/*
 * States at exactly one distance. Of a wide level random numbers are drawn, and those at another distance are
 * rejected. A narrow level is made whole, level by level along the table, if that is soon done. Both are
 * uniform. Else random walks lead from random states to the level, and not every state of it is as likely.
 */
#include "base/random.h"
#include "explore/ranked/ranked_table.h"
#include "space/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    DRAWS_MAX = 40000,         /* random lookups of one call */
    MAKING_STATES = 400000,    /* of all levels that one call makes: some tenths of a second */
    MAKING_ROOM = 1 << 20,     /* numbers, before equal ones are taken out */
    WANDER_EXPANSIONS = 100000 /* of one call: some tenths of a second */
};

/* ---- wide levels, and dead states ---- */

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
    uint64_t state[PZ_STATE_MAX / 8];
    const uint64_t place = table_sample_place(sample, random, seen);
    if (place >= sample->count)
        return;
    space->puzzle->unrank(space, number, state);
    memcpy(sample->states + place * space->state_bytes, state, space->state_bytes);
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

/* ---- narrow levels ---- */

/* Numbers of states. */
struct numbers {
    uint64_t *all; /* room for MAKING_ROOM */
    size_t count;
};

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void numbers_make_distinct(struct numbers *numbers)
{
    size_t kept = 0;
    qsort(numbers->all, numbers->count, sizeof *numbers->all, compare_numbers);
    for (size_t i = 0; i < numbers->count; i++)
        if (i == 0 || numbers->all[i] != numbers->all[i - 1])
            numbers->all[kept++] = numbers->all[i];
    numbers->count = kept;
}

/* Returns false if there are too many different ones. */
static bool numbers_add(struct numbers *numbers, uint64_t number)
{
    if (numbers->count == MAKING_ROOM) {
        numbers_make_distinct(numbers);
        if (numbers->count > MAKING_STATES)
            return false;
    }
    numbers->all[numbers->count++] = number;
    return true;
}

/* Adds the root, or all goals where these are soon found. */
static enum pz_status ranked_first_level(const struct table_walker *ranked, struct numbers *level, bool *fits,
                                         struct pz_error *error)
{
    const struct table_about *about = &ranked->base.about;
    const struct pz_space *space = about->space;
    enum pz_status status = PZ_OK;
    if (about->from == FROM_ROOT) {
        *fits = numbers_add(level, space->puzzle->rank(space, about->root));
        return PZ_OK;
    }
    *fits = space_count(space) <= MAKING_STATES;
    for (uint64_t number = 0; *fits && number < space_count(space) && status == PZ_OK; number++) {
        unsigned residue = UNREACHED;
        uint64_t state[PZ_STATE_MAX / 8];
        status = ranked_residue_at(ranked, number, &residue, error);
        if (status != PZ_OK || residue != 0)
            continue;
        space->puzzle->unrank(space, number, state);
        if (space->puzzle->is_goal(space, state))
            *fits = numbers_add(level, number);
    }
    return status;
}

/* Neighbours of a level that have the next one's residue are of the next one: distances of neighbours differ
 * by one at most. */
static enum pz_status ranked_next_level(const struct table_walker *ranked, const struct numbers *level,
                                        unsigned residue, struct numbers *next, bool *fits,
                                        struct pz_error *error)
{
    const struct pz_space *space = ranked->base.about.space;
    next->count = 0;
    for (size_t i = 0; i < level->count; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        space->puzzle->unrank(space, level->all[i], state);
        const unsigned count = table_walker_expand(ranked, state);
        for (unsigned j = 0; j < count && *fits; j++) {
            const uint64_t number = space->puzzle->rank(space, table_walker_successor(ranked, j));
            unsigned found = UNREACHED;
            enum pz_status status = ranked_residue_at(ranked, number, &found, error);
            if (status != PZ_OK)
                return status;
            *fits = found != residue || numbers_add(next, number);
        }
    }
    numbers_make_distinct(next);
    return PZ_OK;
}

/* Makes the levels up to the sample's. *fits: that was soon done, and the last one is in levels[depth % 2].
 */
static enum pz_status ranked_make_level(const struct table_walker *ranked, uint32_t depth,
                                        struct numbers levels[2], bool *fits, struct pz_error *error)
{
    *fits = true;
    enum pz_status status = ranked_first_level(ranked, &levels[0], fits, error);
    size_t states = levels[0].count;
    for (uint32_t level = 1; level <= depth && *fits && status == PZ_OK; level++) {
        struct numbers *next = &levels[level % 2];
        status = ranked_next_level(ranked, &levels[1 - level % 2], level % 3, next, fits, error);
        states += next->count;
        *fits = *fits && states <= MAKING_STATES;
    }
    return status;
}

/* Chooses among the whole level. *fits is false, and nothing is chosen, if that would take too long. */
static enum pz_status ranked_choose(const struct table_walker *ranked, struct table_sample *sample,
                                    struct random *random, bool *fits, struct pz_error *error)
{
    const struct pz_space *space = ranked->base.about.space;
    struct numbers levels[2] = {{.all = malloc(MAKING_ROOM * sizeof(uint64_t))},
                                {.all = malloc(MAKING_ROOM * sizeof(uint64_t))}};
    enum pz_status status = PZ_OK;
    *fits = levels[0].all != NULL && levels[1].all != NULL;
    if (*fits)
        status = ranked_make_level(ranked, sample->depth, levels, fits, error);
    uint64_t *all = levels[sample->depth % 2].all;
    const size_t count = levels[sample->depth % 2].count;
    const bool chosen = *fits && status == PZ_OK;
    for (sample->found = 0; chosen && sample->found < sample->count && sample->found < count;) {
        const uint64_t place = sample->found + random_below(random, count - sample->found);
        uint64_t state[PZ_STATE_MAX / 8];
        space->puzzle->unrank(space, all[place], state);
        all[place] = all[sample->found];
        memcpy(sample->states + (size_t)sample->found++ * space->state_bytes, state, space->state_bytes);
    }
    free(levels[0].all);
    free(levels[1].all);
    return status;
}

/* ---- random walks ---- */

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

enum pz_status ranked_sample(struct table_reader *reader, struct table_sample *sample, struct pz_error *error)
{
    struct table_walker *ranked = table_walker_of(reader);
    struct random random = {.state = sample->seed};
    const uint64_t numbers = space_count(reader->about.space);
    const bool dead = sample->depth > reader->about.depth;
    sample->total = dead ? numbers - reader->about.states : 0;
    const uint64_t states = dead ? sample->total : sample->level_states;
    const uint64_t wanted = states > 0 && states < sample->count ? states : sample->count;
    const bool narrow = states > 0 && numbers / states * wanted > DRAWS_MAX / 2;
    bool made = true;
    if (dead && states == 0)
        return PZ_OK;
    enum pz_status status = narrow ? PZ_OK : ranked_draw(ranked, sample, &random, error);
    if (status != PZ_OK || sample->found >= wanted)
        return status;
    if (dead)
        return ranked_choose_dead(ranked, sample, &random, error);
    status = ranked_choose(ranked, sample, &random, &made, error);
    if (status != PZ_OK || made)
        return status;
    sample->skewed = true;
    return ranked_wander(ranked, sample, &random, error);
}
