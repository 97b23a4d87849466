/* SPDX-License-Identifier: MIT */
/*
 * The jobs that the daemon knows, all of them in memory: by number, and by question. The records in the
 * store are their durable copies. Loop thread.
 */
#ifndef DAEMON_JOBS_H
#define DAEMON_JOBS_H

#include "daemon/jobs/task.h"
#include "daemon/pool/fair_queue.h"
#include "explore/control.h"
#include "protocol/text/text.h"
#include "store/store.h"

struct client;
struct runner;
struct scheduler;
struct waiter;

/* A job's phase in the daemon. What clients see and what is stored is record.state. */
enum job_phase {
    PHASE_ADDING,     /* its record is not durable: no reply names it yet */
    PHASE_WAITING,    /* queued, or until its task is made again */
    PHASE_RUNNING,    /* a runner has it */
    PHASE_CANCELLING, /* a runner has it, and a client has asked it to stop */
    PHASE_ENDING,     /* it has ended; its waiters are answered when that is durable */
    PHASE_ENDED,
    PHASE_RESTARTING, /* it was stopped and its question is asked again: it is queued when that is durable */
    PHASE_COUNT
};

struct job {
    struct job_record record; /* owned; job_move alone changes its state */
    enum job_phase phase;     /* job_move alone changes it */
    struct task *task;        /* owned; NULL when ended, and after a restart until it is made again */
    struct runner *runner;    /* while it runs */
    struct progress progress; /* the latest; zeros before the first */
    struct waiter *waiters;   /* waiters.h */
    struct client *owner;     /* in whose turns it waits; held until it ends, then NULL */
    struct scheduler *scheduler;
    struct fair_entry entry;   /* the run queue's */
    struct job *next_question; /* of the same hash */
    double began;              /* clock_seconds() of the start */
    double ended;              /* and of the end; 0 if it ended before the daemon began */
    bool suspect;              /* it ran when a daemon did not end in order (suspects.c) */
    unsigned planning;         /* plans on their way by newer limits: it does not begin before */
    bool for_lookup;           /* only lookups that explore first asked for it (deferred_lookup.h) */
    bool rewrite;              /* its record changed while an earlier one was on its way to the store */
    bool cancelled;            /* somebody cancelled it while it was restarting */
    double blocked;    /* clock_seconds() of the first time that it did not fit; 0 before (run_queue.c) */
    unsigned blockers; /* jobs that ran then and still run */
    bool in_questions;
    bool removed;   /* by jobs_remove, while it was held */
    unsigned holds; /* job_hold */
};

struct jobs;

struct jobs *jobs_new(void); /* NULL without memory */
/* Frees all jobs, too. NULL is fine. */
void jobs_free(struct jobs *jobs);
/* Adds a job, queued or ended, and takes ownership of the record's texts. durable: its record is stored.
 * Returns NULL without memory. Numbers must ascend. */
struct job *jobs_add(struct jobs *jobs, struct job_record *record, bool durable);
void jobs_remove(struct jobs *jobs, struct job *job);
/* Puts an ended job back that was removed while it was held. Without memory it stays away. */
void jobs_put_back(struct jobs *jobs, struct job *job);
/* Keeps a job in memory: if it is removed while held, it is freed at the last release. For code that calls
 * out and then uses the job again. */
void job_hold(struct job *job);
void job_release(struct job *job);
struct job *jobs_find(const struct jobs *jobs, uint64_t id);
/* Returns the latest job that asked this and may answer it; NULL if there is none. */
struct job *jobs_find_question(const struct jobs *jobs, const char *question);
/* Returns the first job with a number above `after`; NULL if there is none. */
struct job *jobs_next(const struct jobs *jobs, uint64_t after);
/* Returns the last job with a number below `before`; NULL if there is none. */
struct job *jobs_previous(const struct jobs *jobs, uint64_t before);
size_t jobs_in_state(const struct jobs *jobs, enum job_state state);

/* Returns true for an exploration that a full disk of this machine stopped. Its scratch space and its
 * checkpoint stay until it is forgotten. When it is asked again, it goes on. What the ranks of a cluster keep
 * belongs to the question, not to a job. */
bool job_may_go_on(const struct job *job);

/* Moves a job to another phase and state. It must be a legal move, the state one of the phase, and the job
 * have what it needs there: a task to run, a runner only while it runs, an owner only until it ends. */
void job_move(struct jobs *jobs, struct job *job, enum job_phase phase, enum job_state state);
/* Appends " kind=… puzzle=…", and the name of a Klotski layout. */
void job_format_puzzle(const struct job *job, struct text *out);
/* Appends the facts of an ended job that the list has: " solvable=… moves=… complete=… states=… seconds=…".
 */
void job_format_found(const struct job *job, struct text *out);
/* Appends all that RESULT says behind state=. */
void job_format_result(const struct job *job, struct text *out);
/* Appends the reply to a submission: " job=… state=… cached=…" and, of a solved one, its answer. */
void job_format_submission(const struct job *job, bool cached, struct text *out);
/* Appends " phase=… level=… …" of a running job. */
void job_format_progress(const struct job *job, struct text *out);

#endif
