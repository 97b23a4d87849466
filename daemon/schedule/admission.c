/* SPDX-License-Identifier: MIT */
/* How jobs come in: submissions, stopped jobs that go on, and tiny searches that are solved before they
 * become jobs. */
#include "base/clock.h"
#include "daemon/cluster/cluster_command.h"
#include "daemon/jobs/waiters.h"
#include "daemon/run/runner.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Seconds that a tiny search gets at most while other clients' wait. */
static const double crowded_seconds = 0.025;

static void refuse(struct task *task, struct pending_reply *pending, const struct pz_error *error)
{
    task_free(task);
    pending_reply_fail(pending, error);
}

/* ---- the same question ---- */

/* Returns true if the task has wider limits than those that stopped the job. */
static bool limits_are_wider(const struct job *job, const struct task *task)
{
    const struct job_facts *facts = &job->record.facts;
    bool more_time = facts->time_limit > 0 && (task->time <= 0 || task->time > facts->time_limit);
    if (task->cluster)
        return more_time || cluster_may_get_further(task, job->record.request, facts->memory_limit);
    return more_time || task->plan.memory > facts->memory_limit;
}

/* Returns true if an ended exploration's table is gone: evicted, or forgotten with another job that had a
 * better one. A job that ended after the task was made has its table: the task did not see it yet. */
