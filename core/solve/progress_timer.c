/* SPDX-License-Identifier: MIT */
#include "solve/progress_timer.h"

#include "base/clock.h"

#include <string.h>

static const double report_interval = 0.1; /* seconds */

void progress_timer_init(struct progress_timer *timer, struct control *control, const struct budget *budget,
                         const char *phase)
{
    memset(timer, 0, sizeof *timer);
    timer->control = control;
    timer->budget = budget;
    timer->progress.phase = phase;
    timer->begun = clock_seconds();
    timer->reported = timer->begun;
}

static void report(struct progress_timer *timer, double now)
{
    struct progress *progress = &timer->progress;
    double passed = now - timer->reported;
    /* The count begins anew with each phase; then no rate is known. */
    if (passed > 0 && progress->states >= timer->reported_states)
        progress->rate = (double)(progress->states - timer->reported_states) / passed;
    progress->seconds = now - timer->begun;
    if (timer->budget != NULL)
        progress->bytes = atomic_load_explicit(&timer->budget->used, memory_order_relaxed);
    timer->reported = now;
    timer->reported_states = progress->states;
    if (timer->control->report != NULL)
        timer->control->report(timer->control->context, progress);
}

static bool time_is_up(const struct control *control, double now)
{
    if (control->deadline <= 0 || now < control->deadline)
        return false;
    return control->busy_until <= 0 || clock_thread_seconds() >= control->busy_until;
}

enum pz_status progress_timer_poll(struct progress_timer *timer)
{
    if (timer->control == NULL)
        return PZ_OK;
    if (control_stopped(timer->control))
        return PZ_CANCELLED;
    double now = clock_seconds();
    if (time_is_up(timer->control, now))
        return PZ_LIMIT;
    if (now - timer->reported >= report_interval)
        report(timer, now);
    return PZ_OK;
}

void progress_timer_report(struct progress_timer *timer)
{
    if (timer->control != NULL)
        report(timer, clock_seconds());
}
