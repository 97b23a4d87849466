/* SPDX-License-Identifier: MIT */
#include "solve/idastar/question.h"

#include "explore/checkpoint/checkpointer.h"
#include "solve/idastar/deepening.h"
#include "solve/idastar/walk/transpositions.h"
#include "solve/solutions.h"
#include "space/registry.h"
#include "space/slide/slide.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum pz_status idastar_question_init(struct idastar_question *question, const struct solve_request *request,
                                     struct control *control, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    struct board end;
    struct board board;
    memset(question, 0, sizeof *question);
    question->request = request;
    question->control = control;
    question->threads = request->threads;
    if (slide_grid(space) == NULL && !multi_takes(space))
        return pz_fail(error, PZ_UNSUPPORTED, "idastar is for plain sliding puzzles: astar takes this one");
    slide_goal_board(space, &end);
    slide_board(space, request->start, &board);
    view_of_goal(slide_permutation(space), &end, &question->side.view);
    view_in(&question->side.view, &board, &question->side.start);
    view_of_goal(slide_permutation(space), &board, &question->other.view);
    view_in(&question->other.view, &end, &question->other.start);
    enum pz_status status =
        grid_init(&question->grid, question->side.view.rows, question->side.view.columns, error);
    board_ordered(&question->grid, question->side.view.blank, &board);
    manhattan_init(&question->manhattan, &question->grid, &board);
    if (status == PZ_OK && request->order != NULL) {
        question->threads = 1;
        status = move_order_parse(request->order, &question->order, error);
        if (status == PZ_OK)
            move_order_view(slide_grid(space), &question->side.view, &question->order);
    }
    if (!idastar_question_is_multi(question))
        question->bound = question->proven =
            manhattan_kernel.value(&question->manhattan, &question->side.start);
    return status;
}

