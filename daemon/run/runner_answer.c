/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner_answer.h"

#include "answer/board_grade.h"
#include "base/log.h"
#include "daemon/net/pending_reply.h"
#include "protocol/result.h"
#include "space/text/tws/tws.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_roots(const struct task *task, struct text *out)
{
    char boards[STORE_NAME_MAX]; /* the table's name has them, too */
    const struct explore_request *asked = &task->plan.request;
    (void)root_set_print(asked->space, asked->root, explore_roots(asked), boards, sizeof boards);
    text_key(out, "root", boards);
}

void runner_write_explored(const struct runner_options *options, const struct explore_result *result,
                           const struct text *edges, bool has_table, struct text *out)
{
    const struct task *task = options->task;
    const bool alone = (task_space(task)->flags & PZ_COSTS) != 0 && task->plan.request.from != FROM_GOALS;
    reply_from(out, task->plan.request.from == FROM_GOALS);
    if (task->plan.request.from == FROM_GOALS)
        text_format(out, " dead=%" PRIu64, result->dead);
    if ((task_space(task)->flags & PZ_REVERSIBLE) == 0)
        text_add(out, " reversible=no");
    result_write_work(result, result->ranks > 0 ? result->threads : alone ? 1 : options->threads, out);
    write_roots(task, out);
    text_key(out, "keep", task->plan.request.keep == KEEP_TABLE ? "table" : "levels");
    if (task->plan.request.keep == KEEP_TABLE && !has_table)
        text_key(out, "table", "none");
    text_join(out, edges);
    if (task->plan.request.ranked.parts)
        text_format(out, " parts=%" PRIu64, result->parts);
}

static void write_solution(const struct task *task, const struct solve_result *result, struct text *out)
{
    if (result->direct != NULL) {
        if (result->direct->path[0] != '\0')
            text_key(out, "path", result->direct->path);
    } else if (result->path != NULL) {
        char *path = solve_path_text(task->space, result->path, result->moves);
        task_write_path(task->space, task->start, path, out);
        free(path);
    }
}

/* Writes what was proven of a path that was found by weights. */
static void write_proven(const struct solve_result *result, struct text *out)
{
    if (result->bound > 0)
        text_format(out, " optimal=no bound=%g at_least=%" PRId64, result->bound, result->at_least);
    else
        text_add(out, " optimal=yes");
}

/* Writes bound, nodes and seconds of each iteration. */
static void write_iterations(const struct iterations *iterations, struct text *out)
{
    for (unsigned i = 0; i < iterations->count; i++)
        text_format(out, "%s%" PRIu32 ":%" PRIu64 ":%.6f", i == 0 ? " iterations=" : ",",
                    iterations->each[i].bound, iterations->each[i].generated, iterations->each[i].seconds);
}

#define SHORT_WAIT 0.001 /* seconds; less is left out of the result */

void runner_write_solved(const struct runner_options *options, const struct solve_result *result,
                         struct text *out)
{
    const struct task *task = options->task;
    if (result->solvable == PZ_UNKNOWN)
        text_format(out, " at_least=%" PRId64, result->at_least);
    if (result->solvable == PZ_UNKNOWN && (task->space->flags & PZ_COSTS) != 0)
        text_key(out, "unit", "cost"); /* of at_least */
    if (result->solvable == PZ_UNKNOWN && result->previous_generated > 0)
        text_format(out, " bound_generated=%" PRIu64 " previous_generated=%" PRIu64, result->bound_generated,
                    result->previous_generated);
    if (result->solvable == PZ_YES && (task->space->flags & PZ_COSTS) != 0)
        text_format(out, " cost=%" PRId64, result->cost);
    if (result->solvable == PZ_YES && task->solve.weight > 1)
        write_proven(result, out);
    write_solution(task, result, out);
    task_write_solutions(task, &result->solutions, result->moves, out);
    if (*result->partition != '\0')
        text_key(out, "partition", result->partition);
    text_format(out, " threads=%u expanded=%" PRIu64 " generated=%" PRIu64 " peak_bytes=%" PRIu64,
                result->alone ? 1 : options->threads, result->expanded, result->generated,
                result->peak_bytes);
    write_iterations(&result->iterations, out);
    if (result->waited_seconds >= SHORT_WAIT)
        text_format(out, " waited_seconds=%.6f", result->waited_seconds);
    if (result->solutions.seconds > 0)
        text_format(out, " count_seconds=%.6f", result->solutions.seconds);
    task_write_ends(task, out);
    if (result->solvable == PZ_NO)
        task_write_rule(task, out);
    if (result->direct != NULL && result->direct->detail[0] != '\0')
        text_format(out, " %s", result->direct->detail);
}

void runner_write_built(const struct runner_options *options, const struct pdb_build_result *result,
                        struct text *out)
{
    text_key(out, "partition", result->partition);
    text_format(out, " tables=%u bytes=%" PRIu64 " built_bytes=%" PRIu64, result->tables, result->bytes,
                result->built_bytes);
    text_format(out, " threads=%u peak_bytes=%" PRIu64, options->threads, result->peak_bytes);
}

