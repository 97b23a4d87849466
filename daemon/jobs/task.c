/* SPDX-License-Identifier: MIT */
#include "daemon/jobs/task.h"

#include "answer/answer.h"
#include "answer/board_grade.h"
#include "base/clock.h"
#include "base/team.h"
#include "board/board.h"
#include "daemon/run/scratch.h"
#include "protocol/text/text.h"
#include "space/reason.h"
#include "space/registry.h"
#include "space/slide/slide.h"
#include "space/text/library.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sliding boards of TINY_CELLS are solved in milliseconds; with their databases most of SHORT_CELLS are. */
enum { TINY_CELLS = 10, SHORT_CELLS = 16 };

void task_free(struct task *task)
{
    if (task == NULL)
        return;
    question_plan_clear(&task->plan);
    space_close(task->space);
    space_close(task->other);
    free(task->start);
    free(task->roots);
    free(task->visitor);
    free(task->partition);
    free(task->order);
    free(task->puzzle);
    free(task->request);
    free(task->question);
    free(task->table);
    free(task);
}

const struct pz_space *task_space(const struct task *task)
{
    return task->plan.request.space;
}

double task_tiny_seconds(const struct task *task)
{
    const struct grid *grid = task->kind == JOB_SOLVE ? slide_permutation(task->space) : NULL;
    if (grid == NULL || task->grade || grid->cells > SHORT_CELLS)
        return 0;
    if (grid->cells <= TINY_CELLS)
        return 0.25;
    return task->solve.method == METHOD_AUTO || task->solve.method == METHOD_IDASTAR ? 0.05 : 0;
}

/* ---- the request's keys ---- */

_Static_assert((unsigned)PROTOCOL_THREADS_MAX == (unsigned)TEAM_MAX, "threads= is what a team may have");

static enum pz_status read_keys(struct task *task, const struct request *request, struct pz_error *error)
{
    const char *partition = request_text(request, KEY_PARTITION);
    const char *order = request_text(request, KEY_ORDER);
    const char *weight = request_text(request, KEY_WEIGHT), *visitor = request_text(request, KEY_VISITOR);
    const bool cluster = request_number(request, KEY_CLUSTER, 0) != 0;
    struct solve_request *solve = &task->solve;
    task->plan.request = (struct explore_request){
        .depth = (uint32_t)request_number(request, KEY_DEPTH, EXPLORE_NO_LIMIT),
        .threads = (unsigned)request_number(request, KEY_THREADS, 0),
        .engine = (enum engine)request_number(request, KEY_ENGINE, ENGINE_AUTO),
        .keep = (enum keep)request_number(request, KEY_KEEP, cluster ? KEEP_LEVELS : KEEP_TABLE),
        .planes = (enum explore_planes)request_number(request, KEY_PLANES, PLANES_AUTO),
        .from = (enum explore_from)request_number(request, KEY_FROM, FROM_ROOT),
        .striped.edges = request_number(request, KEY_EDGES, 0) != 0,
        .ranked.parts = request_number(request, KEY_PARTS, 0) != 0,
        .disk = (uint64_t)request_number(request, KEY_DISK, 0),
        .scratch = "", /* there is scratch space; the runner sets its path */
        .cluster = cluster};
    task->memory = (uint64_t)request_number(request, KEY_MEMORY, 0);
    task->time = request_seconds(request, KEY_TIME, 0);
    task->priority = (int)request_number(request, KEY_PRIORITY, 0);
    task->estimate = request_number(request, KEY_ESTIMATE, 0) != 0;
    task->of_tool = request_text(request, KEY_TOOL) != NULL;
    task->grade = request->verb == VERB_GRADE;
    solve->method = (enum method)request_number(request, KEY_METHOD, METHOD_AUTO);
    solve->all = task->grade || request_number(request, KEY_ALL, 0) != 0;
    solve->list = (unsigned)request_number(request, KEY_COUNT, 0);
    solve->forget = request_number(request, KEY_CACHE, 1) == 0;
    if (weight != NULL && solve_read_weight(weight, &solve->weight, error) != PZ_OK)
        return PZ_BAD_REQUEST;
    if (solve->list > 0 && !solve->all)
        return pz_fail(error, PZ_BAD_REQUEST, "count= lists solutions of all=yes");
    if ((partition != NULL && (task->partition = strdup(partition)) == NULL) ||
        (order != NULL && (task->order = strdup(order)) == NULL) ||
        (visitor != NULL && (task->visitor = strdup(visitor)) == NULL))
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    solve->partition = task->partition;
    solve->order = task->order;
    return PZ_OK;
}

