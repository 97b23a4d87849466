/* SPDX-License-Identifier: MIT */
#include "solve/solver.h"

#include "base/clock.h"
#include "board/board.h"
#include "explore/checkpoint/checkpointer.h"
#include "solve/idastar/deepening.h"
#include "solve/idastar/walk/transpositions.h"
#include "solve/pdb/pdb.h"
#include "solve/solutions.h"
#include "space/registry.h"
#include "space/slide/slide.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_CELLS = 9,     /* boards up to here need no database */
    TRIAL_NODES = 10000, /* a tenth of a millisecond by Manhattan distance, before databases are asked for */
    SIDE_NODES = 200000, /* from each side, before one is chosen: a fiftieth of a second each */
    TRIAL_MOVES = 2,     /* for each cell: a board farther than that is not worth a trial */
    BUILD_NODES = 4      /* by Manhattan distance, in the time that a byte of databases takes to build */
};

/* A side of the search: where it begins, seen from where it ends. */
struct idastar_side {
    struct board_view view;
    struct board start;
    struct pdb_state known; /* the start, by the databases */
};

/* The question on the canonical grid. */
struct idastar_question {
    const struct solve_request *request;
    struct control *control;
    struct grid grid; /* canonical */
    struct idastar_side side, other;
    bool backward; /* the side is that of the goal */
    struct manhattan manhattan;
    struct move_order order; /* with the request's */
    struct pdb *pdb;
    unsigned threads;
    bool tried;                   /* as long as databases take to build, by Manhattan distance */
    unsigned bound;               /* the search begins at it */
    unsigned proven;              /* no solution is shorter: the bound, or what a trial has found */
    uint64_t generated, expanded; /* by trials that count */
};

static enum pz_status question_init(struct idastar_question *question, const struct solve_request *request,
                                    struct control *control, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    uint64_t goal[PZ_STATE_MAX / 8];
    struct board end;
    struct board board;
    memset(question, 0, sizeof *question);
    question->request = request;
    question->control = control;
    question->threads = request->threads;
    if (slide_grid(space) == NULL || !slide_is_plain(space))
        return pz_fail(error, PZ_UNSUPPORTED, "idastar is for plain sliding puzzles: astar takes this one");
    space->puzzle->goal(space, goal);
    slide_board(space, goal, &end);
    slide_board(space, request->start, &board);
    view_of_goal(slide_grid(space), &end, &question->side.view);
    view_in(&question->side.view, &board, &question->side.start);
    view_of_goal(slide_grid(space), &board, &question->other.view);
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
    question->bound = question->proven = manhattan_kernel.value(&question->manhattan, &question->side.start);
    return status;
}

