/* SPDX-License-Identifier: MIT */
#include "answer/verify/contents.h"

#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>

static enum pz_status check_level_examples(const struct pz_space *space, uint64_t job, uint32_t level,
                                           const struct store_examples *examples, struct pz_error *error)
{
    if (examples->count > 0 && examples->state_bytes != space->state_bytes)
        return pz_fail(error, PZ_STORAGE,
                       "the examples of level %" PRIu32 " of job %" PRIu64
                       " have %u bytes a state, the puzzle %u",
                       level, job, examples->state_bytes, space->state_bytes);
    for (unsigned i = 0; i < examples->count; i++)
        if (!space_state_valid(space, (const uint8_t *)examples->states + (size_t)i * space->state_bytes))
            return pz_fail(error, PZ_STORAGE,
                           "example %u of level %" PRIu32 " of job %" PRIu64 " is no state of %s", i + 1,
                           level, job, space->puzzle->name);
    return PZ_OK;
}

enum pz_status level_examples(struct store *store, const struct pz_space *space, uint64_t job, uint32_t level,
                              struct store_examples *out, struct pz_error *error)
{
    enum pz_status status = store_examples(store, job, level, out, error);
    if (status != PZ_OK)
        return status;
    status = check_level_examples(space, job, level, out, error);
    if (status != PZ_OK) {
        free(out->states);
        *out = (struct store_examples){0};
    }
    return status;
}

static enum pz_status impossible(uint64_t job, uint32_t level, const char *what, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "level %" PRIu32 " of job %" PRIu64 " cannot be: %s", level, job, what);
}

/* Finds how many states the space has, where that is known without a search. */
static uint64_t all_states(const struct pz_space *space)
{
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct pz_error error;
    struct explore_estimate estimate = {0};
    if (space->puzzle->expand == NULL || space->puzzle->root(space, root, &error) != PZ_OK)
        return 0;
    const struct explore_request request = {
        .space = space, .root = root, .depth = EXPLORE_NO_LIMIT, .threads = 1, .keep = KEEP_LEVELS};
    return explore_plan_ahead(&request, &estimate, &error) == PZ_OK ? estimate.states : 0;
}

static enum pz_status check_levels(const struct pz_space *space, enum explore_from from, unsigned roots,
                                   uint64_t job, struct job_levels *levels, struct pz_error *error)
{
    const bool costs = (space->flags & PZ_COSTS) != 0; /* a level may be left out, or its own successors' */
    const bool by_moves = !costs && (from == FROM_ROOT || (space->flags & PZ_REVERSIBLE) != 0);
    const bool no_goal = from == FROM_GOALS && levels->count == 1;
    for (uint32_t i = 0; i < levels->count; i++) {
        const uint32_t level = levels->levels[i].level;
        const uint64_t states = levels->levels[i].states;
        const uint64_t before = i > 0 ? levels->levels[i - 1].states : 0;
        if (i == 0 ? level != 0 : level != levels->levels[i - 1].level + 1 && !costs)
            return impossible(job, level, "the one before is not there", error);
        if (states == 0 && !no_goal)
            return impossible(job, level, "it has no states", error);
        if (level == 0 && from == FROM_ROOT && (costs ? states == 0 : states != roots))
            return impossible(job, level, "it has not as many states as there are roots", error);
        if (level > 0 && by_moves && states > 0 && (states - 1) / space->max_successors >= before)
            return impossible(job, level, "it has more states than the one before has moves", error);
        if (__builtin_add_overflow(levels->sum, states, &levels->sum) ||
            (levels->all > 0 && levels->sum > levels->all))
            return impossible(job, level, "the puzzle has fewer states", error);
    }
    return PZ_OK;
}

enum pz_status job_levels_read(struct store *store, const struct pz_space *space, enum explore_from from,
                               unsigned roots, uint64_t job, struct job_levels *out, struct pz_error *error)
{
    /* Each root may lie in a part of its own: boards in two halves, those of one row in many. */
    *out = (struct job_levels){0};
    if (__builtin_mul_overflow(all_states(space), roots, &out->all))
        out->all = 0;
    enum pz_status status = store_levels(store, job, &out->levels, &out->count, error);
    if (status == PZ_OK)
        status = check_levels(space, from, roots, job, out, error);
    if (status != PZ_OK)
        job_levels_clear(out);
    return status;
}

void job_levels_clear(struct job_levels *levels)
{
    free(levels->levels);
    *levels = (struct job_levels){0};
}

enum pz_status job_levels_check_examples(struct store *store, const struct pz_space *space, uint64_t job,
                                         const struct job_levels *levels, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (uint32_t i = 0; i < levels->count && status == PZ_OK; i++) {
        const struct store_level *level = &levels->levels[i];
        struct store_examples examples;
        status = level_examples(store, space, job, level->level, &examples, error);
        if (status == PZ_OK && examples.count > level->states)
            status = impossible(job, level->level, "it has more examples than states", error);
        free(examples.states);
    }
    return status;
}
