/* SPDX-License-Identifier: MIT */
#include "explore/striped/striped_own.h"

#include "explore/striped/search/search.h"
#include "space/registry.h"
#include "space/root_set.h"

#include <assert.h>
#include <stdlib.h>

/* ---- among the states that a search has found ---- */

enum pz_status goals_collect(struct key_list *goals, const struct search *search,
                             const struct pz_space *space, struct budget *budget,
                             const struct control *control, struct pz_error *error)
{
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX], state[KEY_WORDS_MAX];
    uint32_t level;
    enum pz_status status = PZ_OK;
    cursor_begin(&cursor, search, 0, search_level(search));
    for (uint64_t passed = 1; status == PZ_OK && cursor_next(&cursor, key, &level); passed++) {
        unmix_bytes(key, space->state_bytes, state);
        if (space->puzzle->is_goal(space, state) && !key_list_put(goals, budget, key, search_words(search)))
            status = pz_fail(error, PZ_MEMORY, "no memory for the goals");
        else if (passed % WALK_LOOK_STATES == 0 && control_poll(control) == PZ_CANCELLED)
            status = pz_fail(error, PZ_CANCELLED, "cancelled while the goals were looked for");
    }
    if (status == PZ_OK && cursor.failed)
        status = pz_fail(error, PZ_MEMORY, "no memory to look for the goals");
    cursor_end(&cursor);
    return status;
}

enum pz_status striped_roots(const struct explore_request *request, struct key_list *roots,
                             struct pz_error *error)
{
    const uint32_t bytes = request->space->state_bytes;
    for (unsigned i = 0; i < explore_roots(request); i++)
        if (!key_list_add(roots, request->budget, root_set_at(request->root, bytes, i), bytes))
            return pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the roots");
    key_list_sort(roots);
    assert(roots->count == explore_roots(request)); /* they are distinct, and mixing keeps them so */
    return PZ_OK;
}

enum pz_status goals_search(const struct key_list *goals, struct searchers *searchers,
                            const struct search_options *options, struct search **out, struct pz_error *error)
{
    const struct search_place place = {.frontier_states = goals->count, .states = goals->count};
    struct search_options at_goals = *options;
    at_goals.place = &place;
    enum pz_status status = search_new(searchers, &at_goals, out, error);
    bool put = true;
    assert(goals->count > 0);
    for (uint64_t i = 0; status == PZ_OK && put && i < goals->count; i++)
        put = search_put_back(*out, goals->keys[i], 0);
    if (status == PZ_OK && (!put || !search_reopen(*out)))
        status = pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the goals");
    return status;
}

/* ---- among the states that have a rank ---- */

bool numbered_suits(const struct explore_request *request)
{
    return request->from == FROM_GOALS && space_is_whole_from_goals(request->space);
}

/* Reports the progress of a pass over the numbers. what: which pass. */
static enum pz_status look_at_ranks(const struct explore_request *request, struct monitor *monitor,
                                    uint64_t number, const char *what, struct pz_error *error)
{
    if (number % WALK_LOOK_STATES != 0)
        return PZ_OK;
    monitor_tell(monitor, "search", (double)number / (double)space_count(request->space));
    const enum pz_status status = control_poll(monitor->control);
    return status == PZ_CANCELLED ? pz_fail(error, status, "cancelled while %s were looked for", what)
                                  : status;
}

enum pz_status numbered_goals(const struct explore_request *request, struct monitor *monitor,
                              struct key_list *goals, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    const uint64_t count = space_count(space);
    uint64_t state[PZ_STATE_MAX / 8];
    enum pz_status status = PZ_OK;
    assert(numbered_suits(request) && goals->count == 0);
    for (uint64_t number = 0; status == PZ_OK && number < count; number++) {
        space->puzzle->unrank(space, number, state);
        if (space->puzzle->is_goal(space, state) &&
            !key_list_add(goals, request->budget, state, space->state_bytes))
            status = pz_fail(error, PZ_MEMORY, "no memory for the goals");
        else
            status = look_at_ranks(request, monitor, number, "the goals", error);
    }
    key_list_sort(goals);
    return status;
}

/* ---- dead states ---- */

static bool has_rank(const uint8_t *numbers, uint64_t number)
{
    return (numbers[number / 8] >> number % 8 & 1) != 0;
}

/* Records the numbers of all states that the walk meets. */
static enum pz_status note_walked(const struct pz_space *space, const struct walked *walked, uint8_t *numbers,
                                  struct pz_error *error)
{
    struct state_walk walk;
    uint64_t key[KEY_WORDS_MAX], state[KEY_WORDS_MAX];
    uint32_t level;
    state_walk_begin(&walk, walked);
    while (state_walk_next(&walk, key, &level)) {
        unmix_bytes(key, space->state_bytes, state);
        const uint64_t number = space->puzzle->rank(space, state);
        assert(number < space_count(space));
        numbers[number / 8] |= (uint8_t)(1u << number % 8);
    }
    const enum pz_status status = state_walk_status(&walk, "find the dead states", error);
    state_walk_end(&walk);
    return status;
}

static enum pz_status collect_others(const struct explore_request *request, struct monitor *monitor,
                                     const uint8_t *numbers, struct key_list *dead, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    const uint64_t count = space_count(space);
    uint64_t state[PZ_STATE_MAX / 8];
    enum pz_status status = PZ_OK;
    for (uint64_t number = 0; status == PZ_OK && number < count; number++) {
        /* a deadline bounds only the search, which is over */
        status = look_at_ranks(request, monitor, number, "dead states", error);
        status = status == PZ_LIMIT ? PZ_OK : status;
        if (has_rank(numbers, number))
            continue;
        space->puzzle->unrank(space, number, state);
        if (!key_list_add(dead, request->budget, state, space->state_bytes))
            status = pz_fail(error, PZ_MEMORY, "no memory for the states that reach no goal");
    }
    key_list_sort(dead);
    return status;
}

/* Collects the states that the walk does not meet. */
static enum pz_status find_dead_states(const struct explore_request *request, struct monitor *monitor,
                                       const struct walked *walked, struct key_list *dead,
                                       struct pz_error *error)
{
    const uint64_t bytes = space_count(request->space) / 8 + 1;
    const bool taken = budget_take(request->budget, bytes);
    uint8_t *numbers = taken ? calloc(bytes, 1) : NULL;
    if (numbers == NULL) {
        budget_give(request->budget, taken ? bytes : 0);
        return pz_fail(error, PZ_MEMORY, "no memory for the states that reach no goal");
    }
    enum pz_status status = note_walked(request->space, walked, numbers, error);
    if (status == PZ_OK)
        status = collect_others(request, monitor, numbers, dead, error);
    free(numbers);
    budget_give(request->budget, bytes);
    return status;
}

enum pz_status numbered_walk(struct numbered *numbered, const struct explore_request *request,
                             struct monitor *monitor, struct walked *walked, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    if (walked->graph != NULL || !walked->complete || !numbered_suits(request))
        return PZ_OK;
    if (!numbered->known)
        status = find_dead_states(request, monitor, walked, &numbered->dead, error);
    numbered->known = true;
    walked->dead = &numbered->dead;
    return status;
}

uint64_t numbered_dead(const struct explore_request *request, uint64_t states)
{
    const uint64_t count = numbered_suits(request) ? space_count(request->space) : 0;
    return count > states ? count - states : 0; /* a plugin's count may be too small: the job fails for it */
}
