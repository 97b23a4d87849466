/* SPDX-License-Identifier: MIT */
#include "daemon/cluster/cluster_clear.h"

#include "base/clock.h"
#include "base/log.h"
#include "daemon/cluster/child.h"
#include "daemon/cluster/cluster_command.h"
#include "daemon/settings/config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MILLISECONDS = 1000, AGAIN_MILLISECONDS = 10 * 60 * 1000 };

/* One call of the command that waits. */
struct clearing {
    struct clearing *next;
    uint64_t job;
    uint64_t number; /* of its question, which the ranks know */
    char *launch;
};

struct cluster_clears {
    pthread_mutex_t lock;   /* guards everything below */
    struct clearing *first; /* the oldest; the one under way is not here */
    bool working;           /* a worker runs; it frees this if the owner has given it up */
    bool given_up;
};

static void clearing_free(struct clearing *clearing)
{
    free(clearing->launch);
    free(clearing);
}

static void log_failure(uint64_t job, const char *words)
{
    log_event_text(LOG_LEVEL_WARNING, job, "event=ranks-not-cleared reason", words);
}

/* ---- the worker; its child ends with it, and with the daemon ---- */

static void run_clear(const struct cluster_command *command, uint64_t job)
{
    struct child *child = NULL;
    struct pz_error error;
    char words[CHILD_WORDS_MAX];
    const char *line;
    size_t length;
    enum child_event event;
    if (child_start(command->words, NULL, &child, &error) != PZ_OK) {
        log_failure(job, error.text);
        return;
    }
    do /* its output does not matter; it may wait for a batch system */
        event = child_read(child, LOOK_MILLISECONDS, &line, &length);
    while (event != CHILD_END && event != CHILD_TOO_LONG);
    if (!child_end(child, words))
        log_failure(job, words);
    child_free(child);
}

static void carry_out_clear(const struct clearing *clearing)
{
    struct cluster_command *command = calloc(1, sizeof *command);
    struct pz_error error = {.text = "no memory"};
    if (command == NULL) {
        log_failure(clearing->job, error.text);
        return;
    }
    if (cluster_command_make(clearing->launch, NULL, clearing->number, command, &error) == PZ_OK)
        run_clear(command, clearing->job);
    else
        log_failure(clearing->job, error.text);
    cluster_command_clear(command);
    free(command);
}

/* Takes the oldest call. If there is none, returns NULL and records that no worker runs. */
static struct clearing *take_first(struct cluster_clears *clears, bool *last)
{
    (void)pthread_mutex_lock(&clears->lock);
    struct clearing *clearing = clears->first;
    if (clearing != NULL)
        clears->first = clearing->next;
    clears->working = clearing != NULL;
    *last = clears->given_up;
    (void)pthread_mutex_unlock(&clears->lock);
    return clearing;
}

static void clears_destroy(struct cluster_clears *clears)
{
    (void)pthread_mutex_destroy(&clears->lock);
    free(clears);
}

static void *clear_work(void *context)
{
    struct cluster_clears *clears = context;
    struct clearing *clearing;
    bool last = false;
    while ((clearing = take_first(clears, &last)) != NULL) {
        carry_out_clear(clearing);
        clearing_free(clearing);
    }
    if (last)
        clears_destroy(clears);
    return NULL;
}

/* Starts the worker. Returns false without a thread: then the next job that is added tries again. */
static bool begin_clear(struct cluster_clears *clears)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, clear_work, clears) != 0)
        return false;
    (void)pthread_setname_np(thread, "clear-ranks");
    (void)pthread_detach(thread);
    return true;
}

/* ---- the queue ---- */

struct cluster_clears *cluster_clears_new(void)
{
    struct cluster_clears *clears = calloc(1, sizeof *clears);
    if (clears != NULL)
        (void)pthread_mutex_init(&clears->lock, NULL);
    return clears;
}

/* Removes the calls of that number; with all, every call. With the lock held. */
static void drop_clear(struct cluster_clears *clears, uint64_t number, bool all)
{
    struct clearing **link = &clears->first;
    while (*link != NULL) {
        struct clearing *clearing = *link;
        if (!all && clearing->number != number) {
            link = &clearing->next;
            continue;
        }
        *link = clearing->next;
        clearing_free(clearing);
    }
}

void cluster_clears_free(struct cluster_clears *clears)
{
    if (clears == NULL)
        return;
    (void)pthread_mutex_lock(&clears->lock);
    drop_clear(clears, 0, true);
    clears->given_up = true;
    const bool working = clears->working;
    (void)pthread_mutex_unlock(&clears->lock);
    if (!working)
        clears_destroy(clears);
}

void cluster_clears_withdraw(struct cluster_clears *clears, const struct job *job)
{
    (void)pthread_mutex_lock(&clears->lock);
    drop_clear(clears, cluster_number(job->record.question), false);
    (void)pthread_mutex_unlock(&clears->lock);
}

/* Takes the clearing over. Returns false if no worker can be started for it. */
static bool queue_clear(struct cluster_clears *clears, struct clearing *clearing)
{
    (void)pthread_mutex_lock(&clears->lock);
    struct clearing **end = &clears->first;
    while (*end != NULL)
        end = &(*end)->next;
    *end = clearing;
    if (!clears->working)
        clears->working = begin_clear(clears);
    const bool working = clears->working;
    (void)pthread_mutex_unlock(&clears->lock);
    return working;
}

/* Returns true if the job's ranks may have kept data that no other job needs. A job that never began has no
 * ranks. */
static bool may_have_kept(const char *launch, const struct jobs *jobs, const struct job *job)
{
    if (job->record.started_ms == 0 || !config_launch_has(launch, "--scratch") || !job->record.cluster)
        return false;
    const struct job *other = jobs_find_question(jobs, job->record.question);
    return other == NULL || other == job || job_state_ended(other->record.state);
}

void cluster_clear(struct cluster_clears *clears, const char *launch, const struct jobs *jobs,
                   const struct job *job)
{
    if (!may_have_kept(launch, jobs, job))
        return;
    struct clearing *clearing = calloc(1, sizeof *clearing);
    char *copy = strdup(launch);
    if (clearing == NULL || copy == NULL) {
        free(clearing);
        free(copy);
        log_failure(job->record.id, "no memory");
        return;
    }
    *clearing = (struct clearing){
        .job = job->record.id, .number = cluster_number(job->record.question), .launch = copy};
    if (!queue_clear(clears, clearing))
        log_failure(job->record.id, "no thread, tried again after the next one");
}

void cluster_clear_again(struct cluster_clears *clears, const char *launch, const struct jobs *jobs)
{
    const uint64_t now = clock_wall_ms();
    for (const struct job *job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id))
        if (job->record.state == JOB_CANCELLED && job->record.finished_ms + AGAIN_MILLISECONDS > now)
            cluster_clear(clears, launch, jobs, job);
}
