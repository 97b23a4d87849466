/* SPDX-License-Identifier: MIT */
/* Boards at exactly one distance. */
#include "explore/dense/replay.h"
#include "explore/dense/walk.h"

#include "base/random.h"

#include <stdlib.h>

enum {
    REPLAY_CELLS = 12,    /* puzzles up to here are searched again in some tenths of a second */
    REPLAY_TRIES = 20000, /* about what a replay costs, in random lookups */
    TRIES_MAX = 200000,   /* random lookups that one call may cost: a second or two */
    STUCK_MAX = 2000      /* walks in a row that found nothing new */
};

/* The boards that one call has found so far. */
struct sample {
    struct dense_table *table;
    uint32_t depth;
    unsigned wanted;
    struct random random;
    struct dense_position *found;
    unsigned count;
    struct pz_error *error;
};

static bool is_new(const struct sample *sample, const struct dense_position *position)
{
    for (unsigned i = 0; i < sample->count; i++)
        if (sample->found[i].number == position->number && sample->found[i].place == position->place)
            return false;
    return true;
}

static bool keep(struct sample *sample, const struct dense_position *position)
{
    if (!is_new(sample, position))
        return false;
    sample->found[sample->count++] = *position;
    return true;
}

static void random_position(struct sample *sample, struct dense_position *position)
{
    const struct dense_geometry *geometry = &sample->table->geometry;
    uint64_t number = random_below(&sample->random, geometry->classes);
    unsigned place = 0;
    do
        place = (unsigned)random_below(&sample->random, geometry->places);
    while (((place ^ geometry->root_place) & 1u) != sample->depth % 2);
    dense_position_unrank(geometry, number, place, position);
}

/* Random boards, those of another distance thrown away: every board of the level is equally likely. */
static enum pz_status draw(struct sample *sample)
{
    enum pz_status status = PZ_OK;
    while (sample->count < sample->wanted && status == PZ_OK) {
        struct dense_position position;
        random_position(sample, &position);
        unsigned mod4 = 0;
        status = walk_mod4(sample->table, position.number, position.place, &mod4, sample->error);
        if (status != PZ_OK || mod4 != sample->depth % 4)
            continue;
        uint32_t distance = 0;
        status = walk_home(sample->table, position, NULL, &distance, sample->error);
        if (status == PZ_OK && distance == sample->depth)
            (void)keep(sample, &position);
    }
    return status;
}

static enum pz_status replay(struct sample *sample)
{
    struct examples_place *places = calloc(sample->wanted, sizeof *places);
    if (places == NULL)
        return pz_fail(sample->error, PZ_MEMORY, "no memory for a sample of %u boards", sample->wanted);
    unsigned count = 0;
    enum pz_status status = replay_level(&sample->table->geometry, sample->depth, sample->wanted,
                                         sample->random.state, places, &count, sample->error);
    for (unsigned i = 0; status == PZ_OK && i < count; i++)
        dense_position_unrank(&sample->table->geometry, places[i].number, places[i].place,
                              &sample->found[sample->count++]);
    free(places);
    return status;
}

/* Takes random steps nearer or farther until the depth is met; *distance tells where it ended. */
static enum pz_status wander(struct sample *sample, struct dense_position *position, uint32_t *distance)
{
    while (*distance != sample->depth) {
        bool nearer = *distance > sample->depth;
        struct walk_step steps[WALK_STEPS_MAX];
        unsigned count = 0;
        enum pz_status status =
            walk_steps(sample->table, position, *distance % 4, nearer, steps, &count, sample->error);
        if (status != PZ_OK || count == 0)
            return status;
        walk_take(sample->table, position, steps[random_below(&sample->random, count)]);
        *distance += nearer ? UINT32_MAX : 1;
    }
    return PZ_OK;
}

static enum pz_status wander_from_random_boards(struct sample *sample)
{
    enum pz_status status = PZ_OK;
    for (unsigned stuck = 0; sample->count < sample->wanted && stuck < STUCK_MAX && status == PZ_OK;
         stuck++) {
        struct dense_position position;
        uint32_t distance = 0;
        random_position(sample, &position);
        status = walk_home(sample->table, position, NULL, &distance, sample->error);
        if (status == PZ_OK)
            status = wander(sample, &position, &distance);
        if (status == PZ_OK && distance == sample->depth && keep(sample, &position))
            stuck = 0;
    }
    return status;
}

static enum pz_status choose_way(struct sample *sample, uint64_t level_states, bool *uniform)
{
    const struct dense_geometry *geometry = &sample->table->geometry;
    double states = (double)geometry->classes * geometry->places;
    double tries = states / (double)level_states * sample->wanted / 2; /* infinite when not known */
    bool small = geometry->places <= REPLAY_CELLS;
    bool crowded = sample->wanted > level_states / 2; /* repeats would cost much */
    *uniform = true;
    if (!crowded && tries <= (small ? REPLAY_TRIES : TRIES_MAX))
        return draw(sample);
    if (small)
        return replay(sample);
    *uniform = false;
    return wander_from_random_boards(sample);
}

/* Makes room for what is wanted, has it found, and hands it over as boards. */
static enum pz_status fill(struct sample *sample, enum pz_status (*find)(struct sample *, uint64_t, bool *),
                           uint64_t level_states, struct board *boards, unsigned *found, bool *uniform)
{
    *found = 0;
    if (level_states != 0 && sample->wanted > level_states)
        sample->wanted = (unsigned)level_states;
    sample->found = calloc(sample->wanted + 1u, sizeof *sample->found);
    if (sample->found == NULL)
        return pz_fail(sample->error, PZ_MEMORY, "no memory for a sample of %u boards", sample->wanted);
    enum pz_status status = find(sample, level_states, uniform);
    for (unsigned i = 0; status == PZ_OK && i < sample->count; i++)
        dense_board_of(&sample->table->geometry, &sample->found[i], &boards[i]);
    if (status == PZ_OK)
        *found = sample->count;
    free(sample->found);
    return status;
}

enum pz_status dense_table_sample(struct dense_table *table, uint32_t depth, uint64_t level_states,
                                  unsigned count, uint64_t seed, struct board *boards, unsigned *found,
                                  bool *uniform, struct pz_error *error)
{
    struct sample sample = {
        .table = table, .depth = depth, .wanted = count, .random = {.state = seed}, .error = error};
    return fill(&sample, choose_way, level_states, boards, found, uniform);
}

static enum pz_status only_wander(struct sample *sample, uint64_t level_states, bool *uniform)
{
    (void)level_states;
    *uniform = false;
    return wander_from_random_boards(sample);
}

enum pz_status walk_sample(struct dense_table *table, uint32_t depth, unsigned count, uint64_t seed,
                           struct board *boards, unsigned *found, struct pz_error *error)
{
    struct sample sample = {
        .table = table, .depth = depth, .wanted = count, .random = {.state = seed}, .error = error};
    bool uniform = false;
    return fill(&sample, only_wander, 0, boards, found, &uniform);
}