/* ---- limits ---- */

void runner_limits_note(const struct runner_options *options, enum stop_reason reason,
                        const struct budget *budget, struct job_facts *facts)
{
    bool starved = reason == STOP_DISK || (reason == STOP_MEMORY && budget_is_starved(budget));
    uint64_t peak = atomic_load_explicit(&budget->peak, memory_order_relaxed);
    if (peak >= options->memory && options->memory > 0)
        peak = options->memory -
               1; /* it counts the store's buffers, too: with as much memory it may run again */
    facts->memory_limit = starved ? peak : options->memory;
    facts->time_limit = options->task->time;
}

void runner_limits_note_explored(const struct runner_options *options, const struct explore_result *found,
                                 const struct budget *budget, struct job_facts *facts)
{
    if (found->reason != STOP_MEMORY && found->reason != STOP_TIME && found->reason != STOP_DISK)
        return;
    runner_limits_note(options, found->reason, budget, facts);
    if (options->task->plan.request.cluster)
        facts->memory_limit = found->reason != STOP_DISK ? found->rank_memory : 0;
}

/* ---- the part of a GRADE after its solution ---- */

static void write_grade(const struct task *task, const struct grade *grade, struct text *out)
{
    const struct {
        const char *key;
        int64_t number;
    } figures[] = {{"other_moves", grade->other_moves}, {"wrong_turns", grade->wrong_turns},
                   {"dead_turns", grade->dead_turns},   {"counterintuitive", grade->counterintuitive},
                   {"positions", grade->positions},     {"dead", grade->dead},
                   {"piece_count", grade->pieces},      {"must_move", grade->must_move},
                   {"box_changes", grade->box_changes}, {"decomposition", grade->decomposition}};
    if (task->other != NULL)
        text_key(out, "other_metric", grade_other_metric(task->space));
    if (grade->difficulty != NULL)
        text_format(out, " rating=%" PRId64 " difficulty=%s", grade->rating, grade->difficulty);
    if (grade->branching >= 0)
        text_format(out, " branching=%.4f", grade->branching);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (figures[i].number >= 0)
            text_format(out, " %s=%" PRId64, figures[i].key, figures[i].number);
}

enum pz_status runner_grade(const struct runner_options *options, const struct solve_request *request,
                            const struct solve_result *solved, struct control *control,
                            struct job_answer *answer)
{
    const struct task *task = options->task;
    const struct grade_question question = {request, solved, task->other, task->other_state};
    struct grade grade;
    if (solved->path == NULL)
        return PZ_OK;
    const enum pz_status status = grade_board(&question, control, &grade, &answer->error);
    write_grade(task, &grade, &answer->rest);
    if (grade.cut)
        runner_limits_note(options, STOP_MEMORY, request->budget, &answer->facts);
    if (grade.cut && task->time <= 0)
        answer->facts.time_limit = GRADE_SECONDS;
    return status == PZ_CANCELLED ? status : PZ_OK;
}

/* ---- a table that an earlier run has stored ---- */

/* Only a search finds parts, numbers of moves, dead positions, and how many states classes stand for. */
static bool needs_search(const struct task *task)
{
    return task->plan.request.cluster || task->plan.request.keep != KEEP_TABLE ||
           task->plan.request.striped.edges || task->plan.request.ranked.parts ||
           task->plan.request.from != FROM_ROOT || tws_has_classes(task_space(task));
}

bool runner_levels_agree(struct store *store, uint64_t job, uint32_t depth, uint64_t states)
{
    struct pz_error error;
    struct store_level *levels = NULL;
    uint64_t sum = 0;
    uint32_t count = 0;
    if (store_levels(store, job, &levels, &count, &error) != PZ_OK)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sum += levels[i].states;
    const bool same = count > 0 && levels[count - 1].level == depth && sum == states;
    free(levels);
    return same;
}

static bool find_own(const struct runner_options *options, struct table_record *table)
{
    struct pz_error error;
    const struct task *task = options->task;
    return store_table_find(options->store, task->table, table, &error) == PZ_OK &&
           table->job == options->job && (table->complete || table->depth == task->plan.request.depth) &&
           runner_levels_agree(options->store, table->job, table->depth, table->states);
}

bool runner_stored(const struct runner_options *options, struct explore_result *found)
{
    struct table_record *table = needs_search(options->task) ? NULL : malloc(sizeof *table);
    const bool has = table != NULL && find_own(options, table);
    if (has) {
        found->engine = explore_engine_name(options->task->plan.request.engine);
        found->states = table->states;
        found->depth = table->depth;
        found->complete = table->complete;
        found->reason = STOP_DEPTH;
        log_event(LOG_LEVEL_INFO, options->job, "event=table-found states=%" PRIu64 " depth=%" PRIu32,
                  found->states, found->depth);
    }
    free(table);
    return has;
}
