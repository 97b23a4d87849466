/* SPDX-License-Identifier: MIT */
#include "space/making.h"

#include "space/options.h"

#include <stdlib.h>
#include <string.h>

enum pz_status space_make(const struct pz_puzzle *puzzle, size_t bytes, space_maker *make,
                          const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    struct pz_space *space = calloc(1, bytes);
    if (space == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a %s", puzzle->name);
    space->puzzle = puzzle;
    const enum pz_status status = make(space, setup, error);
    if (status == PZ_OK)
        *out = space;
    else
        space->puzzle->close(space);
    return status;
}

void space_free(struct pz_space *space)
{
    free(space);
}

void goal_space_goal(const struct pz_space *space, void *state)
{
    memcpy(state, ((const struct goal_space *)space)->goal, space->state_bytes);
}

enum pz_status goal_space_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    goal_space_goal(space, state);
    return PZ_OK;
}

bool goal_space_is_goal(const struct pz_space *space, const void *state)
{
    return memcmp(state, ((const struct goal_space *)space)->goal, space->state_bytes) == 0;
}

enum pz_status goal_space_take(struct goal_space *space, const char *text, struct pz_error *error)
{
    const struct pz_puzzle *puzzle = space->base.puzzle;
    uint64_t usual[PZ_STATE_MAX / 8];
    char printed[PZ_TEXT_MAX];
    memcpy(usual, space->goal, sizeof usual);
    const enum pz_status status =
        text != NULL ? puzzle->parse(&space->base, text, space->goal, error) : PZ_OK;
    if (status != PZ_OK || memcmp(space->goal, usual, space->base.state_bytes) == 0)
        return status;
    (void)puzzle->print(&space->base, space->goal, printed);
    return space_size_add(space->base.size, "goal", printed, error);
}
