/* SPDX-License-Identifier: MIT */
/* Explorations from all goals at once. The goals are known when all states are visited. */
#include "explore/striped/search/search_cursor.h"
#include "explore/striped/striped_parts.h"

#include <stdlib.h>
#include <string.h>

/* Visits all states that the root reaches. If a limit ends the search, it is freed. */
static enum pz_status visit_all(struct striped *striped, struct pz_error *error)
{
    const struct explore_request *request = striped->request;
    const struct search_options options = {
        .root = request->root, .keep_all = true, .stripes = request->stripes, .seed = request->seed};
    const struct search_step step = {0};
    enum halt halt = HALT_NONE;
    enum pz_status status = search_new(&striped->crew, &options, &striped->search, error);
    if (status != PZ_OK)
        return status;
    while (halt == HALT_NONE && search_frontier(striped->search) > 0)
        halt = search_advance(striped->search, striped->control, &step, NULL);
    striped->generated = search_generated(striped->search);
    if (halt == HALT_CANCELLED)
        return pz_fail(error, PZ_CANCELLED, "cancelled before the goals were known");
    if (halt != HALT_NONE) {
        striped->result->outcome = OUTCOME_STOPPED;
        striped->result->reason = striped_reason_of(halt);
        search_free(striped->search);
        striped->search = NULL;
    }
    return PZ_OK;
}

/* The goals, as keys in ascending order. */
struct goals {
    uint64_t *keys; /* malloc'd */
    uint64_t count, room;
};

static bool goals_add(struct goals *goals, const uint64_t *key, unsigned words)
{
    if (goals->count == goals->room) {
        uint64_t room = goals->room * 2 + 1024;
        uint64_t *keys = realloc(goals->keys, room * words * sizeof *keys);
        if (keys == NULL)
            return false;
        goals->keys = keys;
        goals->room = room;
    }
    memcpy(goals->keys + goals->count++ * words, key, words * sizeof *key);
    return true;
}

static enum pz_status goals_collect(struct striped *striped, struct goals *goals, struct pz_error *error)
{
    const struct pz_space *space = striped->request->space;
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX], state[KEY_WORDS_MAX];
    uint32_t level;
    enum pz_status status = PZ_OK;
    cursor_begin(&cursor, striped->search, 0, search_level(striped->search));
    for (uint64_t passed = 1; status == PZ_OK && cursor_next(&cursor, key, &level); passed++) {
        unmix_bytes(key, space->state_bytes, state);
        if (space->puzzle->is_goal(space, state) && !goals_add(goals, key, search_words(striped->search)))
            status = pz_fail(error, PZ_MEMORY, "no memory for the goals");
        else if (passed % LOOK_KEYS == 0 && control_stopped(striped->control))
            status = pz_fail(error, PZ_CANCELLED, "cancelled while the goals were looked for");
    }
    if (status == PZ_OK && cursor.failed)
        status = pz_fail(error, PZ_MEMORY, "no memory to look for the goals");
    cursor_end(&cursor);
    return status;
}

/* Begins a search at level 0, which has all goals. */
static enum pz_status begin_at(struct striped *striped, const struct goals *goals, struct pz_error *error)
{
    const struct explore_request *request = striped->request;
    const struct search_place place = {.frontier_states = goals->count, .states = goals->count};
    const struct search_options options = {.place = &place,
                                           .keep_all = striped_keeps_all(request),
                                           .stripes = request->stripes,
                                           .seed = request->seed};
    enum pz_status status = search_new(&striped->crew, &options, &striped->search, error);
    bool put = true;
    for (uint64_t i = 0; status == PZ_OK && put && i < goals->count; i++)
        put = search_put_back(striped->search, goals->keys + i * search_words(striped->search), 0);
    if (status == PZ_OK && (!put || !search_reopen(striped->search)))
        status = pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the goals");
    return status;
}

enum pz_status goals_prepare(struct striped *striped, struct pz_error *error)
{
    struct goals goals = {0};
    enum pz_status status = visit_all(striped, error);
    if (status != PZ_OK || striped->search == NULL)
        return status;
    const bool reversible = (striped->request->space->flags & PZ_REVERSIBLE) != 0;
    if (reversible)
        status = goals_collect(striped, &goals, error);
    if (status == PZ_OK && goals.count == 0) {
        status = graph_new(striped, error);
    } else if (status == PZ_OK) {
        search_free(striped->search);
        striped->search = NULL;
        crew_clear(&striped->crew); /* frees the chunks' memory for the other search */
        bottom_k_clear(&striped->sample);
        status = striped_prepare_crew(striped, error);
        if (status == PZ_OK)
            status = begin_at(striped, &goals, error);
    }
    free(goals.keys);
    return status;
}
