/* SPDX-License-Identifier: MIT */
/* Incoming questions: one joins a job that answers it, lets a stopped job go on, or becomes a new job. */
#include "answer/board_grade.h"
#include "base/clock.h"
#include "daemon/cluster/cluster_command.h"
#include "daemon/jobs/waiters.h"
#include "daemon/run/runner.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the job, if any, that answers an incoming question ---- */

/* Returns true if a search that memory stops with so many states gets further in scratch space. */
static bool goes_to_disk(const struct question_plan *plan, uint64_t states)
{
    return plan->request.planes == PLANES_DISK ||
           (explore_moves_to_disk(&plan->estimate, plan->memory) &&
            explore_disk_helps(&plan->estimate, plan->memory, plan->room, states));
}

/* Returns true if memory stopped the job, it used no scratch space, and the task may use some. */
static bool may_use_disk(const struct job *job, const struct task *task)
{
    const struct job_facts *facts = &job->record.facts;
    return task->kind == JOB_EXPLORE && task->plan.request.engine == ENGINE_STRIPED &&
           facts->reason == STOP_MEMORY && facts->planes == PLANES_AUTO &&
           goes_to_disk(&task->plan, facts->states);
}

/* Returns true if the task has wider limits than those that stopped the job, or cut its grade. */
static bool limits_are_wider(const struct job *job, const struct task *task)
{
    const struct job_facts *facts = &job->record.facts;
    const double without = job->record.state == JOB_STOPPED ? INFINITY : GRADE_SECONDS;
    bool more_time = facts->time_limit > 0 && (task->time > 0 ? task->time : without) > facts->time_limit;
    if (task->plan.request.cluster)
        return more_time || cluster_may_get_further(task, &job->record);
    return more_time || task->plan.memory > facts->memory_limit || may_use_disk(job, task);
}

/* Returns true if an ended job is no answer any more: an exploration's table is gone (evicted, or forgotten
 * with a job that had a better one), or databases may be gone, or stronger with more memory. A job that ended
 * after the task was made has its table: the task did not see it yet. */
static bool is_outdated(const struct job *job, const struct task *task)
{
    if (!job_state_ended(job->record.state) || job->ended >= task->made)
        return false;
    if (task->kind != JOB_EXPLORE || task->plan.request.keep != KEEP_TABLE)
        return task->kind == JOB_PDB;
    return task->covered < (int64_t)job->record.facts.table_levels - 1;
}

/* Returns true if a job that has not ended may stop at a limit that the task does not have. */
static bool has_narrower_limits(const struct job *job, const struct task *task)
{
    const struct task *other = job->task;
    if (other == NULL)
        return false;
    const struct question_plan *plan = &other->plan;
    bool enough = plan->memory >= task->plan.memory || (plan->need > 0 && plan->need <= plan->memory);
    bool more_time = other->time > 0 && (task->time <= 0 || task->time > other->time);
    return more_time || !enough || cluster_has_smaller_ranks(other, task);
}

/* Returns the job that answers the same question, now or when it ends; NULL if a new one must. */
static struct job *scheduler_find_same(const struct scheduler *scheduler, const struct task *task)
{
    struct job *job = jobs_find_question(scheduler->jobs, task->question);
    if (job == NULL || is_outdated(job, task) || has_narrower_limits(job, task))
        return NULL;
    if (job->phase == PHASE_RESTARTING)
        return job;
    /* One that is cancelled ends in a moment, without the answer. */
    const bool is_cut = job->record.state == JOB_STOPPED || job->record.facts.memory_limit > 0;
    return job->phase == PHASE_CANCELLING || (is_cut && limits_are_wider(job, task)) ? NULL : job;
}

/* Returns the stopped exploration that can go on with the task; NULL if there is none. */
static struct job *scheduler_find_stopped(const struct scheduler *scheduler, const struct task *task)
{
    struct job *job = jobs_find_question(scheduler->jobs, task->question);
    const bool goes_on = job != NULL && !task->plan.request.cluster && job_may_go_on(job);
    return goes_on && job->phase == PHASE_ENDED ? job : NULL;
}

/* ---- what becomes of the question ---- */

/* Answers with an error, and frees the task. */
static void scheduler_refuse(struct task *task, struct pending_reply *pending, const struct pz_error *error)
{
    task_free(task);
    pending_reply_fail(pending, error);
}

/* Answers with an earlier job of the same question. Takes the task over. */
static void scheduler_join(struct scheduler *scheduler, struct job *job, struct task *task,
                           struct pending_reply *pending)
{
    metrics_add(&scheduler->options.metrics->cache_hits, 1);
    scheduler_hurry(scheduler, job, task->priority, pending->client);
    job->for_lookup = job->for_lookup && pending->intercept != NULL;
    bool *of_tool = job->phase == PHASE_RESTARTING ? &job->task->of_tool : &job->record.of_tool;
    if (*of_tool && !task->of_tool) { /* a person asks it now */
        *of_tool = false;
        scheduler_write_behind(scheduler, job);
    }
    task_free(task);
    waiters_add(scheduler->options.base, job, pending, WAITER_JOINED, -1);
}

