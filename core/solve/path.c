/* SPDX-License-Identifier: MIT */
#include "solve/solver.h"

#include "base/budget.h"
#include "explore/striped/search/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAND_STATES = 1 << 20,
    BANDS = 64,        /* about the most; each takes a walk through all states */
    POLL_STATES = 4096 /* between two looks at the control: milliseconds */
};

struct tracer {
    const struct search *search;
    const struct pz_space *space;
    struct control *control;
    struct budget *budget;
    size_t size; /* bytes of a state */
    uint64_t *successors;
    uint8_t *tokens;
    unsigned until_poll;
    enum pz_status ended; /* PZ_OK, or why the tracing is to end */

    /* For moves that cannot be undone: the states of a band of levels, level by level. */
    uint64_t *count; /* states of each level below the key's */
    uint64_t *begin; /* of each level in the band, from low on */
    uint8_t *band;
    uint32_t low, high; /* the band's first level, and the one after its last */
};

static bool tracer_goes_on(struct tracer *tracer)
{
    if (tracer->ended != PZ_OK || --tracer->until_poll > 0)
        return tracer->ended == PZ_OK;
    tracer->until_poll = POLL_STATES;
    tracer->ended = control_poll(tracer->control);
    return tracer->ended == PZ_OK;
}

static unsigned tracer_expand(const struct tracer *tracer, const void *state)
{
    return tracer->space->puzzle->expand(tracer->space, state, PZ_NO_TOKEN, tracer->successors,
                                         tracer->tokens);
}

static const uint8_t *successor(const struct tracer *tracer, unsigned number)
{
    return (const uint8_t *)tracer->successors + number * tracer->size;
}

/* ---- moves that can be undone ---- */

/* Finds a neighbour at that distance. There always is one. */
static bool step_reversible(struct tracer *tracer, const uint64_t *state, uint32_t distance, uint64_t *before)
{
    unsigned count = tracer_expand(tracer, state);
    for (unsigned i = 0; i < count && tracer_goes_on(tracer); i++) {
        uint64_t key[KEY_WORDS_MAX];
        mix_bytes(successor(tracer, i), tracer->size, key);
        if (search_find(tracer->search, key) == (int64_t)distance) {
            memcpy(before, successor(tracer, i), tracer->size);
            return true;
        }
    }
    return false;
}

/* ---- moves that cannot ---- */

static bool count_traced_levels(struct tracer *tracer, uint32_t level)
{
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t of;
    tracer->count = calloc(level + 1, sizeof *tracer->count);
    tracer->begin = calloc((size_t)level + 2, sizeof *tracer->begin);
    if (tracer->count == NULL || tracer->begin == NULL || level == 0)
        return tracer->count != NULL && tracer->begin != NULL;
    cursor_begin(&cursor, tracer->search, 0, level - 1);
    while (tracer_goes_on(tracer) && cursor_next(&cursor, key, &of))
        tracer->count[of]++;
    bool whole = !cursor.failed;
    cursor_end(&cursor);
    return whole;
}

/* Makes the band that ends with the level, of as many levels as are small enough together. */
static bool fill_band(struct tracer *tracer, uint32_t level)
{
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t of;
    uint64_t most = search_states(tracer->search) / BANDS;
    uint64_t states = tracer->count[level];
    const uint64_t room = budget_free(tracer->budget) / tracer->size;
    most = most > BAND_STATES ? most : BAND_STATES;
    most = most < room ? most : room; /* one level goes in any case */
    tracer->high = level + 1;
    tracer->low = level;
    while (tracer->low > 0 && states + tracer->count[tracer->low - 1] <= most)
        states += tracer->count[--tracer->low];
    free(tracer->band);
    tracer->band = malloc(states * tracer->size + 1);
    budget_note_beside(tracer->budget, states * tracer->size);
    if (tracer->band == NULL || tracer->begin == NULL) /* begin: for the analyser */
        return false;
    uint64_t *next = tracer->begin; /* shifted by one: once the band is filled, it holds the begins */
    next[0] = next[1] = 0;
    for (uint32_t i = tracer->low; i + 1 < tracer->high; i++)
        next[i - tracer->low + 2] = next[i - tracer->low + 1] + tracer->count[i];
    cursor_begin(&cursor, tracer->search, tracer->low, level);
    while (tracer_goes_on(tracer) && cursor_next(&cursor, key, &of))
        unmix_bytes(key, tracer->size, tracer->band + next[of - tracer->low + 1]++ * tracer->size);
    bool whole = !cursor.failed;
    cursor_end(&cursor);
    return whole;
}

