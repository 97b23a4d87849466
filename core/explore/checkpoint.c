/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint.h"

#include "base/clock.h"
#include "base/team.h"
#include "explore/checkpoint_stream.h"
#include "space/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Bytes a second that a disk is taken to write before anything was measured. */
#define USUAL_RATE 200e6

/* What the stream is used for just now. */
enum use { USE_NONE, USE_READ, USE_PAUSED, USE_BESIDE };

struct checkpointer {
    const struct explore_checkpoint *calls; /* NULL: none */
    const struct control *control;
    struct recorder recorder;
    struct explore_sink no_sink; /* of work without a sink */
    char identity[CHECKPOINT_IDENTITY_MAX];

    bool off; /* no room, or no memory: none are written any more */
    double began;
    double seconds_before;
    double last_moment;    /* that the last one is of, or the beginning */
    double last_end;       /* when it was done, or had failed */
    double last_cost;      /* seconds that it kept from the search */
    double rate;           /* bytes a second, of the last one */
    double expected_bytes; /* of the next one */

    /* Of the one being written or read. While one is written beside: the thread's, but for what is atomic. */
    enum use use; /* the owner's */
    struct checkpoint_stream stream;
    double stop_seen; /* when a stop that is to keep was noticed; 0 for not yet */
    double busy;      /* of the thread beside: seconds of its processor time */
    double save_began;
    double save_bytes; /* at most so many */

    struct told moment; /* what it tells; the owner's until write returns */
    double moment_seconds;
    double moment_at;

    pthread_t thread;
    checkpointer_write *write;
    void *write_context;
    double waited;                /* told by the engine */
    _Atomic bool ended;           /* by the thread, as its last act; the owner then joins it */
    _Atomic(const char *) giving; /* up, and why: by the owner */
};

/* ---- whose it is ---- */

/* All that makes two explorations' levels, examples or tables differ, and the layout of what an engine saves. The sizes
 * of teams, kernels and stripes do not. A depth that only ends earlier does: its run would go on behind its own
 * end. */
static void write_identity(struct checkpointer *checkpointer, const struct explore_request *request,
                           const char *engine)
{
    char name[PZ_SIZE_MAX + 64];
    (void)space_name(request->space, name);
    int length = snprintf(checkpointer->identity, CHECKPOINT_IDENTITY_MAX,
                          "%s %s keep=%d depth=%u seed=%llu root=", engine, name, (int)request->keep,
                          request->depth, (unsigned long long)request->seed);
    const uint8_t *root = request->root;
    for (uint32_t i = 0; i < request->space->state_bytes && length + 2 < CHECKPOINT_IDENTITY_MAX; i++)
        length += snprintf(checkpointer->identity + length, CHECKPOINT_IDENTITY_MAX - (size_t)length, "%02x",
                           root[i]);
}

/* Whether a stop that is to keep has been known of for longer than its grace. */
static bool out_of_grace(struct checkpointer *checkpointer)
{
    double now = clock_seconds();
    if (checkpointer->stop_seen <= 0)
        checkpointer->stop_seen = now;
    return now - checkpointer->stop_seen > checkpointer->calls->grace;
}

static const char *objection(void *context)
{
    struct checkpointer *checkpointer = context;
    const struct control *control = checkpointer->control;
    const char *giving = atomic_load_explicit(&checkpointer->giving, memory_order_relaxed);
    if (giving != NULL)
        return giving;
    if (control == NULL)
        return NULL;
    if (checkpointer->use == USE_BESIDE && control->deadline > 0 && clock_seconds() > control->deadline)
        return "the run's time is up";
    if (!control_stopped(control))
        return NULL;
    if (checkpointer->use == USE_READ) {
        checkpointer->off = true; /* the beginning, where this run now ends, is not to take its place */
        return "the run was stopped while it was read";
    }
    if (!control_keeps(control))
        return "the run was cancelled";
    return out_of_grace(checkpointer) ? "a stop has no time for so much" : NULL;
}

static struct checkpointer *make(const struct explore_checkpoint *calls, const struct control *control,
                                 const struct explore_sink *sink, uint32_t state_bytes)
{
    struct checkpointer *checkpointer = calloc(1, sizeof *checkpointer);
    if (checkpointer == NULL)
        return NULL;
    checkpointer->calls = calls;
    checkpointer->control = control;
    recorder_init(&checkpointer->recorder, sink != NULL ? sink : &checkpointer->no_sink, state_bytes);
    checkpointer->stream =
        (struct checkpoint_stream){.calls = calls, .objection = objection, .context = checkpointer};
    checkpointer->began = checkpointer->last_moment = checkpointer->last_end = clock_seconds();
    checkpointer->rate = USUAL_RATE;
    return checkpointer;
}

