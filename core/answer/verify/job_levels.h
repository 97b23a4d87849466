/* SPDX-License-Identifier: MIT */
/* The levels of an exploration and their examples, held against the space. */
#ifndef ANSWER_VERIFY_JOB_LEVELS_H
#define ANSWER_VERIFY_JOB_LEVELS_H

#include "explore/explore.h"
#include "puzzled/space.h"
#include "store/store.h"

/* The states that are kept as examples of a job's levels, held against their space before anybody sees them.
 */

/* Finds the examples of a level, all of them states of this space; count is 0 if there are none. The caller
 * frees out->states. PZ_STORAGE, and no states, if something else is stored. */
enum pz_status level_examples(struct store *store, const struct pz_space *space, uint64_t job, uint32_t level,
                              struct store_examples *out, struct pz_error *error);

struct job_levels {
    struct store_level *levels; /* owned */
    uint32_t count;
    uint64_t sum;
    uint64_t all; /* states that the space has from any root at most; 0 where that is not known ahead */
};

/* Reads the levels of a job that explored this space. PZ_STORAGE if there cannot be such levels: more than
 * one root, an empty level, more states than all successors of the level before, more than the space has. */
enum pz_status job_levels_read(struct store *store, const struct pz_space *space, enum explore_from from,
                               uint64_t job, struct job_levels *out, struct pz_error *error);
void job_levels_clear(struct job_levels *levels);
/* Returns the last level. There is one. */
static inline uint32_t job_levels_last(const struct job_levels *levels)
{
    return levels->levels[levels->count - 1].level;
}

/* Checks the examples of all levels: they are states of the space, and no more than the level has. */
enum pz_status job_levels_check_examples(struct store *store, const struct pz_space *space, uint64_t job,
                                         const struct job_levels *levels, struct pz_error *error);

#endif
