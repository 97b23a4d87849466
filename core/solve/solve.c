/* SPDX-License-Identifier: MIT */
#include "solve/solve.h"

#include "base/clock.h"
#include "base/team.h"
#include "solve/guided.h"
#include "solve/idastar/walk/idastar_kernel.h"
#include "solve/pdb/multi_tables.h"
#include "solve/solutions.h"
#include "space/guard.h"
#include "space/slide/slide.h"
#include "space/text/tws/tws.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A method: its needs of a space, and the function that runs it. Its word stands in solve/solve_words.h. */
struct method_row {
    uint32_t needs;    /* enum pz_space_flags */
    const char *takes; /* the spaces that have these, in words */
    solver *run;       /* NULL: not run by request */
};

/* Runs IDA*: by databases on plain sliding puzzles, by the request's bound or the space's own on others. (A
 * text with partition=none has none: then it looks at all paths.) */
static enum pz_status idastar_by_bound(const struct solve_request *request, struct control *control,
                                       struct solve_result *result, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    const bool own =
        (slide_grid(space) == NULL && !multi_takes(space)) || request->bound != NULL || request->weight > 1;
    return (own ? own_bound_run : idastar_run)(request, control, result, error);
}

static const struct method_row methods[METHOD_COUNT] = {
    [METHOD_BFS] = {.run = bfs_run},
    [METHOD_BIDIRECTIONAL] = {.needs = PZ_REVERSIBLE | PZ_UNIQUE_GOAL,
                              .takes = "puzzles with one goal whose moves can be undone",
                              .run = bidirectional_run},
    [METHOD_ASTAR] = {.run = astar_run},
    [METHOD_IDASTAR] = {.needs = PZ_REVERSIBLE | PZ_UNIQUE_GOAL,
                        .takes =
                            "plain sliding puzzles, and puzzles with one goal, moves that can be undone and "
                            "a lower bound of their own",
                        .run = idastar_by_bound},
};

static const char *const method_words[METHOD_COUNT] = {METHOD_WORDS};

const char *method_word(enum method method)
{
    return (unsigned)method < METHOD_COUNT ? method_words[method] : "unknown";
}

/* Returns true if there is a lower bound for IDA*. */
static bool has_bound(const struct pz_space *space)
{
    return slide_grid(space) != NULL || space->puzzle->heuristic != NULL ||
           abstractions_check(space, NULL, NULL) == PZ_OK;
}

/* Returns true if a request may ask for the method on this space. */
static bool method_fits(const struct pz_space *space, enum method method)
{
    const struct method_row *row = &methods[method];
    return (method != METHOD_IDASTAR || has_bound(space)) && row->run != NULL &&
           (space->flags & row->needs) == row->needs &&
           (method == METHOD_ASTAR || (space->flags & PZ_COSTS) == 0);
}

/* Returns true for a plain sliding puzzle of two rows and columns or more. In one row or column the blank can
 * only walk to and fro, so any search ends at once. */
static bool is_plain_slide(const struct pz_space *space)
{
    const struct grid *grid = slide_grid(space);
    return grid != NULL && grid->rows > 1 && grid->columns > 1;
}

/* Chooses the method. IDA* is the fastest on every plain sliding puzzle, on small ones because it needs only
 * a few arrays. */
static enum method choose_method(const struct solve_request *request)
{
    const struct pz_space *space = request->space;
    if (request->method != METHOD_AUTO)
        return request->method;
    if (space->puzzle->solve != NULL)
        return METHOD_DIRECT;
    if (request->weight > 1 || (space->flags & PZ_COSTS) != 0)
        return METHOD_ASTAR;
    if (is_plain_slide(space) || multi_takes(space))
        return METHOD_IDASTAR;
    if (space->puzzle->heuristic != NULL && (space->flags & PZ_STRONG_BOUND) != 0 &&
        method_fits(space, METHOD_IDASTAR))
        return METHOD_IDASTAR;
    bool both_sides = method_fits(space, METHOD_BIDIRECTIONAL);
    if (space->puzzle->heuristic != NULL && !(both_sides && (space->flags & PZ_WEAK_BOUND) != 0))
        return METHOD_ASTAR;
    return both_sides ? METHOD_BIDIRECTIONAL : METHOD_BFS;
}

