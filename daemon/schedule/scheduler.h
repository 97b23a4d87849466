/* SPDX-License-Identifier: MIT */
/*
 * Decides which job runs when. Explorations (and builds of pattern databases) and searches for one solution
 * have a queue each, so that a short SOLVE never waits behind a long EXPLORE. A tiny search does not wait at
 * all. Within a queue clients take turns; of one client's jobs the higher priority goes first, then the
 * older one. Explorations share limits.threads and three quarters of limits.memory; at most limits.solves
 * searches share the last quarter. A client without a running job may run one job in addition, if there is
 * memory for it. With limits.memory-per-client and disk-per-client an exploration also waits for those of
 * its own client, and delays no other client. A job that waits among those of one client moves to the turns
 * of another that asks for it and has none. Loop thread.
 */
#ifndef DAEMON_SCHEDULER_H
#define DAEMON_SCHEDULER_H

#include "daemon/jobs/jobs.h"
#include "daemon/net/connection.h"
#include "daemon/pool/thread_pool.h"

struct scheduler;

struct scheduler_options {
    struct event_base *base;
    const struct config *config;
    const char *scratch; /* the directory of all jobs' scratch space */
    struct metrics *metrics;
    struct store *store;
    struct loop_queue *loop_queue;
    struct thread_pool *tiny_solves; /* runs tiny searches */
    struct thread_pool *lookups;     /* for short work on the store */
    struct clients *clients;
    /* Makes the task of a stored job again, on another thread, and then calls scheduler_resume with it. */
    bool (*prepare)(void *context, uint64_t job, const char *request); /* false without memory */
    /* A job has begun or ended. */
    void (*changed)(void *context);
    /* Called when no job runs any longer, after scheduler_stop. */
    void (*idle)(void *context);
    void *context;
};

enum pz_status scheduler_new(const struct scheduler_options *options, struct scheduler **out,
                             struct pz_error *error);
/* Ends the loading of databases that begins with the scheduler. Waits for one that is being read. */
void scheduler_end_preload(struct scheduler *scheduler);
void scheduler_free(struct scheduler *scheduler); /* no job may be running; NULL is fine */
/* Reads all jobs from the store and asks prepare for those that have not ended. Blocks: before the loop. */
enum pz_status scheduler_load(struct scheduler *scheduler, struct pz_error *error);
/* Takes a stored job's task and queues the job. task is NULL, with the error, if it could not be made. If
 * the job waits already, the task replaces its old one. */
void scheduler_resume(struct scheduler *scheduler, uint64_t id, struct task *task,
                      const struct pz_error *error);

/* Answers a submission. Takes the task. known: the answer if it is known without a search, else NULL; the
 * caller frees it. */
void scheduler_submit(struct scheduler *scheduler, struct task *task, const struct job_answer *known,
                      struct pending_reply *pending);
void scheduler_cancel(struct scheduler *scheduler, struct job *job, struct pending_reply *pending);
/* Returns true if a job that only lookups asked for has stopped, and its part of a table took no other job's
 * place: nobody needs what it left. */
bool scheduler_may_drop(const struct scheduler *scheduler, const struct job *job);
/* Forgets an ended job, which is gone when this returns. The pending reply (NULL: nobody asks, and not
 * while stopping) is answered when that is durable, or has failed. Returns false without memory: the job is
 * still there, and the pending reply has the error. */
bool scheduler_forget(struct scheduler *scheduler, struct job *job, struct pending_reply *pending);

/* Fills in the resources for jobs of one kind; plans are made by them. */
void scheduler_offer(const struct scheduler *scheduler, enum job_kind kind, struct plan_offer *offer);
const struct jobs *scheduler_jobs(const struct scheduler *scheduler);
/* Called after the configuration was read again. */
void scheduler_reload(struct scheduler *scheduler);
/* Begins no more jobs. Running jobs are stopped, and stay queued for the next start; waiting clients get the
 * error. Calls idle() at once when nothing runs. */
void scheduler_stop(struct scheduler *scheduler);
/* Returns the bytes that all jobs use, and those that they may use. */
void scheduler_memory(const struct scheduler *scheduler, uint64_t *used, uint64_t *limit);

#endif
