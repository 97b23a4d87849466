/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner.h"

#include "base/clock.h"
#include "base/priority.h"
#include "base/status_word.h"
#include "daemon/cluster/cluster.h"
#include "daemon/net/send_reply.h"
#include "daemon/run/runner_checkpoint.h"
#include "daemon/run/runner_grade.h"
#include "daemon/run/runner_limits.h"
#include "daemon/run/runner_stored.h"
#include "daemon/run/scratch.h"
#include "protocol/explored.h"
#include "protocol/text/text.h"
#include "store/pattern/patterns.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct runner {
    struct runner_options options;
    struct control control;
    struct budget budget;
    pthread_t thread;
    struct loop_message progress_message;
    struct loop_message end_message;
    pthread_mutex_t lock; /* guards the two below */
    struct progress progress;
    bool progress_posted;
    _Atomic uint64_t checkpoint_ms; /* of the last one: the runner's thread writes, the loop reads */
    struct runner_outcome outcome;  /* the runner's thread writes it, then posts the end */
    struct text result;
};

/* ---- results as text ---- */

static const char *reason_word(enum stop_reason reason)
{
    static const char *const words[] = {STOP_WORDS};
    assert((size_t)reason < sizeof words / sizeof *words && words[reason] != NULL);
    return words[reason];
}

static void write_position(const struct pz_space *space, const void *state, const char *key, struct text *out)
{
    char line[PZ_TEXT_MAX];
    (void)space->puzzle->print(space, state, line);
    text_key(out, key, line);
}

