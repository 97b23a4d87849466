/* SPDX-License-Identifier: MIT */
/* Tiny searches, which are solved before they become jobs. */
#include "base/clock.h"
#include "daemon/run/runner.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

#include <stdlib.h>

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
    double seconds = attempt->seconds;
    if (crowded && seconds > crowded_seconds)
        seconds = crowded_seconds;
    const bool hurried = attempt->task->time > 0 && attempt->task->time < seconds;
    if (hurried)
        seconds = attempt->task->time;
    if (pending_reply_is_abandoned(attempt->pending))
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
    if (same != NULL) { /* another client asked the same in the meantime */
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
}

bool scheduler_try_at_once(struct scheduler *scheduler, struct task *task, struct pending_reply *pending)
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
    thread_pool_submit(scheduler->options.tiny_solves, &attempt->item, pending->client);
    return true;
}
