/* SPDX-License-Identifier: MIT */
#include "answer/table_match.h"

#include "explore/dense/estimate.h"
#include "explore/question_plan.h"
#include "space/registry.h"
#include "space/slide/slide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the name ---- */

enum pz_status table_match_name(const struct pz_space *space, const void *root, enum explore_from from,
                                struct pz_canon *canon, struct pz_space **canonical, char out[STORE_NAME_MAX],
                                struct pz_error *error)
{
    enum pz_status status = space_canonical(space, root, canon, canonical, error);
    if (status != PZ_OK)
        return status;
    const struct pz_space *named = *canonical != NULL ? *canonical : space;
    char text[PZ_TEXT_MAX];
    (void)named->puzzle->print(named, canon->root, text);
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

enum pz_status table_match_init(struct table_match *match, const struct pz_space *space, const void *root,
                                enum explore_from from, struct pz_error *error)
{
    *match = (struct table_match){.puzzle = space->puzzle, .state_bytes = space->state_bytes, .from = from};
    memcpy(match->size, space->size, sizeof match->size);
    memcpy(match->root, root, space->state_bytes);
    enum pz_status status =
        table_match_name(space, root, from, &match->canon, &match->canonical, match->name, error);
    if (status != PZ_OK)
        match->puzzle = NULL;
    return status;
}

void table_match_clear(struct table_match *match)
{
    if (match->puzzle == NULL)
        return;
    table_match_release(match);
    dense_table_free(match->dense);
    space_close(match->canonical);
    *match = (struct table_match){0};
}

bool table_match_is_for(const struct table_match *match, const struct pz_space *space, const void *root,
                        enum explore_from from)
{
    return match->from == from && match->puzzle == space->puzzle &&
           match->state_bytes == space->state_bytes && memcmp(match->root, root, space->state_bytes) == 0 &&
           strcmp(match->size, space->size) == 0;
}

/* ---- the table ---- */

static enum pz_status view_chunk(void *context, uint64_t number, const uint8_t **bytes, size_t *length,
                                 struct pz_error *error)
{
    return table_view_chunk(context, number, bytes, length, error);
}

static enum pz_status open_dense(struct table_match *match, struct pz_error *error)
{
    struct dense_source source = {.context = match->view, .chunk = view_chunk};
    if (match->dense != NULL) {
        dense_table_forget(match->dense, &source);
        return PZ_OK;
    }
    const struct grid *grid = match->canonical == NULL ? NULL : slide_grid(match->canonical);
    if (grid == NULL)
        return pz_fail(error, PZ_STORAGE, "the table %.300s is dense, its puzzle is not", match->name);
    struct board root;
    slide_board(match->canonical, match->canon.root, &root);
    return dense_table_new(grid, board_blank(&root), &source, &match->dense, error);
}

/* Checks what the table's record says before numbers in it bound or index anything. */
static enum pz_status check_record(const struct table_match *match, uint64_t numbers, struct pz_error *error)
{
    const struct table_record *table = table_view_record(match->view);
    const bool is_numbered = table->kind == TABLE_RANKED;
    if (table->state_bytes != match->state_bytes)
        return pz_fail(error, PZ_STORAGE, "the table %.300s has states of %u bytes, its puzzle of %u",
                       match->name, table->state_bytes, match->state_bytes);
    if (table->kind == TABLE_PATTERN || (is_numbered && numbers == 0))
        return pz_fail(error, PZ_STORAGE, "the table %.300s has a format that its puzzle has not",
                       match->name);
    if (is_numbered && (table->states > numbers || table->depth >= numbers))
        return pz_fail(error, PZ_STORAGE,
                       "the table %.300s has %" PRIu64 " states and depth %" PRIu32 ", its puzzle %" PRIu64
                       " states",
                       match->name, table->states, table->depth, numbers);
    if (!is_numbered && table->depth > EXPLORE_LEVEL_MAX)
        return pz_fail(error, PZ_STORAGE, "the table %.300s has depth %" PRIu32 ", more than %d", match->name,
                       table->depth, EXPLORE_LEVEL_MAX);
    return PZ_OK;
}

enum pz_status table_match_open(struct table_match *match, const struct pz_space *space, struct store *store,
                                struct pz_error *error)
{
    if (match->view != NULL)
        return PZ_OK;
    enum pz_status status = table_view_open(store, match->name, &match->view, error);
    if (status == PZ_NO_TABLE)
        return pz_fail(error, status, "no table %.400s is stored: EXPLORE it first", match->name);
    if (status != PZ_OK)
        return status;
    const uint64_t numbers = space_count(table_match_space(match, space));
    status = check_record(match, numbers, error);
    if (status == PZ_OK && table_view_record(match->view)->kind == TABLE_DENSE)
        status = open_dense(match, error);
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

bool table_match_ranked(const struct table_match *match, const struct pz_space *space,
                        struct ranked_table *out)
{
    const struct table_record *table = table_view_record(match->view);
    *out = (struct ranked_table){.space = table_match_space(match, space),
                                 .root = match->canon.root,
                                 .to_goals = match->from == FROM_GOALS,
                                 .depth = table->depth,
                                 .source = {.context = match->view, .chunk = view_chunk}};
    return table->kind == TABLE_RANKED;
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
    char cost[128] = "";
    char memory[DENSE_SIZE_TEXT];
    char database[DENSE_SIZE_TEXT];
    const struct explore_request asked = {.space = space,
                                          .root = match->root,
                                          .from = match->from,
                                          .depth = EXPLORE_NO_LIMIT,
                                          .keep = KEEP_TABLE};
    struct question_plan plan = {0};
    if (question_plan_init(&plan, &asked, 0, &plan_offer_any, NULL) == PZ_OK && plan.estimate.states > 0)
        (void)snprintf(cost, sizeof cost, ": %" PRIu64 " states, %s of memory, %s in the database",
                       plan.estimate.states, dense_size_text(plan.estimate.bytes, memory),
                       dense_size_text(plan.estimate.table_bytes, database));
    question_plan_clear(&plan);
    return pz_fail(error, PZ_NO_TABLE, "no table covers this: it takes EXPLORE %.280s%s", match->name, cost);
}
