/* SPDX-License-Identifier: MIT */
#include "task.h"

#include "answer/answer.h"
#include "base/clock.h"
#include "base/team.h"
#include "board/symmetry.h"
#include "protocol/quantity.h"
#include "protocol/text.h"
#include "space/registry.h"
#include "space/slide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sliding boards of so many cells are solved in milliseconds whatever the start. */
enum { TINY_CELLS = 10 };

const char task_explore_keys[] = " root goal depth memory time threads engine keep priority estimate ";
const char task_pdb_keys[] = " partition memory time threads priority ";
const char task_solve_keys[] = " start goal method partition memory time threads priority ";

void task_free(struct task *task)
{
    if (task == NULL)
        return;
    space_close(task->canonical);
    space_close(task->space);
    free(task->partition);
    free(task->puzzle);
    free(task->request);
    free(task->question);
    free(task->table);
    free(task);
}

const struct pz_space *task_space(const struct task *task)
{
    return task->canonical != NULL ? task->canonical : task->space;
}

void task_explore_request(const struct task *task, struct explore_request *request)
{
    *request = (struct explore_request){.space = task_space(task),
                                        .root = task->state,
                                        .depth = task->depth,
                                        .threads = task->threads > 0 ? task->threads : 1,
                                        .engine = task->engine,
                                        .keep = task->keep};
}

bool task_is_tiny(const struct task *task)
{
    const struct grid *grid = slide_grid(task->space);
    return task->kind == JOB_SOLVE && grid != NULL && grid->cells <= TINY_CELLS;
}

/* ---- the request's keys ---- */

static bool is_known(const char *keys, const char *key)
{
    char spaced[64];
    if (strlen(key) + 3 > sizeof spaced)
        return false;
    (void)snprintf(spaced, sizeof spaced, " %s ", key);
    return strstr(keys, spaced) != NULL;
}

/* Repeats the key's name before what is wrong with its value. */
static enum pz_status named(const char *key, enum pz_status status, const struct pz_error *own,
                            struct pz_error *error)
{
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "%s=: %s", key, own->text);
}

static enum pz_status read_count(const struct request *request, const char *key, uint64_t most, uint64_t *out,
                                 struct pz_error *error)
{
    const char *value = request_key(request, key);
    struct pz_error own = {0};
    uint64_t least = strcmp(key, "threads") == 0 ? 1 : 0;
    if (value == NULL)
        return PZ_OK;
    return named(key, quantity_count(value, least, most, out, &own), &own, error);
}

static enum pz_status read_priority(const struct request *request, int *out, struct pz_error *error)
{
    const char *value = request_key(request, "priority");
    if (value == NULL)
        return PZ_OK;
    char *end = NULL;
    long priority = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || priority < -20 || priority > 19)
        return pz_fail(error, PZ_BAD_REQUEST, "priority=: '%.40s' is not a whole number from -20 to 19",
                       value);
    *out = (int)priority;
    return PZ_OK;
}

static enum pz_status read_limits(struct task *task, const struct request *request, struct pz_error *error)
{
    struct pz_error own = {0};
    uint64_t threads = 0;
    uint64_t depth = EXPLORE_NO_LIMIT;
    const char *memory = request_key(request, "memory");
    const char *seconds = request_key(request, "time");
    enum pz_status status = read_count(request, "threads", TEAM_MAX, &threads, error);
    if (status == PZ_OK)
        status = read_count(request, "depth", EXPLORE_NO_LIMIT - 1, &depth, error);
    if (status == PZ_OK && memory != NULL)
        status = named("memory", quantity_bytes(memory, &task->memory, &own), &own, error);
    if (status == PZ_OK && memory != NULL && task->memory == 0)
        status = pz_fail(error, PZ_BAD_REQUEST, "memory=: 0 is too little");
    if (status == PZ_OK && seconds != NULL)
        status = named("time", quantity_seconds(seconds, &task->time, &own), &own, error);
    if (status == PZ_OK)
        status = read_priority(request, &task->priority, error);
    task->threads = (unsigned)threads;
    task->depth = (uint32_t)depth;
    return status;
}

/* Finds the value of a key among words; keeps *out when the key is not given. */
static enum pz_status read_word(const struct request *request, const char *key, const char *const *words,
                                unsigned count, unsigned *out, struct pz_error *error)
{
    const char *value = request_key(request, key);
    char names[128] = "";
    size_t length = 0;
    for (unsigned i = 0; value != NULL && i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *out = i;
            return PZ_OK;
        }
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    if (value == NULL)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "%s=: '%.40s' is none of %s", key, value, names);
}

