/* SPDX-License-Identifier: MIT */
/*
 * Lets the owner of a long search look now and then if it has to stop, and report. Used only by the thread
 * that called solve_run.
 */
#ifndef SOLVE_PROGRESS_TIMER_H
#define SOLVE_PROGRESS_TIMER_H

#include "base/budget.h"
#include "explore/control.h"
#include "puzzled/status.h"

struct progress_timer {
    struct control *control;     /* NULL: never stops, never reports */
    const struct budget *budget; /* NULL: bytes are not reported */
    struct progress progress;    /* phase, level, frontier, states and done are the caller's to keep */
    double begun;                /* clock_seconds() */
    double reported;             /* when the last report was made; the same as begun before the first */
    uint64_t reported_states;
};

void progress_timer_init(struct progress_timer *timer, struct control *control, const struct budget *budget,
                         const char *phase);
/* PZ_CANCELLED when the control says stop, PZ_LIMIT when its deadline and its processor time have passed,
 * else PZ_OK after a report if the last one is older than a tenth of a second. Costs one reading of the
 * clock. */
enum pz_status progress_timer_poll(struct progress_timer *timer);
/* Reports at once, and starts counting the rate anew. */
void progress_timer_report(struct progress_timer *timer);

#endif
