/* SPDX-License-Identifier: MIT */
/* The arguments of a running job, and how it ended: for the runner, its files, and jobs on a cluster. */
#ifndef DAEMON_RUNNER_OPTIONS_H
#define DAEMON_RUNNER_OPTIONS_H

#include "daemon/jobs/task.h"
#include "daemon/pool/loop_queue.h"

struct runner_options {
    const struct task *task; /* lives until the end is delivered */
    uint64_t job;
    uint64_t started_ms; /* this run's in the job's record: its checkpoints have it as their run */
    struct store *store;
    struct patterns *patterns; /* pattern databases that are kept */
    bool in_memory_only;       /* use only those in memory: a search that needs another one is cancelled */
    struct budget *parent;     /* of the job's memory */
    uint64_t memory;           /* bytes it may take */
    unsigned threads;
    char kernel[32]; /* of the dense engine; empty for the best */
    unsigned stripes;
    const char *launch;         /* the command for a task on a cluster; lives as long as the task */
    const char *scratch;        /* the directory of all jobs' scratch space */
    uint64_t disk;              /* bytes that the job may take of it; 0 for nine tenths of what is free */
    const char *submitter;      /* who asked; lives as long as the task */
    uint64_t tables;            /* bytes that the submitter's tables may take together; 0 for no such limit */
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

/* The end of a job. */
struct runner_outcome {
    enum job_state state; /* done, stopped, failed or cancelled */
    uint64_t states;      /* found */
    struct job_answer answer;
};

#endif
