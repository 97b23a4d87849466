/* SPDX-License-Identifier: MIT */
/* Room to expand one state after the other. */
#ifndef EXPLORE_TABLE_EXPANSION_H
#define EXPLORE_TABLE_EXPANSION_H

#include "puzzled/space.h"

#include <stdlib.h>

struct expansion {
    uint8_t *successors, *tokens; /* in one malloc'd block; NULL for none */
};

static inline bool expansion_init(struct expansion *expansion, const struct pz_space *space)
{
    const size_t successors = (size_t)space->max_successors * space->state_bytes;
    expansion->successors = malloc(successors + space->max_successors);
    expansion->tokens = expansion->successors != NULL ? expansion->successors + successors : NULL;
    return expansion->successors != NULL;
}

static inline void expansion_clear(struct expansion *expansion)
{
    free(expansion->successors);
    *expansion = (struct expansion){0};
}

/* Writes the successors of a state; returns their number. */
static inline unsigned expansion_of(const struct expansion *expansion, const struct pz_space *space,
                                    const void *state)
{
    return space->puzzle->expand(space, state, PZ_NO_TOKEN, expansion->successors, expansion->tokens);
}

static inline const uint8_t *expansion_at(const struct expansion *expansion, const struct pz_space *space,
                                          unsigned number)
{
    return expansion->successors + (size_t)number * space->state_bytes;
}

#endif
