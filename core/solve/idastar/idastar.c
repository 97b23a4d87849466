/* SPDX-License-Identifier: MIT */
#include "solve/solver.h"

#include "base/clock.h"
#include "solve/idastar/deepening.h"
#include "solve/idastar/question.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_CELLS = 9,     /* boards up to here need no database */
    TRIAL_NODES = 10000, /* a tenth of a millisecond by Manhattan distance, before databases are asked for */
    SIDE_NODES = 200000, /* from each side, before one is chosen: a fiftieth of a second each */
    TRIAL_MOVES = 2,     /* for each cell: a board farther than that is not worth a trial */
    BUILD_NODES = 4,     /* by Manhattan distance, in the time that a byte of databases takes to build */
    MULTI_BUILD_BYTES = 2, /* by metric=multi, in the time that a node by small databases takes */
    FEW_BYTES = 1 << 20
};

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

/* Opens small databases of metric=multi, which are built in no time and not kept. */
static enum pz_status open_few_tables(struct idastar_question *question, struct pz_error *error)
{
    const struct pdb_request few = {.grid = &question->grid,
                                    .blank = question->side.view.blank,
                                    .budget = &question->few,
                                    .control = question->control};
    budget_init(&question->few, question->request->budget, FEW_BYTES);
    return multi_open(&few, &question->multi, error);
}

/* Nodes by which questions on grids of so many cells have put off databases, by metric. */
static _Atomic uint64_t put_off[2][GRID_CELLS_MAX + 1];

/* Searches by Manhattan distance, or small databases of metric=multi, for about as long as the tables take to
 * build, less what earlier questions took: all of them together take at most twice as long as they must. The
 * bound at which the search by databases begins stays, so that its counts are those of a search that finds
 * them stored. PZ_OK if they are still needed; PZ_NO_TABLE if there is a path. */
static enum pz_status try_before_build(void *context, uint64_t bytes, struct pz_error *error)
{
    const struct idastar_trial *trial = context;
    struct idastar_question *question = trial->question;
    const bool multi = idastar_question_is_multi(question);
    const unsigned bound = question->bound;
    const uint64_t most = multi ? bytes / MULTI_BUILD_BYTES : bytes * BUILD_NODES;
    _Atomic uint64_t *spent = &put_off[multi][question->grid.cells];
    const uint64_t before = atomic_load_explicit(spent, memory_order_relaxed);
    if (question->tried || before >= most)
        return PZ_OK;
    question->tried = true;
    enum pz_status status = multi ? open_few_tables(question, error) : PZ_OK;
    if (status == PZ_OK)
        status = idastar_search(question, most - before, trial->result, error);
    atomic_fetch_add_explicit(spent, trial->result->generated, memory_order_relaxed);
    question->bound = bound;
    if (status == PZ_OK)
        return PZ_NO_TABLE;
    multi_close(question->multi);
    question->multi = NULL;
    return trial_failed(status, question->control) || status == PZ_MEMORY || status == PZ_TOO_LARGE ? PZ_OK
                                                                                                    : status;
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
    const bool multi = idastar_question_is_multi(question);
    enum pz_status status = multi ? multi_open(&pdb_request, &question->multi, error)
                                  : pdb_open(&pdb_request, &question->pdb, error);
    if (status == PZ_NO_TABLE)
        return PZ_OK;
    if (status == PZ_OK && !multi)
        pdb_state_init(question->pdb, &question->side.start, &question->side.known);
    return status;
}

/* Returns what the search by databases takes beside them. */
static uint64_t walk_memory(const struct idastar_question *question)
{
    const struct deepening deepening = {.grid = &question->grid,
                                        .kernel = &pattern_kernel,
                                        .threads = question->request->threads,
                                        .remember = idastar_remember_bits(question->request)};
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
    if (idastar_question_is_multi(question))
        return open_idastar_databases(question, partition, partition == NULL ? &trial : NULL, error);
    if (partition != NULL && strcmp(partition, IDASTAR_MANHATTAN) != 0)
        return open_idastar_databases(question, partition, NULL, error);
    if (partition != NULL || question->grid.cells <= SMALL_CELLS || question->grid.rows == 1)
        return PZ_OK;
    enum pz_status status = PZ_LIMIT;
    if (near)
        status = idastar_search(question, TRIAL_NODES, result, error);
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
    enum pz_status status = idastar_search(question, SIDE_NODES, result, error);
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
    return idastar_search(question, 0, result, error);
}

enum pz_status idastar_run(const struct solve_request *request, struct control *control,
                           struct solve_result *result, struct pz_error *error)
{
    struct idastar_question question;
    double began = clock_seconds();
    result->method = METHOD_IDASTAR;
    result->moves = -1;
    enum pz_status status = idastar_question_init(&question, request, control, error);
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
        status = idastar_count_solutions(&question, result, error);
    pdb_close(question.pdb);
    multi_close(question.multi);
    if (status == PZ_CANCELLED)
        return ending_cancelled(result, question.proven, error);
    if (status == PZ_LIMIT)
        return ending_stopped(result, STOP_TIME, question.proven);
    if (status == PZ_OK)
        result->solvable = PZ_YES; /* parity has the last word on sliding puzzles */
    return status;
}
