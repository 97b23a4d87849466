/* SPDX-License-Identifier: MIT */
/* Finds the job, if any, that answers an incoming question. */
#include "daemon/cluster/cluster_command.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/schedule/scheduler_internal.h"

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

/* Returns true if the task has wider limits than those that stopped the job. */
static bool limits_are_wider(const struct job *job, const struct task *task)
{
    const struct job_facts *facts = &job->record.facts;
    bool more_time = facts->time_limit > 0 && (task->time <= 0 || task->time > facts->time_limit);
    if (task->plan.request.cluster)
        return more_time || cluster_may_get_further(task, &job->record);
    return more_time || task->plan.memory > facts->memory_limit || may_use_disk(job, task);
}

/* Returns true if an ended exploration's table is gone: evicted, or forgotten with another job that had a
 * better one. A job that ended after the task was made has its table: the task did not see it yet. */
static bool has_lost_table(const struct job *job, const struct task *task)
{
    if (task->kind != JOB_EXPLORE || task->plan.request.keep != KEEP_TABLE ||
        !job_state_ended(job->record.state) || job->ended >= task->made)
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

struct job *scheduler_find_same(const struct scheduler *scheduler, const struct task *task)
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

struct job *scheduler_find_stopped(const struct scheduler *scheduler, const struct task *task)
{
    struct job *job = jobs_find_question(scheduler->jobs, task->question);
    if (job == NULL || task->plan.request.cluster || !job_may_go_on(job) || job->phase != PHASE_ENDED)
        return NULL;
    return job;
}
