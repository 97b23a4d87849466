/* SPDX-License-Identifier: MIT */
#include "daemon/cluster/cluster_clear.h"

#include "base/clock.h"
#include "base/log.h"
#include "daemon/cluster/child.h"
#include "daemon/cluster/cluster_command.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MILLISECONDS = 1000, AGAIN_MILLISECONDS = 10 * 60 * 1000 };

struct clearing {
    struct cluster_command command;
    uint64_t job;
};

static void clearing_free(struct clearing *clearing)
{
    cluster_command_clear(&clearing->command);
    free(clearing);
}

static void log_failure(uint64_t job, const char *words)
{
    log_event_text(LOG_LEVEL_WARNING, job, "event=ranks-not-cleared reason", words);
}

/* The thread. The child ends with it, and with the daemon. */
static void *clear(void *context)
{
    struct clearing *clearing = context;
    struct child *child = NULL;
    struct pz_error error;
    char words[CHILD_WORDS_MAX];
    const char *line;
    size_t length;
    if (child_start(clearing->command.words, &child, &error) != PZ_OK) {
        log_failure(clearing->job, error.text);
    } else {
        enum child_event event;
        do /* it says nothing of interest, and may wait for a batch system */
            event = child_read(child, LOOK_MILLISECONDS, &line, &length);
        while (event != CHILD_END && event != CHILD_TOO_LONG);
        if (!child_end(child, words))
            log_failure(clearing->job, words);
        child_free(child);
    }
    clearing_free(clearing);
    return NULL;
}

static bool begin(struct clearing *clearing)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, clear, clearing) != 0)
        return false;
    (void)pthread_setname_np(thread, "clear-ranks");
    (void)pthread_detach(thread);
    return true;
}

/* Returns true if the job's ranks may have kept something that no other job needs. */
static bool may_have_kept(const char *launch, const struct jobs *jobs, const struct job *job)
{
    uint64_t memory = 0;
    if (strstr(launch, "--scratch") == NULL || !cluster_request(job->record.request, &memory))
        return false;
    const struct job *other = jobs_find_question(jobs, job->record.question);
    return other == NULL || other == job || job_state_ended(other->record.state);
}

void cluster_clear(const char *launch, const struct jobs *jobs, const struct job *job)
{
    struct pz_error error = {.text = "no memory, or no thread"};
    if (!may_have_kept(launch, jobs, job))
        return;
    struct clearing *clearing = calloc(1, sizeof *clearing);
    const uint64_t number = cluster_number(job->record.question);
    enum pz_status status = PZ_MEMORY;
    if (clearing != NULL) {
        clearing->job = job->record.id;
        status = cluster_command_make(launch, NULL, number, &clearing->command, &error);
    }
    if (status == PZ_OK && begin(clearing))
        return;
    log_failure(job->record.id, error.text);
    if (clearing != NULL)
        clearing_free(clearing);
}

void cluster_clear_again(const char *launch, const struct jobs *jobs)
{
    const uint64_t now = clock_wall_ms();
    for (const struct job *job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id))
        if (job->record.state == JOB_CANCELLED && job->record.finished_ms + AGAIN_MILLISECONDS > now)
            cluster_clear(launch, jobs, job);
}