/* ---- puzzle and states ---- */

static enum pz_status read_roots(struct task *task, const char *text, struct pz_error *error)
{
    struct root_set roots;
    const enum pz_status status = root_set_read(task->space, text, &roots, error);
    if (status != PZ_OK)
        return status;
    memcpy(task->state, roots.states, task->space->state_bytes);
    if (roots.count == 1)
        return PZ_OK;
    if ((task->roots = malloc(roots.count * task->space->state_bytes)) == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    memcpy(task->roots, roots.states, roots.count * task->space->state_bytes);
    task->plan.request.root = task->roots;
    task->plan.request.roots = roots.count;
    return PZ_OK;
}

static enum pz_status open_asked(struct task *task, const struct request *request, struct pz_error *error)
{
    const char *start = NULL;
    enum pz_status status = request_start(request, &start, error);
    struct pz_setup setup = request_setup(request, start);
    const bool explores = task->kind == JOB_EXPLORE;
    const struct pz_puzzle *named = registry_find(request->argument[0], strcspn(request->argument[0], ":"));
    if (explores && named != NULL && named->expand == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "puzzle %s has no states to explore: it answers SOLVE",
                       named->name);
    if (status == PZ_OK)
        status = (explores ? root_set_open : space_open)(request->argument[0], &setup, &task->space, error);
    if (status != PZ_OK)
        return status;
    task->plan.request.space = task->solve.space = task->space;
    task->plan.request.root = task->solve.start = task->state;
    const struct pz_puzzle *puzzle = task->space->puzzle;
    if (task->kind == JOB_SOLVE && (task->space->flags & PZ_NO_GOAL) != 0)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "puzzle %s has no goal of its own: %s needs goal=", puzzle->name, request->word);
    if (task->kind == JOB_SOLVE)
        space_written(task->space, start, task->written);
    if (start != NULL && (task->start = strdup(start)) == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    if (start != NULL)
        return explores ? read_roots(task, start, error)
                        : puzzle->parse(task->space, start, task->state, error);
    if (task->kind == JOB_PDB && (task->space->flags & PZ_NO_GOAL) == 0)
        return PZ_OK; /* databases begin at no board: a text's goals may leave places open */
    /* A puzzle has a start of its own (a named layout, empty jugs, a tower), or its root is the goal. */
    status = puzzle->root(task->space, task->state, error);
    if (status == PZ_OK && task->kind == JOB_SOLVE && !space_start(task->space, task->state))
        return pz_fail(error, PZ_BAD_REQUEST, "missing=start %s needs start=BOARD", request->word);
    return status;
}

/* Opens the puzzle again with its other metric. Leaves task->other NULL if there is none that can be
 * used. */
static void open_other(struct task *task, const struct request *request)
{
    const char *metric = task->grade ? grade_other_metric(task->space) : NULL;
    const char *start = NULL;
    struct pz_key keys[PROTOCOL_KEYS_MAX + 1];
    struct pz_error error;
    if (metric == NULL || request_start(request, &start, &error) != PZ_OK)
        return;
    memcpy(keys, request->puzzle_key, request->puzzle_key_count * sizeof *keys);
    keys[request->puzzle_key_count] = (struct pz_key){"metric", metric}; /* the last one counts */
    struct pz_setup setup = request_setup(request, start);
    setup.keys = keys;
    setup.key_count++;
    if (space_open(request->argument[0], &setup, &task->other, &error) != PZ_OK)
        return;
    const struct pz_puzzle *puzzle = task->other->puzzle;
    const enum pz_status status = start != NULL ? puzzle->parse(task->other, start, task->other_state, &error)
                                                : puzzle->root(task->other, task->other_state, &error);
    if (status != PZ_OK) {
        space_close(task->other);
        task->other = NULL;
    }
}

/* A cluster keeps levels, and finds distances from the root. */
static enum pz_status check_cluster(const struct task *task, struct pz_error *error)
{
    const struct explore_request *asked = &task->plan.request;
    if (asked->keep == KEEP_TABLE)
        return pz_fail(error, PZ_UNSUPPORTED, "cluster=yes keeps no table: use keep=levels");
    if (asked->planes != PLANES_AUTO || asked->disk > 0)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "cluster=yes has planes on disk where [cluster] launch says --scratch, and no %s",
                       asked->disk > 0 ? "disk=" : "planes=");
    if (asked->striped.edges || asked->ranked.parts)
        return pz_fail(error, PZ_UNSUPPORTED, "cluster=yes counts no %s",
                       asked->striped.edges ? "edges" : "parts");
    if (asked->from == FROM_GOALS && !space_has_one_end(task->space))
        return pz_fail(error, PZ_UNSUPPORTED,
                       "cluster=yes finds no distances to several goals: use from=root");
    return PZ_OK;
}

