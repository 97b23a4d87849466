/* SPDX-License-Identifier: MIT */
#include "answer/verify/contents.h"

#include "answer/verify/job_levels.h"
#include "answer/verify/table_tally.h"
#include "base/status_word.h"
#include "space/registry.h"

struct contents {
    struct store *store;
    void (*report)(void *context, const char *fault);
    void *context;
    uint64_t *faults;
    /* Why the check could not go on: no fault of what is stored. */
    enum pz_status status;
    struct pz_error *error;
};

/* Returns true if the job is still there and ended: what it has is then not being written or removed. */
static bool has_ended(struct store *store, uint64_t id)
{
    struct job_record job;
    struct pz_error error;
    if (store_job_get(store, id, &job, &error) != PZ_OK)
        return false;
    const bool ended = job_state_ended(job.state);
    job_record_clear(&job);
    return ended;
}

/* Judges a check of what a job has. Returns true if the checks may go on. */
static bool judge(struct contents *contents, uint64_t job, enum pz_status status,
                  const struct pz_error *error)
{
    if (status_is_retryable(status)) {
        contents->status = status;
        *contents->error = *error;
        return false;
    }
    if (status == PZ_STORAGE && has_ended(contents->store, job)) {
        ++*contents->faults;
        contents->report(contents->context, error->text);
    }
    return true;
}

static bool check_job(void *context, const struct job_record *job)
{
    struct contents *contents = context;
    const struct pz_setup setup = {0};
    struct pz_space *space = NULL;
    struct pz_error error;
    struct job_levels levels = {0};
    if (job->kind != JOB_EXPLORE || !job_state_ended(job->state) ||
        space_open(job->puzzle, &setup, &space, &error) != PZ_OK)
        return true;
    enum pz_status status = job_levels_read(contents->store, space, job->from, job->id, &levels, &error);
    if (status == PZ_OK)
        status = job_levels_check_examples(contents->store, space, job->id, &levels, &error);
    job_levels_clear(&levels);
    space_close(space);
    return judge(contents, job->id, status, &error);
}

static bool check_table(void *context, const struct table_record *table)
{
    struct contents *contents = context;
    struct table_question question;
    struct pz_error error;
    if (table->kind == TABLE_PATTERN || !has_ended(contents->store, table->job)) /* or a pattern database */
        return true;
    enum pz_status status = table_question_open(table->name, &question, &error);
    if (status == PZ_OK)
        status = table_tally(contents->store, table, &question, &error);
    table_question_clear(&question);
    return judge(contents, table->job, status, &error);
}

enum pz_status contents_check(struct store *store, void (*report)(void *context, const char *fault),
                              void *context,
                              uint64_t *faults, // NOLINT(readability-non-const-parameter): judge counts in it
                              struct pz_error *error)
{
    struct contents contents = {
        .store = store, .report = report, .context = context, .faults = faults, .error = error};
    struct pz_error damaged; /* store_fsck names it */
    enum pz_status status = store_jobs(store, 0, check_job, &contents, &damaged);
    if (!status_is_retryable(status) && contents.status == PZ_OK)
        status = store_tables(store, check_table, &contents, &damaged);
    if (contents.status == PZ_OK && status_is_retryable(status)) {
        contents.status = status;
        *error = damaged;
    }
    return contents.status;
}