static enum pz_status read_explore_words(struct task *task, const struct request *request,
                                         struct pz_error *error)
{
    static const char *const engines[] = {
        [ENGINE_AUTO] = "auto", [ENGINE_STRIPED] = "striped", [ENGINE_DENSE] = "dense"};
    static const char *const keeps[] = {[KEEP_TABLE] = "table", [KEEP_LEVELS] = "levels"};
    static const char *const answers[] = {"no", "yes"};
    unsigned engine = ENGINE_AUTO;
    unsigned keep = KEEP_TABLE;
    unsigned estimate = 0;
    enum pz_status status = read_word(request, "engine", engines, 3, &engine, error);
    if (status == PZ_OK)
        status = read_word(request, "keep", keeps, 2, &keep, error);
    if (status == PZ_OK)
        status = read_word(request, "estimate", answers, 2, &estimate, error);
    task->engine = (enum engine)engine;
    task->keep = (enum keep)keep;
    task->estimate = estimate != 0;
    return status;
}

static enum pz_status read_solve_words(struct task *task, const struct request *request,
                                       struct pz_error *error)
{
    const char *method = request_key(request, "method");
    task->method = method != NULL ? method_from_word(method) : METHOD_AUTO;
    if (task->method > METHOD_IDASTAR)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "method=: '%.40s' is none of auto, table, bfs, bidirectional, astar, idastar", method);
    return PZ_OK;
}

static enum pz_status read_words(struct task *task, const struct request *request, struct pz_error *error)
{
    const char *partition = request_key(request, "partition");
    if (task->kind == JOB_EXPLORE)
        return read_explore_words(task, request, error);
    if (partition != NULL && (task->partition = strdup(partition)) == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    return task->kind == JOB_SOLVE ? read_solve_words(task, request, error) : PZ_OK;
}

static const char *known_keys(const struct task *task)
{
    static const char *const keys[JOB_KIND_COUNT] = {
        [JOB_EXPLORE] = task_explore_keys, [JOB_SOLVE] = task_solve_keys, [JOB_PDB] = task_pdb_keys};
    return keys[task->kind];
}

/* ---- puzzle and states ---- */

static enum pz_status open_space(struct task *task, const struct request *request, struct pz_error *error)
{
    struct pz_key keys[PROTOCOL_KEYS_MAX];
    const char *known = known_keys(task);
    const char *start = request_key(request, task->kind == JOB_EXPLORE ? "root" : "start");
    struct pz_setup setup = {.start = start, .goal = request_key(request, "goal"), .keys = keys};
    for (unsigned i = 0; i < request->key_count; i++)
        if (!is_known(known, request->key[i].key))
            keys[setup.key_count++] = request->key[i];
    enum pz_status status = space_open(request->argument[0], &setup, &task->space, error);
    if (status != PZ_OK)
        return status;
    const struct pz_puzzle *puzzle = task->space->puzzle;
    if (task->kind == JOB_SOLVE && (task->space->flags & PZ_NO_GOAL) != 0)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "puzzle %s has no goal of its own: SOLVE needs goal=", puzzle->name);
    if (task->kind == JOB_EXPLORE && puzzle->expand == NULL)
        return pz_fail(error, PZ_UNSUPPORTED, "puzzle %s has no states to explore: it answers SOLVE",
                       puzzle->name);
    if (start != NULL)
        return puzzle->parse(task->space, start, task->state, error);
    /* A puzzle begins somewhere of its own (a named layout, empty jugs), or its root is the goal itself. */
    status = puzzle->root(task->space, task->state, error);
    bool has_start = (task->space->flags & PZ_OWN_START) != 0;
    if (status == PZ_OK && task->kind == JOB_SOLVE && !has_start && puzzle->is_goal(task->space, task->state))
        return pz_fail(error, PZ_BAD_REQUEST, "SOLVE needs start=BOARD");
    return status;
}

/* What could never be answered is refused at once, not by a job that fails. */
static enum pz_status check_question(const struct task *task, struct pz_error *error)
{
    if (task->kind == JOB_SOLVE)
        return solve_check(task->space, task->method, task->partition, error);
    return task->kind == JOB_PDB ? pdb_check(task->space, task->partition, error) : PZ_OK;
}

