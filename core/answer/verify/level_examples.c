/* SPDX-License-Identifier: MIT */
#include "answer/verify/level_examples.h"

#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>

static enum pz_status check(const struct pz_space *space, uint64_t job, uint32_t level,
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
    status = check(space, job, level, out, error);
    if (status != PZ_OK) {
        free(out->states);
        *out = (struct store_examples){0};
    }
    return status;
}
