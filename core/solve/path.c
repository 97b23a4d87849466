/* SPDX-License-Identifier: MIT */
#include "solve/path.h"

#include "explore/striped/search_cursor.h"

#include <stdlib.h>
#include <string.h>

struct tracer {
    const struct search *search;
    const struct pz_space *space;
    struct control *control;
    size_t size; /* bytes of a state */
    uint64_t *successors;
    uint8_t *tokens;
};

static unsigned expand(const struct tracer *tracer, const void *state)
{
    return tracer->space->puzzle->expand(tracer->space, state, PZ_NO_TOKEN, tracer->successors,
                                         tracer->tokens);
}

static const uint8_t *successor(const struct tracer *tracer, unsigned number)
{
    return (const uint8_t *)tracer->successors + number * tracer->size;
}

/* A neighbour at that distance: there always is one. */
static bool step_reversible(const struct tracer *tracer, const uint64_t *state, uint32_t distance,
                            uint64_t *before)
{
    unsigned count = expand(tracer, state);
    for (unsigned i = 0; i < count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        mix_bytes(successor(tracer, i), tracer->size, key);
        if (search_find(tracer->search, key) == (int64_t)distance) {
            memcpy(before, successor(tracer, i), tracer->size);
            return true;
        }
    }
    return false;
}

/* A state at that distance that has the given one among its successors. */
static bool step_searched(const struct tracer *tracer, const uint64_t *state, uint32_t distance,
                          uint64_t *before)
{
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t level;
    bool found = false;
    cursor_begin(&cursor, tracer->search, distance, distance);
    while (!found && !control_stopped(tracer->control) && cursor_next(&cursor, key, &level)) {
        unmix_bytes(key, tracer->size, before);
        unsigned count = expand(tracer, before);
        for (unsigned i = 0; i < count && !found; i++)
            found = memcmp(successor(tracer, i), state, tracer->size) == 0;
    }
    cursor_end(&cursor);
    return found;
}

static enum pz_status walk(const struct tracer *tracer, uint32_t level, uint8_t *states,
                           struct pz_error *error)
{
    bool reversible = (tracer->space->flags & PZ_REVERSIBLE) != 0;
    uint64_t state[KEY_WORDS_MAX];
    uint64_t before[KEY_WORDS_MAX];
    memcpy(state, states + level * tracer->size, tracer->size);
    while (level-- > 0) {
        bool found = reversible ? step_reversible(tracer, state, level, before)
                                : step_searched(tracer, state, level, before);
        if (!found && control_stopped(tracer->control))
            return pz_fail(error, PZ_CANCELLED, "cancelled while the path was traced");
        if (!found)
            return pz_fail(error, PZ_INTERNAL,
                           "no state at distance %u leads on: is the puzzle's move set sound?", level);
        memcpy(state, before, tracer->size);
        memcpy(states + level * tracer->size, state, tracer->size);
    }
    return PZ_OK;
}

enum pz_status path_trace(const struct search *search, const struct pz_space *space, struct control *control,
                          const uint64_t *key, uint32_t level, uint8_t *states, struct pz_error *error)
{
    struct tracer tracer = {.search = search, .space = space, .control = control, .size = space->state_bytes};
    tracer.successors = malloc(space->max_successors * tracer.size);
    tracer.tokens = malloc(space->max_successors);
    enum pz_status status = PZ_MEMORY;
    if (tracer.successors != NULL && tracer.tokens != NULL) {
        unmix_bytes(key, tracer.size, states + level * tracer.size);
        status = walk(&tracer, level, states, error);
    } else {
        (void)pz_fail(error, PZ_MEMORY, "no memory to trace a path");
    }
    free(tracer.successors);
    free(tracer.tokens);
    return status;
}
