/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner_limits.h"

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