/* Turns an exploration into its canonical orientation, where the puzzle has one. */
static enum pz_status make_canonical(struct task *task, struct pz_error *error)
{
    const struct pz_puzzle *puzzle = task->space->puzzle;
    char text[PZ_SIZE_MAX + 64];
    struct pz_canon canon;
    if (task->kind != JOB_EXPLORE || puzzle->canon == NULL)
        return PZ_OK;
    enum pz_status status = puzzle->canon(task->space, task->state, &canon, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf(text, sizeof text, "%s%s%s", puzzle->name, canon.size[0] != '\0' ? ":" : "", canon.size);
    struct pz_setup setup = {0};
    status = space_open(text, &setup, &task->canonical, error);
    if (status == PZ_OK)
        memcpy(task->state, canon.root, sizeof task->state);
    return status;
}

/* ---- texts ---- */

/* The request once more as a line, in canonical spelling. */
static char *write_request(const struct request *request)
{
    struct text text = {0};
    text_add(&text, request->verb);
    for (unsigned i = 0; i < request->argument_count; i++) {
        text_add(&text, " ");
        text_quoted(&text, request->argument[i]);
    }
    for (unsigned i = 0; i < request->key_count; i++)
        text_key(&text, request->key[i].key, request->key[i].value);
    return text_take(&text);
}

/* Relabels the tiles of a plain sliding board so that the goal has its tiles in row order. */
static void write_relabelled(const struct task *task, struct text *text)
{
    struct board start;
    struct board goal;
    uint8_t label[GRID_CELLS_MAX] = {0};
    uint64_t goal_state[PZ_STATE_MAX / 8];
    char line[BOARD_TEXT_MAX];
    const struct grid *grid = slide_grid(task->space);
    task->space->puzzle->goal(task->space, goal_state);
    slide_board(task->space, task->state, &start);
    slide_board(task->space, goal_state, &goal);
    uint8_t next = 1;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        if (goal.tile[cell] != BOARD_BLANK)
            label[goal.tile[cell]] = next++;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        start.tile[cell] = label[start.tile[cell]];
    (void)board_format(grid, &start, line);
    text_format(text, " blank=%u start=%s", board_blank(&goal), line);
}

static void write_positions(const struct task *task, const struct request *request, struct text *text)
{
    char line[PZ_TEXT_MAX];
    if (slide_grid(task->space) != NULL && slide_is_plain(task->space)) {
        write_relabelled(task, text);
        return;
    }
    (void)task->space->puzzle->print(task->space, task->state, line);
    text_key(text, "start", line);
    for (unsigned i = 0; i < request->key_count; i++)
        if (!is_known(" start method partition memory time threads priority ", request->key[i].key))
            text_key(text, request->key[i].key, request->key[i].value);
}

static char *write_question(const struct task *task, const struct request *request)
{
    struct text text = {0};
    if (task->kind == JOB_EXPLORE) {
        text_format(&text, "explore %s", task->table);
        if (task->depth != EXPLORE_NO_LIMIT)
            text_format(&text, " depth=%" PRIu32, task->depth);
        text_add(&text, task->keep == KEEP_LEVELS ? " keep=levels" : "");
    } else if (task->kind == JOB_PDB) {
        text_format(&text, "pdb %s", task->puzzle);
        text_key(&text, "partition", task->partition);
    } else {
        text_format(&text, "solve %s method=%s", task->puzzle, method_word(task->method));
        write_positions(task, request, &text);
        text_key(&text, "partition", task->partition);
    }
    return text_take(&text);
}

static enum pz_status write_texts(struct task *task, const struct request *request, struct pz_error *error)
{
    char name[PZ_SIZE_MAX + 64];
    char table[STORE_NAME_MAX] = "";
    (void)space_name(task_space(task), name);
    if (task->kind == JOB_EXPLORE) {
        enum pz_status status = answer_table_name(task_space(task), task->state, table, error);
        if (status != PZ_OK)
            return status;
    }
    task->puzzle = strdup(name);
    task->table = strdup(table);
    task->request = write_request(request);
    if (task->puzzle != NULL && task->table != NULL && task->request != NULL)
        task->question = write_question(task, request);
    return task->question != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a job");
}

enum pz_status task_new(const struct request *request, struct task **out, struct pz_error *error)
{
    struct task *task = calloc(1, sizeof *task);
    if (task == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    task->made = clock_seconds();
    task->covered = -1;
    task->kind = strcmp(request->verb, "SOLVE") == 0 ? JOB_SOLVE
                 : strcmp(request->verb, "PDB") == 0 ? JOB_PDB
                                                     : JOB_EXPLORE;
    enum pz_status status = read_limits(task, request, error);
    if (status == PZ_OK)
        status = read_words(task, request, error);
    if (status == PZ_OK)
        status = open_space(task, request, error);
    if (status == PZ_OK)
        status = check_question(task, error);
    if (status == PZ_OK)
        status = make_canonical(task, error);
    if (status == PZ_OK)
        status = write_texts(task, request, error);
    if (status != PZ_OK) {
        task_free(task);
        return status;
    }
    *out = task;
    return PZ_OK;
}

void task_write_ends(const struct task *task, struct text *out)
{
    char line[PZ_TEXT_MAX];
    uint64_t goal[PZ_STATE_MAX / 8];
    const struct pz_puzzle *puzzle = task->space->puzzle;
    (void)puzzle->print(task->space, task->state, line);
    text_key(out, "start", line);
    if ((task->space->flags & PZ_UNIQUE_GOAL) == 0)
        return;
    puzzle->goal(task->space, goal);
    (void)puzzle->print(task->space, goal, line);
    text_key(out, "goal", line);
}
