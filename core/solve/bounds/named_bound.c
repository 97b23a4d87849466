/* SPDX-License-Identifier: MIT */
#include "solve/bounds/named_bound.h"

#include "board/board.h"
#include "solve/idastar/walk/idastar_kernel.h"
#include "solve/pdb/multi_tables.h"
#include "space/slide/slide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum part_kind { PART_MANHATTAN, PART_CONFLICT, PART_WALKING, PART_PATTERNS, PART_MULTI };

struct bound_part {
    enum part_kind kind;
    struct walking_table *walking;
    struct pdb *pdb;
    struct multi_tables *multi;
};

struct named_bound {
    struct solve_bound bound;
    const struct pz_space *space;
    struct board goal;
    struct grid grid; /* of the view */
    struct board_view view;
    struct manhattan manhattan;
    unsigned count;
    struct bound_part part[NAMED_BOUND_PARTS_MAX];
};

static const char *const part_names[PART_PATTERNS] = {"manhattan", "linear-conflict", "walking-distance"};

static bool has_gaps(const struct pz_space *space)
{
    return strcmp(space->puzzle->name, "pancake") == 0;
}

static bool is_slide(const struct pz_space *space)
{
    return slide_grid(space) != NULL;
}

bool named_bound_has(const struct pz_space *space)
{
    return has_gaps(space) || is_slide(space) || multi_takes(space);
}

/* Cuts the next name off. Returns false at the end. */
static bool next_name(const char **names, char name[SOLVE_PARTITION_MAX])
{
    const size_t length = strcspn(*names, ",");
    if (**names == '\0')
        return false;
    const size_t kept = length < SOLVE_PARTITION_MAX - 1 ? length : SOLVE_PARTITION_MAX - 1;
    memcpy(name, *names, kept);
    name[kept] = '\0';
    *names += length + ((*names)[length] == ',');
    return true;
}

static enum part_kind part_kind_of(const char *name)
{
    unsigned kind = 0;
    while (kind < PART_PATTERNS && strcmp(part_names[kind], name) != 0)
        kind++;
    return (enum part_kind)kind;
}

/* Finds the goal, and the view of it that databases know. */
static void find_view(const struct pz_space *space, struct board *goal, struct board_view *view)
{
    slide_goal_board(space, goal);
    view_of_goal(slide_permutation(space), goal, view);
}

enum pz_status named_bound_check(const struct pz_space *space, const char *names, struct pz_error *error)
{
    char name[SOLVE_PARTITION_MAX];
    unsigned count = 0;
    if (has_gaps(space))
        return strcmp(names, "gaps") == 0
                   ? PZ_OK
                   : pz_fail(error, PZ_BAD_REQUEST, "partition=%.40s: pancakes have the bound gaps", names);
    if (multi_takes(space))
        return pdb_check(space, names, error);
    if (strlen(names) >= SOLVE_PARTITION_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "partition= takes up to %d bytes", SOLVE_PARTITION_MAX - 1);
    for (const char *rest = names; next_name(&rest, name); count++) {
        const enum pz_status status =
            part_kind_of(name) == PART_PATTERNS ? pdb_check(space, name, error) : PZ_OK;
        if (status != PZ_OK)
            return status;
    }
    if (count == 0 || count > NAMED_BOUND_PARTS_MAX || names[strlen(names) - 1] == ',')
        return pz_fail(error, PZ_BAD_REQUEST,
                       "partition=%.40s is not a list of one to %d names with commas between them", names,
                       NAMED_BOUND_PARTS_MAX);
    return PZ_OK;
}

bool named_bound_takes(const struct solve_request *request, enum method method)
{
    const char *names = request->partition;
    if (request->bound != NULL || !named_bound_has(request->space) ||
        (method != METHOD_ASTAR && method != METHOD_IDASTAR))
        return false;
    if (multi_takes(request->space))
        return method == METHOD_ASTAR || request->weight > 1;
    if (has_gaps(request->space) || names == NULL)
        return false;
    const enum part_kind kind = part_kind_of(names);
    const bool has_walk = strchr(names, ',') == NULL && (kind == PART_MANHATTAN || kind == PART_PATTERNS);
    return method == METHOD_ASTAR || request->weight > 1 || !has_walk;
}

/* ---- the bound of a state ---- */

