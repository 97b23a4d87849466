/* SPDX-License-Identifier: MIT */
#include "explore/striped/beyond.h"

#include "base/clock.h"
#include "explore/striped/search_cursor.h"

#include <stdlib.h>

enum { LOOK_STATES = 4096 }; /* states between two looks at the control */

struct successors {
    uint8_t *states;
    uint8_t *tokens;
};

/* Returns true if the state has a successor that the search has not visited. */
static bool leads_beyond(const struct search *search, const struct pz_space *space, const uint64_t *key,
                         const struct successors *successors)
{
    uint64_t state[KEY_WORDS_MAX];
    uint64_t next[KEY_WORDS_MAX];
    unmix_bytes(key, space->state_bytes, state);
    unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors->states, successors->tokens);
    for (unsigned i = 0; i < count; i++) {
        mix_bytes(successors->states + (size_t)i * space->state_bytes, space->state_bytes, next);
        if (search_find(search, next) < 0)
            return true;
    }
    return false;
}

static bool is_to_end(const struct control *control)
{
    return control_stopped(control) || (control->deadline > 0 && clock_seconds() >= control->deadline);
}

bool search_is_exhausted(const struct search *search, const struct pz_space *space,
                         const struct control *control)
{
    const struct successors successors = {.states =
                                              malloc((size_t)space->max_successors * space->state_bytes),
                                          .tokens = malloc(space->max_successors)};
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t level;
    bool exhausted = successors.states != NULL && successors.tokens != NULL;
    cursor_begin(&cursor, search, search_level(search), search_level(search));
    for (uint64_t passed = 1; exhausted && cursor_next(&cursor, key, &level); passed++) {
        if (passed % LOOK_STATES == 0 && is_to_end(control))
            exhausted = false;
        else
            exhausted = !leads_beyond(search, space, key, &successors);
    }
    exhausted = exhausted && !cursor.failed;
    cursor_end(&cursor);
    free(successors.states);
    free(successors.tokens);
    return exhausted;
}