enum pz_answer solve_known(const struct pz_space *space, const void *start)
{
    const struct pz_puzzle *puzzle = space->puzzle;
    if (puzzle->is_goal(space, start))
        return PZ_YES;
    if (puzzle->solvable != NULL && puzzle->solvable(space, start) == PZ_NO)
        return PZ_NO;
    return PZ_UNKNOWN;
}

/* ---- answers without a search ---- */

static enum pz_status take_known(const struct solve_request *request, enum pz_answer known,
                                 struct solve_result *result, struct pz_error *error)
{
    result->method = METHOD_PARITY;
    result->alone = true;
    result->solvable = known;
    if (known == PZ_NO)
        return PZ_OK;
    result->path = malloc(request->space->state_bytes);
    if (result->path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path");
    memcpy(result->path, request->start, request->space->state_bytes);
    result->moves = 0;
    return PZ_OK;
}

static enum pz_status run_direct(const struct solve_request *request, struct control *control,
                                 struct solve_result *result, struct pz_error *error)
{
    struct pz_solution *solution = calloc(1, sizeof *solution);
    if (solution == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a solution");
    enum pz_status status =
        request->space->puzzle->solve(request->space, request->start, &control->stop, solution, error);
    if (status != PZ_OK) {
        free(solution);
        return status;
    }
    result->alone = true;
    result->solvable = solution->solvable;
    result->moves = solution->moves;
    result->direct = solution;
    return PZ_OK;
}

/* ---- the whole ---- */

static enum pz_status check_method(const struct pz_space *space, enum method method, struct pz_error *error)
{
    if (space->puzzle->expand == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "%s is no search from state to state: use method=auto",
                       space->puzzle->name);
    if (method != METHOD_ASTAR && (space->flags & PZ_COSTS) != 0)
        return pz_fail(
            error, PZ_UNSUPPORTED,
            "method=%s does not fit a puzzle whose moves have costs: use method=auto or method=astar",
            method_word(method));
    if (!method_fits(space, method))
        return pz_fail(error, PZ_UNSUPPORTED,
                       "method=%s does not fit %s, it takes %s: use method=auto or method=bfs",
                       method_word(method), space->puzzle->name,
                       methods[method].takes != NULL ? methods[method].takes : "no search by request");
    return PZ_OK;
}

enum pz_status solve_read_weight(const char *text, double *weight, struct pz_error *error)
{
    char *end;
    char told[32]; /* in questions and results */
    if (strcmp(text, "inf") == 0) {
        *weight = INFINITY;
        return PZ_OK;
    }
    *weight = strtod(text, &end);
    (void)snprintf(told, sizeof told, "%g", *weight);
    if (end != text && *end == '\0' && *weight >= 1 && *weight <= SOLVE_WEIGHT_MAX) {
        if (strtod(told, NULL) == *weight)
            return PZ_OK;
        return pz_fail(error, PZ_BAD_REQUEST, "weight=%.40s has more than six digits", text);
    }
    return pz_fail(error, PZ_BAD_REQUEST, "weight=%.40s is out of range (1 to %d, or inf)", text,
                   SOLVE_WEIGHT_MAX);
}

static enum pz_status check_weight(const struct solve_request *request, struct pz_error *error)
{
    const enum method method = request->method;
    if (request->weight <= 1)
        return PZ_OK;
    if (request->all)
        return pz_fail(error, PZ_BAD_REQUEST, "all=yes counts shortest solutions: leave weight= out");
    if (isinf(request->weight) && method == METHOD_IDASTAR)
        return pz_fail(error, PZ_BAD_REQUEST, "weight=inf is for method=astar");
    if ((method != METHOD_AUTO && method != METHOD_ASTAR && method != METHOD_IDASTAR) ||
        request->space->puzzle->solve != NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "weight= is for method=astar and method=idastar");
    return PZ_OK;
}

/* Counts as others have published them: by walks on plain sliding puzzles alone. */
static enum pz_status check_counts(const struct solve_request *request, struct pz_error *error)
{
    const char *names = request->partition;
    if (request->order == NULL && !request->forget)
        return PZ_OK;
    if (!is_plain_slide(request->space) || request->weight > 1 ||
        (request->method != METHOD_IDASTAR && request->method != METHOD_AUTO) ||
        named_bound_takes(request, METHOD_IDASTAR))
        return pz_fail(error, PZ_BAD_REQUEST,
                       "order= and cache=no are for method=idastar on plain sliding puzzles, by "
                       "partition=manhattan or by databases");
    if (request->order != NULL && (names == NULL || strcmp(names, IDASTAR_MANHATTAN) != 0))
        return pz_fail(error, PZ_BAD_REQUEST, "order= goes with partition=manhattan");
    return request->order != NULL ? move_order_parse(request->order, NULL, error) : PZ_OK;
}

static enum pz_status check_partition(const struct solve_request *request, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    const bool is_text = abstractions_check(space, NULL, NULL) == PZ_OK;
    if (request->partition == NULL || (is_text && strcmp(request->partition, ABSTRACTIONS_NONE) == 0))
        return PZ_OK;
    const enum method method = request->method;
    if (method != METHOD_AUTO && method != METHOD_ASTAR && method != METHOD_IDASTAR)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "partition= is for method=astar and method=idastar: %s goes by no lower bound",
                       method_word(method));
    return named_bound_has(space) ? named_bound_check(space, request->partition, error)
                                  : pdb_check(space, request->partition, error);
}

enum pz_status solve_check(const struct solve_request *request, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    if (tws_has_classes(request->space))
        return pz_fail(error, PZ_UNSUPPORTED, "symmetry=yes is for explorations: classes have no paths");
    if (request->method != METHOD_AUTO && request->method != METHOD_TABLE)
        status = check_method(request->space, request->method, error);
    if (status == PZ_OK)
        status = check_weight(request, error);
    if (status == PZ_OK)
        status = check_counts(request, error);
    return status == PZ_OK ? check_partition(request, error) : status;
}

enum pz_status solve_check_all(const struct pz_space *space, struct pz_error *error)
{
    if ((space->flags & PZ_COSTS) != 0)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "shortest solutions are counted, for all=yes or GRADE, where all moves cost one");
    if (space->puzzle->expand != NULL && space->puzzle->solve == NULL)
        return PZ_OK;
    return pz_fail(error, PZ_UNSUPPORTED,
                   "%s is no search from state to state: there is no all=yes and no GRADE",
                   space->puzzle->name);
}

