/* SPDX-License-Identifier: MIT */
#include "daemon/schedule/measured.h"

#define STATES_LEAST 100000000u

void measured_find(const struct jobs *jobs, struct measured *out)
{
    uint64_t largest[PLANES_COUNT] = {0};
    *out = (struct measured){0};
    for (const struct job *job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id)) {
        const struct job_facts *facts = &job->record.facts;
        if (job->record.kind != JOB_EXPLORE || job->record.state != JOB_DONE || facts->reason != STOP_NONE ||
            facts->elsewhere || facts->planes == PLANES_AUTO || facts->states < STATES_LEAST ||
            facts->states < largest[facts->planes])
            continue;
        largest[facts->planes] = facts->states;
        out->seconds[facts->planes] = facts->seconds / (double)facts->states;
    }
}