/* Refuses a question that could never be answered, before it becomes a job. */
static enum pz_status check_question(const struct task *task, struct pz_error *error)
{
    enum pz_status status = task->solve.all ? solve_check_all(task->space, error) : PZ_OK;
    if (status == PZ_OK && task->kind == JOB_SOLVE)
        return solve_check(&task->solve, error);
    if (status != PZ_OK)
        return status;
    if (task->kind == JOB_PDB)
        return pdb_check(task->space, task->partition, error);
    return task->plan.request.cluster ? check_cluster(task, error) : PZ_OK;
}

/* ---- the plan ---- */

static enum pz_status plan_exploration(struct task *task, const struct plan_offer *offer, const char *scratch,
                                       struct pz_error *error)
{
    const struct explore_request asked = task->plan.request;
    struct plan_offer own = *offer;
    if (scratch != NULL)
        own.disk = scratch_room(scratch, offer->disk);
    enum pz_status status = question_plan_init(&task->plan, &asked, task->memory, &own, error);
    if (status == PZ_OK && task->estimate)
        question_plan_estimate_depth(&task->plan);
    return status;
}

static enum pz_status task_make_plan(struct task *task, const struct plan_offer *offer, const char *scratch,
                                     struct pz_error *error)
{
    struct question_plan *plan = &task->plan;
    task->any_threads = plan->request.threads == 0;
    if (task->kind == JOB_EXPLORE)
        return plan_exploration(task, offer, scratch, error);
    plan->request.threads = plan_threads(offer, plan->request.threads);
    /* A search may take all that is left for searches. */
    const unsigned part = task->kind == JOB_SOLVE ? offer->threads : plan->request.threads;
    plan->memory = plan->reserve = plan_memory(offer, task->memory, part);
    return PZ_OK;
}

/* ---- texts ---- */

/* Returns the request as a line in canonical spelling, without tool=; NULL without memory. */
static char *task_write_request(const struct request *request)
{
    struct text text = {0};
    text_add(&text, request->word);
    for (unsigned i = 0; i < request->argument_count; i++) {
        char lasting[PZ_SIZE_MAX + 64]; /* a name may mean something else tomorrow */
        const bool named = i == 0 && library_lasting_text(request->argument[0], lasting);
        compose_word(&text, named ? lasting : request->argument[i]);
    }
    for (unsigned i = 0; i < request->key_count; i++)
        if (strcmp(request->key[i].key, key_row(KEY_TOOL)->word) != 0)
            text_key(&text, request->key[i].key, request->key[i].value);
    return text_take(&text);
}

/* Relabels the tiles of a plain sliding board so that the goal has its tiles in row order. */
static void write_relabelled(const struct task *task, struct text *text)
{
    struct board start;
    struct board goal;
    uint8_t label[GRID_CELLS_MAX] = {0};
    char line[BOARD_TEXT_MAX];
    const struct grid *grid = slide_permutation(task->space);
    slide_board(task->space, task->state, &start);
    slide_goal_board(task->space, &goal);
    uint8_t next = 1;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        if (goal.tile[cell] != BOARD_BLANK)
            label[goal.tile[cell]] = next++;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        start.tile[cell] = label[start.tile[cell]];
    (void)board_format(grid, &start, line);
    text_format(text, " blank=%u start=%s", board_blank(&goal), line);
}

/* The goal and the puzzle's options are in its name. */
static void write_positions(const struct task *task, struct text *text)
{
    char line[PZ_TEXT_MAX];
    if (slide_permutation(task->space) != NULL) {
        write_relabelled(task, text);
        return;
    }
    (void)task->space->puzzle->print(task->space, task->state, line);
    text_key(text, "start", line);
}