enum pz_status checkpointer_new(const struct explore_request *request, const char *engine,
                                const struct control *control, const struct explore_sink *sink,
                                struct checkpointer **out, struct pz_error *error)
{
    struct checkpointer *checkpointer = make(request->checkpoint, control, sink, request->space->state_bytes);
    if (checkpointer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    write_identity(checkpointer, request, engine);
    *out = checkpointer;
    return PZ_OK;
}

enum pz_status checkpointer_new_for(const struct explore_checkpoint *calls, const char *identity,
                                    const struct control *control, struct checkpointer **out,
                                    struct pz_error *error)
{
    struct checkpointer *checkpointer = make(calls, control, NULL, 0);
    if (checkpointer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for checkpoints");
    (void)snprintf(checkpointer->identity, sizeof checkpointer->identity, "%s", identity);
    *out = checkpointer;
    return PZ_OK;
}

void checkpointer_free(struct checkpointer *checkpointer)
{
    if (checkpointer == NULL)
        return;
    checkpointer_give_up(checkpointer, NULL);
    recorder_clear(&checkpointer->recorder);
    stream_clear(&checkpointer->stream);
    free(checkpointer->moment.bytes);
    free(checkpointer);
}

const struct explore_sink *checkpointer_sink(const struct checkpointer *checkpointer)
{
    return checkpointer->calls != NULL ? &checkpointer->recorder.calls : checkpointer->recorder.sink;
}

uint32_t checkpointer_levels(const struct checkpointer *checkpointer)
{
    return checkpointer->recorder.told.levels;
}

uint64_t checkpointer_states(const struct checkpointer *checkpointer)
{
    return checkpointer->recorder.told.states;
}

double checkpointer_seconds(const struct checkpointer *checkpointer)
{
    return checkpointer->seconds_before;
}

static void note(const struct checkpointer *checkpointer, enum checkpoint_event event, uint32_t level,
                 uint64_t bytes, double seconds)
{
    bool bad = event == CHECKPOINT_REFUSED || event == CHECKPOINT_FAILED;
    const struct explore_checkpoint_news news = {.event = event,
                                                 .level = level,
                                                 .bytes = bytes,
                                                 .seconds = seconds,
                                                 .waited = checkpointer->last_cost,
                                                 .reason = bad ? checkpointer->stream.error.text : NULL};
    if (checkpointer->calls->note != NULL)
        checkpointer->calls->note(checkpointer->calls->context, &news);
}

/* ---- going on ---- */

static void refuse(struct checkpointer *checkpointer)
{
    told_forget(&checkpointer->recorder.told);
    checkpointer->seconds_before = 0;
    note(checkpointer, CHECKPOINT_REFUSED, 0, 0, 0);
}

bool checkpointer_open(struct checkpointer *checkpointer)
{
    if (checkpointer->calls == NULL || checkpointer->calls->open == NULL)
        return false;
    checkpointer->use = USE_READ;
    enum pz_status status = stream_open(&checkpointer->stream, checkpointer->identity,
                                        &checkpointer->recorder.told, &checkpointer->seconds_before);
    if (status == PZ_OK)
        return true;
    checkpointer->use = USE_NONE;
    if (status != PZ_NO_TABLE)
        refuse(checkpointer);
    return false;
}

bool checkpointer_get(struct checkpointer *checkpointer, void *bytes, size_t length)
{
    return stream_get(&checkpointer->stream, bytes, length);
}

bool checkpointer_close(struct checkpointer *checkpointer, bool sound)
{
    if (!sound)
        checkpointer_fail(checkpointer, "it contradicts itself, or there is no memory for what it holds");
    bool good = stream_close(&checkpointer->stream);
    checkpointer->use = USE_NONE;
    if (!good)
        refuse(checkpointer);
    return good;
}

enum pz_status checkpointer_replay(struct checkpointer *checkpointer, struct pz_error *error)
{
    enum pz_status status = recorder_replay(&checkpointer->recorder, error);
    note(checkpointer, CHECKPOINT_RESUMED, checkpointer_levels(checkpointer), 0, 0);
    return status;
}

/* ---- when ---- */

void checkpointer_expect(struct checkpointer *checkpointer, uint64_t bytes)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    if (calls == NULL || calls->expect == NULL)
        return;
    checkpointer->expected_bytes = (double)bytes;
    if (calls->expect(calls->context, bytes, &checkpointer->stream.error) == PZ_OK)
        return;
    checkpointer->off = true;
    note(checkpointer, CHECKPOINT_FAILED, checkpointer_levels(checkpointer), bytes, 0);
}

bool checkpointer_due(struct checkpointer *checkpointer)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    if (calls == NULL || checkpointer->off || checkpointer_writes(checkpointer))
        return false;
    double now = clock_seconds();
    double ahead = checkpointer->expected_bytes / checkpointer->rate;
    if (ahead > calls->interval / 2)
        ahead = calls->interval / 2;
    bool time_for_it = now - checkpointer->last_moment >= calls->interval - ahead;
    bool share_left =
        calls->share <= 0 || (now - checkpointer->last_end) * calls->share >= checkpointer->last_cost;
    return time_for_it && share_left;
}

bool checkpointer_wanted(const struct checkpointer *checkpointer)
{
    return checkpointer->calls != NULL && !checkpointer->off && checkpointer->control != NULL &&
           control_keeps(checkpointer->control);
}

/* ---- beginning and end, of both kinds ---- */

static void save_failed(struct checkpointer *checkpointer, uint64_t bytes, double cost)
{
    checkpointer->last_moment = checkpointer->last_end = clock_seconds();
    checkpointer->last_cost = cost;
    note(checkpointer, CHECKPOINT_FAILED, checkpointer_levels(checkpointer), bytes, cost);
}

static void save_done(struct checkpointer *checkpointer, double cost)
{
    const struct checkpoint_stream *stream = &checkpointer->stream;
    uint64_t bytes = atomic_load_explicit(&stream->bytes, memory_order_relaxed);
    checkpointer->last_moment = checkpointer->moment_at;
    checkpointer->last_end = clock_seconds();
    checkpointer->last_cost = cost;
    checkpointer->expected_bytes = (double)bytes;
    if (stream->seconds > 0.1) /* what is small says little about the disk */
        checkpointer->rate = (double)bytes / stream->seconds;
    note(checkpointer, CHECKPOINT_SAVED, checkpointer->moment.levels, bytes,
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
    team_lower_priority();
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

/* The thread has ended, or is about to. */
static void settle(struct checkpointer *checkpointer, bool tell)
{
    (void)pthread_join(checkpointer->thread, NULL);
    checkpointer->use = USE_NONE;
    double cost = checkpointer->waited + checkpointer->busy;
    if (!checkpointer->stream.failed)
        save_done(checkpointer, cost);
    else if (tell)
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