/* Plays the moves and writes each board as the caller sees it. */
static enum pz_status write_idastar_path(const struct idastar_question *question,
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
            (void)board_move(&question->grid, &board, (enum direction)found->move[i]);
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

/* Returns how many boards a walk remembers, as a power of two: all walks together may take a quarter of the
 * memory. By the limits alone: trials and the search, and the same limits, have the same number. */
static unsigned remember_bits(const struct solve_request *request)
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

/* Runs one deepening, with databases when there are any. node_limit 0 for none; PZ_LIMIT when it was met. */
static enum pz_status search(struct idastar_question *question, uint64_t node_limit,
                             struct solve_result *result, struct pz_error *error)
{
    const struct solve_request *request = question->request;
    bool patterns = question->pdb != NULL;
    (void)snprintf(result->partition, sizeof result->partition, "%s",
                   patterns ? question->pdb->partition.text : IDASTAR_MANHATTAN);
    struct monitor monitor;
    struct deepening_result found;
    struct checkpointer *checkpointer = NULL;
    const struct pattern_bound pattern_bound = {question->pdb, &question->side.known};
    struct deepening deepening = {
        .grid = &question->grid,
        .start = &question->side.start,
        .kernel = patterns ? &pattern_kernel : &manhattan_kernel,
        .heuristic = patterns ? (const void *)&pattern_bound : &question->manhattan,
        .threads = question->threads,
        .remember = remember_bits(request),
        .order = request->order != NULL ? &question->order : NULL,
        .divide_nodes = request->order != NULL ? UINT64_MAX : 0,
        .first_bound = question->bound,
        .node_limit = node_limit,
        .budget = request->budget,
        .monitor = &monitor,
    };
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
        status = write_idastar_path(question, &found, result, error);
    free(found.move);
    return status;
}

/* Returns true if only the limit of a trial was met, and not the deadline. */
static bool trial_failed(enum pz_status status, const struct control *control)
{
    return status == PZ_LIMIT && control_poll(control) != PZ_LIMIT;
}

/* A search that may end before databases are built. */
struct idastar_trial {
    struct idastar_question *question;
    struct solve_result *result;
};

/* Nodes by which questions on grids of so many cells have put off databases. */
static _Atomic uint64_t put_off[GRID_CELLS_MAX + 1];

/* Searches by Manhattan distance for about as long as the tables take to build, less what earlier questions
 * took: all of them together take at most twice as long as they must. The bound at which the search by
 * databases begins stays, so that its counts are those of a search that finds them stored. PZ_OK if they are
 * still needed; PZ_NO_TABLE if there is a path. */
static enum pz_status try_before_build(void *context, uint64_t bytes, struct pz_error *error)
{
    const struct idastar_trial *trial = context;
    struct idastar_question *question = trial->question;
    const unsigned bound = question->bound;
    _Atomic uint64_t *spent = &put_off[question->grid.cells];
    const uint64_t before = atomic_load_explicit(spent, memory_order_relaxed);
    if (question->tried || before >= bytes * BUILD_NODES)
        return PZ_OK;
    question->tried = true;
    const enum pz_status status = search(question, bytes * BUILD_NODES - before, trial->result, error);
    atomic_fetch_add_explicit(spent, trial->result->generated, memory_order_relaxed);
    question->bound = bound;
    if (trial_failed(status, question->control) || status == PZ_MEMORY)
        return PZ_OK;
    return status == PZ_OK ? PZ_NO_TABLE : status;
}

/* Opens databases. With a trial, building them may turn out needless: then there is a path. */
static enum pz_status open_idastar_databases(struct idastar_question *question, const char *partition,
                                             struct idastar_trial *trial, struct pz_error *error)
{
    const struct solve_request *request = question->request;
    struct pdb_request pdb_request = {
        .grid = &question->grid,
        .blank = question->side.view.blank,
        .partition = partition,
        .threads = request->threads,
        .budget = request->budget,
        .archive = request->archive,
        .control = question->control,
        .before_build = trial != NULL ? try_before_build : NULL,
        .context = trial,
    };
    enum pz_status status = pdb_open(&pdb_request, &question->pdb, error);
    if (status == PZ_NO_TABLE)
        return PZ_OK;
    if (status == PZ_OK)
        pdb_state_init(question->pdb, &question->side.start, &question->side.known);
    return status;
}

/* Returns what the search by databases takes beside them. */
static uint64_t walk_memory(const struct idastar_question *question)
{
    const struct deepening deepening = {.grid = &question->grid,
                                        .kernel = &pattern_kernel,
                                        .threads = question->request->threads,
                                        .remember = remember_bits(question->request)};
    return deepening_bytes(&deepening);
}

/* Returns true if there is room for the search beside the databases. Those that were stored count, too: the
 * same limits give the same answer. */
static bool walk_fits(const struct idastar_question *question)
{
    const struct budget *budget = question->request->budget;
    const uint64_t tables = question->pdb->built_bytes + question->pdb->loaded_bytes;
    const uint64_t walks = walk_memory(question);
    return budget_free(budget) >= walks && budget_most(budget) >= tables + walks;
}

/* Opens the databases for the search; PZ_OK without any where a trial has found the answer, or none fit. A
 * short trial goes before all databases; where some must be built, it goes on. */
static enum pz_status prepare_idastar(struct idastar_question *question, struct solve_result *result,
                                      struct pz_error *error)
{
    const char *partition = question->request->partition;
    struct idastar_trial trial = {question, result};
    const bool near = question->bound <= TRIAL_MOVES * question->grid.cells;
    if (partition != NULL && strcmp(partition, IDASTAR_MANHATTAN) != 0)
        return open_idastar_databases(question, partition, NULL, error);
    if (partition != NULL || question->grid.cells <= SMALL_CELLS || question->grid.rows == 1)
        return PZ_OK;
    enum pz_status status = PZ_LIMIT;
    if (near)
        status = search(question, TRIAL_NODES, result, error);
    if (!trial_failed(status, question->control))
        return status;
    status = open_idastar_databases(question, NULL, near ? &trial : NULL, error);
    if (status == PZ_OK && question->pdb != NULL && !walk_fits(question)) {
        pdb_close(question->pdb);
        question->pdb = NULL;
    }
    return status == PZ_TOO_LARGE || status == PZ_MEMORY ? PZ_OK : status;
}

static void turn_around(struct idastar_question *question)
{
    assert(question->side.view.blank == question->other.view.blank); /* the databases serve both */
    const struct idastar_side side = question->side;
    question->side = question->other;
    question->other = side;
    question->backward = !question->backward;
}

/* The reach of a trial: no solution is shorter, and the nodes of its last whole iteration. */
struct idastar_reach {
    unsigned bound;
    uint64_t last;
};

/* Searches from one side, on one thread: counts and choice can be repeated. */
static enum pz_status try_side(struct idastar_question *question, struct idastar_reach *reach,
                               struct solve_result *result, struct pz_error *error)
{
    const unsigned bound = question->bound;
    question->bound = 0;
    question->threads = 1;
    enum pz_status status = search(question, SIDE_NODES, result, error);
    *reach = (struct idastar_reach){question->bound, result->bound_generated};
    question->threads = question->request->threads;
    question->bound = bound > question->bound ? bound : question->bound;
    question->generated = result->generated;
    question->expanded = result->expanded;
    return status;
}

/* Leaves the question on the side from which fewer nodes reach a bound. PZ_LIMIT, or the trials have ended
 * the search. */
static enum pz_status choose_side(struct idastar_question *question, struct solve_result *result,
                                  struct pz_error *error)
{
    struct idastar_reach reach = {0, 0};
    struct idastar_reach other = {0, 0};
    enum pz_status status = try_side(question, &reach, result, error);
    if (!trial_failed(status, question->control))
        return status;
    turn_around(question);
    pdb_state_init(question->pdb, &question->side.start, &question->side.known);
    status = try_side(question, &other, result, error);
    if (trial_failed(status, question->control) &&
        (other.bound < reach.bound || (other.bound == reach.bound && other.last >= reach.last)))
        turn_around(question);
    return status;
}

/* Searches without a limit; from the other side where that is easier. Only collections are worth the trial,
 * and only where both sides have the same databases. */
static enum pz_status search_to_the_end(struct idastar_question *question, struct solve_result *result,
                                        struct pz_error *error)
{
    if (question->pdb != NULL && question->pdb->partition.layouts > 1 &&
        question->other.view.blank == question->side.view.blank) {
        enum pz_status status = choose_side(question, result, error);
        if (!trial_failed(status, question->control))
            return status;
    }
    return search(question, 0, result, error);
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

static enum pz_status count_idastar_solutions(const struct idastar_question *question,
                                              struct solve_result *result, struct pz_error *error)
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

enum pz_status idastar_run(const struct solve_request *request, struct control *control,
                           struct solve_result *result, struct pz_error *error)
{
    struct idastar_question question;
    double began = clock_seconds();
    result->method = METHOD_IDASTAR;
    result->moves = -1;
    enum pz_status status = question_init(&question, request, control, error);
    if (status == PZ_OK)
        status = prepare_idastar(&question, result, error);
    if (result->path == NULL) {
        result->waited_seconds = clock_seconds() - began;
        result->expanded = result->generated = 0;
        *result->partition = '\0';
    }
    if (status == PZ_OK && result->path == NULL)
        status = search_to_the_end(&question, result, error);
    if (question.backward)
        turn_around(&question);
    if (status == PZ_OK && request->all)
        status = count_idastar_solutions(&question, result, error);
    pdb_close(question.pdb);
    if (status == PZ_CANCELLED)
        return ending_cancelled(result, question.proven, error);
    if (status == PZ_LIMIT)
        return ending_stopped(result, STOP_TIME, question.proven);
    if (status == PZ_OK)
        result->solvable = PZ_YES; /* parity has the last word on sliding puzzles */
    return status;
}