/* Plays the moves and writes each board as the caller sees it. */
static enum pz_status write_idastar_path(const struct idastar_question *question,
                                         const struct walk_kernel *kernel,
                                         const struct deepening_result *found, struct solve_result *result,
                                         struct pz_error *error)
{
    const struct pz_space *space = question->request->space;
    struct board board = question->side.start;
    result->path = malloc((size_t)(found->moves + 1) * space->state_bytes);
    if (result->path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", found->moves);
    for (unsigned i = 0; i <= found->moves; i++) {
        struct board seen;
        view_out(&question->side.view, &board, &seen);
        const unsigned at = question->backward ? found->moves - i : i;
        slide_state(space, &seen, result->path + (size_t)at * space->state_bytes);
        if (i < found->moves)
            (void)kernel->play(&question->grid, &board, found->move, i);
    }
    result->moves = found->moves;
    return PZ_OK;
}

/* Opens the checkpoint of the search from the start by that partition. */
static enum pz_status open_checkpoint(const struct idastar_question *question, const char *partition,
                                      struct monitor *monitor, struct checkpointer **out,
                                      struct pz_error *error)
{
    const struct pz_space *space = question->request->space;
    char name[PZ_SIZE_MAX + 64];
    char start[BOARD_TEXT_MAX];
    char identity[PZ_SIZE_MAX + BOARD_TEXT_MAX + SOLVE_PARTITION_MAX + 128];
    (void)space_name(space, name);
    (void)board_format(&question->grid, &question->side.start, start);
    (void)snprintf(identity, sizeof identity, "idastar %s %s blank=%u %s", name, partition,
                   (unsigned)question->side.view.blank, start);
    const struct checkpointer_options options = {
        .calls = question->request->checkpoint, .identity = identity, .monitor = monitor};
    return checkpointer_new(&options, out, error);
}

unsigned idastar_remember_bits(const struct solve_request *request)
{
    if (request->forget)
        return WALK_FORGETS;
    const uint64_t most = budget_most(request->budget) / 4;
    const uint64_t walks = (uint64_t)request->threads + 1;
    unsigned bits = TRANSPOSITION_BITS;
    while (bits > TRANSPOSITION_BITS_LEAST && walks * sizeof(struct transposition) << bits > most)
        bits--;
    return bits;
}

/* Sets the walk by what the question has. Returns the name of its bound. */
static const char *choose_kernel(const struct idastar_question *question,
                                 const struct pattern_bound *pattern_bound, struct deepening *deepening)
{
    if (question->multi != NULL) {
        deepening->kernel = &multi_kernel;
        deepening->heuristic = question->multi;
        return question->multi->text;
    }
    const bool patterns = question->pdb != NULL;
    deepening->kernel = patterns ? &pattern_kernel : &manhattan_kernel;
    deepening->heuristic = patterns ? (const void *)pattern_bound : &question->manhattan;
    return patterns ? question->pdb->partition.text : IDASTAR_MANHATTAN;
}

enum pz_status idastar_search(struct idastar_question *question, uint64_t node_limit,
                              struct solve_result *result, struct pz_error *error)
{
    const struct solve_request *request = question->request;
    struct monitor monitor;
    struct deepening_result found;
    struct checkpointer *checkpointer = NULL;
    const struct pattern_bound pattern_bound = {question->pdb, &question->side.known};
    struct deepening deepening = {
        .grid = &question->grid,
        .start = &question->side.start,
        .threads = question->threads,
        .remember = idastar_remember_bits(request),
        .order = request->order != NULL ? &question->order : NULL,
        .divide_nodes = request->order != NULL || question->multi != NULL ? UINT64_MAX : 0,
        .first_bound = question->bound,
        .node_limit = node_limit,
        .budget = request->budget,
        .monitor = &monitor,
    };
    const char *partition = choose_kernel(question, &pattern_bound, &deepening);
    (void)snprintf(result->partition, sizeof result->partition, "%s", partition);
    uint64_t bytes = deepening_bytes(&deepening);
    if (!budget_take(request->budget, bytes))
        return pz_fail(error, PZ_MEMORY, "the budget has no room for %u threads", request->threads);
    monitor_init(&monitor, question->control, request->budget, "search");
    memset(&found, 0, sizeof found);
    enum pz_status status = PZ_OK;
    if (node_limit == 0 && request->checkpoint != NULL)
        status = open_checkpoint(question, result->partition, &monitor, &checkpointer, error);
    deepening.checkpointer = checkpointer;
    if (status == PZ_OK) {
        status = deepening_run(&deepening, &found, error);
        const uint64_t later = request->order != NULL && found.found
                                   ? move_order_later(&question->order, &question->grid,
                                                      &question->side.start, found.move, found.moves)
                                   : 0;
        found.generated -= later;
        if (question->generated == 0)
            result->iterations.count = 0; /* earlier ones do not count */
        iterations_add(&result->iterations, &found.iterations, later);
        result->expanded = question->expanded + found.expanded;
        result->generated = question->generated + found.generated;
    }
    if (checkpointer != NULL)
        result->seconds += checkpointer_seconds(checkpointer);
    checkpointer_free(checkpointer);
    budget_give(request->budget, bytes);
    result->bound_generated = found.last;
    result->previous_generated = found.previous;
    question->bound = found.at_least > question->bound ? found.at_least : question->bound;
    question->proven = question->bound > question->proven ? question->bound : question->proven;
    if (status == PZ_OK)
        status = write_idastar_path(question, deepening.kernel, &found, result, error);
    free(found.move);
    return status;
}

static void canonical_board(const struct idastar_question *question, const void *state,
                            struct board *canonical)
{
    struct board board;
    slide_board(question->request->space, state, &board);
    view_in(&question->side.view, &board, canonical);
}

/* Returns the bound by which the search went. Carries the values of the databases. */
static unsigned state_bound(const void *context, const struct solutions_step *step)
{
    const struct idastar_question *question = context;
    const struct pdb *pdb = question->pdb;
    struct pdb_state known;
    struct board board;
    canonical_board(question, step->state, &board);
    if (question->multi != NULL)
        return multi_value(question->multi, &board);
    if (pdb == NULL)
        return manhattan_kernel.value(&question->manhattan, &board);
    if (step->from == NULL) {
        pdb_state_init(pdb, &board, &known);
    } else {
        struct board before;
        canonical_board(question, step->from, &before);
        pdb_state_of(pdb, &before, step->from_carried, &known);
        pdb_state_move(pdb, &known, board_blank(&board));
    }
    memcpy(step->carried, known.value, pdb->slots);
    return pdb_state_bound(pdb, &known);
}

enum pz_status idastar_count_solutions(const struct idastar_question *question, struct solve_result *result,
                                       struct pz_error *error)
{
    const struct solutions_request solutions = {
        .space = question->request->space,
        .start = question->request->start,
        .moves = result->moves,
        .list = question->request->list,
        .budget = question->request->budget,
        .bound = state_bound,
        .context = question,
        .carried = question->pdb != NULL ? question->pdb->slots : 0,
    };
    return solutions_of_result(&solutions, question->control, result, error);
}
