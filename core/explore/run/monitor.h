/* SPDX-License-Identifier: MIT */
/*
 * Reports the progress of a long search to its caller: ten reports a second, with the rates measured since
 * earlier reports. Used only by the thread that owns the search, which keeps the progress up to date.
 */
#ifndef EXPLORE_RUN_MONITOR_H
#define EXPLORE_RUN_MONITOR_H

#include "base/budget.h"
#include "explore/control.h"

struct monitor {
    struct control *control;     /* NULL: never stops, never reports */
    const struct budget *budget; /* NULL: bytes are not reported */
    struct progress progress;    /* the owner's to keep, but for seconds, bytes and rates */
    double waited;               /* seconds that the search has waited for the disk; the owner's to keep */
    double began;                /* clock_seconds(), less what the search took before a restart */
    double reported;             /* when the last report was made; at first, when the search began */

    /* The values at the last measurement, from which rates are computed. */
    double measured, waited_before;
    uint64_t states, written, read;
};

void monitor_init(struct monitor *monitor, struct control *control, const struct budget *budget,
                  const char *phase);
/* Returns control_poll's status, but PZ_OK after the deadline while control.busy_until is not reached.
 * Reports if a report is due and the search goes on. */
enum pz_status monitor_poll(struct monitor *monitor);
/* Returns true if that ends the search: struct state_table's halts. */
static inline bool monitor_halts(void *monitor)
{
    return monitor_poll(monitor) != PZ_OK;
}
/* Returns true if a report is due. Costs one reading of the clock. */
bool monitor_due(const struct monitor *monitor);
/* Reports that so much of a phase is done, if a report is due or the phase is a new one. */
void monitor_tell(struct monitor *monitor, const char *phase, double done);

/* The tick of work that is not to pause (turns.h). */
static inline bool monitor_tick(void *monitor, double done)
{
    monitor_tell(monitor, "search", done);
    return false;
}

#endif
