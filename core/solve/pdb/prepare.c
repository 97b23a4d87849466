/* SPDX-License-Identifier: MIT */
/* Builds databases ahead of any question. */
#include "base/clock.h"
#include "board/board.h"
#include "solve/abstraction/abstractions.h"
#include "solve/pdb/multi_tables.h"
#include "solve/solve.h"
#include "space/slide/slide.h"

#include <stdio.h>
#include <string.h>

/* The deadline is an outcome. */
static enum pz_status ended(enum pz_status status, struct pdb_build_result *result)
{
    if (status != PZ_LIMIT)
        return status;
    result->outcome = OUTCOME_STOPPED;
    result->reason = STOP_TIME;
    return PZ_OK;
}

static enum pz_status prepare_abstractions(const struct pdb_build_request *request, struct control *control,
                                           struct pdb_build_result *result, struct pz_error *error)
{
    struct abstractions *abstractions = NULL;
    struct abstractions_figures figures;
    const struct abstractions_request open = {.space = request->space,
                                              .partition = request->partition,
                                              .threads = request->threads,
                                              .budget = request->budget,
                                              .archive = request->archive,
                                              .control = control};
    enum pz_status status = abstractions_open(&open, &abstractions, error);
    if (status != PZ_OK)
        return ended(status, result);
    abstractions_figures(abstractions, &figures);
    memcpy(result->partition, figures.partition, sizeof result->partition);
    result->tables = figures.tables;
    result->bytes = figures.bytes;
    result->built_bytes = figures.built_bytes;
    abstractions_close(abstractions);
    return PZ_OK;
}

static enum pz_status prepare_multi(const struct pdb_request *open, struct pdb_build_result *result,
                                    struct pz_error *error)
{
    struct multi_tables *tables = NULL;
    enum pz_status status = multi_open(open, &tables, error);
    if (status != PZ_OK)
        return ended(status, result);
    (void)snprintf(result->partition, sizeof result->partition, "%s", tables->text);
    result->tables = tables->tables;
    result->bytes = tables->tables * tables->bytes;
    result->built_bytes = tables->built_bytes;
    multi_close(tables);
    return PZ_OK;
}

static enum pz_status prepare_tables(const struct pdb_build_request *request, const struct grid *grid,
                                     unsigned blank, struct control *control, struct pdb_build_result *result,
                                     struct pz_error *error)
{
    struct pdb *pdb = NULL;
    struct pdb_request open = {
        .grid = grid,
        .blank = blank,
        .partition = request->partition,
        .threads = request->threads,
        .budget = request->budget,
        .archive = request->archive,
        .control = control,
    };
    if (multi_takes(request->space))
        return prepare_multi(&open, result, error);
    enum pz_status status = pdb_open(&open, &pdb, error);
    if (status != PZ_OK)
        return ended(status, result);
    (void)snprintf(result->partition, sizeof result->partition, "%s", pdb->partition.text);
    result->tables = pdb->table_count;
    result->bytes = pdb->loaded_bytes + pdb->built_bytes;
    result->built_bytes = pdb->built_bytes;
    pdb_close(pdb);
    return PZ_OK;
}

/* The canonical grid of a plain sliding puzzle, and the cell that the goal's blank has there. */
static enum pz_status canonical_grid(const struct pz_space *space, struct grid *grid, unsigned *blank,
                                     struct pz_error *error)
{
    struct board board;
    struct board_view view;
    if (slide_grid(space) == NULL && !multi_takes(space))
        return pz_fail(error, PZ_UNSUPPORTED, "pattern databases are for plain sliding puzzles and texts");
    slide_goal_board(space, &board);
    view_of_goal(slide_permutation(space), &board, &view);
    *blank = view.blank;
    return grid_init(grid, view.rows, view.columns, error);
}

static bool is_text_space(const struct pz_space *space)
{
    return abstractions_check(space, NULL, NULL) == PZ_OK;
}

enum pz_status pdb_check(const struct pz_space *space, const char *partition, struct pz_error *error)
{
    struct grid grid;
    unsigned blank = 0;
    if (is_text_space(space))
        return abstractions_check(space, partition, error);
    enum pz_status status = canonical_grid(space, &grid, &blank, error);
    if (status != PZ_OK || partition == NULL)
        return status;
    return multi_takes(space) ? multi_check(&grid, partition, error)
                              : partition_parse(&grid, blank, partition, NULL, error);
}

enum pz_status pdb_build_run(const struct pdb_build_request *request, struct control *control,
                             struct pdb_build_result *result, struct pz_error *error)
{
    struct grid grid;
    unsigned blank = 0;
    memset(result, 0, sizeof *result);
    double begun = clock_seconds();
    const bool is_text = is_text_space(request->space);
    enum pz_status status = is_text ? prepare_abstractions(request, control, result, error)
                                    : canonical_grid(request->space, &grid, &blank, error);
    if (status == PZ_OK && !is_text)
        status = prepare_tables(request, &grid, blank, control, result, error);
    result->seconds = clock_seconds() - begun;
    result->peak_bytes = atomic_load_explicit(&request->budget->peak, memory_order_relaxed);
    return status;
}
