/* SPDX-License-Identifier: MIT */
/* Boards at exactly one distance. */
#include "explore/dense/level/dense_level.h"
#include "explore/dense/level/examples.h"
#include "explore/dense/table/walk.h"

#include "base/random.h"

#include <stdlib.h>

enum {
    AGAIN_CELLS = 12,    /* puzzles of up to so many cells are searched again in some tenths of a second */
    AGAIN_TRIES = 20000, /* about what that costs, in random lookups */
    TRIES_MAX = 200000,  /* random lookups that one call may cost: a second or two */
    STUCK_MAX = 2000,    /* walks in a row that found nothing new */
    PATIENCE = 32        /* times the tries that are due */
};

/* ---- a small puzzle searched again up to one level, to choose among all its states ---- */

struct one_level {
    struct plan *plan;
    struct planes *planes;
    struct team *team;
    struct level_runner *runner;
};

static enum pz_status prepare_level(struct one_level *one, const struct dense_geometry *geometry,
                                    struct pz_error *error)
{
    const struct kernel *kernel = NULL;
    enum pz_status status = kernel_find(NULL, &kernel, error);
    if (status == PZ_OK)
        status = plan_new(geometry, &one->plan, error);
    if (status == PZ_OK)
        status = planes_new(one->plan, false, true, &one->planes, error);
    if (status == PZ_OK)
        status = team_new(1, &one->team, error);
    const struct level_parts parts = {
        .plan = one->plan, .planes = one->planes, .kernel = kernel, .team = one->team};
    return status == PZ_OK ? level_runner_new(&parts, &one->runner, error) : status;
}

/* Chooses among the states of the level and fills in their number; none beyond the last level. Runs on the
 * calling thread alone. Its planes are taken from no budget: 40 MB for 12 cells. */
static enum pz_status one_level_choose(const struct dense_geometry *geometry, uint32_t level,
                                       struct examples *examples, struct pz_error *error)
{
    struct one_level one = {0};
    enum pz_status status = prepare_level(&one, geometry, error);
    if (status == PZ_OK) {
        unsigned current = geometry->root_place % 2;
        examples->states = 1;
        planes_put(one.planes, 0, geometry->root_place);
        for (uint32_t done = 0; done < level && examples->states > 0; done++, current = 1 - current) {
            const struct level_task task = {.target = 1 - current, .width = examples->states};
            (void)level_run(one.runner, &task, &examples->states);
        }
        examples_choose(one.planes, current, false, examples);
    }
    level_runner_free(one.runner);
    team_free(one.team);
    planes_free(one.planes);
    plan_free(one.plan);
    return status;
}

/* ---- random lookups and walks ---- */

/* The boards that one call has found so far. */
struct sampler {
    struct dense_table *table;
    uint32_t depth;
    unsigned wanted;
    struct random random;
    struct dense_position *found;
    unsigned count;
    struct pz_error *error;
};

static bool is_new_sample(const struct sampler *sampler, const struct dense_position *position)
{
    for (unsigned i = 0; i < sampler->count; i++)
        if (sampler->found[i].number == position->number && sampler->found[i].place == position->place)
            return false;
    return true;
}

static bool sample_keep(struct sampler *sampler, const struct dense_position *position)
{
    if (!is_new_sample(sampler, position))
        return false;
    sampler->found[sampler->count++] = *position;
    return true;
}

static void random_position(struct sampler *sampler, struct dense_position *position)
{
    const struct dense_geometry *geometry = &sampler->table->geometry;
    uint64_t number = random_below(&sampler->random, geometry->classes);
    unsigned place = 0;
    do
        place = (unsigned)random_below(&sampler->random, geometry->places);
    while (!geometry->multi && ((place ^ geometry->root_place) & 1u) != sampler->depth % 2);
    dense_position_unrank(geometry, number, place, position);
}

/* Draws random boards and rejects those at another distance: every board of the level is equally likely.
 * Fails after many more tries than a level of sample->level_states states would need. */
