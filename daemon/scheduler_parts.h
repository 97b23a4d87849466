/* SPDX-License-Identifier: MIT */
/* What scheduler.c (lanes, running, the end) and admission.c (new jobs) share. Loop thread. */
#ifndef DAEMON_SCHEDULER_PARTS_H
#define DAEMON_SCHEDULER_PARTS_H

#include "scheduler.h"

enum lane_number { LANE_EXPLORE, LANE_SOLVE, LANE_COUNT };

struct lane {
    struct job *queued; /* by priority, then age */
    struct budget budget;
    unsigned running;
    unsigned threads; /* of the running jobs */
    uint64_t memory;  /* granted to them */
};

struct scheduler {
    struct scheduler_options options;
    struct jobs *jobs;
    struct budget budget; /* of all jobs together */
    struct lane lanes[LANE_COUNT];
    struct patterns *patterns; /* pattern databases in memory, shared by the searches */
    bool stopping;
};

/* What a task gets when it runs. */
unsigned scheduler_threads(const struct scheduler *scheduler, const struct task *task);
uint64_t scheduler_memory_of(const struct scheduler *scheduler, const struct task *task);
struct lane *scheduler_lane(struct scheduler *scheduler, enum job_kind kind);
/* Puts a queued job with its task into its lane and begins what may begin. */
void scheduler_enqueue(struct scheduler *scheduler, struct job *job);
/* Ends a queued job that cannot run. */
void scheduler_drop(struct scheduler *scheduler, struct job *job, const struct pz_error *error);
/* Takes out a job that was never stored. */
void scheduler_remove(struct scheduler *scheduler, struct job *job);
/* Forgets the oldest ended jobs when there are too many. */
void scheduler_prune(struct scheduler *scheduler);
/* An acknowledged write's letter home: deliver() runs on the loop thread. Freed by deliver. */
struct receipt {
    struct letter letter;
    struct scheduler *scheduler;
    struct ticket *ticket; /* NULL when nobody waits for it */
    uint64_t job;
    struct pz_error error; /* code PZ_OK when it went well */
};
struct receipt *receipt_new(struct scheduler *scheduler, uint64_t job, struct ticket *ticket,
                            void (*deliver)(struct letter *letter));
/* For struct store_ack; context is the receipt. */
void receipt_acknowledge(void *context, enum pz_status status, const struct pz_error *error);

#endif
