/* SPDX-License-Identifier: MIT */
/* While a level is made: the owner reports, every worker checks if it should go on, and the first to halt
 * says why. */
#include "explore/striped/search/search.h"
#include "explore/striped/search/search_parts.h"

#include <assert.h>
#include <string.h>

void search_halt(struct search *search, enum halt halt)
{
    assert(halt > HALT_NONE && halt <= HALT_LEVELS);
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

/* ---- polling ---- */

/* Reports to the monitor how far the level is. */
static void search_report(struct search *search)
{
    struct progress *progress = &search->monitor->progress;
    uint64_t found = 0, expanded = 0, merged = 0;
    for (unsigned i = 0; i < search->working; i++) {
        struct searcher *worker = &search->searchers->workers[i];
        found += atomic_load_explicit(&worker->found, memory_order_relaxed);
        expanded += atomic_load_explicit(&worker->expanded, memory_order_relaxed);
        merged += atomic_load_explicit(&worker->merged, memory_order_relaxed);
    }
    const double frontier = search->frontier_states > 0 ? (double)search->frontier_states : 1;
    progress->level = search->level;
    progress->frontier = search_frontier(search);
    progress->states = search->step->states_before + search_states(search) + found;
    monitor_tell(search->monitor, "search",
                 0.9 * (double)expanded / frontier +
                     0.1 * (double)merged / (double)search->searchers->partitions);
}

static enum halt halt_of(enum pz_status status)
{
    return status == PZ_CANCELLED ? HALT_CANCELLED : HALT_TIME;
}

bool search_goes_on(struct search *search, const struct searcher *worker)
{
    struct control *control = search->monitor->control;
    if (worker == search->searchers->workers) {
        const enum pz_status status = control_poll(control);
        if (status != PZ_OK)
            search_halt(search, halt_of(status));
        if (search->remote.exchange != NULL)
            (void)remote_work(search);
        if (monitor_due(search->monitor))
            search_report(search);
    } else if (control != NULL && control_stopped(control)) {
        search_halt(search, HALT_CANCELLED);
    }
    return !search_halted(search);
}
