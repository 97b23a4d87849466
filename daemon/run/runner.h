/* SPDX-License-Identifier: MIT */
/*
 * A running job: one thread that owns the search (and its team), with the store as the sink of what it
 * finds. Progress and the end come to the loop thread as messages.
 */
#ifndef DAEMON_RUNNER_H
#define DAEMON_RUNNER_H

#include "daemon/jobs/task.h"
#include "daemon/pool/loop_queue.h"

struct runner;

struct runner_options {
    const struct task *task; /* lives until the end is delivered */
    uint64_t job;
    struct store *store;
    struct patterns *patterns; /* pattern databases that are kept */
    bool at_hand;              /* use only those in memory: a search that needs another one is cancelled */
    struct budget *parent;     /* of the job's memory */
    uint64_t memory;           /* bytes it may take */
    unsigned threads;
    const char *kernel; /* of the dense engine, NULL for the best; lives as long as the task */
    unsigned stripes;
    const char *launch;         /* the command for a task on a cluster; lives as long as the task */
    const char *scratch;        /* the directory of all jobs' scratch space */
    uint64_t disk;              /* bytes that the job may take of it; 0 for nine tenths of what is free */
    double checkpoint_interval; /* seconds from one checkpoint to the next; 0 for none */
    double checkpoint_share;    /* of a job's time that they may take, 0 … 1; 0 for no limit */
    double checkpoint_at_stop;  /* seconds that runner_interrupt may take for one */
    struct loop_queue *loop_queue;
    /* On the runner's thread: a table of this job was evicted to make room. */
    void (*evicted)(void *context, uint64_t job);
    /* Both on the loop thread. */
    void (*progressed)(void *context, const struct progress *progress);
    void (*ended)(void *context);
    void *context;
};

/* How it ended. */
struct runner_outcome {
    enum job_state state; /* done, stopped, failed or cancelled */
    uint64_t states;      /* found */
    struct job_facts facts;
    struct pz_error error; /* with failed */
};

/* Loop thread, as all below. */
enum pz_status runner_start(const struct runner_options *options, struct runner **out,
                            struct pz_error *error);
/* Asks it to stop; it ends within a moment. */
void runner_cancel(struct runner *runner);
/* Asks it to stop because the daemon stops: a search with checkpoints leaves one first, if there is time. */
void runner_interrupt(struct runner *runner);
/* Returns when the last checkpoint was made, by the wall clock; 0 if there is none. */
uint64_t runner_checkpoint_ms(const struct runner *runner);
/* After ended() was called. */
const struct runner_outcome *runner_outcome(const struct runner *runner);
/* Returns the RESULT fields, " key=value …", which the caller frees. After ended() was called, once. NULL
 * without memory; the job has then failed or was cancelled. */
char *runner_take_result(struct runner *runner);
/* After ended() was called: joins the thread. */
void runner_free(struct runner *runner);

/* Carries out a SOLVE on the calling thread. checkpoint is for long searches and for building databases, or
 * NULL. Uses of the options: task, patterns, at_hand, parent, memory, threads. */
struct text;
void runner_solve(const struct runner_options *options, struct control *control,
                  const struct explore_checkpoint *checkpoint, struct runner_outcome *outcome,
                  struct text *result);

#endif