static unsigned part_value(const struct named_bound *bound, const struct bound_part *part, const void *state,
                           const struct board *board)
{
    struct board seen;
    switch (part->kind) {
    case PART_MANHATTAN:
        return manhattan_kernel.value(&bound->manhattan, board);
    case PART_CONFLICT:
        return bound->space->puzzle->heuristic(bound->space, state);
    case PART_WALKING:
        return walking_table_value(part->walking, board);
    case PART_PATTERNS:
        view_in(&bound->view, board, &seen);
        return pdb_value(part->pdb, &seen);
    case PART_MULTI:
        view_in(&bound->view, board, &seen);
        return multi_value(part->multi, &seen);
    }
    return 0;
}

static unsigned named_value(const void *context, const void *state)
{
    const struct named_bound *bound = context;
    struct board board;
    unsigned most = 0;
    slide_board(bound->space, state, &board);
    for (unsigned i = 0; i < bound->count; i++) {
        const unsigned value = part_value(bound, &bound->part[i], state, &board);
        most = value > most ? value : most;
    }
    return most;
}

/* ---- open and close ---- */

static struct pdb_request patterns_named(const struct named_bound *bound, const char *name,
                                         const struct solve_request *request, struct control *control)
{
    return (struct pdb_request){
        .grid = &bound->grid,
        .blank = bound->view.blank,
        .partition = name,
        .threads = request->threads,
        .budget = request->budget,
        .archive = request->archive,
        .control = control,
    };
}

static enum pz_status open_part(struct named_bound *bound, struct bound_part *part, const char *name,
                                const struct solve_request *request, struct control *control,
                                struct pz_error *error)
{
    const struct pdb_request patterns = patterns_named(bound, name, request, control);
    part->kind = part_kind_of(name);
    if (part->kind == PART_WALKING)
        return walking_table_new(slide_grid(bound->space), &bound->goal, request->budget, control,
                                 &part->walking, error);
    return part->kind == PART_PATTERNS ? pdb_open(&patterns, &part->pdb, error) : PZ_OK;
}

static enum pz_status name_goal(struct named_bound *bound, struct pz_error *error)
{
    find_view(bound->space, &bound->goal, &bound->view);
    manhattan_init(&bound->manhattan, slide_permutation(bound->space), &bound->goal);
    return grid_init(&bound->grid, bound->view.rows, bound->view.columns, error);
}

/* Opens the bounds of the request's names; by metric=multi the best tables where it names none. */
static enum pz_status open_bound_parts(struct named_bound *bound, struct solve_request *request,
                                       struct control *control, struct pz_error *error)
{
    char name[SOLVE_PARTITION_MAX];
    enum pz_status status = name_goal(bound, error);
    if (status == PZ_OK && multi_takes(request->space)) {
        const struct pdb_request patterns = patterns_named(bound, request->partition, request, control);
        struct bound_part *part = &bound->part[bound->count++];
        part->kind = PART_MULTI;
        status = multi_open(&patterns, &part->multi, error);
        if (status == PZ_OK)
            request->partition = part->multi->text;
        return status;
    }
    for (const char *rest = request->partition; status == PZ_OK && rest != NULL && next_name(&rest, name);)
        status = open_part(bound, &bound->part[bound->count++], name, request, control, error);
    return status;
}

enum pz_status named_bound_open(struct solve_request *request, struct control *control,
                                struct named_bound **out, struct pz_error *error)
{
    assert(named_bound_has(request->space) && (request->partition != NULL || multi_takes(request->space)));
    struct named_bound *bound = calloc(1, sizeof *bound);
    if (bound == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a bound");
    bound->space = request->space;
    enum pz_status status =
        request->partition != NULL ? named_bound_check(request->space, request->partition, error) : PZ_OK;
    if (status == PZ_OK)
        status = open_bound_parts(bound, request, control, error);
    if (status != PZ_OK) {
        named_bound_close(bound);
        return status;
    }
    assert(bound->count <= NAMED_BOUND_PARTS_MAX);
    bound->bound = (struct solve_bound){named_value, bound};
    request->bound = &bound->bound;
    *out = bound;
    return PZ_OK;
}

void named_bound_close(struct named_bound *bound)
{
    for (unsigned i = 0; bound != NULL && i < bound->count; i++) {
        walking_table_free(bound->part[i].walking);
        pdb_close(bound->part[i].pdb);
        multi_close(bound->part[i].multi);
    }
    free(bound);
}
