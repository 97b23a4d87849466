/* SPDX-License-Identifier: MIT */
#include "daemon/jobs/jobs.h"

#include "base/clock.h"
#include "base/status_word.h"
#include "protocol/result.h"
#include "space/klotski/klotski.h"
#include "space/text/library.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ANSWER_MAX: bytes of a result that the reply to a submission has in it. */
enum { FIRST_ROOM = 64, ANSWER_MAX = 1024 };

struct jobs {
    struct job **by_number; /* ascending */
    size_t count, room;
    struct job **buckets; /* by question; a power of two of them */
    size_t bucket_count;
    size_t in_state[JOB_STATE_COUNT];
};

struct jobs *jobs_new(void)
{
    struct jobs *jobs = calloc(1, sizeof *jobs);
    if (jobs == NULL)
        return NULL;
    jobs->room = FIRST_ROOM;
    jobs->bucket_count = FIRST_ROOM;
    jobs->by_number = calloc(jobs->room, sizeof(struct job *));
    jobs->buckets = calloc(jobs->bucket_count, sizeof(struct job *));
    if (jobs->by_number == NULL || jobs->buckets == NULL) {
        jobs_free(jobs);
        return NULL;
    }
    return jobs;
}

static void job_free(struct job *job)
{
    if (job == NULL)
        return;
    job_record_clear(&job->record);
    task_free(job->task);
    free(job);
}

void jobs_free(struct jobs *jobs)
{
    if (jobs == NULL)
        return;
    for (size_t i = 0; i < jobs->count; i++)
        job_free(jobs->by_number[i]);
    free(jobs->by_number);
    free(jobs->buckets);
    free(jobs);
}

/* The counts of the states add up to all jobs. */
__attribute__((unused)) static bool jobs_are_sound(const struct jobs *jobs)
{
    size_t sum = 0;
    for (unsigned state = 0; state < JOB_STATE_COUNT; state++)
        sum += jobs->in_state[state];
    return sum == jobs->count && jobs->count <= jobs->room;
}

/* ---- questions ---- */

static struct job **bucket(const struct jobs *jobs, const char *question)
{
    assert(jobs->bucket_count > 0 && (jobs->bucket_count & (jobs->bucket_count - 1)) == 0);
    return &jobs->buckets[XXH3_64bits(question, strlen(question)) & (jobs->bucket_count - 1)];
}

static const char *question_of(const struct job *job)
{
    return job->record.question != NULL ? job->record.question : "";
}

static void question_forget(struct jobs *jobs, struct job *job)
{
    if (!job->in_questions)
        return;
    struct job **link = bucket(jobs, question_of(job));
    while (*link != job)
        link = &(*link)->next_question;
    *link = job->next_question;
    job->in_questions = false;
}

static void question_add(struct jobs *jobs, struct job *job)
{
    struct job **head = bucket(jobs, question_of(job));
    job->next_question = *head;
    job->in_questions = true;
    *head = job;
}

/* Doubles the buckets. Without memory the chains just grow longer. */
static void grow_buckets(struct jobs *jobs)
{
    const size_t count = jobs->bucket_count * 2;
    struct job **buckets = count > 0 ? calloc(count, sizeof(struct job *)) : NULL;
    if (buckets == NULL)
        return;
    free(jobs->buckets);
    jobs->buckets = buckets;
    jobs->bucket_count = count;
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->by_number[i]->in_questions)
            question_add(jobs, jobs->by_number[i]);
}

struct job *jobs_find_question(const struct jobs *jobs, const char *question)
{
    struct job *job = *bucket(jobs, question);
    while (job != NULL && strcmp(question_of(job), question) != 0)
        job = job->next_question;
    return job;
}

/* ---- numbers ---- */