static unsigned request_bound(const void *context, const struct solutions_step *step)
{
    const struct solve_request *request = context;
    return bound_of(request->bound, request->space, step->state);
}

/* Counts the shortest solutions once one is known. IDA* has done it itself, with its own bound. */
static enum pz_status count_shortest(const struct solve_request *request, struct control *control,
                                     struct solve_result *result, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    if (!request->all || result->outcome != OUTCOME_DONE || result->solutions.known)
        return PZ_OK;
    if (result->solvable == PZ_NO) {
        result->solutions.known = true;
        return PZ_OK;
    }
    const struct solutions_request solutions = {
        .space = space,
        .start = request->start,
        .moves = result->moves,
        .list = request->list,
        .budget = request->budget,
        .bound = request->bound != NULL || space->puzzle->heuristic != NULL ? request_bound : NULL,
        .context = request,
    };
    return solutions_of_result(&solutions, control, result, error);
}

static enum pz_status run_method(struct solve_request *request, enum method method, struct guide *guide,
                                 struct control *control, struct solve_result *result, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    enum pz_status status = request->all ? solve_check_all(space, error) : PZ_OK;
    if (status != PZ_OK)
        return status;
    if (method == METHOD_DIRECT && space->puzzle->solve != NULL)
        return run_direct(request, control, result, error);
    status = check_method(space, method, error);
    if (status != PZ_OK)
        return status;
    enum pz_answer known = solve_known(space, request->start);
    if (known != PZ_UNKNOWN)
        return take_known(request, known, result, error);
    if (guided_takes(request, method))
        return guided_run(request, method, methods[method].run, guide, control, result, error);
    status = methods[method].run(request, control, result, error);
    const bool guided = method == METHOD_ASTAR || method == METHOD_IDASTAR;
    if (guided && request->partition != NULL && *result->partition == '\0' && named_bound_has(space))
        (void)snprintf(result->partition, sizeof result->partition, "%s", request->partition); /* gaps */
    return status;
}

