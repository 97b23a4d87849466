/* SPDX-License-Identifier: MIT */
#include "answer/covering.h"

#include "space/registry.h"
#include "space/slide.h"

#include <string.h>

/* ---- the name ---- */

static enum pz_status open_canonical(const struct pz_space *space, const void *root, struct pz_canon *canon,
                                     struct pz_space **canonical, struct pz_error *error)
{
    memset(canon, 0, sizeof *canon);
    *canonical = NULL;
    if (space->puzzle->canon == NULL) {
        memcpy(canon->root, root, space->state_bytes);
        return PZ_OK;
    }
    enum pz_status status = space->puzzle->canon(space, root, canon, error);
    struct pz_setup setup = {.size = canon->size};
    return status == PZ_OK ? space->puzzle->open(&setup, canonical, error) : status;
}

enum pz_status covering_name(const struct pz_space *space, const void *root, struct pz_canon *canon,
                             struct pz_space **canonical, char out[STORE_NAME_MAX], struct pz_error *error)
{
    enum pz_status status = open_canonical(space, root, canon, canonical, error);
    if (status != PZ_OK)
        return status;
    const struct pz_space *named = *canonical != NULL ? *canonical : space;
    char text[PZ_TEXT_MAX];
    (void)named->puzzle->print(named, canon->root, text);
    const char *colon = named->size[0] != '\0' ? ":" : "";
    int length =
        snprintf(out, STORE_NAME_MAX, "%s%s%s root=%s", named->puzzle->name, colon, named->size, text);
    if (length < STORE_NAME_MAX)
        return PZ_OK;
    space_close(*canonical);
    *canonical = NULL;
    return pz_fail(error, PZ_UNSUPPORTED, "a table of %s cannot be named: %d bytes, %d would fit",
                   space->puzzle->name, length, STORE_NAME_MAX - 1);
}

/* ---- life ---- */

enum pz_status covering_init(struct covering *covering, const struct pz_space *space, const void *root,
                             struct pz_error *error)
{
    *covering = (struct covering){.puzzle = space->puzzle, .state_bytes = space->state_bytes};
    memcpy(covering->size, space->size, sizeof covering->size);
    memcpy(covering->root, root, space->state_bytes);
    enum pz_status status =
        covering_name(space, root, &covering->canon, &covering->canonical, covering->name, error);
    if (status != PZ_OK)
        covering->puzzle = NULL;
    return status;
}

void covering_clear(struct covering *covering)
{
    if (covering->puzzle == NULL)
        return;
    covering_release(covering);
    dense_table_free(covering->dense);
    space_close(covering->canonical);
    *covering = (struct covering){0};
}

bool covering_is_for(const struct covering *covering, const struct pz_space *space, const void *root)
{
    return covering->puzzle == space->puzzle && covering->state_bytes == space->state_bytes &&
           memcmp(covering->root, root, space->state_bytes) == 0 && strcmp(covering->size, space->size) == 0;
}

/* ---- the table ---- */

static enum pz_status view_chunk(void *context, uint64_t number, const uint8_t **bytes, size_t *length,
                                 struct pz_error *error)
{
    return table_view_chunk(context, number, bytes, length, error);
}

static enum pz_status open_dense(struct covering *covering, struct pz_error *error)
{
    struct dense_source source = {.context = covering->view, .chunk = view_chunk};
    if (covering->dense != NULL) {
        dense_table_forget(covering->dense, &source);
        return PZ_OK;
    }
    const struct grid *grid = covering->canonical == NULL ? NULL : slide_grid(covering->canonical);
    if (grid == NULL)
        return pz_fail(error, PZ_INTERNAL, "the table %.300s is dense, its puzzle is not", covering->name);
    struct board root;
    slide_board(covering->canonical, covering->canon.root, &root);
    return dense_table_new(grid, board_blank(&root), &source, &covering->dense, error);
}

enum pz_status covering_open(struct covering *covering, struct store *store, struct pz_error *error)
{
    if (covering->view != NULL)
        return PZ_OK;
    enum pz_status status = table_view_open(store, covering->name, &covering->view, error);
    if (status == PZ_NO_TABLE)
        return pz_fail(error, status, "no table %.400s is stored: EXPLORE it first", covering->name);
    if (status != PZ_OK)
        return status;
    const struct table_record *table = table_view_record(covering->view);
    if (table->kind == TABLE_DENSE)
        status = open_dense(covering, error);
    else if (table->state_bytes != covering->state_bytes)
        status = pz_fail(error, PZ_STORAGE, "the table %.300s has states of %u bytes, its puzzle of %u",
                         covering->name, table->state_bytes, covering->state_bytes);
    if (status != PZ_OK)
        covering_release(covering);
    return status;
}

void covering_release(struct covering *covering)
{
    table_view_close(covering->view);
    covering->view = NULL;
}

/* ---- states ---- */

const struct pz_space *covering_space(const struct covering *covering, const struct pz_space *space)
{
    return covering->canonical != NULL ? covering->canonical : space;
}

void covering_in(const struct covering *covering, const struct pz_space *space, const void *state,
                 void *canonical)
{
    if (covering->canonical != NULL)
        space->puzzle->canon_in(space, &covering->canon, state, canonical);
    else
        memcpy(canonical, state, space->state_bytes);
}

void covering_out(const struct covering *covering, const struct pz_space *space, const void *canonical,
                  void *state)
{
    if (covering->canonical != NULL)
        space->puzzle->canon_out(space, &covering->canon, canonical, state);
    else
        memcpy(state, canonical, space->state_bytes);
}
