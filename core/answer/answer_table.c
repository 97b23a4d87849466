/* SPDX-License-Identifier: MIT */
#include "answer/answer_table.h"

#include "base/size_text.h"
#include "explore/dense/table/dense_table.h"
#include "explore/key/mix.h"
#include "explore/question_plan.h"
#include "explore/ranked/ranked_table.h"
#include "explore/table/table_reader.h"
#include "space/registry.h"
#include "space/slide/slide.h"
#include "space/text/tws/tws.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the name ---- */

enum pz_status table_match_name(const struct pz_space *space, const void *roots, unsigned count,
                                enum explore_from from, struct pz_canon *canon, struct pz_space **canonical,
                                char out[STORE_NAME_MAX], struct pz_error *error)
{
    *canonical = NULL; /* each of several would have another canonical space */
    enum pz_status status = count > 1 ? PZ_OK : space_canonical(space, roots, canon, canonical, error);
    if (status != PZ_OK)
        return status;
    const struct pz_space *named = *canonical != NULL ? *canonical : space;
    char text[STORE_NAME_MAX];
    (void)root_set_print(named, count > 1 ? roots : canon->root, count, text, sizeof text);
    const char *colon = named->size[0] != '\0' ? ":" : "";
    int length = snprintf(out, STORE_NAME_MAX, "%s%s%s root=%s%s", named->puzzle->name, colon, named->size,
                          text, from == FROM_GOALS ? " from=goals" : "");
    if (length < STORE_NAME_MAX)
        return PZ_OK;
    space_close(*canonical);
    *canonical = NULL;
    return pz_fail(error, PZ_UNSUPPORTED, "a table of %s cannot be named: %d bytes, %d would fit",
                   space->puzzle->name, length, STORE_NAME_MAX - 1);
}

/* ---- life ---- */

enum pz_status table_match_init(struct table_match *match, const struct pz_space *space,
                                const struct root_set *roots, enum explore_from from, struct pz_error *error)
{
    assert(match->puzzle == NULL && match->view == NULL); /* it was cleared */
    *match = (struct table_match){.puzzle = space->puzzle, .state_bytes = space->state_bytes, .from = from};
    memcpy(match->size, space->size, sizeof match->size);
    match->roots.count = roots->count;
    memcpy(match->roots.states, roots->states, roots->count * space->state_bytes);
    enum pz_status status = table_match_name(space, roots->states, roots->count, from, &match->canon,
                                             &match->canonical, match->name, error);
    if (status != PZ_OK)
        match->puzzle = NULL;
    return status;
}

/* Closes the table's view. */
static void table_match_release(struct table_match *match)
{
    table_view_close(match->view);
    match->view = NULL;
}

void table_match_clear(struct table_match *match)
{
    if (match->puzzle == NULL)
        return;
    table_match_release(match);
    table_reader_close(match->reader);
    space_close(match->canonical);
    *match = (struct table_match){0};
}

static bool table_match_is_for(const struct table_match *match, const struct pz_space *space,
                               const struct root_set *roots, enum explore_from from)
{
    return match->from == from && match->puzzle == space->puzzle &&
           match->state_bytes == space->state_bytes && match->roots.count == roots->count &&
           memcmp(match->roots.states, roots->states, roots->count * space->state_bytes) == 0 &&
           strcmp(match->size, space->size) == 0;
}

/* ---- the table ---- */

static enum pz_status view_chunk(void *context, uint64_t number, const uint8_t **bytes, size_t *length,
                                 struct pz_error *error)
{
    return table_view_chunk(context, number, bytes, length, error);
}

static enum pz_status view_key(void *context, const uint64_t *key, unsigned key_words, uint32_t *distance,
                               struct pz_error *error)
{
    return table_view_key(context, key, key_words, distance, error);
}

static enum pz_status view_level(void *context, const uint64_t *from, uint32_t distance,
                                 bool (*visit)(void *visitor, const struct explore_run *run), void *visitor,
                                 struct pz_error *error)
{
    return table_view_level(context, from, distance, visit, visitor, error);
}

/* Readers of tables, by the format in their record. */
static const struct table_format *const formats[TABLE_KINDS] = {
    [TABLE_RUNS] = &runs_format, [TABLE_DENSE] = &dense_format, [TABLE_RANKED] = &ranked_format};

