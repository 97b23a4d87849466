/* SPDX-License-Identifier: MIT */
#include "daemon/jobs/waiters.h"

#include "daemon/net/pending_reply.h"

#include <assert.h>
#include <event2/event.h>
#include <inttypes.h>
#include <stdlib.h>

/* Bytes that a watcher may leave unread before it misses events. */
enum { BACKLOG_MAX = 16 << 10 };

static const struct pz_error no_memory = {.code = PZ_MEMORY, .text = "no memory to wait"};

struct waiter {
    struct waiter *next;
    struct job *job;
    struct pending_reply *pending;
    struct event *timer; /* NULL without a timeout */
    enum waiter_kind kind;
    uint64_t events; /* so far, also those left out */
    uint64_t lost;   /* since the last one written */
};

static void waiter_free(struct waiter *waiter)
{
    struct waiter **link = &waiter->job->waiters;
    while (*link != waiter)
        link = &(*link)->next;
    *link = waiter->next;
    waiter->pending->gone = NULL;
    waiter->pending->context = NULL;
    if (waiter->timer != NULL)
        event_free(waiter->timer);
    free(waiter);
}

static void waiter_on_gone(struct pending_reply *pending)
{
    waiter_free(pending->context);
    pending_reply_drop(pending);
}

/* Returns the word of the state that clients see. They see an end only when it is durable. */
static const char *told_state(const struct job *job)
{
    return job_state_word(job->phase == PHASE_ENDING ? JOB_RUNNING : job->record.state);
}

static void waiters_write_state(const struct job *job, const char *tag, struct text *out)
{
    reply_ok(out, tag);
    text_format(out, " job=%" PRIu64 " state=%s", job->record.id, told_state(job));
    reply_line_end(out);
}

static bool is_submission(const struct waiter *waiter)
{
    return waiter->kind == WAITER_SUBMITTED || waiter->kind == WAITER_JOINED;
}

static void write_submission(const struct waiter *waiter, struct text *out)
{
    reply_ok(out, pending_reply_tag(waiter->pending));
    job_format_submission(waiter->job, waiter->kind == WAITER_JOINED, out);
    reply_line_end(out);
}

static void write_event(struct waiter *waiter, struct text *out)
{
    const struct job *job = waiter->job;
    if (waiter->lost > 0)
        text_format(out, "LOST n=%" PRIu64 "\n", waiter->lost);
    waiter->lost = 0;
    text_format(out, "EVENT seq=%" PRIu64 " job=%" PRIu64 " state=%s", ++waiter->events, job->record.id,
                told_state(job));
    job_format_progress(job, out);
    reply_line_end(out);
}

/* Ends the waiting with the last event or the reply. */
static void waiter_answer(struct waiter *waiter)
{
    struct text out = {0};
    struct pending_reply *pending = waiter->pending;
    if (pending->intercept != NULL) {
        struct job *job = waiter->job;
        waiter_free(waiter);
        (void)pending_reply_hand_over(pending, job, NULL);
        return;
    }
    if (waiter->kind == WAITER_EVENTS)
        write_event(waiter, &out);
    else if (is_submission(waiter))
        write_submission(waiter, &out);
    else
        waiters_write_state(waiter->job, pending_reply_tag(pending), &out);
    waiter_free(waiter);
    pending_reply_finish(pending, &out, PZ_OK);
}

static void on_timeout(evutil_socket_t socket, short what, void *context)
{
    (void)socket;
    (void)what;
    waiter_answer(context);
}

static bool start_timer(struct event_base *base, struct waiter *waiter, double timeout)
{
    if (timeout < 0)
        return true;
    struct timeval period = {.tv_sec = (time_t)timeout,
                             .tv_usec = (suseconds_t)((timeout - (double)(time_t)timeout) * 1e6)};
    waiter->timer = evtimer_new(base, on_timeout, waiter);
    return waiter->timer != NULL && evtimer_add(waiter->timer, &period) == 0;
}