bool scheduler_record_is_whole(const struct job_record *record)
{
    return record->puzzle != NULL && record->request != NULL && record->question != NULL &&
           record->table != NULL && record->result != NULL && record->submitter != NULL;
}

/* Fills the record of a new job. answer is NULL for a job that has to run. */
static enum pz_status make_record(const struct task *task, const struct job_answer *answer,
                                  const struct client *client, struct job_record *record,
                                  struct pz_error *error)
{
    const uint64_t now = clock_wall_ms();
    const bool done = answer != NULL;
    *record = (struct job_record){.kind = task->kind,
                                  .state = done ? JOB_DONE : JOB_QUEUED,
                                  .priority = task->priority,
                                  .submitted_ms = now,
                                  .started_ms = done ? now : 0,
                                  .finished_ms = done ? now : 0,
                                  .puzzle = strdup(task->puzzle),
                                  .request = strdup(task->request),
                                  .question = strdup(task->question),
                                  .table = strdup(task->table),
                                  .result = strdup(done ? text_string(&answer->rest) : ""),
                                  .submitter = strdup(client->name),
                                  .from = task->plan.request.from,
                                  .of_tool = task->of_tool,
                                  .cluster = task->plan.request.cluster,
                                  .rank_memory = task->plan.request.cluster ? task->memory : 0};
    if (done)
        record->facts = answer->facts;
    if (scheduler_record_is_whole(record))
        return PZ_OK;
    return pz_fail(error, PZ_MEMORY, "no memory for a job");
}

/* The job is durable, or could not be stored. No client knows its number yet, so it has not changed. */
static void deliver_stored(struct loop_message *message)
{
    struct commit_ack *commit = (struct commit_ack *)message;
    struct scheduler *scheduler = commit->scheduler;
    struct job *job = jobs_find(scheduler->jobs, commit->job);
    if (job != NULL && commit->error.code != PZ_OK) {
        waiters_fail(job, &commit->error);
        scheduler_disown(job);
        jobs_remove(scheduler->jobs, job);
    } else if (job != NULL) {
        assert(job->phase == PHASE_ADDING);
        const bool waits = job->record.state == JOB_QUEUED;
        job_move(scheduler->jobs, job, waits ? PHASE_WAITING : PHASE_ENDED, job->record.state);
        if (job->rewrite)
            scheduler_write_behind(scheduler, job);
        waiters_stored(job);
        if (waits)
            scheduler_enqueue(scheduler, job);
        scheduler_prune(scheduler);
    }
    free(commit);
}

