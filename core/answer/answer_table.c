/* SPDX-License-Identifier: MIT */
#include "answer/answer_table.h"

#include "explore/key/mix.h"
#include "space/registry.h"
#include "space/text/tws/tws.h"

#include <assert.h>
#include <inttypes.h>
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
    assert(!answers->in_batch);
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
static struct table_match *place_for(struct answers *answers, const struct pz_space *space,
                                     const struct root_set *roots, enum explore_from from)
{
    struct table_match *place = &answers->matches[0];
    for (unsigned i = 0; i < ANSWERS_TABLES; i++) {
        struct table_match *match = &answers->matches[i];
        if (table_match_is_for(match, space, roots, from))
            return match;
        if (match->used < place->used)
            place = match;
    }
    return place;
}

/* Finds and opens the table. */
static enum pz_status open_match(struct answers *answers, const struct pz_space *space,
                                 const struct root_set *roots, enum explore_from from,
                                 struct table_match **out, struct pz_error *error)
{
    struct table_match *match = place_for(answers, space, roots, from);
    assert(match >= answers->matches && match < answers->matches + ANSWERS_TABLES);
    if (!table_match_is_for(match, space, roots, from)) {
        table_match_clear(match);
        enum pz_status status = table_match_init(match, space, roots, from, error);
        if (status != PZ_OK)
            return status;
    }
    match->used = ++answers->lookups;
    *out = match;
    enum pz_status status = table_match_open(match, space, answers->store, error);
    return status == PZ_NO_TABLE ? table_match_missing(match, space, error) : status;
}

void answers_ask_roots(struct answers *answers, const struct root_set *roots)
{
    answers->roots.count = 0;
    if (roots != NULL)
        answers->roots = *roots;
}

bool answers_begin_at_goal(const struct answers *answers, const struct pz_space *space, enum answer_from from)
{
    return space_has_one_end(space) && (answers->roots.count == 0 || from == ANSWER_FROM_GOALS);
}

enum pz_status answers_choose(struct answers *answers, const struct pz_space *space, enum answer_from from,
                              struct table_match **out, struct pz_error *error)
{
    struct root_set own; /* 4 KiB, of which one state is used: not to be cleared at each lookup */
    own.count = 1;
    memset(own.states, 0, PZ_STATE_MAX);
    const struct root_set *roots = answers->roots.count > 0 ? &answers->roots : &own;
    *out = answers->matches; /* never NULL */
    if (answers_begin_at_goal(answers, space, from)) {
        space->puzzle->goal(space, own.states);
        return open_match(answers, space, &own, FROM_ROOT, out, error);
    }
    const bool no_goal = (space->flags & PZ_NO_GOAL) != 0;
    if (no_goal && from == ANSWER_FROM_GOALS)
        return pz_fail(error, PZ_BAD_REQUEST, "from=goals: %s has no goal of its own, and goal= gives none",
                       space->puzzle->name);
    enum pz_status status = roots == &own ? space->puzzle->root(space, own.states, error) : PZ_OK;
    if (status == PZ_OK && from != ANSWER_FROM_ROOT && !no_goal && !space_has_one_end(space)) {
        status = open_match(answers, space, roots, FROM_GOALS, out, error);
        if (from == ANSWER_FROM_GOALS || status != PZ_NO_TABLE)
            return status;
        status = PZ_OK;
    }
    return status == PZ_OK ? open_match(answers, space, roots, FROM_ROOT, out, error) : status;
}

bool answers_to_goal(const struct table_match *match, const struct pz_space *space)
{
    uint64_t goal[MATCH_WORDS] = {0};
    if (match->from == FROM_GOALS || !space_has_one_end(space))
        return match->from == FROM_GOALS;
    space->puzzle->goal(space, goal);
    return match->roots.count == 1 && memcmp(match->roots.states, goal, space->state_bytes) == 0;
}

enum {
    VALUES = 255, /* an entry of 255 belongs to no board */
    LEVELS_MOST = 1 << 20
};

static void count_bytes(const uint8_t *bytes, size_t length, uint64_t counts[VALUES + 1])
{
    for (size_t i = 0; i < length; i++)
        counts[bytes[i]]++;
}

static enum pz_status count_chunks(struct store *store, const char *name, uint64_t counts[VALUES + 1],
                                   struct pz_error *error)
{
    struct table_view *view;
    enum pz_status status = table_view_open(store, name, &view, error);
    if (status != PZ_OK)
        return status;
    const uint64_t all = table_view_record(view)->table_bytes;
    uint64_t at = 0;
    for (uint64_t number = 0; at < all && status == PZ_OK; number++) {
        const uint8_t *bytes;
        size_t length = 0;
        status = table_view_chunk(view, number, &bytes, &length, error);
        if (status == PZ_OK && (length == 0 || length > all - at))
            status = pz_fail(error, PZ_STORAGE, "a chunk of %.300s has a wrong length", name);
        if (status == PZ_OK)
            count_bytes(bytes, length, counts);
        at += length;
    }
    table_view_close(view);
    return status;
}

/* The counts of an exploration, 0 for a cost that no state has. */
static enum pz_status histogram_of_levels(struct store *store, const struct table_record *table,
                                          uint64_t **counts, uint32_t *values, struct pz_error *error)
{
    struct store_level *levels;
    uint32_t count;
    enum pz_status status = store_levels(store, table->job, &levels, &count, error);
    if (status != PZ_OK)
        return status;
    const uint32_t all = count > 0 ? levels[count - 1].level + 1 : 0;
    uint64_t *found = all <= LEVELS_MOST ? calloc((size_t)all + 1, sizeof *found) : NULL;
    for (uint32_t i = 0; i < count && found != NULL; i++)
        found[levels[i].level] = levels[i].states;
    free(levels);
    *counts = found;
    *values = found != NULL ? all : 0;
    if (all > LEVELS_MOST)
        return pz_fail(error, PZ_TOO_LARGE, "a histogram of costs to %" PRIu32 ": ask for LEVELS", all - 1);
    return found != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a histogram");
}

enum pz_status table_histogram(struct store *store, const struct table_record *table, uint64_t **counts,
                               uint32_t *values, struct pz_error *error)
{
    *counts = NULL;
    *values = 0;
    if (table->kind != TABLE_PATTERN)
        return histogram_of_levels(store, table, counts, values, error);
    *counts = calloc(VALUES + 1, sizeof **counts);
    if (*counts == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a histogram");
    enum pz_status status = count_chunks(store, table->name, *counts, error);
    if (status != PZ_OK) {
        free(*counts);
        *counts = NULL;
        return status;
    }
    *values = VALUES;
    while (*values > 0 && (*counts)[*values - 1] == 0)
        --*values;
    return PZ_OK;
}

void count_classes(const struct pz_space *space, const struct explore_run *run, uint64_t *all,
                   uint32_t levels)
{
    for (size_t i = 0; i < run->count; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        unmix_bytes(run->keys + i * run->key_words, space->state_bytes, state);
        if (run->distances[i] < levels)
            all[run->distances[i]] += tws_stands_for(space, state);
    }
}
