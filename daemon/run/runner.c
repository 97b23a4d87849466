/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/priority.h"
#include "base/status_word.h"
#include "daemon/cluster/cluster.h"
#include "daemon/run/room.h"
#include "daemon/run/runner_answer.h"
#include "daemon/run/runner_checkpoint.h"
#include "daemon/run/scratch.h"
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
    _Atomic bool saved;             /* this run has left a checkpoint: written and read as the next */
    _Atomic uint64_t checkpoint_ms; /* of the last one: the runner's thread writes, the loop reads */
    struct runner_outcome outcome;  /* the runner's thread writes it, then posts the end */
};

/* ---- the work ---- */

static void set_failure(struct runner_outcome *outcome, enum pz_status status)
{
    assert(status != PZ_OK);
    outcome->state = status == PZ_CANCELLED ? JOB_CANCELLED : JOB_FAILED;
    outcome->answer.error.code = status;
}

static void note_solved(const struct solve_result *found, struct job_facts *facts)
{
    facts->reason = found->outcome == OUTCOME_STOPPED ? found->reason : STOP_NONE;
    facts->method = found->method;
    facts->solvable = found->solvable;
    facts->moves = found->moves;
    facts->seconds = found->seconds;
}

void runner_solve(const struct runner_options *options, struct control *control,
                  const struct explore_checkpoint *checkpoint, struct runner_outcome *outcome)
{
    const struct task *task = options->task;
    struct job_answer *answer = &outcome->answer;
    struct budget budget;
    struct patterns_access access;
    budget_init(&budget, options->parent, options->memory);
    if (options->in_memory_only)
        patterns_access_in_memory(&access, options->patterns, control);
    else
        patterns_access_init(&access, options->patterns, 0, control);
    struct solve_request request = task->solve;
    request.threads = options->threads;
    request.budget = &budget;
    request.archive = &access.archive;
    request.checkpoint = checkpoint;
    struct solve_result found = {0};
    enum pz_status status = solve_run(&request, control, &found, &outcome->answer.error);
    if (status == PZ_OK || (status == PZ_CANCELLED && found.at_least > 0)) {
        note_solved(&found, &answer->facts);
        runner_write_solved(options, &found, &answer->rest);
    }
    if (status != PZ_OK) {
        set_failure(outcome, status);
        return;
    }
    outcome->state = found.outcome == OUTCOME_DONE ? JOB_DONE : JOB_STOPPED;
    outcome->states = found.generated;
    if (found.outcome == OUTCOME_STOPPED)
        runner_limits_note(options, found.reason, &budget, &answer->facts);
    if (task->grade)
        status = runner_grade(options, &request, &found, control, answer);
    if (status != PZ_OK)
        set_failure(outcome, status);
    solve_result_free(&found);
}

static struct runner_checkpoint *checkpoint_new(struct runner *runner, const struct runner_sink *sink)
{
    const struct runner_options *options = &runner->options;
    if (options->checkpoint_interval <= 0)
        return NULL;
    return runner_checkpoint_new(options, sink, &runner->checkpoint_ms, &runner->saved);
}

static enum pz_status room_for_database(void *context, uint64_t bytes, struct pz_error *error)
{
    const struct runner *runner = context;
    return room_for_all(&runner->options, bytes, error);
}

static void build_patterns(struct runner *runner)
{
    const struct runner_options *options = &runner->options;
    struct runner_outcome *outcome = &runner->outcome;
    struct pdb_build_result built = {0};
    struct patterns_access access;
    patterns_access_init(&access, options->patterns, options->job, &runner->control);
    access.room = room_for_database;
    access.room_context = runner;
    const struct pdb_build_request request = {.space = options->task->space,
                                              .partition = options->task->partition,
                                              .threads = options->threads,
                                              .budget = &runner->budget,
                                              .archive = &access.archive};
    enum pz_status status = pdb_build_run(&request, &runner->control, &built, &outcome->answer.error);
    if (status == PZ_OK && built.outcome == OUTCOME_DONE && access.saved != PZ_OK) {
        status = access.saved; /* databases that were not kept are no result */
        outcome->answer.error = access.error;
    }
    if (status != PZ_OK) {
        set_failure(outcome, status);
        return;
    }
    struct job_facts *facts = &outcome->answer.facts;
    outcome->state = built.outcome == OUTCOME_DONE ? JOB_DONE : JOB_STOPPED;
    facts->seconds = built.seconds;
    if (built.outcome != OUTCOME_DONE) {
        facts->reason = built.reason;
        runner_limits_note(options, built.reason, &runner->budget, facts);
    }
    runner_write_built(options, &built, &outcome->answer.rest);
}

/* Records what was found, the table's levels, and the limits that stopped the job. */
static void note_explored(struct runner *runner, const struct explore_result *found, bool has_table,
                          const struct text *edges)
{
    struct job_answer *answer = &runner->outcome.answer;
    if (has_table)
        answer->facts.table_levels = found->depth + 1;
    job_facts_note(&answer->facts, found);
    runner_limits_note_explored(&runner->options, found, &runner->budget, &answer->facts);
    runner_write_explored(&runner->options, found, edges, has_table, &answer->rest);
}

