/* SPDX-License-Identifier: MIT */
/* Why a level ends early, and whether a state is a goal. */
#include "explore/striped/search/search_parts.h"

#include <string.h>

void search_halt(struct search *search, enum halt halt)
{
    int none = HALT_NONE;
    /* Release: a thread that sees HALT_FOUND may read found. Relaxed would do for the others. */
    (void)atomic_compare_exchange_strong_explicit(&search->halt, &none, (int)halt, memory_order_release,
                                                  memory_order_relaxed);
}

bool search_halted(const struct search *search)
{
    return atomic_load_explicit(&search->halt, memory_order_relaxed) != HALT_NONE;
}

void search_found(struct search *search, const uint64_t *key)
{
    (void)pthread_mutex_lock(&search->lock);
    if (!search_halted(search)) {
        memcpy(search->found, key, search->words * sizeof(uint64_t));
        search_halt(search, HALT_FOUND);
    }
    (void)pthread_mutex_unlock(&search->lock);
}

bool search_wants_goal(const struct search *search)
{
    return search->step->goal != NULL || search->step->any_goal;
}

bool search_is_goal(const struct search *search, const uint64_t *key, const uint64_t *state)
{
    const struct search_step *step = search->step;
    if (step->goal != NULL && key_equal(key, step->goal, search->words))
        return true;
    return step->any_goal && search->space->puzzle->is_goal(search->space, state);
}