/* Returns true if the waiter's event has happened. */
static bool is_due(const struct waiter *waiter)
{
    const struct job *job = waiter->job;
    if (is_submission(waiter))
        return job->phase != PHASE_ADDING && job->phase != PHASE_RESTARTING;
    return job_state_ended(job->record.state) && job->phase != PHASE_ENDING && job->phase != PHASE_RESTARTING;
}

void waiters_add(struct event_base *base, struct job *job, struct pending_reply *pending,
                 enum waiter_kind kind, double timeout)
{
    struct text out = {0};
    assert(pending->gone == NULL);             /* a reply is waited for once */
    if (pending_reply_is_abandoned(pending)) { /* nobody would hear of it, nor end the waiting at a stop */
        pending_reply_drop(pending);
        return;
    }
    struct waiter *waiter = calloc(1, sizeof *waiter);
    if (waiter == NULL) {
        pending_reply_fail(pending, &no_memory);
        return;
    }
    *waiter = (struct waiter){.next = job->waiters, .job = job, .pending = pending, .kind = kind};
    job->waiters = waiter;
    pending->gone = waiter_on_gone;
    pending->context = waiter;
    bool due = is_due(waiter);
    if (kind == WAITER_EVENTS) {
        waiters_write_state(job, pending_reply_tag(pending), &out);
        if (!due)
            write_event(waiter, &out);
        if (out.failed) { /* a stream cannot begin without its first line */
            waiter_free(waiter);
            pending_reply_finish(pending, &out, PZ_MEMORY);
            return;
        }
        pending_reply_write(pending, &out);
        text_free(&out);
    }
    if (due) {
        waiter_answer(waiter);
    } else if (!start_timer(base, waiter, timeout)) {
        waiter_free(waiter);
        pending_reply_fail(pending, &no_memory);
    }
}

/* Writes one more event. Leaves it out if the client reads too slowly, or without memory. */
static void send_event(struct waiter *waiter, struct text *out)
{
    const uint64_t lost = waiter->lost;
    if (pending_reply_backlog(waiter->pending) > BACKLOG_MAX) {
        waiter->events++;
        waiter->lost++;
        return;
    }
    write_event(waiter, out);
    if (out->failed) {
        waiter->lost = lost + 1;
        text_clear(out);
        return;
    }
    pending_reply_write(waiter->pending, out);
}

void waiters_progress(struct job *job)
{
    struct text out = {0};
    for (struct waiter *waiter = job->waiters; waiter != NULL; waiter = waiter->next)
        if (waiter->kind == WAITER_EVENTS)
            send_event(waiter, &out);
    text_free(&out);
}

static struct waiter *first_due(const struct job *job)
{
    struct waiter *waiter = job->waiters;
    while (waiter != NULL && !is_due(waiter))
        waiter = waiter->next;
    return waiter;
}

/* An answer may end other waiters of the job, or forget it. */
static void answer_due(struct job *job)
{
    for (struct waiter *waiter = first_due(job); waiter != NULL; waiter = first_due(job))
        waiter_answer(waiter);
}

void waiters_stored(struct job *job)
{
    assert(job->phase != PHASE_ADDING && job->phase != PHASE_RESTARTING);
    job_hold(job);
    answer_due(job);
    job_release(job);
}

void waiters_ended(struct job *job)
{
    assert(job->phase == PHASE_ENDED);
    job_hold(job);
    answer_due(job);
    assert(job->waiters == NULL);
    job_release(job);
}

static void fail_waiters(struct job *job, bool all, const struct pz_error *error)
{
    for (struct waiter *waiter = job->waiters, *next = NULL; waiter != NULL; waiter = next) {
        struct pending_reply *pending = waiter->pending;
        next = waiter->next;
        if (!all && !is_submission(waiter))
            continue;
        waiter_free(waiter);
        pending_reply_fail(pending, error);
    }
}

void waiters_fail(struct job *job, const struct pz_error *error)
{
    fail_waiters(job, true, error);
    assert(job->waiters == NULL);
}

void waiters_refuse(struct job *job, const struct pz_error *error)
{
    fail_waiters(job, false, error);
}
