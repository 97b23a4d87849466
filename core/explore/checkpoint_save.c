/* SPDX-License-Identifier: MIT */
/* Writing checkpoints: while the search pauses, and on a thread beside it. */
#include "base/clock.h"
#include "base/priority.h"
#include "explore/checkpoint_parts.h"

#include <time.h>

/* ---- beginning and end, of both kinds ---- */

static void save_failed(struct checkpointer *checkpointer, uint64_t bytes, double cost)
{
    checkpointer->last_moment = checkpointer->last_end = clock_seconds();
    checkpointer->last_cost = cost;
    checkpointer_note(checkpointer, CHECKPOINT_FAILED, checkpointer_level_now(checkpointer), bytes, cost);
}

static void save_done(struct checkpointer *checkpointer, double cost)
{
    const struct checkpoint_stream *stream = &checkpointer->stream;
    uint64_t bytes = atomic_load_explicit(&stream->bytes, memory_order_relaxed);
    checkpointer->kept = true;
    checkpointer->last_moment = checkpointer->moment_at;
    checkpointer->last_end = clock_seconds();
    checkpointer->last_cost = cost;
    checkpointer->expected_bytes = (double)bytes;
    if (stream->seconds > 0.1) /* what is small says little about the disk */
        checkpointer->rate = (double)bytes / stream->seconds;
    checkpointer_note(checkpointer, CHECKPOINT_SAVED, checkpointer->moment_level, bytes,
                      checkpointer->last_end - checkpointer->save_began);
}

/* A stop that is to keep waits for one only within its grace, and only where it saves more than it takes. */
static bool stop_has_time(const struct checkpointer *checkpointer, double cost)
{
    return cost <= checkpointer->calls->grace &&
           cost <= clock_seconds() - checkpointer->last_moment + 1 /* what is small is always worth it */;
}

void checkpointer_moment(struct checkpointer *checkpointer)
{
    if (!told_copy(&checkpointer->recorder.told, &checkpointer->moment))
        checkpointer->off = true; /* the head would be wrong: seen to by end */
    checkpointer->moment_level = checkpointer_level_now(checkpointer);
    checkpointer->moment_at = clock_seconds();
    checkpointer->moment_seconds =
        checkpointer->seconds_before + checkpointer->moment_at - checkpointer->began;
}

static bool begin(struct checkpointer *checkpointer, uint64_t bytes, enum use use)
{
    struct checkpoint_stream *stream = &checkpointer->stream;
    bytes += checkpointer->recorder.told.length + sizeof(struct checkpoint_head) + CHECKPOINT_IDENTITY_MAX;
    double cost = (double)bytes / checkpointer->rate;
    checkpointer->use = use;
    checkpointer->save_began = clock_seconds();
    checkpointer->save_bytes = (double)bytes;
    checkpointer->stop_seen = 0;
    checkpointer->waited = 0;
    checkpointer->busy = 0;
    atomic_store_explicit(&checkpointer->giving, NULL, memory_order_relaxed);
    stream->failed = false;
    if (checkpointer_wanted(checkpointer) && !stop_has_time(checkpointer, cost))
        stream_spoil(stream, PZ_LIMIT, "a stop has no time for so much");
    else if (stream_begin(stream, bytes))
        checkpointer_moment(checkpointer);
    if (!stream->failed)
        return true;
    checkpointer->use = USE_NONE;
    save_failed(checkpointer, bytes, clock_seconds() - checkpointer->save_began);
    return false;
}

static bool end(struct checkpointer *checkpointer)
{
    if (checkpointer->off)
        stream_spoil(&checkpointer->stream, PZ_MEMORY, "no memory for its levels");
    return stream_end(&checkpointer->stream, &checkpointer->moment, checkpointer->moment_seconds,
                      checkpointer->identity);
}

void checkpointer_put(struct checkpointer *checkpointer, const void *bytes, size_t length)
{
    stream_put(&checkpointer->stream, bytes, length);
}

void checkpointer_fail(struct checkpointer *checkpointer, const char *reason)
{
    stream_spoil(&checkpointer->stream, PZ_STORAGE, reason);
}

