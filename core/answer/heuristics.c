/* SPDX-License-Identifier: MIT */
#include "answer/answer.h"

#include "board/board.h"
#include "solve/abstraction/abstractions.h"
#include "solve/bounds/named_bound.h"
#include "solve/idastar/walk/idastar_kernel.h"
#include "solve/pdb/multi_tables.h"
#include "space/slide/slide.h"

#include <string.h>

enum {
    PARTITIONS_MAX = 32,     /* of one size and goal cell; more are left out */
    WALKING_BYTES = 64 << 20 /* for the walking distance: at most a second's search */
};

struct partitions {
    const struct pz_space *of_text; /* NULL: of a sliding puzzle, whose grid and blank these are */
    const struct grid *grid;
    unsigned blank;
    bool multi; /* by that metric */
    unsigned count;
    char text[PARTITIONS_MAX][SOLVE_PARTITION_MAX];
};
_Static_assert((int)SOLVE_PARTITION_MAX >= (int)PARTITION_TEXT_MAX, "any partition has room");

/* ---- stored databases ---- */

static bool note_partition(void *context, const struct table_record *table)
{
    struct partitions *partitions = context;
    char *text = partitions->text[partitions->count];
    const bool matches =
        partitions->of_text != NULL
            ? abstractions_name_partition(table->name, partitions->of_text, text)
            : pdb_name_partition(table->name, partitions->multi, partitions->grid, partitions->blank, text);
    if (!matches)
        return true;
    unsigned same = 0;
    while (same < partitions->count && strcmp(partitions->text[same], text) != 0)
        same++;
    partitions->count += same == partitions->count;
    return partitions->count < PARTITIONS_MAX;
}

static enum pz_status read_stored_word(void *context, const char *name, uint64_t at, uint64_t *word,
                                       struct pz_error *error)
{
    struct table_view *view;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    enum pz_status status = table_view_open(context, name, &view, error);
    if (status != PZ_OK)
        return status;
    const struct table_record *table = table_view_record(view);
    const uint64_t chunk = table->chunk_bytes / sizeof *word; /* in words */
    const bool fits = chunk > 0 && at < (table->table_bytes + sizeof *word - 1) / sizeof *word;
    if (fits)
        status = table_view_chunk(view, at / chunk, &bytes, &length, error);
    else
        status = pz_fail(error, PZ_STORAGE, "%.300s has a wrong length", name);
    const size_t offset = fits ? at % chunk * sizeof *word : 0;
    const size_t left = length > offset ? length - offset : 0; /* the last word may lack bytes */
    *word = 0;
    if (status == PZ_OK && left == 0)
        status = pz_fail(error, PZ_STORAGE, "a chunk of %.300s has a wrong length", name);
    else if (status == PZ_OK && bytes != NULL)
        memcpy(word, bytes + offset, left < sizeof *word ? left : sizeof *word);
    table_view_close(view);
    return status;
}

/* Looks a board, or a state of a text, up in the stored databases of its partitions, or collections. */
static enum pz_status tell_databases(struct store *store, struct partitions *partitions, const void *asked,
                                     heuristic_function *function, void *context, struct pz_error *error)
{
    enum pz_status status = store_tables(store, note_partition, partitions, NULL, error);
    for (unsigned i = 0; i < partitions->count && status == PZ_OK; i++) {
        const char *text = partitions->text[i];
        unsigned value = 0;
        const struct abstractions_request collection = {.space = partitions->of_text, .partition = text};
        const struct pdb_request tiles = {
            .grid = partitions->grid, .blank = partitions->blank, .partition = text};
        status = partitions->of_text != NULL
                     ? abstractions_look_up(&collection, asked, read_stored_word, store, &value, error)
                     : (partitions->multi ? multi_look_up : pdb_look_up)(&tiles, asked, read_stored_word,
                                                                         store, &value, error);
        if (status == PZ_OK)
            function(context, text, value);
        if (status == PZ_NO_TABLE) /* a stopped build lacks some tables */
            status = PZ_OK;
    }
    return status;
}

/* ---- all of them ---- */

/* Looks a sliding board up in the stored databases of its metric. */
static enum pz_status tell_tiles(struct store *store, const struct pz_space *space, const struct board *goal,
                                 const struct board *board, heuristic_function *function, void *context,
                                 struct pz_error *error)
{
    struct board canonical;
    struct grid grid;
    struct board_view view;
    view_of_goal(slide_permutation(space), goal, &view);
    view_in(&view, board, &canonical);
    struct partitions partitions = {.grid = &grid, .blank = view.blank, .multi = multi_takes(space)};
    const enum pz_status status = grid_init(&grid, view.rows, view.columns, error);
    return status == PZ_OK ? tell_databases(store, &partitions, &canonical, function, context, error)
                           : status;
}

static enum pz_status tell_sliding(struct store *store, const struct pz_space *space, const void *state,
                                   heuristic_function *function, void *context, struct pz_error *error)
{
    const struct grid *grid = slide_permutation(space);
    struct board goal;
    struct board board;
    struct manhattan manhattan;
    struct budget budget;
    unsigned walked = 0;
    slide_goal_board(space, &goal);
    slide_board(space, state, &board);
    if (multi_takes(space)) {
        function(context, "own", space->puzzle->heuristic(space, state));
        return tell_tiles(store, space, &goal, &board, function, context, error);
    }
    manhattan_init(&manhattan, grid, &goal);
    function(context, "manhattan", manhattan_kernel.value(&manhattan, &board));
    function(context, "linear-conflict", space->puzzle->heuristic(space, state));
    budget_init(&budget, NULL, WALKING_BYTES);
    const enum pz_status status = walking_distance(grid, &goal, &board, &budget, &walked, error);
    if (status != PZ_UNSUPPORTED)
        function(context, "walking-distance", status == PZ_OK ? (int64_t)walked : -1);
    return tell_tiles(store, space, &goal, &board, function, context, error);
}

enum pz_status heuristics_each(struct store *store, const struct pz_space *space, const void *state,
                               heuristic_function *function, void *context, struct pz_error *error)
{
    if ((space->flags & PZ_NO_GOAL) != 0)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "puzzle %s has no goal of its own: HEURISTIC needs goal=", space->puzzle->name);
    if (slide_grid(space) != NULL || multi_takes(space))
        return tell_sliding(store, space, state, function, context, error);
    if (space->puzzle->heuristic != NULL)
        function(context, "own", space->puzzle->heuristic(space, state));
    struct partitions partitions = {.of_text = space};
    return abstractions_check(space, NULL, NULL) == PZ_OK
               ? tell_databases(store, &partitions, state, function, context, error)
               : PZ_OK;
}
