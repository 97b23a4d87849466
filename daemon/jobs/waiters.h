/* SPDX-License-Identifier: MIT */
/*
 * The requests that wait for a job: a submission until the job is durable, WAIT and CANCEL for its end,
 * WATCH for every event. A waiter holds a pending reply; it ends when it is answered, its time is up, or its
 * client is gone. Loop thread.
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

/* Takes ownership of the pending reply; answers at once if its event has happened already. timeout is in
 * seconds, below 0 for none. */
void waiters_add(struct event_base *base, struct job *job, struct pending_reply *pending,
                 enum waiter_kind kind, double timeout);
/* The job's state or progress has changed: sends an event to watchers. */
void waiters_progress(struct job *job);
/* The job is durable: answers submissions. */
void waiters_stored(struct job *job);
/* The job has ended: answers all waiters. */
void waiters_ended(struct job *job);
/* The daemon stops: answers all waiters with the error. */
void waiters_fail(struct job *job, const struct pz_error *error);
/* The job could not be stored: answers those who submitted it with the error. */
void waiters_refuse(struct job *job, const struct pz_error *error);

#endif
