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

struct job {
    struct job_record record; /* owned */
    struct task *task;        /* owned; NULL when ended, and after a restart until it is made again */
    struct runner *runner;    /* while it runs */
    struct progress progress; /* the latest; zeros before the first */
    struct waiter *waiters;   /* waiters.h */
    struct client *owner;     /* who submitted it; held until it ends, then NULL */
    struct scheduler *scheduler;
    struct fair_entry entry;   /* the run queue's */
    struct job *next_question; /* of the same hash */
    double began;              /* clock_seconds() of the start */
    double ended;              /* and of the end; 0 if it ended before the daemon began */
    bool cancelled;            /* by a client, while it ran */
    bool stored;               /* it is durable: until then no reply names it */
    bool saving_end;           /* it has ended; those who wait are told when the end is durable */
    bool saving_restart;       /* it is stopped and asked again: queued when that is durable */
    bool suspect;              /* it ran when a daemon did not end in order (suspects.c) */
    bool in_questions;
};

struct jobs;

struct jobs *jobs_new(void); /* NULL without memory */
/* Frees all jobs, too. NULL is fine. */
void jobs_free(struct jobs *jobs);
/* Adds a job and takes the record's texts over. Returns NULL without memory. Numbers must ascend. */
struct job *jobs_add(struct jobs *jobs, struct job_record *record);
void jobs_remove(struct jobs *jobs, struct job *job);
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

/* Moves a job to another state, which must be a legal move. */
void job_move(struct jobs *jobs, struct job *job, enum job_state state);
/* Appends " kind=… puzzle=…", and the name of a Klotski layout. */
void job_format_puzzle(const struct job *job, struct text *out);
/* Appends the reply to a submission: " job=… state=… cached=…" and, of a solved one, its answer. */
void job_format_submission(const struct job *job, bool cached, struct text *out);
/* Appends " phase=… level=… …" of a running job. */
void job_format_progress(const struct job *job, struct text *out);

#endif
