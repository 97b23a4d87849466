/* SPDX-License-Identifier: MIT */
#include "space/word/word_space.h"

#include <assert.h>
#include <string.h>

void word_goal(const struct pz_space *space, void *state)
{
    const uint64_t goal = word_space_goal(space);
    assert(space->state_bytes == sizeof goal);
    memcpy(state, &goal, sizeof goal);
}

enum pz_status word_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    word_goal(space, state);
    return PZ_OK;
}

bool word_is_goal(const struct pz_space *space, const void *state)
{
    const uint64_t goal = word_space_goal(space);
    return memcmp(state, &goal, sizeof goal) == 0;
}

static enum pz_status read_word_goal(struct word_space *space, const char *text, struct pz_error *error)
{
    const uint64_t usual = space->goal;
    char printed[PZ_TEXT_MAX];
    enum pz_status status = space->base.puzzle->parse(&space->base, text, &space->goal, error);
    if (status != PZ_OK || space->goal == usual)
        return status;
    (void)space->base.puzzle->print(&space->base, &space->goal, printed);
    const bool fits = space_size_add(space->base.size, "goal", printed);
    assert(fits); /* some dozens of bytes */
    return fits ? PZ_OK : pz_fail(error, PZ_TOO_LARGE, "goal= is too long for a name");
}

enum pz_status word_take_goal(struct word_space *space, const struct space_options *options,
                              struct pz_space **out, struct pz_error *error)
{
    const char *goal = space_option(options, "goal");
    const enum pz_status status = goal != NULL ? read_word_goal(space, goal, error) : PZ_OK;
    if (status == PZ_OK)
        *out = &space->base;
    else
        space->base.puzzle->close(&space->base);
    return status;
}
