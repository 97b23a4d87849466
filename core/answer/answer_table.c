/* SPDX-License-Identifier: MIT */
#include "answer/answer_table.h"

#include "space/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum pz_status answers_new(struct store *store, struct answers **out, struct pz_error *error)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to answer from tables");
    (*out)->store = store;
    return PZ_OK;
}

void answers_free(struct answers *answers)
{
    if (answers == NULL)
        return;
    for (unsigned i = 0; i < ANSWERS_TABLES; i++)
        table_match_clear(&answers->matches[i]);
    free(answers);
}

void answers_begin(struct answers *answers)
{
    answers->in_batch = true;
}

static void release_all(struct answers *answers)
{
    for (unsigned i = 0; i < ANSWERS_TABLES; i++)
        table_match_release(&answers->matches[i]);
}

void answers_end(struct answers *answers)
{
    answers->in_batch = false;
    release_all(answers);
}

enum pz_status answers_ended(struct answers *answers, enum pz_status status)
{
    if (!answers->in_batch)
        release_all(answers);
    return status;
}

/* Returns the entry of this question, or else the one unused for longest. */
static struct table_match *place_for(struct answers *answers, const struct pz_space *space, const void *root,
                                     enum explore_from from)
{
    struct table_match *place = &answers->matches[0];
    for (unsigned i = 0; i < ANSWERS_TABLES; i++) {
        struct table_match *match = &answers->matches[i];
        if (table_match_is_for(match, space, root, from))
            return match;
        if (match->used < place->used)
            place = match;
    }
    return place;
}

/* Finds and opens the table. */
static enum pz_status open_table(struct answers *answers, const struct pz_space *space, const void *root,
                                 enum explore_from from, struct table_match **out, struct pz_error *error)
{
    struct table_match *match = place_for(answers, space, root, from);
    assert(match >= answers->matches && match < answers->matches + ANSWERS_TABLES);
    if (!table_match_is_for(match, space, root, from)) {
        table_match_clear(match);
        enum pz_status status = table_match_init(match, space, root, from, error);
        if (status != PZ_OK)
            return status;
    }
    match->used = ++answers->lookups;
    *out = match;
    enum pz_status status = table_match_open(match, space, answers->store, error);
    return status == PZ_NO_TABLE ? table_match_missing(match, space, error) : status;
}

void answers_ask_root(struct answers *answers, const struct pz_space *space, const void *root)
{
    answers->has_root = root != NULL;
    if (root != NULL)
        memcpy(answers->root, root, space->state_bytes);
}

/* Finds the root of the explorations that are asked for. */
static enum pz_status asked_root(const struct answers *answers, const struct pz_space *space, uint64_t *root,
                                 struct pz_error *error)
{
    if (!answers->has_root)
        return space->puzzle->root(space, root, error);
    memcpy(root, answers->root, space->state_bytes);
    return PZ_OK;
}

bool answers_begin_at_goal(const struct answers *answers, const struct pz_space *space, enum answer_from from)
{
    return space_has_one_end(space) && (!answers->has_root || from == ANSWER_FROM_GOALS);
}

enum pz_status answers_choose(struct answers *answers, const struct pz_space *space, enum answer_from from,
                              struct table_match **out, struct pz_error *error)
{
    uint64_t root[MATCH_WORDS] = {0};
    *out = answers->matches; /* never NULL */
    if (answers_begin_at_goal(answers, space, from)) {
        space->puzzle->goal(space, root);
        return open_table(answers, space, root, FROM_ROOT, out, error);
    }
    const bool no_goal = (space->flags & PZ_NO_GOAL) != 0;
    if (no_goal && from == ANSWER_FROM_GOALS)
        return pz_fail(error, PZ_BAD_REQUEST, "from=goals: %s has no goal of its own, and goal= gives none",
                       space->puzzle->name);
    enum pz_status status = asked_root(answers, space, root, error);
    if (status == PZ_OK && from != ANSWER_FROM_ROOT && !no_goal && !space_has_one_end(space)) {
        status = open_table(answers, space, root, FROM_GOALS, out, error);
        if (from == ANSWER_FROM_GOALS || status != PZ_NO_TABLE)
            return status;
        status = PZ_OK;
    }
    return status == PZ_OK ? open_table(answers, space, root, FROM_ROOT, out, error) : status;
}

bool answers_to_goal(const struct table_match *match, const struct pz_space *space)
{
    uint64_t goal[MATCH_WORDS] = {0};
    if (match->from == FROM_GOALS || !space_has_one_end(space))
        return match->from == FROM_GOALS;
    space->puzzle->goal(space, goal);
    return memcmp(match->root, goal, space->state_bytes) == 0;
}