static bool has_lost_table(const struct job *job, const struct task *task)
{
    if (task->kind != JOB_EXPLORE || task->keep != KEEP_TABLE || !job_state_ended(job->record.state) ||
        job->ended >= task->made)
        return false;
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

static struct job *find_same(const struct scheduler *scheduler, const struct task *task)
{
    struct job *job = jobs_find_question(scheduler->jobs, task->question);
    if (job == NULL || has_lost_table(job, task) || has_narrower_limits(job, task))
        return NULL;
    if (job->phase == PHASE_RESTARTING)
        return job;
    if (job->phase == PHASE_CANCELLING) /* it ends in a moment, without the answer */
        return NULL;
    if (job->record.state == JOB_STOPPED && limits_are_wider(job, task))
        return NULL;
    return job;
}

/* Returns the stopped exploration that the task lets go on; NULL if there is none. */
static struct job *find_stopped(const struct scheduler *scheduler, const struct task *task)
{
    struct job *job = jobs_find_question(scheduler->jobs, task->question);
    if (job == NULL || task->cluster || !job_may_go_on(job) || job->phase != PHASE_ENDED)
        return NULL;
    return job;
}

/* Answers with an earlier job of the same question. Takes the task over. */
static void join(struct scheduler *scheduler, struct job *job, struct task *task,
                 struct pending_reply *pending)
{
    metrics_add(&scheduler->options.metrics->cache_hits, 1);
    scheduler_raise(scheduler, job, task->priority);
    task_free(task);
    waiters_add(scheduler->options.base, job, pending, WAITER_JOINED, -1);
}

/* ---- new jobs ---- */

bool scheduler_record_is_whole(const struct job_record *record)
{
    return record->puzzle != NULL && record->request != NULL && record->question != NULL &&
           record->result != NULL && record->submitter != NULL;
}

/* Fills the record of a new job. result is NULL for a job that has to run. */
static enum pz_status make_record(const struct task *task, const char *result, const struct client *client,
                                  struct job_record *record, struct pz_error *error)
{
    const uint64_t now = clock_wall_ms();
    *record = (struct job_record){.kind = task->kind,
                                  .state = result != NULL ? JOB_DONE : JOB_QUEUED,
                                  .priority = task->priority,
                                  .submitted_ms = now,
                                  .started_ms = result != NULL ? now : 0,
                                  .finished_ms = result != NULL ? now : 0,
                                  .puzzle = strdup(task->puzzle),
                                  .request = strdup(task->request),
                                  .question = strdup(task->question),
                                  .result = strdup(result != NULL ? result : ""),
                                  .submitter = strdup(client->name)};
    if (scheduler_record_is_whole(record))
        return PZ_OK;
    return pz_fail(error, PZ_MEMORY, "no memory for a job");
}

/* The job is durable, or could not be stored. Its number was told to nobody yet, so it is still as added. */
static void deliver_stored(struct loop_message *message)
{
    struct commit_ack *commit = (struct commit_ack *)message;
    struct scheduler *scheduler = commit->scheduler;
    struct job *job = jobs_find(scheduler->jobs, commit->job);
    if (job != NULL && commit->error.code != PZ_OK) {
        waiters_fail(job, &commit->error);
        scheduler_remove(scheduler, job);
    } else if (job != NULL) {
        const bool waits = job->record.state == JOB_QUEUED;
        job_move(scheduler->jobs, job, waits ? PHASE_WAITING : PHASE_ENDED, job->record.state);
        waiters_stored(job);
        if (waits)
            scheduler_enqueue(scheduler, job);
        scheduler_prune(scheduler);
    }
    free(commit);
}

/* Gives the record its number and hands it to the store. With at_once no message follows the commit. */
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

/*
 * Adds a job to be run, or, with a result, one that is done already. The reply leaves when the job is
 * durable. With a result it leaves at once, if no crash can give the job's number to another.
 */
static void add_job(struct scheduler *scheduler, struct task *task, const char *result,
                    struct pending_reply *pending)
{
    struct job_record record = {0};
    struct pz_error error;
    struct client *client = pending->client;
    const bool at_once = result != NULL && store_number_is_reserved(scheduler->options.store);
    enum pz_status status = result == NULL ? scheduler_may_queue(scheduler, task, client, &error) : PZ_OK;
    if (status == PZ_OK)
        status = make_record(task, result, client, &record, &error);
    if (status == PZ_OK)
        status = store_record(scheduler, &record, at_once, &error);
    struct job *job = status == PZ_OK ? jobs_add(scheduler->jobs, &record, at_once) : NULL;
    if (job == NULL) {
        if (status == PZ_OK) /* a stored job is found by the next start */
            (void)pz_fail(&error, PZ_MEMORY, "no memory for a job");
        job_record_clear(&record);
        refuse(task, pending, &error);
        return;
    }
    job->scheduler = scheduler;
    if (result == NULL) {
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

/* ---- stopped jobs that go on ---- */

struct restart {
    struct commit_ack commit;
    struct job_record record; /* of the queued job; the request is its own, the other texts are the job's */
};

/* The queued job is durable, or could not be stored: then it is stopped as before. Nobody could forget the
 * job meanwhile. */
static void deliver_restart(struct loop_message *message)
{
    struct restart *restart = (struct restart *)message;
    struct scheduler *scheduler = restart->commit.scheduler;
    struct job *job = jobs_find(scheduler->jobs, restart->commit.job);
    if (restart->commit.error.code != PZ_OK) {
        scheduler_disown(job);
        job_move(scheduler->jobs, job, PHASE_ENDED, JOB_STOPPED);
        task_free(job->task);
        job->task = NULL;
        free(restart->record.request);
        waiters_fail(job, &restart->commit.error);
    } else {
        free(job->record.request);
        free(job->record.result);
        job_move(scheduler->jobs, job, PHASE_WAITING, JOB_QUEUED);
        job->record = restart->record;
        job->record.priority = job->task->priority; /* who joined may have raised it */
        job->progress = (struct progress){0};
        waiters_stored(job);
        scheduler_enqueue(scheduler, job);
    }
    free(restart);
}

/* Hands the record of the job as it goes on to the store. The job is stopped until that is durable. */
static enum pz_status store_restart(struct scheduler *scheduler, const struct job *job,
                                    const struct task *task, struct pz_error *error)
{
    struct restart *restart = malloc(sizeof *restart);
    char *request = strdup(task->request);
    const struct store_ack ack = {commit_ack_done, restart};
    if (restart == NULL || request == NULL) {
        free(restart);
        free(request);
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    }
    *restart = (struct restart){
        .commit = {.message.deliver = deliver_restart, .scheduler = scheduler, .job = job->record.id},
        .record = job->record};
    struct job_record *record = &restart->record;
    record->state = JOB_QUEUED;
    record->request = request;
    record->result = NULL;
    record->priority = task->priority;
    record->started_ms = record->finished_ms = 0;
    record->facts = (struct job_facts){0};
    enum pz_status status = store_job_put_async(scheduler->options.store, record, &ack, error);
    if (status != PZ_OK) {
        free(restart);
        free(request);
    }
    return status;
}

/* Lets a stopped job go on, with the limits of the new task. Takes the task over. */
static void go_on(struct scheduler *scheduler, struct job *job, struct task *task,
                  struct pending_reply *pending)
{
    struct pz_error error;
    enum pz_status status = scheduler_may_queue(scheduler, task, pending->client, &error);
    if (status == PZ_OK)
        status = store_restart(scheduler, job, task, &error);
    if (status != PZ_OK) {
        refuse(task, pending, &error);
        return;
    }
    job_move(scheduler->jobs, job, PHASE_RESTARTING, JOB_STOPPED);
    job->task = task;
    scheduler_own(job, pending->client);
    waiters_add(scheduler->options.base, job, pending, WAITER_SUBMITTED, -1);
}

/* ---- tiny searches ---- */

struct attempt {
    struct work_item item;
    struct scheduler *scheduler;
    struct task *task;
    struct pending_reply *pending;
    double seconds; /* it gets before it becomes an ordinary job */
    unsigned threads;
    uint64_t memory;
    struct budget *budget; /* its client's, who is held by the pending reply */
    struct runner_outcome outcome;
    struct text result;
};

static void attempt_work(struct work_item *item, void *member)
{
    struct attempt *attempt = (struct attempt *)item;
    struct scheduler *scheduler = attempt->scheduler;
    const bool crowded = thread_pool_others_wait(scheduler->options.tiny_solves, item->entry.owner);
    double seconds = attempt->seconds;
    if (crowded && seconds > crowded_seconds)
        seconds = crowded_seconds;
    const bool hurried = attempt->task->time > 0 && attempt->task->time < seconds;
    if (hurried)
        seconds = attempt->task->time;
    if (pending_reply_is_abandoned(attempt->pending))
        return;
    struct control control = {.deadline = clock_seconds() + seconds};
    if (!hurried && attempt->threads == 1) /* a busy machine cuts off no search that needs less */
        control.busy_until = clock_thread_seconds() + seconds;
    const struct runner_options options = {
        .task = attempt->task,
        .patterns = scheduler->patterns,
        .at_hand = true,
        .parent = attempt->budget,
        .memory = attempt->memory,
        .threads = attempt->threads,
    };
    (void)member;
    runner_solve(&options, &control, NULL, &attempt->outcome, &attempt->result);
}

static void attempt_deliver(struct loop_message *message)
{
    struct attempt *attempt = (struct attempt *)message;
    struct scheduler *scheduler = attempt->scheduler;
    struct job *same = find_same(scheduler, attempt->task);
    bool whole = attempt->result.data != NULL && !attempt->result.failed;
    if (same != NULL) { /* somebody else was faster */
        join(scheduler, same, attempt->task, attempt->pending);
    } else if (attempt->outcome.state == JOB_DONE && whole) {
        metrics_add(&scheduler->options.metrics->jobs_begun, 1);
        metrics_add(&scheduler->options.metrics->states_explored, attempt->outcome.states);
        add_job(scheduler, attempt->task, attempt->result.data, attempt->pending);
    } else if (pending_reply_is_abandoned(attempt->pending)) {
        task_free(attempt->task);
        pending_reply_drop(attempt->pending);
    } else {
        add_job(scheduler, attempt->task, NULL, attempt->pending);
    }
    text_free(&attempt->result);
    free(attempt);
}

static bool try_at_once(struct scheduler *scheduler, struct task *task, struct pending_reply *pending)
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
                                .threads = task->threads > 0 ? task->plan.request.threads : 1,
                                .memory = task->plan.memory,
                                .budget = scheduler_budget(scheduler, JOB_SOLVE, pending->client)};
    thread_pool_submit(scheduler->options.tiny_solves, &attempt->item, pending->client);
    return true;
}

void scheduler_submit(struct scheduler *scheduler, struct task *task, const struct text *known,
                      struct pending_reply *pending)
{
    if (scheduler->stopping) {
        const struct pz_error error = {.code = PZ_SHUTTING_DOWN, .text = "the daemon is stopping"};
        refuse(task, pending, &error);
        return;
    }
    struct job *stopped = find_stopped(scheduler, task);
    struct job *same = find_same(scheduler, task);
    if (stopped != NULL) {
        go_on(scheduler, stopped, task, pending);
    } else if (same != NULL) {
        join(scheduler, same, task, pending);
    } else if (known->length > 0) {
        add_job(scheduler, task, known->data, pending);
    } else if (!try_at_once(scheduler, task, pending)) {
        add_job(scheduler, task, NULL, pending);
    }
}
