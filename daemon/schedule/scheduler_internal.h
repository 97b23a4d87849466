/* SPDX-License-Identifier: MIT */
/* Shared by running.c (which job runs), ending.c, run_queue.c (who is next), admission.c (how jobs come in),
 * queue_limits.c (what they may take, and who owns them), scheduler_load.c, suspects.c and forget.c. Loop
 * thread. */
#ifndef DAEMON_SCHEDULER_INTERNAL_H
#define DAEMON_SCHEDULER_INTERNAL_H

#include "daemon/schedule/scheduler.h"

enum run_queue_number { RUN_QUEUE_EXPLORE, RUN_QUEUE_SOLVE, RUN_QUEUE_COUNT };
_Static_assert((int)RUN_QUEUE_COUNT == (int)CLIENT_RUN_QUEUES, "each client counts its jobs in each");

struct run_queue {
    struct fair_queue queued; /* by client, then priority, then age */
    struct budget budget;
    unsigned running;
    unsigned threads; /* of the running jobs */
    uint64_t memory;  /* set aside for them */
};

struct scheduler {
    struct scheduler_options options;
    struct jobs *jobs;
    struct budget budget; /* of all jobs together */
    struct run_queue queues[RUN_QUEUE_COUNT];
    struct patterns *patterns; /* pattern databases in memory, shared by the searches */
    struct preload *preload;   /* loads those that were used lately */
    struct cluster_clears *clears;
    struct job *suspect; /* the one that runs (suspects.c); NULL while none does */
    bool pruning;        /* one is under way (forget.c) */
    unsigned attempts;   /* tiny searches that the workers have; of the loop */
    bool stopping;
    _Atomic bool no_attempts; /* set by the loop when it stops; workers look at it */
};

/* The error of requests that a stopping daemon does not answer any more. */
extern const struct pz_error scheduler_stops;

struct run_queue *scheduler_run_queue(struct scheduler *scheduler, enum job_kind kind);
/* Bytes that the jobs of one kind may take together. */
uint64_t run_queue_memory(const struct scheduler *scheduler, enum job_kind kind);
/* Bytes that those of one client may take together: as much, or less by memory-per-client. */
uint64_t run_queue_share(const struct scheduler *scheduler, enum job_kind kind);
/* Returns the budget for a client's job of this kind (client NULL: nobody's). It lives as long as the client
 * is held. */
struct budget *scheduler_budget(struct scheduler *scheduler, enum job_kind kind, struct client *client);
/* Returns what the running jobs of this one's owner, who must be there, take in its queue. */
struct client_load *run_queue_load(const struct job *job);
/* Count a job that has begun, and one that has ended. Call the latter before the task is freed. */
void run_queue_begin(struct run_queue *queue, const struct job *job);
void run_queue_end(struct run_queue *queue, const struct job *job);
/* Removes and returns the job whose turn it is, or one of a client without a running job, unless all that run
 * have overtaken one that waits for room, or a lookup's. NULL if none may begin. */
struct job *run_queue_take(const struct scheduler *scheduler, struct run_queue *queue);
/* Returns PZ_OK if the client may queue the task, else the limit that it meets. */
enum pz_status scheduler_may_queue(const struct scheduler *scheduler, const struct task *task,
                                   const struct client *client, struct pz_error *error);
/* Says that the daemon is idle, when it stops, if no job and no tiny search is at work any more. */
void scheduler_say_idle(const struct scheduler *scheduler);
/* Begins those queued jobs of this kind that may begin. */
void scheduler_start_ready(struct scheduler *scheduler, enum job_kind kind);

/* Puts a queued job with its task into its queue and begins what may begin. */
void scheduler_enqueue(struct scheduler *scheduler, struct job *job);
/* Makes a client the owner of a job that is to be run; NULL: nobody. */
void scheduler_own(struct job *job, struct client *client);
/* Removes the job from its owner's counts. Call it before the state changes. */
void scheduler_disown(struct job *job);
/* A client's request joins a job: raises its priority to that of the request, also if the job is about to be
 * queued again. A client without a job becomes the owner if the job then begins sooner. */
void scheduler_hurry(struct scheduler *scheduler, struct job *job, int priority, struct client *client);
/* Counts a queued job of its owner's as running. */
void scheduler_owner_runs(const struct job *job);
/* Ends a job in any way; takes the answer's text over. */
void scheduler_finish(struct scheduler *scheduler, struct job *job, enum job_state state,
                      struct job_answer *answer);
/* Cancels a job that has not ended, or that restarts. */
void scheduler_end(struct scheduler *scheduler, struct job *job);
/* Ends a queued job that cannot run. */
void scheduler_drop(struct scheduler *scheduler, struct job *job, const struct pz_error *error);
/* Returns true if all texts could be allocated. */
bool scheduler_record_is_whole(const struct job_record *record);
/* Writes a job's record within a second, or, while an earlier one is on its way, after that. A failure is
 * logged, as nobody waits for it. */
void scheduler_write_behind(struct scheduler *scheduler, struct job *job);
/* For struct runner_options; context is the running job. Any thread. */
void scheduler_note_evicted(void *context, uint64_t job);
/* Begins to forget the oldest ended jobs if there are more than kept-jobs. Those with a pinned table stay and
 * are not counted. */
void scheduler_prune(struct scheduler *scheduler);
/* ---- suspects.c ---- */

/* Decides if a stored job that has not ended is a suspect. Reads from the store which run its checkpoint is
 * of. */
void suspect_load(const struct scheduler *scheduler, struct job *job);
/* Returns true, with the error, for a loaded job that was running when two daemons ended without order. */
bool suspect_has_failed(const struct job *job, struct pz_error *error);
/* Returns false for a suspect while another one runs. */
bool suspect_may_begin(const struct scheduler *scheduler, const struct job *job);
/* Counts the run that is about to begin. The caller writes the record. */
void suspect_begin(struct scheduler *scheduler, struct job *job);
/* Returns true if the running job was a suspect and has just made a checkpoint, which clears it. */
bool suspect_is_cleared(struct scheduler *scheduler, struct job *job);
/* The run has ended in order, or will: the daemon was told to stop. */
void suspect_end(struct scheduler *scheduler, struct job *job);

/* ---- commits ---- */

/* The message of an acknowledged write: deliver() runs on the loop thread, and frees it. */
struct commit_ack {
    struct loop_message message;
    struct scheduler *scheduler;
    struct pending_reply *pending; /* NULL when nobody waits for it */
    uint64_t job;
    struct job *forgotten; /* held, so that it can come back if the store refuses; NULL for none */
    struct pz_error error; /* code PZ_OK when it went well */
};
struct commit_ack *commit_ack_new(struct scheduler *scheduler, uint64_t job, struct pending_reply *pending,
                                  void (*deliver)(struct loop_message *message));
/* For struct store_ack; context is the commit. */
void commit_ack_done(void *context, enum pz_status status, const struct pz_error *error);

#endif
