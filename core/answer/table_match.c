/* SPDX-License-Identifier: MIT */
#include "answer/table_match.h"

#include "explore/dense/estimate.h"
#include "explore/dense/table/dense_table.h"
#include "explore/question_plan.h"
#include "explore/ranked/ranked_table.h"
#include "explore/table/table_reader.h"
#include "space/registry.h"
#include "space/slide/slide.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
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

void table_match_clear(struct table_match *match)
{
    if (match->puzzle == NULL)
        return;
    table_match_release(match);
    table_reader_close(match->reader);
    space_close(match->canonical);
    *match = (struct table_match){0};
}

bool table_match_is_for(const struct table_match *match, const struct pz_space *space,
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

void table_match_release(struct table_match *match)
{
    table_view_close(match->view);
    match->view = NULL;
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

enum pz_status table_match_missing(const struct table_match *match, const struct pz_space *space,
                                   struct pz_error *error)
{
    char fields[160] = "";
    char cost[128] = "";
    char memory[DENSE_SIZE_TEXT];
    char database[DENSE_SIZE_TEXT];
    const struct explore_request asked = {.space = space,
                                          .root = match->roots.states,
                                          .roots = match->roots.count,
                                          .from = match->from,
                                          .depth = EXPLORE_NO_LIMIT,
                                          .keep = KEEP_TABLE};
    struct question_plan plan = {0};
    if (question_plan_init(&plan, &asked, 0, &plan_offer_any, NULL) == PZ_OK && plan.estimate.states > 0) {
        (void)snprintf(fields, sizeof fields,
                       "states=%" PRIu64 " needs_bytes=%" PRIu64 " table_bytes=%" PRIu64 " engine=%s ",
                       plan.estimate.states, plan.estimate.bytes, plan.estimate.table_bytes,
                       explore_engine_name(plan.request.engine));
        (void)snprintf(cost, sizeof cost, ": %" PRIu64 " states, %s of memory, %s in the database",
                       plan.estimate.states, dense_size_text(plan.estimate.bytes, memory),
                       dense_size_text(plan.estimate.table_bytes, database));
    }
    question_plan_clear(&plan);
    return pz_fail(error, PZ_NO_TABLE, "%sno table covers this: it takes EXPLORE %.200s%s", fields,
                   match->name, cost);
}