/* Runs the exploration with scratch space of its own. */
static enum pz_status explore_in_scratch(struct runner *runner, struct explore_request *request,
                                         struct runner_sink *sink, struct explore_result *found)
{
    const struct runner_options *options = &runner->options;
    char scratch[SCRATCH_PATH_MAX];
    uint64_t held = 0;
    uint64_t room = 0;
    struct pz_error *error = &runner->outcome.answer.error;
    const enum pz_status begun =
        options->scratch == NULL
            ? PZ_OK
            : scratch_begin(options->scratch, options->job, options->disk, scratch, &held, &room, error);
    if (begun != PZ_OK && request->planes == PLANES_DISK)
        return begun;
    if (begun != PZ_OK) /* it may do without */
        log_event_text(LOG_LEVEL_WARNING, options->job, "event=no-scratch-space reason", error->text);
    request->scratch = room > 0 ? scratch : NULL;
    request->disk = plan_room(request, room);
    if (request->disk < held) /* a search that goes on keeps what it has, however full the disk is now */
        request->disk = held;
    return explore_run(request, &runner->control, runner_sink_calls(sink), found, error);
}

/* Removes the scratch space, once what was found is in the store, unless the job is to run again. */
static void end_scratch(const struct runner *runner, enum pz_status status,
                        const struct explore_result *found)
{
    const struct runner_options *options = &runner->options;
    const bool again = status == PZ_CANCELLED ? control_keeps(&runner->control)
                                              : status == PZ_OK && found->reason == STOP_DISK;
    if (options->scratch != NULL && !again)
        scratch_end(options->scratch, options->job);
}

/* Returns how much memory a job may take only to be faster: none unless its request names memory; an eighth
 * of all stays free for small jobs (job_is_small in run_queue.c). */
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
    note_explored(runner, &found, true, &(const struct text){0});
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
    request.dense.kernel = *options->kernel != '\0' ? options->kernel : NULL;
    request.striped.stripes = options->stripes;
    request.dense.fill = memory_to_fill(options);
    enum pz_status status = PZ_OK;
    struct runner_checkpoint *checkpoint = sink != NULL ? checkpoint_new(runner, sink) : NULL;
    request.checkpoint = runner_checkpoint_calls(checkpoint);
    if (sink == NULL) {
        status = pz_fail(&outcome->answer.error, PZ_MEMORY, "no memory to keep what is found");
    } else {
        status = task->plan.request.cluster
                     ? cluster_explore(options, &runner->control, runner_sink_calls(sink), &found,
                                       &outcome->answer.error)
                     : explore_in_scratch(runner, &request, sink, &found);
        if (status == PZ_OK && control_stopped(&runner->control) && !control_keeps(&runner->control))
            status = PZ_CANCELLED; /* a stop of the daemon does not take what is finished */
        status = runner_sink_finish(sink, status, &found, &outcome->answer.error);
    }
    end_scratch(runner, status, &found);
    /* the root is a level; a search for goals may end before */
    const struct runner_sink_found *kept = runner_sink_found(sink);
    assert(status != PZ_OK || kept->levels > 0 || found.levels_only);
    outcome->states = kept->states;
    if (status == PZ_OK) {
        bool reached = found.complete || found.reason == STOP_DEPTH || found.reason == STOP_LEVELS;
        outcome->state = reached ? JOB_DONE : JOB_STOPPED;
        note_explored(runner, &found, kept->has_table, &kept->edges);
    } else {
        outcome->answer.facts.states = outcome->states;
        outcome->answer.facts.levels = kept->levels;
        set_failure(outcome, status);
    }
    runner_checkpoint_free(checkpoint);
    runner_sink_free(sink);
}

static void solve_for(struct runner *runner)
{
    const struct runner_options *options = &runner->options;
    struct runner_checkpoint *checkpoint = checkpoint_new(runner, NULL);
    runner_solve(options, &runner->control, runner_checkpoint_calls(checkpoint), &runner->outcome);
    runner_checkpoint_free(checkpoint);
}

static void *runner_main(void *context)
{
    struct runner *runner = context;
    priority_lower();
    /* the store knows that the job runs before a fault of it can end the daemon */
    (void)store_flush(runner->options.store, NULL);
    if (runner->options.task->kind == JOB_SOLVE)
        solve_for(runner);
    else if (runner->options.task->kind == JOB_PDB)
        build_patterns(runner);
    else if (!end_stored(runner))
        runner_explore(runner);
    bool has_outcome = !runner->outcome.answer.rest.failed || runner->outcome.state == JOB_CANCELLED;
    if (!has_outcome && runner->outcome.state != JOB_FAILED) {
        /* Without its result the job has failed; a table that it stored still answers. */
        runner->outcome.state = JOB_FAILED;
        (void)pz_fail(&runner->outcome.answer.error, PZ_MEMORY, "no memory for the result");
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
static void report_job(void *context, const struct progress *progress)
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
    runner->control.report = report_job;
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

bool runner_has_saved(const struct runner *runner)
{
    return atomic_load_explicit(&runner->saved, memory_order_relaxed);
}

struct runner_outcome *runner_outcome(struct runner *runner)
{
    return &runner->outcome;
}

void runner_free(struct runner *runner)
{
    if (runner == NULL)
        return;
    (void)pthread_join(runner->thread, NULL);
    (void)pthread_mutex_destroy(&runner->lock);
    text_free(&runner->outcome.answer.rest);
    free(runner);
}