/* Gives the record its number and hands it to the store. With at_once no message comes after the commit. */
static enum pz_status store_record(struct scheduler *scheduler, struct job_record *record, bool at_once,
                                   struct pz_error *error)
{
    if (at_once)
        return store_job_add_async(scheduler->options.store, record, NULL, error);
    struct commit_ack *commit = commit_ack_new(scheduler, 0, NULL, deliver_stored);
    const struct store_ack ack = {commit_ack_done, commit};
    if (commit == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    enum pz_status status = store_job_add_async(scheduler->options.store, record, &ack, error);
    if (status == PZ_OK)
        commit->job = record->id; /* in time: this thread delivers the message, later */
    else
        free(commit);
    return status;
}

/* Adds a job to be run, or, with an answer, one that is done already. Takes the task over. The reply is sent
 * when the job is durable; with an answer at once, if the job's number is durably reserved. */
static void scheduler_add_job(struct scheduler *scheduler, struct task *task, const struct job_answer *answer,
                              struct pending_reply *pending)
{
    struct job_record record = {0};
    struct pz_error error;
    struct client *client = pending->client;
    const bool at_once = answer != NULL && store_number_is_reserved(scheduler->options.store);
    enum pz_status status = answer == NULL ? scheduler_may_queue(scheduler, task, client, &error) : PZ_OK;
    if (status == PZ_OK)
        status = make_record(task, answer, client, &record, &error);
    if (status == PZ_OK)
        status = store_record(scheduler, &record, at_once, &error);
    struct job *job = status == PZ_OK ? jobs_add(scheduler->jobs, &record, at_once) : NULL;
    if (job == NULL) {
        if (status == PZ_OK) /* the next start will find the stored job */
            (void)pz_fail(&error, PZ_MEMORY, "no memory for a job");
        job_record_clear(&record);
        scheduler_refuse(task, pending, &error);
        return;
    }
    job->scheduler = scheduler;
    job->for_lookup = pending->intercept != NULL;
    if (answer == NULL) {
        job->task = task;
        scheduler_own(job, client);
    } else {
        task_free(task);
        job->ended = clock_seconds();
    }
    waiters_add(scheduler->options.base, job, pending, WAITER_SUBMITTED, -1);
    if (at_once)
        scheduler_prune(scheduler);
}

/* ---- stopped jobs go on when their question is asked again ---- */

struct restart {
    struct commit_ack commit;
    struct job_record record; /* of the queued job, which is its latest submitter's */
};

/* The queued job is durable; or it could not be stored, and is stopped as before. Nobody could forget the
 * job meanwhile. */
static void deliver_restart(struct loop_message *message)
{
    struct restart *restart = (struct restart *)message;
    struct scheduler *scheduler = restart->commit.scheduler;
    struct job *job = jobs_find(scheduler->jobs, restart->commit.job);
    assert(job != NULL && job->phase == PHASE_RESTARTING && job->task != NULL);
    if (restart->commit.error.code != PZ_OK) {
        scheduler_disown(job);
        job_move(scheduler->jobs, job, PHASE_ENDED, JOB_STOPPED);
        task_free(job->task);
        job->task = NULL;
        job_record_clear(&restart->record);
        job->rewrite = job->cancelled = false;
        waiters_refuse(job, &restart->commit.error);
        waiters_ended(job); /* others hear that it is stopped */
    } else {
        job_move(scheduler->jobs, job, PHASE_WAITING, JOB_QUEUED);
        job_record_clear(&job->record);
        job->record = restart->record;
        job->record.priority = job->task->priority; /* clients that joined may have changed both */
        job->record.of_tool = job->task->of_tool;
        job->progress = (struct progress){0};
        if (job->rewrite)
            scheduler_write_behind(scheduler, job);
        waiters_stored(job);
        scheduler_enqueue(scheduler, job);
        if (job->cancelled)
            scheduler_end(scheduler, job);
        job->cancelled = false;
    }
    free(restart);
}

/* Hands the record of the job as it goes on to the store. The job is stopped until that is durable. */
static enum pz_status store_restart(struct scheduler *scheduler, const struct job *job,
                                    const struct task *task, const struct client *client,
                                    struct pz_error *error)
{
    struct restart *restart = calloc(1, sizeof *restart);
    const struct store_ack ack = {commit_ack_done, restart};
    if (restart == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    restart->commit = (struct commit_ack){
        .message.deliver = deliver_restart, .scheduler = scheduler, .job = job->record.id};
    struct job_record *record = &restart->record;
    enum pz_status status = make_record(task, NULL, client, record, error);
    record->id = job->record.id;
    record->submitted_ms = job->record.submitted_ms;
    if (status == PZ_OK)
        status = store_job_put_async(scheduler->options.store, record, &ack, error);
    if (status != PZ_OK) {
        job_record_clear(record);
        free(restart);
    }
    return status;
}

/* Lets a stopped job go on, with the limits of the new task, which it takes over. Refuses a time limit: when
 * it ends the search, nothing is left to go on from. What lookups explore has one. */
static void scheduler_go_on(struct scheduler *scheduler, struct job *job, struct task *task,
                            struct pending_reply *pending)
{
    struct pz_error error;
    enum pz_status status = PZ_OK;
    if (task->time > 0)
        status = pz_fail(&error, PZ_BAD_REQUEST,
                         "time=: job %" PRIu64
                         " goes on from its scratch space, without a time limit; FORGET it first",
                         job->record.id);
    if (status == PZ_OK)
        status = scheduler_may_queue(scheduler, task, pending->client, &error);
    if (status == PZ_OK)
        status = store_restart(scheduler, job, task, pending->client, &error);
    if (status != PZ_OK) {
        scheduler_refuse(task, pending, &error);
        return;
    }
    job_move(scheduler->jobs, job, PHASE_RESTARTING, JOB_STOPPED);
    job->task = task;
    job->for_lookup = job->for_lookup && pending->intercept != NULL;
    scheduler_own(job, pending->client);
    waiters_add(scheduler->options.base, job, pending, WAITER_SUBMITTED, -1);
}

/* ---- tiny searches, which are solved before they become jobs ---- */

/* Seconds that a tiny search gets at most while other clients' wait. */
static const double crowded_seconds = 0.025;

struct attempt {
    struct work_item item;
    struct scheduler *scheduler;
    struct task *task;
    struct pending_reply *pending;
    double seconds; /* the time that it gets before it becomes an ordinary job */
    unsigned threads;
    uint64_t memory;
    struct budget *budget; /* its client's, who is held by the pending reply */
    struct runner_outcome outcome;
};

static void attempt_work(struct work_item *item, void *worker)
{
    struct attempt *attempt = (struct attempt *)item;
    struct scheduler *scheduler = attempt->scheduler;
    const bool crowded = thread_pool_others_wait(scheduler->options.tiny_solves, item->entry.owner);
    double seconds = crowded ? fmin(attempt->seconds, crowded_seconds) : attempt->seconds;
    const bool hurried = attempt->task->time > 0 && attempt->task->time < seconds;
    seconds = hurried ? attempt->task->time : seconds;
    if (pending_reply_is_abandoned(attempt->pending) ||
        atomic_load_explicit(&scheduler->no_attempts, memory_order_relaxed))
        return;
    struct control control = {.deadline = clock_seconds() + seconds};
    if (!hurried && attempt->threads == 1) /* processor time counts: the machine may be busy */
        control.busy_until = clock_thread_seconds() + seconds;
    const struct runner_options options = {
        .task = attempt->task,
        .patterns = scheduler->patterns,
        .in_memory_only = true,
        .parent = attempt->budget,
        .memory = attempt->memory,
        .threads = attempt->threads,
    };
    (void)worker;
    runner_solve(&options, &control, NULL, &attempt->outcome);
}

static void attempt_deliver(struct loop_message *message)
{
    struct attempt *attempt = (struct attempt *)message;
    struct scheduler *scheduler = attempt->scheduler;
    struct job *same = scheduler_find_same(scheduler, attempt->task);
    const struct job_answer *answer = &attempt->outcome.answer;
    const bool done = attempt->outcome.state == JOB_DONE && !answer->rest.failed;
    assert(scheduler->attempts > 0);
    scheduler->attempts--;
    if (scheduler->stopping) {
        scheduler_refuse(attempt->task, attempt->pending, &scheduler_stops);
    } else if (same != NULL) { /* another client asked the same in the meantime */
        scheduler_join(scheduler, same, attempt->task, attempt->pending);
    } else if (done) {
        metrics_add(&scheduler->options.metrics->jobs_begun, 1);
        metrics_add(&scheduler->options.metrics->states_explored, attempt->outcome.states);
        scheduler_add_job(scheduler, attempt->task, answer, attempt->pending);
    } else if (pending_reply_is_abandoned(attempt->pending)) {
        task_free(attempt->task);
        pending_reply_drop(attempt->pending);
    } else {
        scheduler_add_job(scheduler, attempt->task, NULL, attempt->pending);
    }
    text_free(&attempt->outcome.answer.rest);
    free(attempt);
    if (scheduler->stopping)
        scheduler_say_idle(scheduler);
}

/* Tries a search that may be small, and takes the task over. Returns false if it may not be, or without
 * memory. */
static bool scheduler_try_at_once(struct scheduler *scheduler, struct task *task,
                                  struct pending_reply *pending)
{
    const double seconds = task_tiny_seconds(task);
    struct attempt *attempt = seconds > 0 ? calloc(1, sizeof *attempt) : NULL;
    if (attempt == NULL)
        return false;
    *attempt = (struct attempt){.item = {.message.deliver = attempt_deliver, .work = attempt_work},
                                .scheduler = scheduler,
                                .task = task,
                                .pending = pending,
                                .seconds = seconds,
                                .threads = task->any_threads ? 1 : task->plan.request.threads,
                                .memory = task->plan.memory,
                                .budget = scheduler_budget(scheduler, JOB_SOLVE, pending->client)};
    scheduler->attempts++;
    thread_pool_submit(scheduler->options.tiny_solves, &attempt->item, pending->client);
    return true;
}

/* ---- the choice ---- */

void scheduler_submit(struct scheduler *scheduler, struct task *task, const struct job_answer *known,
                      struct pending_reply *pending)
{
    if (scheduler->stopping) {
        scheduler_refuse(task, pending, &scheduler_stops);
        return;
    }
    struct job *stopped = scheduler_find_stopped(scheduler, task);
    struct job *same = scheduler_find_same(scheduler, task);
    /* A job that stopped, or waits as lookups need not, is no answer to a lookup, which tries again; nor is
     * one that is not done where a table has the answer by now. */
    const enum job_state state = same != NULL ? same->record.state : JOB_DONE;
    const bool fails_lookup = state == JOB_STOPPED || (state == JOB_QUEUED && !same->for_lookup);
    if ((pending->intercept != NULL && fails_lookup) || (known != NULL && state != JOB_DONE))
        same = NULL;
    if (stopped != NULL)
        scheduler_go_on(scheduler, stopped, task, pending);
    else if (same != NULL)
        scheduler_join(scheduler, same, task, pending);
    else if (known != NULL || !scheduler_try_at_once(scheduler, task, pending))
        scheduler_add_job(scheduler, task, known, pending);
}