static char *write_question(const struct task *task)
{
    struct text text = {0};
    const struct explore_request *explore = &task->plan.request;
    const struct solve_request *solve = &task->solve;
    if (task->kind == JOB_EXPLORE) {
        text_format(&text, "explore %s", task->table);
        if (explore->depth != EXPLORE_NO_LIMIT)
            text_format(&text, " depth=%" PRIu32, explore->depth);
        text_add(&text, explore->keep == KEEP_LEVELS ? " keep=levels" : "");
        text_add(&text, explore->striped.edges ? " edges=yes" : "");
        text_add(&text, explore->ranked.parts ? " parts=yes" : "");
    } else if (task->kind == JOB_PDB) {
        text_format(&text, "pdb %s", task->puzzle);
        text_key(&text, "partition", task->partition);
    } else {
        text_format(&text, "solve %s method=%s", task->puzzle, method_word(solve->method));
        write_positions(task, &text);
        text_add(&text, task->written);
        if (solve->all)
            text_format(&text, " all=yes count=%u", solve->list);
        if (task->grade)
            text_format(&text, " grade=%d", GRADE_VERSION);
        text_key(&text, "partition", solve->partition);
        text_key(&text, "order", solve->order);
        text_add(&text, solve->forget ? " cache=no" : "");
        if (solve->weight > 1)
            text_format(&text, " weight=%g", solve->weight);
    }
    return text_take(&text);
}

static enum pz_status write_texts(struct task *task, const struct request *request, struct pz_error *error)
{
    char name[PZ_SIZE_MAX + 64];
    char table[STORE_NAME_MAX] = "";
    (void)space_name(task->kind == JOB_EXPLORE ? task_space(task) : task->space, name);
    if (task->kind == JOB_EXPLORE) {
        const struct explore_request *planned = &task->plan.request;
        enum pz_status status = answer_table_name(planned->space, planned->root, explore_roots(planned),
                                                  planned->from, table, error);
        if (status != PZ_OK)
            return status;
    }
    task->puzzle = strdup(name);
    task->table = strdup(table);
    task->request = task_write_request(request);
    if (task->puzzle != NULL && task->table != NULL && task->request != NULL)
        task->question = write_question(task);
    return task->question != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a job");
}

enum job_kind task_kind(enum verb verb)
{
    return verb == VERB_SOLVE || verb == VERB_GRADE ? JOB_SOLVE : verb == VERB_PDB ? JOB_PDB : JOB_EXPLORE;
}

enum pz_status task_new(const struct request *request, const struct plan_offer *offer, const char *scratch,
                        struct task **out, struct pz_error *error)
{
    struct task *task = calloc(1, sizeof *task);
    if (task == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    task->made = clock_seconds();
    task->covered = -1;
    task->kind = task_kind(request->verb);
    enum pz_status status = read_keys(task, request, error);
    if (status == PZ_OK)
        status = open_asked(task, request, error);
    if (status == PZ_OK)
        open_other(task, request);
    if (status == PZ_OK)
        status = check_question(task, error);
    if (status == PZ_OK)
        status = task_make_plan(task, offer, scratch, error);
    if (status == PZ_OK)
        status = write_texts(task, request, error);
    if (status != PZ_OK) {
        task_free(task);
        return status;
    }
    *out = task;
    return PZ_OK;
}

void task_write_path(const struct pz_space *space, const char *start, const char *path, struct text *out)
{
    char *lurd = path != NULL ? space_lurd(space, start, path) : NULL;
    out->failed |= path == NULL;
    text_key(out, "path", path);
    text_key(out, "lurd", lurd);
    free(lurd);
}

void task_write_ends(const struct task *task, struct text *out)
{
    char line[PZ_TEXT_MAX];
    uint64_t goal[PZ_STATE_MAX / 8];
    const struct pz_puzzle *puzzle = task->space->puzzle;
    (void)puzzle->print(task->space, task->state, line);
    text_add(out, task->written);
    text_key(out, "start", line);
    if ((task->space->flags & PZ_UNIQUE_GOAL) == 0)
        return;
    puzzle->goal(task->space, goal);
    (void)puzzle->print(task->space, goal, line);
    text_key(out, "goal", line);
}

void task_write_rule(const struct task *task, struct text *out)
{
    char line[PZ_TEXT_MAX];
    if (space_reason(task->space, task->state, line))
        text_key(out, "rule", line);
}

void task_write_solutions(const struct task *task, const struct solutions *solutions, int64_t moves,
                          struct text *out)
{
    struct text paths = {0};
    const size_t bytes = ((size_t)moves + 1) * task->space->state_bytes;
    if (!solutions->known)
        return;
    text_format(out, " solutions=%" PRIu64, solutions->count);
    if (solutions->count == SOLUTIONS_MAX)
        text_key(out, "overflow", "yes");
    for (unsigned i = 0; i < solutions->listed; i++) {
        char *path = solve_path_text(task->space, solutions->paths + i * bytes, moves);
        out->failed |= path == NULL;
        text_format(&paths, "%s%s", i > 0 ? " " : "", path != NULL ? path : "");
        free(path);
    }
    if (solutions->listed > 0)
        text_key(out, "paths", text_string(&paths));
    out->failed |= paths.failed;
    text_free(&paths);
}