/* Returns the index of the first job whose number is at least id. */
static size_t place(const struct jobs *jobs, uint64_t id)
{
    size_t low = 0;
    size_t high = jobs->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (jobs->by_number[middle]->record.id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct job *jobs_next(const struct jobs *jobs, uint64_t after)
{
    size_t at = after == UINT64_MAX ? jobs->count : place(jobs, after + 1);
    return at < jobs->count ? jobs->by_number[at] : NULL;
}

struct job *jobs_previous(const struct jobs *jobs, uint64_t before)
{
    size_t at = place(jobs, before);
    return at > 0 ? jobs->by_number[at - 1] : NULL;
}

struct job *jobs_find(const struct jobs *jobs, uint64_t id)
{
    size_t at = place(jobs, id);
    bool found = at < jobs->count && jobs->by_number[at]->record.id == id;
    return found ? jobs->by_number[at] : NULL;
}

static bool reserve(struct jobs *jobs)
{
    if (jobs->count < jobs->room)
        return true;
    struct job **wider = reallocarray(jobs->by_number, jobs->room * 2, sizeof(struct job *));
    if (wider == NULL)
        return false;
    jobs->by_number = wider;
    jobs->room *= 2;
    return true;
}

/* Returns true if a job in this state may answer its question when it is asked again. */
static bool may_answer(enum job_state state)
{
    return state != JOB_FAILED && state != JOB_CANCELLED;
}

/* There must be room for it. */
static void jobs_insert(struct jobs *jobs, struct job *job)
{
    const size_t at = place(jobs, job->record.id);
    memmove(jobs->by_number + at + 1, jobs->by_number + at, (jobs->count - at) * sizeof(struct job *));
    jobs->by_number[at] = job;
    if (++jobs->count > jobs->bucket_count)
        grow_buckets(jobs);
    jobs->in_state[job->record.state]++;
}

struct job *jobs_add(struct jobs *jobs, struct job_record *record, bool durable)
{
    assert(record->state != JOB_RUNNING);
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL || !reserve(jobs)) {
        free(job);
        return NULL;
    }
    job->record = *record;
    if (durable)
        job->phase = job_state_ended(record->state) ? PHASE_ENDED : PHASE_WAITING;
    *record = (struct job_record){0};
    assert(jobs_find(jobs, job->record.id) == NULL);
    jobs_insert(jobs, job);
    if (may_answer(job->record.state))
        question_add(jobs, job);
    assert(jobs_are_sound(jobs));
    return job;
}

void jobs_remove(struct jobs *jobs, struct job *job)
{
    size_t at = place(jobs, job->record.id);
    assert(at < jobs->count && jobs->by_number[at] == job);
    assert(job->waiters == NULL && job->runner == NULL && job->owner == NULL); /* else they point nowhere */
    question_forget(jobs, job);
    jobs->in_state[job->record.state]--;
    jobs->count--;
    memmove(jobs->by_number + at, jobs->by_number + at + 1, (jobs->count - at) * sizeof(struct job *));
    job->removed = true;
    if (job->holds == 0)
        job_free(job);
    assert(jobs_are_sound(jobs));
}

void jobs_put_back(struct jobs *jobs, struct job *job)
{
    assert(job->removed && job->holds > 0 && job_state_ended(job->record.state));
    if (!reserve(jobs))
        return;
    job->removed = false;
    jobs_insert(jobs, job);
    if (may_answer(job->record.state) && jobs_find_question(jobs, question_of(job)) == NULL)
        question_add(jobs, job); /* else a later one answers */
    assert(jobs_are_sound(jobs));
}

void job_hold(struct job *job)
{
    assert(!job->removed);
    job->holds++;
}

void job_release(struct job *job)
{
    assert(job->holds > 0);
    if (--job->holds == 0 && job->removed)
        job_free(job);
}

size_t jobs_in_state(const struct jobs *jobs, enum job_state state)
{
    return jobs->in_state[state];
}

/* ---- states ---- */

#define TO(phase)    (1u << (phase))
#define HAS(state)   (1u << (state))
#define ENDED_STATES (HAS(JOB_DONE) | HAS(JOB_STOPPED) | HAS(JOB_FAILED) | HAS(JOB_CANCELLED))

/* The phases that a job may go to, and the states that it may have in each. A running job goes back to
 * waiting when the daemon stops. An end is reported even if it cannot be written. */
static const struct {
    unsigned next, states;
} phases[PHASE_COUNT] = {
    [PHASE_ADDING] = {TO(PHASE_WAITING) | TO(PHASE_ENDED), HAS(JOB_QUEUED) | HAS(JOB_DONE)},
    [PHASE_WAITING] = {TO(PHASE_RUNNING) | TO(PHASE_ENDING), HAS(JOB_QUEUED)},
    [PHASE_RUNNING] = {TO(PHASE_CANCELLING) | TO(PHASE_ENDING) | TO(PHASE_WAITING), HAS(JOB_RUNNING)},
    [PHASE_CANCELLING] = {TO(PHASE_ENDING), HAS(JOB_RUNNING)},
    [PHASE_ENDING] = {TO(PHASE_ENDED), ENDED_STATES},
    [PHASE_ENDED] = {TO(PHASE_RESTARTING), ENDED_STATES},
    [PHASE_RESTARTING] = {TO(PHASE_WAITING) | TO(PHASE_ENDED), HAS(JOB_STOPPED)},
};

/* Checks that a job has what it needs in its phase. */
static void check_phase(const struct job *job)
{
    const bool runs = job->phase == PHASE_RUNNING || job->phase == PHASE_CANCELLING;
    const bool has_ended = job->phase == PHASE_ENDING || job->phase == PHASE_ENDED;
    assert((phases[job->phase].states & HAS(job->record.state)) != 0);
    assert(!runs || job->task != NULL);
    assert(runs || job->runner == NULL);
    assert(!has_ended || job->owner == NULL);
    (void)runs;
    (void)has_ended;
}

void job_move(struct jobs *jobs, struct job *job, enum job_phase phase, enum job_state state)
{
    const bool legal = (phases[job->phase].next & TO(phase)) != 0;
    assert(legal);
    (void)legal;
    check_phase(job);
    jobs->in_state[job->record.state]--;
    jobs->in_state[state]++;
    job->phase = phase;
    job->record.state = state;
    check_phase(job);
    assert(jobs_are_sound(jobs));
    if (!may_answer(state))
        question_forget(jobs, job);
}

bool job_may_go_on(const struct job *job)
{
    const struct job_record *record = &job->record;
    return record->kind == JOB_EXPLORE && record->state == JOB_STOPPED && record->facts.reason == STOP_DISK &&
           record->facts.ranks == 0 && !record->facts.elsewhere;
}

/* Adds the name of a Klotski layout or of a definition, which people understand better than letters or
 * digits. */
static void write_layout(const char *puzzle, struct text *out)
{
    static const char klotski[] = "klotski:";
    const struct klotski_layout *layout = NULL;
    if (strncmp(puzzle, klotski, strlen(klotski)) == 0)
        layout = klotski_layout_of(puzzle + strlen(klotski));
    char name[DEFINITION_NAME_MAX];
    if (library_name_of(puzzle, name))
        text_format(out, " layout=%s", name);
    if (layout != NULL)
        text_format(out, " layout=%s%s", klotski,
                    layout->simplified != NULL ? layout->simplified : layout->traditional);
}

void job_format_puzzle(const struct job *job, struct text *out)
{
    text_format(out, " kind=%s", job_kind_word(job->record.kind));
    text_key(out, "puzzle", job->record.puzzle);
    write_layout(job->record.puzzle, out);
}

void job_format_found(const struct job *job, struct text *out)
{
    const struct job_record *record = &job->record;
    result_write_end(record->kind, record->state, &record->facts, out);
    result_write_effort(record->state, &record->facts, out);
}

void job_format_result(const struct job *job, struct text *out)
{
    const struct job_record *record = &job->record;
    result_write_end(record->kind, record->state, &record->facts, out);
    text_add(out, record->result != NULL ? record->result : "");
    result_write_effort(record->state, &record->facts, out);
    result_write_limits(&record->facts, out);
    if (record->state != JOB_FAILED)
        return;
    text_key(out, "error", status_word(record->facts.failure));
    text_key(out, "text", record->failure != NULL ? record->failure : "no memory for the reason");
}

/* Of a solved board the reply says all that RESULT does, unless that is long: many replies may wait for a
 * slow client. */
void job_format_submission(const struct job *job, bool cached, struct text *out)
{
    const struct job_record *record = &job->record;
    text_format(out, " job=%" PRIu64 " state=%s", record->id, job_state_word(record->state));
    text_key(out, "cached", cached ? "yes" : "no");
    if (record->kind != JOB_SOLVE || record->state != JOB_DONE || record->result == NULL)
        return;
    if (strlen(record->result) > ANSWER_MAX) {
        job_format_found(job, out);
        return;
    }
    job_format_result(job, out);
    job_format_puzzle(job, out);
}

void job_format_progress(const struct job *job, struct text *out)
{
    const struct progress *progress = &job->progress;
    const double ran = clock_seconds() - job->began;
    if (job->record.state != JOB_RUNNING || progress->phase == NULL)
        return;
    text_key(out, "phase", progress->phase);
    text_format(out, " level=%" PRIu32 " frontier=%" PRIu64 " states=%" PRIu64 " rate=%.0f bytes=%" PRIu64,
                progress->level, progress->frontier, progress->states, progress->rate, progress->bytes);
    /* A phase may count from its own beginning, a search that goes on from before this run. */
    text_format(out, " done=%.3f seconds=%.3f", progress->done,
                ran > progress->seconds ? ran : progress->seconds);
    if (progress->groups > 0)
        text_format(out, " group=%" PRIu32 " groups=%" PRIu32, progress->group, progress->groups);
    if (progress->written > 0)
        text_format(out,
                    " disk_bytes=%" PRIu64 " disk_written_bytes=%" PRIu64 " disk_read_bytes=%" PRIu64
                    " disk_write_rate=%.0f disk_read_rate=%.0f",
                    progress->disk, progress->written, progress->read, progress->write_rate,
                    progress->read_rate);
    if (progress->waiting != NULL)
        text_key(out, "waiting", progress->waiting);
    if (progress->ranks > 0)
        text_format(out, " ranks=%u slowest=%u", progress->ranks, progress->slowest);
}
