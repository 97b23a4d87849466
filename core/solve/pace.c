/* SPDX-License-Identifier: MIT */
#include "solve/pace.h"

#include "base/clock.h"

#include <string.h>

static const double report_interval = 0.1; /* seconds */

void pace_init(struct pace *pace, struct control *control, const struct budget *budget, const char *phase)
{
    memset(pace, 0, sizeof *pace);
    pace->control = control;
    pace->budget = budget;
    pace->progress.phase = phase;
    pace->begun = clock_seconds();
    pace->reported = pace->begun;
}

static void report(struct pace *pace, double now)
{
    struct progress *progress = &pace->progress;
    double passed = now - pace->reported;
    /* The count begins again with every phase; then there is no rate to tell. */
    if (passed > 0 && progress->states >= pace->reported_states)
        progress->rate = (double)(progress->states - pace->reported_states) / passed;
    progress->seconds = now - pace->begun;
    if (pace->budget != NULL)
        progress->bytes = atomic_load_explicit(&pace->budget->used, memory_order_relaxed);
    pace->reported = now;
    pace->reported_states = progress->states;
    if (pace->control->report != NULL)
        pace->control->report(pace->control->context, progress);
}

enum pz_status pace_poll(struct pace *pace)
{
    if (pace->control == NULL)
        return PZ_OK;
    if (control_stopped(pace->control))
        return PZ_CANCELLED;
    double now = clock_seconds();
    if (pace->control->deadline > 0 && now >= pace->control->deadline)
        return PZ_LIMIT;
    if (now - pace->reported >= report_interval)
        report(pace, now);
    return PZ_OK;
}

void pace_report(struct pace *pace)
{
    if (pace->control != NULL)
        report(pace, clock_seconds());
}
