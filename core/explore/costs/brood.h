/* SPDX-License-Identifier: MIT */
/* Room for the successors of one state, with their costs. */
#ifndef COSTS_BROOD_H
#define COSTS_BROOD_H

#include "space/registry.h"

#include <stdlib.h>

struct brood {
    const struct pz_space *space;
    uint8_t *states;
    uint32_t *costs;
    uint8_t *tokens;
};

/* Returns false without memory. The caller clears it in any case. */
static inline bool brood_init(struct brood *brood, const struct pz_space *space)
{
    const size_t most = (size_t)space->max_successors + 1;
    *brood = (struct brood){.space = space,
                            .states = malloc(most * space->state_bytes),
                            .costs = malloc(most * sizeof *brood->costs),
                            .tokens = malloc(most)};
    return brood->states != NULL && brood->costs != NULL && brood->tokens != NULL;
}

static inline void brood_clear(struct brood *brood)
{
    free(brood->states);
    free(brood->costs);
    free(brood->tokens);
}

/* Makes all successors of a state; returns their number. */
static inline unsigned brood_make(struct brood *brood, const void *state)
{
    return space_expand_costs(brood->space, state, PZ_NO_TOKEN, brood->states, brood->tokens, brood->costs);
}

static inline const uint8_t *brood_state(const struct brood *brood, unsigned number)
{
    return brood->states + (size_t)number * brood->space->state_bytes;
}

#endif
