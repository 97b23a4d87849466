/* SPDX-License-Identifier: MIT */
/*
 * Who waits for a job: a submission until the job is durable, WAIT and CANCEL for its end, WATCH for
 * everything that happens to it. A waiter holds a pending reply; it goes when it is answered, its time is up,
 * or its client is gone. Loop thread.
 */
#ifndef DAEMON_WAITERS_H
#define DAEMON_WAITERS_H

#include "daemon/jobs/jobs.h"
#include "daemon/net/connection.h"

enum waiter_kind {
    WAITER_SUBMITTED, /* submitted the job, or asked for it again: answered when that is durable */
    WAITER_JOINED,    /* asked for the same: as above */
    WAITER_END,       /* answered when the end is durable; the same below */
    WAITER_EVENTS
};

/* Takes the pending reply over; answers at once if what it waits for has happened. timeout is in seconds,
 * below 0 for none. */
void waiters_add(struct event_base *base, struct job *job, struct pending_reply *pending,
                 enum waiter_kind kind, double timeout);
/* The job's state or progress has changed: an event for those who watch. */
void waiters_progress(struct job *job);
/* The job is durable: submissions have their answer. */
void waiters_stored(struct job *job);
/* The job has ended: everybody has the answer. */
void waiters_ended(struct job *job);
/* The daemon stops: everybody gets the error. */
void waiters_fail(struct job *job, const struct pz_error *error);

#endif
