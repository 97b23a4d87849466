/* SPDX-License-Identifier: MIT */
/* Handles an incoming question: it joins a job that answers it, lets a stopped job go on, or becomes a new
 * job. */
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

void scheduler_submit(struct scheduler *scheduler, struct task *task, const struct job_answer *known,
                      struct pending_reply *pending)
{
    if (scheduler->stopping) {
        const struct pz_error error = {.code = PZ_SHUTTING_DOWN, .text = "the daemon is stopping"};
        scheduler_refuse(task, pending, &error);
        return;
    }
    struct job *stopped = scheduler_find_stopped(scheduler, task);
    struct job *same = scheduler_find_same(scheduler, task);
    /* A job that stopped is no answer to a lookup, which tries again. */
    if (same != NULL && pending->intercept != NULL && same->record.state == JOB_STOPPED)
        same = NULL;
    if (stopped != NULL) {
        scheduler_go_on(scheduler, stopped, task, pending);
    } else if (same != NULL) {
        scheduler_join(scheduler, same, task, pending);
    } else if (known != NULL || !scheduler_try_at_once(scheduler, task, pending)) {
        scheduler_add_job(scheduler, task, known, pending);
    }
}
