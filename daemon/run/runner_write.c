/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner_write.h"

#include "daemon/net/send_reply.h"
#include "protocol/explored.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_position(const struct pz_space *space, const void *state, const char *key, struct text *out)
{
    char line[PZ_TEXT_MAX];
    (void)space->puzzle->print(space, state, line);
    text_key(out, key, line);
}

void runner_write_explored(const struct runner_options *options, const struct explore_result *result,
                           const struct text *edges, bool has_table, struct text *out)
{
    const struct task *task = options->task;
    reply_from(out, task->plan.request.from == FROM_GOALS);
    if (task->plan.request.from == FROM_GOALS)
        text_format(out, " dead=%" PRIu64, result->dead);
    if ((task_space(task)->flags & PZ_REVERSIBLE) == 0)
        text_add(out, " reversible=no");
    explored_write_work(result, result->ranks > 0 ? result->threads : options->threads, out);
    write_position(task_space(task), task->plan.root, "root", out);
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
        out->failed |= path == NULL;
        text_key(out, "path", path);
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
                options->threads, result->expanded, result->generated, result->peak_bytes);
    write_iterations(&result->iterations, out);
    if (result->waited_seconds >= SHORT_WAIT)
        text_format(out, " waited_seconds=%.6f", result->waited_seconds);
    if (result->solutions.seconds > 0)
        text_format(out, " count_seconds=%.6f", result->solutions.seconds);
    task_write_ends(task, out);
    if (result->method == METHOD_PARITY && result->solvable == PZ_NO)
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
