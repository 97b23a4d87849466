/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/goals.h"

#include "explore/striped/search/search_cursor.h"

enum pz_status goals_visit(struct searchers *searchers, const struct search_options *options,
                           struct monitor *monitor, struct search **out, enum halt *halt,
                           struct pz_error *error)
{
    struct search_options all = *options;
    const struct search_step step = {.visits = true};
    all.keep_all = true;
    *halt = HALT_NONE;
    const enum pz_status status = search_new(searchers, &all, out, error);
    if (status != PZ_OK)
        return status;
    while (*halt == HALT_NONE && search_frontier(*out) > 0)
        *halt = search_advance(*out, monitor, &step, NULL);
    return *halt == HALT_CANCELLED ? pz_fail(error, PZ_CANCELLED, "cancelled before the goals were known")
                                   : PZ_OK;
}

enum pz_status goals_collect(struct key_list *goals, const struct search *search,
                             const struct pz_space *space, struct budget *budget,
                             const struct control *control, struct pz_error *error)
{
    enum { LOOK_STATES = 1 << 16 };
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX], state[KEY_WORDS_MAX];
    uint32_t level;
    enum pz_status status = PZ_OK;
    cursor_begin(&cursor, search, 0, search_level(search));
    for (uint64_t passed = 1; status == PZ_OK && cursor_next(&cursor, key, &level); passed++) {
        unmix_bytes(key, space->state_bytes, state);
        if (space->puzzle->is_goal(space, state) && !key_list_put(goals, budget, key, search_words(search)))
            status = pz_fail(error, PZ_MEMORY, "no memory for the goals");
        else if (passed % LOOK_STATES == 0 && control_poll(control) == PZ_CANCELLED)
            status = pz_fail(error, PZ_CANCELLED, "cancelled while the goals were looked for");
    }
    if (status == PZ_OK && cursor.failed)
        status = pz_fail(error, PZ_MEMORY, "no memory to look for the goals");
    cursor_end(&cursor);
    return status;
}

enum pz_status goals_search(const struct key_list *goals, struct searchers *searchers,
                            const struct search_options *options, struct search **out, struct pz_error *error)
{
    const struct search_place place = {.frontier_states = goals->count, .states = goals->count};
    struct search_options at_goals = *options;
    at_goals.place = &place;
    enum pz_status status = search_new(searchers, &at_goals, out, error);
    bool put = true;
    for (uint64_t i = 0; status == PZ_OK && put && i < goals->count; i++)
        put = search_put_back(*out, goals->keys[i], 0);
    if (status == PZ_OK && (!put || !search_reopen(*out)))
        status = pz_fail(error, PZ_TOO_LARGE, "the memory limit does not hold the goals");
    return status;
}
