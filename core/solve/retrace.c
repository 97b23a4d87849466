/* SPDX-License-Identifier: MIT */
#include "solve/retrace.h"

#include "explore/striped/search_cursor.h"

#include <stdlib.h>
#include <string.h>

struct retrace {
    const struct search *search;
    const struct pz_space *space;
    struct control *control;
    size_t size; /* bytes of a state */
    uint64_t *successors;
    uint8_t *tokens;
};

static unsigned expand(const struct retrace *retrace, const void *state)
{
    return retrace->space->puzzle->expand(retrace->space, state, PZ_NO_TOKEN, retrace->successors,
                                          retrace->tokens);
}

static const uint8_t *successor(const struct retrace *retrace, unsigned number)
{
    return (const uint8_t *)retrace->successors + number * retrace->size;
}

/* A neighbour at that distance: there always is one. */
static bool step_reversible(const struct retrace *retrace, const uint64_t *state, uint32_t distance,
                            uint64_t *before)
{
    unsigned count = expand(retrace, state);
    for (unsigned i = 0; i < count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        mix_bytes(successor(retrace, i), retrace->size, key);
        if (search_find(retrace->search, key) == (int64_t)distance) {
            memcpy(before, successor(retrace, i), retrace->size);
            return true;
        }
    }
    return false;
}

/* A state at that distance that has the given one among its successors. */
static bool step_searched(const struct retrace *retrace, const uint64_t *state, uint32_t distance,
                          uint64_t *before)
{
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t level;
    bool found = false;
    cursor_begin(&cursor, retrace->search, distance, distance);
    while (!found && !control_stopped(retrace->control) && cursor_next(&cursor, key, &level)) {
        unmix_bytes(key, retrace->size, before);
        unsigned count = expand(retrace, before);
        for (unsigned i = 0; i < count && !found; i++)
            found = memcmp(successor(retrace, i), state, retrace->size) == 0;
    }
    cursor_end(&cursor);
    return found;
}

static enum pz_status walk(const struct retrace *retrace, uint32_t level, uint8_t *states,
                           struct pz_error *error)
{
    bool reversible = (retrace->space->flags & PZ_REVERSIBLE) != 0;
    uint64_t state[KEY_WORDS_MAX];
    uint64_t before[KEY_WORDS_MAX];
    memcpy(state, states + level * retrace->size, retrace->size);
    while (level-- > 0) {
        bool found = reversible ? step_reversible(retrace, state, level, before)
                                : step_searched(retrace, state, level, before);
        if (!found && control_stopped(retrace->control))
            return pz_fail(error, PZ_CANCELLED, "cancelled while the path was traced");
        if (!found)
            return pz_fail(error, PZ_INTERNAL,
                           "no state at distance %u leads on: is the puzzle's move set sound?", level);
        memcpy(state, before, retrace->size);
        memcpy(states + level * retrace->size, state, retrace->size);
    }
    return PZ_OK;
}

enum pz_status retrace(const struct search *search, const struct pz_space *space, struct control *control,
                       const uint64_t *key, uint32_t level, uint8_t *states, struct pz_error *error)
{
    struct retrace retrace = {
        .search = search, .space = space, .control = control, .size = space->state_bytes};
    retrace.successors = malloc(space->max_successors * retrace.size);
    retrace.tokens = malloc(space->max_successors);
    enum pz_status status = PZ_MEMORY;
    if (retrace.successors != NULL && retrace.tokens != NULL) {
        unmix_bytes(key, retrace.size, states + level * retrace.size);
        status = walk(&retrace, level, states, error);
    } else {
        (void)pz_fail(error, PZ_MEMORY, "no memory to trace a path");
    }
    free(retrace.successors);
    free(retrace.tokens);
    return status;
}