static void write_explored(const struct runner_options *options, const struct explore_result *result,
                           const struct text *edges, const struct job_facts *facts, struct text *out)
{
    const struct task *task = options->task;
    explored_write_end(result, out);
    reply_from(out, task->plan.request.from == FROM_GOALS);
    if (task->plan.request.from == FROM_GOALS)
        text_format(out, " dead=%" PRIu64, result->dead);
    if ((task_space(task)->flags & PZ_REVERSIBLE) == 0)
        text_add(out, " reversible=no");
    explored_write_work(result, result->ranks > 0 ? result->threads : options->threads, out);
    write_position(task_space(task), task->plan.root, "root", out);
    text_key(out, "keep", task->keep == KEEP_TABLE ? "table" : "levels");
    text_join(out, edges);
    if (task->parts)
        text_format(out, " parts=%" PRIu64, result->parts);
    explored_write_planes(result, out);
    runner_limits_write(facts, out);
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

#define SHORT_WAIT 0.001 /* seconds; less is left out of the result */

static void write_solved(const struct runner_options *options, const struct solve_result *result,
                         const struct job_facts *facts, struct text *out)
{
    static const char *const words[] = {[PZ_NO] = "no", [PZ_YES] = "yes", [PZ_UNKNOWN] = "unknown"};
    const struct task *task = options->task;
    text_key(out, "solvable", words[result->solvable]);
    if (result->solvable != PZ_UNKNOWN)
        text_format(out, " moves=%" PRId64, result->moves);
    if (result->outcome == OUTCOME_STOPPED)
        text_key(out, "reason", reason_word(result->reason));
    if (result->solvable == PZ_UNKNOWN)
        text_format(out, " at_least=%" PRId64, result->at_least);
    if (result->solvable == PZ_UNKNOWN && result->previous_generated > 0)
        text_format(out, " bound_generated=%" PRIu64 " previous_generated=%" PRIu64, result->bound_generated,
                    result->previous_generated);
    if (result->solvable == PZ_YES && (task->space->flags & PZ_COSTS) != 0)
        text_format(out, " cost=%" PRId64, result->cost);
    write_solution(task, result, out);
    task_write_solutions(task, &result->solutions, result->moves, out);
    text_key(out, "method", method_word(result->method));
    if (*result->partition != '\0')
        text_key(out, "partition", result->partition);
    text_format(out,
                " threads=%u seconds=%.6f expanded=%" PRIu64 " generated=%" PRIu64 " peak_bytes=%" PRIu64,
                options->threads, result->seconds, result->expanded, result->generated, result->peak_bytes);
    if (result->waited_seconds >= SHORT_WAIT)
        text_format(out, " waited_seconds=%.6f", result->waited_seconds);
    if (result->solutions.seconds > 0)
        text_format(out, " count_seconds=%.6f", result->solutions.seconds);
    task_write_ends(task, out);
    if (result->method == METHOD_PARITY && result->solvable == PZ_NO)
        task_write_rule(task, out);
    if (result->direct != NULL && result->direct->detail[0] != '\0')
        text_format(out, " %s", result->direct->detail);
    runner_limits_write(facts, out);
}

/* ---- the work ---- */

static void set_failure(struct runner_outcome *outcome, enum pz_status status, struct text *result)
{
    assert(status != PZ_OK);
    outcome->state = status == PZ_CANCELLED ? JOB_CANCELLED : JOB_FAILED;
    outcome->error.code = status;
    if (outcome->state == JOB_FAILED) {
        text_key(result, "error", status_word(status));
        text_key(result, "text", outcome->error.text);
    }
}

void runner_solve(const struct runner_options *options, struct control *control,
                  const struct explore_checkpoint *checkpoint, struct runner_outcome *outcome,
                  struct text *result)
{
    const struct task *task = options->task;
    struct budget budget;
    struct patterns_access access;
    budget_init(&budget, options->parent, options->memory);
    if (options->in_memory_only)
        patterns_access_in_memory(&access, options->patterns, control);
    else
        patterns_access_init(&access, options->patterns, 0, control);
    const struct solve_request request = {.space = task->space,
                                          .start = task->state,
                                          .method = task->method,
                                          .threads = options->threads,
                                          .budget = &budget,
                                          .archive = &access.archive,
                                          .partition = task->partition,
                                          .checkpoint = checkpoint,
                                          .all = task->all,
                                          .list = task->list};
    struct solve_result found = {0};
    enum pz_status status = solve_run(&request, control, &found, &outcome->error);
    if (status == PZ_CANCELLED && found.at_least > 0)
        write_solved(options, &found, &outcome->facts, result);
    if (status != PZ_OK) {
        set_failure(outcome, status, result);
        return;
    }
    outcome->state = found.outcome == OUTCOME_DONE ? JOB_DONE : JOB_STOPPED;
    outcome->states = found.generated;
    if (found.outcome == OUTCOME_STOPPED)
        runner_limits_note(options, found.reason, &budget, &outcome->facts);
    write_solved(options, &found, &outcome->facts, result);
    if (task->grade)
        status = runner_grade(task, &request, &found, control, result, &outcome->error);
    if (status != PZ_OK)
        set_failure(outcome, status, result);
    solve_result_free(&found);
}

static void write_built(const struct runner_options *options, const struct pdb_build_result *result,
                        const struct job_facts *facts, struct text *out)
{
    text_key(out, "complete", result->outcome == OUTCOME_DONE ? "yes" : "no");
    if (result->outcome != OUTCOME_DONE)
        text_key(out, "reason", reason_word(result->reason));
    text_key(out, "partition", result->partition);
    text_format(out, " tables=%u bytes=%" PRIu64 " built_bytes=%" PRIu64, result->tables, result->bytes,
                result->built_bytes);
    text_format(out, " threads=%u seconds=%.6f peak_bytes=%" PRIu64, options->threads, result->seconds,
                result->peak_bytes);
    runner_limits_write(facts, out);
}

/* Returns the job's checkpoints; NULL if it leaves none, or without memory. */
static struct runner_checkpoint *checkpoint_new(struct runner *runner, const struct runner_sink *sink)
{
    const struct runner_options *options = &runner->options;
    if (options->checkpoint_interval <= 0)
        return NULL;
    return runner_checkpoint_new(options, sink, &runner->checkpoint_ms);
}

static void build_patterns(struct runner *runner)
{
    const struct runner_options *options = &runner->options;
    struct runner_outcome *outcome = &runner->outcome;
    struct pdb_build_result built = {0};
    struct patterns_access access;
    patterns_access_init(&access, options->patterns, options->job, &runner->control);
    const struct pdb_build_request request = {.space = options->task->space,
                                              .partition = options->task->partition,
                                              .threads = options->threads,
                                              .budget = &runner->budget,
                                              .archive = &access.archive};
    enum pz_status status = pdb_build_run(&request, &runner->control, &built, &outcome->error);
    if (status == PZ_OK && built.outcome == OUTCOME_DONE && access.saved != PZ_OK) {
        status = access.saved; /* databases that were not kept are no result */
        outcome->error = access.error;
    }
    if (status != PZ_OK) {
        set_failure(outcome, status, &runner->result);
        return;
    }
    outcome->state = built.outcome == OUTCOME_DONE ? JOB_DONE : JOB_STOPPED;
    if (built.outcome != OUTCOME_DONE)
        runner_limits_note(options, built.reason, &runner->budget, &outcome->facts);
    write_built(options, &built, &outcome->facts, &runner->result);
}

/* Notes the table's levels (a stopped dense exploration has no table) and the limits that stopped it. */
static void note_explored(const struct runner_options *options, const struct explore_result *found,
                          const struct budget *budget, struct runner_outcome *outcome)
{
    const bool has_table =
        outcome->state == JOB_DONE || found->engine == NULL || strcmp(found->engine, "dense") != 0;
    if (options->task->keep == KEEP_TABLE && has_table)
        outcome->facts.table_levels = found->depth + 1;
    runner_limits_note_explored(options, found, budget, &outcome->facts);
}

/* Runs the exploration with scratch space of its own, which stays only if the job is to run again. */
static enum pz_status explore_in_scratch(struct runner *runner, struct explore_request *request,
                                         struct runner_sink *sink, struct explore_result *found)
{
    const struct runner_options *options = &runner->options;
    char scratch[SCRATCH_PATH_MAX];
    uint64_t room = 0;
    if (options->scratch != NULL)
        room = scratch_begin(options->scratch, options->job, options->disk, scratch);
    request->scratch = room > 0 ? scratch : NULL;
    request->disk = plan_room(request, room);
    enum pz_status status =
        explore_run(request, &runner->control, runner_sink_calls(sink), found, &runner->outcome.error);
    bool again = (status == PZ_CANCELLED && control_keeps(&runner->control)) ||
                 (status == PZ_OK && found->reason == STOP_DISK);
    if (room > 0 && !again)
        scratch_end(options->scratch, options->job);
    return status;
}

/* Returns how much of its memory a job may take without need: none unless it was given to it, and an eighth
 * of all is left for the small jobs of others (is_small in run_queue.c). */
static uint64_t memory_to_fill(const struct runner_options *options)
{
    const uint64_t most = budget_most(options->parent) / 8 * 7;
    const uint64_t own = options->task->memory;
    return own < most ? own : most;
}

/* Ends an exploration whose table is stored already. Returns false if it is not. */
static bool end_stored(struct runner *runner)
{
    const struct runner_options *options = &runner->options;
    struct runner_outcome *outcome = &runner->outcome;
    struct explore_result found = {0};
    if (!runner_stored(options, &found))
        return false;
    outcome->state = JOB_DONE;
    outcome->states = found.states;
    note_explored(options, &found, &runner->budget, outcome);
    write_explored(options, &found, &(const struct text){0}, &outcome->facts, &runner->result);
    return true;
}

/* Runs the exploration between the sink's begin and end, so that no table is left half written. */
static void runner_explore(struct runner *runner)
{
    const struct runner_options *options = &runner->options;
    const struct task *task = options->task;
    struct runner_outcome *outcome = &runner->outcome;
    struct runner_sink *sink = runner_sink_new(options, &runner->budget);
    struct explore_result found = {0};
    struct explore_request request = task->plan.request;
    request.budget = &runner->budget;
    request.seed = options->job;
    request.kernel = options->kernel;
    request.stripes = options->stripes;
    request.fill = memory_to_fill(options);
    enum pz_status status = PZ_OK;
    struct runner_checkpoint *checkpoint = sink != NULL ? checkpoint_new(runner, sink) : NULL;
    request.checkpoint = runner_checkpoint_calls(checkpoint);
    if (sink == NULL) {
        status = pz_fail(&outcome->error, PZ_MEMORY, "no memory to keep what is found");
    } else {
        status = task->cluster ? cluster_explore(options, &runner->control, runner_sink_calls(sink), &found,
                                                 &outcome->error)
                               : explore_in_scratch(runner, &request, sink, &found);
        if (status == PZ_OK && control_stopped(&runner->control))
            status = PZ_CANCELLED;
        status = runner_sink_finish(sink, status, &found, &outcome->error);
    }
    assert(status != PZ_OK || runner_sink_levels(sink) > 0); /* the root is a level */
    outcome->states = sink != NULL ? runner_sink_states(sink) : 0;
    if (status == PZ_OK) {
        bool reached = found.complete || found.reason == STOP_DEPTH || found.reason == STOP_LEVELS;
        outcome->state = reached ? JOB_DONE : JOB_STOPPED;
        note_explored(options, &found, &runner->budget, outcome);
        write_explored(options, &found, runner_sink_edges(sink), &outcome->facts, &runner->result);
    } else {
        if (sink != NULL && runner_sink_levels(sink) > 0)
            text_format(&runner->result, " states=%" PRIu64 " depth=%" PRIu32, outcome->states,
                        runner_sink_levels(sink) - 1);
        set_failure(outcome, status, &runner->result);
    }
    runner_checkpoint_free(checkpoint);
    runner_sink_free(sink);
}

static void solve(struct runner *runner)
{
    const struct runner_options *options = &runner->options;
    struct runner_checkpoint *checkpoint = checkpoint_new(runner, NULL);
    runner_solve(options, &runner->control, runner_checkpoint_calls(checkpoint), &runner->outcome,
                 &runner->result);
    runner_checkpoint_free(checkpoint);
}

static void *runner_main(void *context)
{
    struct runner *runner = context;
    priority_lower();
    (void)store_flush(runner->options.store, NULL); /* that it runs is known before it can end the daemon */
    if (runner->options.task->kind == JOB_SOLVE)
        solve(runner);
    else if (runner->options.task->kind == JOB_PDB)
        build_patterns(runner);
    else if (!end_stored(runner))
        runner_explore(runner);
    bool told = !runner->result.failed || runner->outcome.state == JOB_CANCELLED;
    if (!told && runner->outcome.state != JOB_FAILED) {
        /* Without its result the job has failed; a table that it stored still answers. */
        runner->outcome.state = JOB_FAILED;
        (void)pz_fail(&runner->outcome.error, PZ_MEMORY, "no memory for the result");
    }
    assert(job_state_ended(runner->outcome.state));
    loop_queue_post(runner->options.loop_queue, &runner->end_message);
    return NULL;
}

/* ---- messages ---- */

static struct runner *of_message(struct loop_message *message, size_t offset)
{
    return (struct runner *)(void *)((char *)message - offset);
}

static void deliver_progress(struct loop_message *message)
{
    struct runner *runner = of_message(message, offsetof(struct runner, progress_message));
    (void)pthread_mutex_lock(&runner->lock);
    assert(runner->progress_posted);
    struct progress progress = runner->progress;
    runner->progress_posted = false;
    (void)pthread_mutex_unlock(&runner->lock);
    runner->options.progressed(runner->options.context, &progress);
}

static void deliver_end(struct loop_message *message)
{
    struct runner *runner = of_message(message, offsetof(struct runner, end_message));
    runner->options.ended(runner->options.context);
}

/* On the search's thread. Replaces progress that the loop has not looked at yet. */
static void report(void *context, const struct progress *progress)
{
    struct runner *runner = context;
    (void)pthread_mutex_lock(&runner->lock);
    bool post = !runner->progress_posted;
    runner->progress = *progress;
    runner->progress_posted = true;
    (void)pthread_mutex_unlock(&runner->lock);
    if (post)
        loop_queue_post(runner->options.loop_queue, &runner->progress_message);
}

/* ---- life ---- */

enum pz_status runner_start(const struct runner_options *options, struct runner **out, struct pz_error *error)
{
    assert(options->task != NULL && options->threads > 0 && options->memory > 0 && options->parent != NULL);
    struct runner *runner = calloc(1, sizeof *runner);
    if (runner == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to run the job");
    runner->options = *options;
    runner->progress_message.deliver = deliver_progress;
    runner->end_message.deliver = deliver_end;
    runner->control.report = report;
    runner->control.context = runner;
    if (options->task->time > 0)
        runner->control.deadline = clock_seconds() + options->task->time;
    budget_init(&runner->budget, options->parent, options->memory);
    (void)pthread_mutex_init(&runner->lock, NULL);
    int failure = pthread_create(&runner->thread, NULL, runner_main, runner);
    if (failure != 0) {
        (void)pthread_mutex_destroy(&runner->lock);
        free(runner);
        return pz_fail(error, PZ_MEMORY, "cannot start a thread for the job: %s", strerrordesc_np(failure));
    }
    (void)pthread_setname_np(runner->thread, "runner");
    *out = runner;
    return PZ_OK;
}

void runner_cancel(struct runner *runner)
{
    atomic_store_explicit(&runner->control.stop, true, memory_order_relaxed);
}

void runner_interrupt(struct runner *runner)
{
    atomic_store_explicit(&runner->control.keep, true, memory_order_relaxed);
    /* Release: a thread that sees stop sees keep as well. */
    atomic_store_explicit(&runner->control.stop, true, memory_order_release);
}

uint64_t runner_checkpoint_ms(const struct runner *runner)
{
    return atomic_load_explicit(&runner->checkpoint_ms, memory_order_relaxed);
}

const struct runner_outcome *runner_outcome(const struct runner *runner)
{
    return &runner->outcome;
}

char *runner_take_result(struct runner *runner)
{
    return text_take(&runner->result);
}

void runner_free(struct runner *runner)
{
    if (runner == NULL)
        return;
    (void)pthread_join(runner->thread, NULL);
    (void)pthread_mutex_destroy(&runner->lock);
    text_free(&runner->result);
    free(runner);
}