static enum pz_status draw_sample(struct sampler *sampler, double tries)
{
    enum pz_status status = PZ_OK;
    uint64_t left = PATIENCE * ((uint64_t)tries + PATIENCE);
    while (sampler->count < sampler->wanted && status == PZ_OK) {
        struct dense_position position;
        if (left-- == 0)
            return pz_fail(sampler->error, PZ_STORAGE,
                           "level %u of the table has fewer boards than its record says", sampler->depth);
        random_position(sampler, &position);
        unsigned mod4 = 0;
        status = walk_mod4(sampler->table, position.number, position.place, &mod4, sampler->error);
        if (status != PZ_OK || mod4 != sampler->depth % 4)
            continue;
        uint32_t distance = 0;
        status = walk_distance(sampler->table, &position, &distance, sampler->error);
        if (status == PZ_OK && distance == sampler->depth)
            (void)sample_keep(sampler, &position);
    }
    return status;
}

/* Searches the puzzle again and chooses among the whole level. */
static enum pz_status search_again(struct sampler *sampler)
{
    struct examples examples = {.most = sampler->wanted,
                                .seed = sampler->random.state,
                                .chosen = calloc(sampler->wanted + 1u, sizeof *examples.chosen)};
    if (examples.chosen == NULL)
        return pz_fail(sampler->error, PZ_MEMORY, "no memory for a sample of %u boards", sampler->wanted);
    enum pz_status status =
        one_level_choose(&sampler->table->geometry, sampler->depth, &examples, sampler->error);
    for (unsigned i = 0; status == PZ_OK && i < examples.count; i++)
        dense_position_unrank(&sampler->table->geometry, examples.chosen[i].number, examples.chosen[i].place,
                              &sampler->found[sampler->count++]);
    free(examples.chosen);
    return status;
}

/* Takes random steps nearer or farther until the depth is met; *distance is where it ended. */
static enum pz_status wander(struct sampler *sampler, struct dense_position *position, uint32_t *distance)
{
    while (*distance != sampler->depth) {
        bool nearer = *distance > sampler->depth;
        struct walk_steps steps;
        enum pz_status status =
            walk_find(sampler->table, position, *distance % 4, nearer, &steps, sampler->error);
        if (status != PZ_OK || steps.count == 0)
            return status;
        walk_take(sampler->table, position, steps.step[random_below(&sampler->random, steps.count)]);
        *distance += nearer ? UINT32_MAX : 1;
    }
    return PZ_OK;
}

static enum pz_status wander_from_random_boards(struct sampler *sampler)
{
    enum pz_status status = PZ_OK;
    for (unsigned stuck = 0; sampler->count < sampler->wanted && stuck < STUCK_MAX && status == PZ_OK;
         stuck++) {
        struct dense_position position;
        uint32_t distance = 0;
        random_position(sampler, &position);
        status = walk_distance(sampler->table, &position, &distance, sampler->error);
        if (status == PZ_OK)
            status = wander(sampler, &position, &distance);
        if (status == PZ_OK && distance == sampler->depth && sample_keep(sampler, &position))
            stuck = 0;
    }
    return status;
}

static enum pz_status find_samples(struct sampler *sampler, struct dense_sample *sample)
{
    const struct dense_geometry *geometry = &sampler->table->geometry;
    double states = (double)geometry->classes * geometry->places;
    double tries = states / (double)sample->level_states * sampler->wanted; /* infinite when not known */
    if (!geometry->multi)
        tries /= 2;
    bool small = geometry->places <= AGAIN_CELLS;
    bool crowded = sampler->wanted > sample->level_states / 2; /* repeats would cost much */
    sample->uniform = true;
    if (!sample->walk && !crowded && tries <= (small ? AGAIN_TRIES : TRIES_MAX))
        return draw_sample(sampler, tries);
    if (!sample->walk && small)
        return search_again(sampler);
    sample->uniform = false;
    return wander_from_random_boards(sampler);
}

enum pz_status dense_table_sample(struct dense_table *table, struct dense_sample *sample,
                                  struct pz_error *error)
{
    struct sampler sampler = {.table = table,
                              .depth = sample->depth,
                              .wanted = sample->wanted,
                              .random = {.state = sample->seed},
                              .error = error};
    sample->found = 0;
    if (sample->level_states != 0 && sampler.wanted > sample->level_states)
        sampler.wanted = (unsigned)sample->level_states;
    sampler.found = calloc(sampler.wanted + 1u, sizeof *sampler.found);
    if (sampler.found == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a sample of %u boards", sampler.wanted);
    enum pz_status status = find_samples(&sampler, sample);
    for (unsigned i = 0; status == PZ_OK && i < sampler.count; i++)
        dense_board_of(&table->geometry, &sampler.found[i], &sample->boards[i]);
    if (status == PZ_OK)
        sample->found = sampler.count;
    free(sampler.found);
    return status;
}