static bool is_wanted(void *control)
{
    return control_poll_busy(control) == PZ_OK;
}

/* Finds one solution, and counts them all if that was asked for. What a puzzle prepares meanwhile hears the
 * control. */
static enum pz_status run_heard(struct solve_request *request, enum method method, struct control *control,
                                struct solve_result *result, struct pz_error *error)
{
    const struct wanted wanted = {is_wanted, control};
    const struct wanted *before = wanted_set(&wanted);
    struct guide guide = {0};
    enum pz_status status = run_method(request, method, &guide, control, result, error);
    if (status == PZ_OK)
        status = count_shortest(request, control, result, error);
    guide_clear(&guide);
    (void)wanted_set(before);
    return status;
}

enum pz_status solve_run(const struct solve_request *request, struct control *control,
                         struct solve_result *result, struct pz_error *error)
{
    assert(request->space != NULL && request->start != NULL && request->budget != NULL);
    memset(result, 0, sizeof *result);
    result->moves = -1;
    result->solvable = PZ_UNKNOWN;
    if (request->threads < 1 || request->threads > TEAM_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "threads=%u is out of range (1 to %d)", request->threads,
                       TEAM_MAX);
    double began = clock_seconds();
    enum method method = choose_method(request);
    result->method = method;
    struct solve_request own = *request;
    enum pz_status status = run_heard(&own, method, control, result, error);
    const enum pz_status verdict = guard_verdict(request->space, 0, error);
    status = verdict != PZ_OK ? verdict : status;
    result->seconds += clock_seconds() - began - result->waited_seconds - result->solutions.seconds;
    result->peak_bytes = atomic_load_explicit(&request->budget->peak, memory_order_relaxed);
    if (status != PZ_OK)
        solve_result_free(result);
    return status;
}

void solve_result_free(struct solve_result *result)
{
    free(result->path);
    free(result->direct);
    free(result->solutions.paths);
    result->solutions.paths = NULL;
    result->path = NULL;
    result->direct = NULL;
}

char *solve_path_text(const struct pz_space *space, const uint8_t *path, int64_t moves)
{
    assert(path != NULL && moves >= 0);
    const char *separator = space->puzzle->separator != NULL ? space->puzzle->separator : "";
    char *word = malloc(PZ_TEXT_MAX);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = word != NULL ? open_memstream(&text, &length) : NULL;
    bool whole = true;
    for (int64_t i = 0; stream != NULL && i < moves; i++) {
        const uint8_t *from = path + (size_t)i * space->state_bytes;
        (void)space->puzzle->describe(space, from, from + space->state_bytes, word);
        whole &= fprintf(stream, "%s%s", i > 0 ? separator : "", word) >= 0;
    }
    if (stream != NULL && (fclose(stream) != 0 || !whole)) {
        free(text);
        text = NULL;
    }
    free(word);
    return text;
}