/* Makes the reader of the open table, or renews the one that is there. */
static enum pz_status open_reader(struct table_match *match, const struct pz_space *space,
                                  struct pz_error *error)
{
    const struct table_record *table = table_view_record(match->view);
    const struct table_format *format = formats[table->kind];
    const struct table_about about = {.name = match->name,
                                      .space = table_match_space(match, space),
                                      .root =
                                          match->roots.count > 1 ? match->roots.states : match->canon.root,
                                      .roots = match->roots.count,
                                      .from = match->from,
                                      .depth = table->depth,
                                      .states = table->states,
                                      .table_bytes = table->table_bytes};
    const struct table_source source = {match->view, view_chunk, view_key, view_level};
    if (format == NULL)
        return pz_fail(error, PZ_STORAGE, "the table %.300s holds no distances of states", match->name);
    if (table->state_bytes != match->state_bytes)
        return pz_fail(error, PZ_STORAGE, "the table %.300s has states of %u bytes, its puzzle of %u",
                       match->name, table->state_bytes, match->state_bytes);
    if (match->reader != NULL && match->reader->format == format)
        return table_reader_renew(match->reader, &about, &source, error);
    table_reader_close(match->reader);
    return table_reader_open(format, &about, &source, &match->reader, error);
}

enum pz_status table_match_open(struct table_match *match, const struct pz_space *space, struct store *store,
                                struct pz_error *error)
{
    assert(match->puzzle == space->puzzle && match->state_bytes == space->state_bytes);
    if (match->view != NULL) {
        assert(match->reader != NULL);
        match->reader->about.space = table_match_space(match, space); /* another one of the same question */
        return PZ_OK;
    }
    enum pz_status status = table_view_open(store, match->name, &match->view, error);
    if (status == PZ_NO_TABLE)
        return pz_fail(error, status, "no table %.400s is stored: EXPLORE it first", match->name);
    if (status == PZ_OK)
        status = open_reader(match, space, error);
    if (status != PZ_OK)
        table_match_release(match);
    return status;
}

/* ---- states ---- */

const struct pz_space *table_match_space(const struct table_match *match, const struct pz_space *space)
{
    return match->canonical != NULL ? match->canonical : space;
}

void table_match_to_table(const struct table_match *match, const struct pz_space *space, const void *state,
                          void *canonical)
{
    if (match->canonical != NULL)
        space->puzzle->canon_in(space, &match->canon, state, canonical);
    else
        memcpy(canonical, state, space->state_bytes);
}

void table_match_from_table(const struct table_match *match, const struct pz_space *space,
                            const void *canonical, void *state)
{
    if (match->canonical != NULL)
        space->puzzle->canon_out(space, &match->canon, canonical, state);
    else
        memcpy(state, canonical, space->state_bytes);
}

enum pz_status table_match_missing(const struct table_match *match, const struct pz_space *space, bool parts,
                                   struct pz_error *error)
{
    char fields[160] = "";
    char cost[128] = "";
    char memory[SIZE_TEXT];
    char database[SIZE_TEXT];
    const struct explore_request asked = {.space = space,
                                          .root = match->roots.states,
                                          .roots = match->roots.count,
                                          .from = match->from,
                                          .depth = EXPLORE_NO_LIMIT,
                                          .keep = KEEP_TABLE,
                                          .ranked.parts = parts};
    struct question_plan plan = {0};
    const enum pz_status planned = question_plan_init(&plan, &asked, 0, &plan_offer_any, error);
    if (planned == PZ_OK && plan.estimate.states > 0) {
        (void)snprintf(fields, sizeof fields,
                       "states=%" PRIu64 " needs_bytes=%" PRIu64 " table_bytes=%" PRIu64 " engine=%s ",
                       plan.estimate.states, plan.estimate.bytes, plan.estimate.table_bytes,
                       explore_engine_name(plan.request.engine));
        (void)snprintf(cost, sizeof cost, ": %" PRIu64 " states, %s of memory, %s in the database",
                       plan.estimate.states, size_text(plan.estimate.bytes, memory),
                       size_text(plan.estimate.table_bytes, database));
    }
    question_plan_clear(&plan);
    if (planned == PZ_UNSUPPORTED)
        return planned; /* an EXPLORE would be refused like this */
    return pz_fail(error, PZ_NO_TABLE, "%stable_from=%s no table covers this: it takes EXPLORE %.200s%s%s",
                   fields, match->from == FROM_GOALS ? "goals" : "root", match->name,
                   parts ? " parts=yes" : "", cost);
}

/* ---- the tables that are open ---- */

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
    return status == PZ_NO_TABLE ? table_match_missing(match, space, false, error) : status;
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
        if (from == ANSWER_FROM_GOALS || (status != PZ_NO_TABLE && status != PZ_UNSUPPORTED))
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

static enum pz_status count_bytes(void *context, const struct table_chunk *chunk, struct pz_error *error)
{
    uint64_t *counts = context;
    (void)error;
    for (size_t i = 0; i < chunk->length; i++)
        counts[chunk->bytes[i]]++;
    return PZ_OK;
}

static enum pz_status count_chunks(struct store *store, const char *name, uint64_t counts[VALUES + 1],
                                   struct pz_error *error)
{
    struct table_view *view;
    enum pz_status status = table_view_open(store, name, &view, error);
    if (status == PZ_OK)
        status = table_view_chunks(view, table_view_record(view)->table_bytes, count_bytes, counts, error);
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