/* Finds a state at that distance that has the given one among its successors. */
static bool step_searched(struct tracer *tracer, const uint64_t *state, uint32_t distance, uint64_t *before)
{
    if (tracer->band == NULL || distance < tracer->low) {
        if (!fill_band(tracer, distance))
            tracer->ended = tracer->ended == PZ_OK ? PZ_MEMORY : tracer->ended;
    }
    assert(tracer->ended != PZ_OK || (tracer->low <= distance && distance < tracer->high));
    for (uint64_t at = 0; tracer_goes_on(tracer) && at < tracer->count[distance]; at++) {
        uint64_t number = tracer->begin[distance - tracer->low] + at;
        memcpy(before, tracer->band + number * tracer->size, tracer->size);
        unsigned count = tracer_expand(tracer, before);
        for (unsigned i = 0; i < count; i++)
            if (memcmp(successor(tracer, i), state, tracer->size) == 0)
                return true;
    }
    return false;
}

/* ---- the whole ---- */

static enum pz_status trace_failed(const struct tracer *tracer, uint32_t level, struct pz_error *error)
{
    if (tracer->ended == PZ_MEMORY)
        return pz_fail(error, PZ_MEMORY, "no memory to trace a path");
    if (tracer->ended != PZ_OK)
        return pz_fail(error, tracer->ended, "stopped while the path was traced");
    return pz_fail(error, PZ_INTERNAL, "no state at distance %u leads on: is the puzzle's move set sound?",
                   level);
}

static enum pz_status trace_back(struct tracer *tracer, uint32_t level, uint8_t *states,
                                 struct pz_error *error)
{
    bool reversible = (tracer->space->flags & PZ_REVERSIBLE) != 0;
    uint64_t state[KEY_WORDS_MAX];
    uint64_t before[KEY_WORDS_MAX];
    if (!reversible && !count_traced_levels(tracer, level))
        tracer->ended = tracer->ended == PZ_OK ? PZ_MEMORY : tracer->ended;
    assert(tracer->size <= sizeof state && tracer->size % sizeof *state == 0);
    memcpy(state, states + level * tracer->size, tracer->size);
    while (level-- > 0) {
        if (!tracer_goes_on(tracer) || !(reversible ? step_reversible(tracer, state, level, before)
                                                    : step_searched(tracer, state, level, before)))
            return trace_failed(tracer, level, error);
        memcpy(state, before, tracer->size);
        memcpy(states + level * tracer->size, state, tracer->size);
    }
    return PZ_OK;
}

enum pz_status path_trace(const struct path_request *request, uint8_t *states, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    struct tracer tracer = {.search = request->search,
                            .space = space,
                            .control = request->control,
                            .budget = request->budget,
                            .size = space->state_bytes,
                            .until_poll = POLL_STATES,
                            .ended = PZ_OK};
    tracer.successors = malloc(space->max_successors * tracer.size);
    tracer.tokens = malloc(space->max_successors);
    enum pz_status status = PZ_MEMORY;
    if (tracer.successors != NULL && tracer.tokens != NULL) {
        unmix_bytes(request->key, tracer.size, states + request->level * tracer.size);
        status = trace_back(&tracer, request->level, states, error);
    } else {
        (void)pz_fail(error, PZ_MEMORY, "no memory to trace a path");
    }
    free(tracer.band);
    free(tracer.begin);
    free(tracer.count);
    free(tracer.successors);
    free(tracer.tokens);
    return status;
}