bool checkpointer_sound(const struct checkpointer *checkpointer)
{
    return !checkpointer->stream.failed &&
           atomic_load_explicit(&checkpointer->giving, memory_order_relaxed) == NULL;
}

/* ---- while the search pauses ---- */

bool checkpointer_begin(struct checkpointer *checkpointer, uint64_t bytes)
{
    return begin(checkpointer, bytes, USE_PAUSED);
}

void checkpointer_end(struct checkpointer *checkpointer)
{
    bool saved = end(checkpointer);
    double cost = clock_seconds() - checkpointer->save_began;
    checkpointer->use = USE_NONE;
    if (saved)
        save_done(checkpointer, cost);
    else
        save_failed(checkpointer, atomic_load_explicit(&checkpointer->stream.bytes, memory_order_relaxed),
                    cost);
}

/* ---- beside the search ---- */

static double processor_seconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *beside_main(void *context)
{
    struct checkpointer *checkpointer = context;
    (void)pthread_setname_np(pthread_self(), "checkpoint");
    priority_lower();
    checkpointer->write(checkpointer->write_context, checkpointer);
    (void)end(checkpointer);
    checkpointer->busy = processor_seconds();
    atomic_store_explicit(&checkpointer->ended, true, memory_order_release);
    return NULL;
}

bool checkpointer_beside(struct checkpointer *checkpointer, uint64_t bytes, checkpointer_write *write,
                         void *context)
{
    if (!begin(checkpointer, bytes, USE_BESIDE))
        return false;
    checkpointer->write = write;
    checkpointer->write_context = context;
    atomic_store_explicit(&checkpointer->ended, false, memory_order_relaxed);
    if (pthread_create(&checkpointer->thread, NULL, beside_main, checkpointer) == 0)
        return true;
    checkpointer->use = USE_NONE;
    checkpointer->calls->abort(checkpointer->calls->context);
    stream_spoil(&checkpointer->stream, PZ_MEMORY, "no thread to write it");
    save_failed(checkpointer, bytes, 0);
    return false;
}

/* A run that was cancelled needs no checkpoint, and no news of one that came to nothing. */
static bool is_cancelled(const struct checkpointer *checkpointer)
{
    const struct control *control = checkpointer->control;
    return control != NULL && control_stopped(control) && !control_keeps(control);
}

/* The thread has ended, or is about to. */
static void settle(struct checkpointer *checkpointer, bool tell)
{
    double began = clock_seconds();
    (void)pthread_join(checkpointer->thread, NULL);
    checkpointer->waited += clock_seconds() - began;
    checkpointer->use = USE_NONE;
    double cost = checkpointer->waited + checkpointer->busy;
    if (!checkpointer->stream.failed)
        save_done(checkpointer, cost);
    else if (tell && !is_cancelled(checkpointer))
        save_failed(checkpointer, atomic_load_explicit(&checkpointer->stream.bytes, memory_order_relaxed),
                    cost);
}

bool checkpointer_writes(struct checkpointer *checkpointer)
{
    if (checkpointer->use == USE_BESIDE && atomic_load_explicit(&checkpointer->ended, memory_order_acquire))
        settle(checkpointer, true);
    return checkpointer->use == USE_BESIDE;
}

void checkpointer_waited(struct checkpointer *checkpointer, double seconds)
{
    checkpointer->waited = seconds;
}

void checkpointer_await(struct checkpointer *checkpointer)
{
    if (checkpointer->use == USE_BESIDE)
        settle(checkpointer, true);
}

bool checkpointer_can_await(const struct checkpointer *checkpointer)
{
    double left = checkpointer->save_bytes -
                  (double)atomic_load_explicit(&checkpointer->stream.bytes, memory_order_relaxed);
    return stop_has_time(checkpointer, left / checkpointer->rate);
}

void checkpointer_give_up(struct checkpointer *checkpointer, const char *reason)
{
    if (checkpointer->use != USE_BESIDE)
        return;
    atomic_store_explicit(&checkpointer->giving, reason != NULL ? reason : "the run has ended",
                          memory_order_relaxed);
    settle(checkpointer, reason != NULL);
}
