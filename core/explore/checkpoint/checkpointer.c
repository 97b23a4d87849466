/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint/checkpointer.h"

#include "base/clock.h"
#include "explore/checkpoint/replay_log.h"
#include "explore/checkpoint/stream.h"
#include "space/registry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_MARK UINT64_C(0x0003545043595A50) /* shows the byte order */
/* Bytes a second that a disk is expected to write, until one checkpoint has been measured. */
#define USUAL_RATE 200e6

struct checkpoint_head {
    uint64_t mark;
    uint32_t version, identity_length;
    uint32_t level;  /* being expanded */
    uint32_t levels; /* in the replay log */
    uint64_t states; /* as above */
    uint64_t log_length;
    double seconds; /* of the run, over all restarts */
};

struct checkpointer {
    const struct explore_checkpoint *calls; /* NULL: none */
    struct monitor *monitor;
    const struct explore_sink *sink; /* the caller's */
    char identity[CHECKPOINT_IDENTITY_MAX];
    struct replay_log log;
    struct checkpoint_stream stream;
    double began;
    double seconds_before; /* before the last restart */
    double last_end;       /* of the last checkpoint, even a failed one; at first, when the run began */
    double last_cost;      /* seconds that the last one took */
    double rate;           /* bytes a second, of the last one that was large enough to tell */
    double stop_seen;      /* when a stop with control.keep was noticed; 0 for not yet */
    bool off;              /* no more are written */
    bool reading;

    /* Of the checkpoint being written or read. */
    uint32_t level;
    uint64_t bytes; /* at most */
    double save_began;
};

/* ---- while one is written or read ---- */

/* Reports the progress of writing or reading. Work without a sink reports by itself. */
static void report_checkpoint(struct checkpointer *checkpointer)
{
    const struct checkpoint_stream *stream = &checkpointer->stream;
    const bool reading = checkpointer->reading;
    if (checkpointer->sink == NULL)
        return;
    checkpointer->monitor->progress.level = checkpointer->level;
    monitor_tell(checkpointer->monitor, reading ? "load" : "save",
                 reading ? (double)stream->next / (double)stream->parts
                         : (double)stream->bytes / (double)checkpointer->bytes);
}

/* Returns the seconds that a stop with control.keep has left. */
static double grace_left(struct checkpointer *checkpointer)
{
    double now = clock_seconds();
    if (checkpointer->stop_seen <= 0)
        checkpointer->stop_seen = now;
    return checkpointer->stop_seen + checkpointer->calls->grace - now;
}

static const char *objection(void *context)
{
    struct checkpointer *checkpointer = context;
    const struct control *control = checkpointer->monitor->control;
    report_checkpoint(checkpointer);
    switch (control_poll(control)) {
    case PZ_CANCELLED:
        break;
    case PZ_LIMIT:
        return checkpointer->reading ? NULL : "the run's time is up";
    default:
        return NULL;
    }
    if (checkpointer->reading) {
        checkpointer->off = true; /* this run ends at its start, which must not replace the checkpoint */
        return "the run was stopped while it was read";
    }
    if (!control_keeps(control))
        return "the run was cancelled";
    return grace_left(checkpointer) < 0 ? "a stop has no time for so much" : NULL;
}

static void tell_checkpoint(const struct checkpointer *checkpointer, struct explore_checkpoint_news news)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    if (calls->note != NULL)
        calls->note(calls->context, &news);
}

/* ---- life ---- */

enum pz_status checkpointer_new(const struct checkpointer_options *options, struct checkpointer **out,
                                struct pz_error *error)
{
    assert(options->identity != NULL && strlen(options->identity) < CHECKPOINT_IDENTITY_MAX);
    struct checkpointer *checkpointer = calloc(1, sizeof *checkpointer);
    if (checkpointer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for checkpoints");
    checkpointer->calls = options->calls;
    checkpointer->monitor = options->monitor;
    checkpointer->sink = options->sink;
    (void)snprintf(checkpointer->identity, sizeof checkpointer->identity, "%s", options->identity);
    checkpointer->log = (struct replay_log){.sink = options->sink, .state_bytes = options->state_bytes};
    checkpointer->stream =
        (struct checkpoint_stream){.calls = options->calls, .objection = objection, .context = checkpointer};
    checkpointer->began = checkpointer->last_end = clock_seconds();
    checkpointer->rate = USUAL_RATE;
    *out = checkpointer;
    return PZ_OK;
}

/* Writes all that a checkpoint must match. Threads, kernels and stripes are left out: results do not depend
 * on them. The depth is included: a run with a smaller one would resume beyond its own end. */
static void write_identity(const struct explore_request *request, const char *engine, char *identity)
{
    char name[PZ_SIZE_MAX + 64];
    (void)space_name(request->space, name);
    size_t length = (size_t)snprintf(identity, CHECKPOINT_IDENTITY_MAX,
                                     "%s %s keep=%d depth=%u seed=%llu%s root=", engine, name,
                                     (int)request->keep, request->depth, (unsigned long long)request->seed,
                                     request->from == FROM_GOALS ? " from=goals" : "");
    const uint8_t *root = request->root;
    for (uint32_t i = 0;
         i < explore_roots(request) * request->space->state_bytes && length + 2 < CHECKPOINT_IDENTITY_MAX;
         i++)
        length += (size_t)snprintf(identity + length, CHECKPOINT_IDENTITY_MAX - length, "%02x", root[i]);
}

enum pz_status checkpointer_of_run(const struct explore_request *request, const char *engine,
                                   struct monitor *monitor, const struct explore_sink *sink,
                                   struct checkpointer **out, struct pz_error *error)
{
    char identity[CHECKPOINT_IDENTITY_MAX];
    write_identity(request, engine, identity);
    const struct checkpointer_options options = {.calls = request->checkpoint,
                                                 .identity = identity,
                                                 .monitor = monitor,
                                                 .sink = sink,
                                                 .state_bytes = request->space->state_bytes};
    return checkpointer_new(&options, out, error);
}

void checkpointer_free(struct checkpointer *checkpointer)
{
    if (checkpointer == NULL)
        return;
    replay_log_clear(&checkpointer->log);
    stream_clear(&checkpointer->stream);
    free(checkpointer);
}

void checkpointer_note_level(struct checkpointer *checkpointer, uint32_t level, uint64_t states)
{
    if (checkpointer->calls != NULL)
        replay_log_level(&checkpointer->log, level, states);
}

void checkpointer_note_examples(struct checkpointer *checkpointer, const void *states, unsigned count)
{
    if (checkpointer->calls != NULL)
        replay_log_examples(&checkpointer->log, states, count);
}

uint32_t checkpointer_levels(const struct checkpointer *checkpointer)
{
    return checkpointer->log.levels;
}

uint64_t checkpointer_states(const struct checkpointer *checkpointer)
{
    return checkpointer->log.states;
}

double checkpointer_seconds(const struct checkpointer *checkpointer)
{
    return checkpointer->seconds_before;
}

/* ---- going on ---- */

static bool get_log(struct checkpointer *checkpointer, const struct checkpoint_head *head)
{
    struct replay_log *log = &checkpointer->log;
    struct checkpoint_stream *stream = &checkpointer->stream;
    /* A damaged length must not become an allocation. */
    if (head->log_length / EXPLORE_PART_MAX >= stream->parts)
        return stream_fail(stream, PZ_STORAGE, "its levels are malformed");
    if (!replay_log_take(log, head->log_length))
        return stream_fail(stream, PZ_MEMORY, "there is no memory to read it");
    log->levels = head->levels;
    log->states = head->states;
    return stream_get(stream, log->bytes, head->log_length) &&
           (replay_log_is_sound(log) || stream_fail(stream, PZ_STORAGE, "its levels are malformed"));
}

static bool get_head(struct checkpointer *checkpointer)
{
    struct checkpoint_stream *stream = &checkpointer->stream;
    struct checkpoint_head head;
    char identity[CHECKPOINT_IDENTITY_MAX] = "";
    if (!stream_get(stream, &head, sizeof head))
        return false;
    if (head.mark != HEAD_MARK || head.version != EXPLORE_CHECKPOINT_VERSION ||
        head.identity_length >= sizeof identity)
        return stream_fail(stream, PZ_STORAGE, "it is of another version or machine");
    if (!stream_get(stream, identity, head.identity_length))
        return false;
    if (strcmp(identity, checkpointer->identity) != 0)
        return stream_fail(stream, PZ_STORAGE, "it is of another exploration");
    checkpointer->level = head.level;
    checkpointer->seconds_before = head.seconds;
    return get_log(checkpointer, &head);
}

static void refuse_checkpoint(struct checkpointer *checkpointer)
{
    replay_log_forget(&checkpointer->log);
    checkpointer->seconds_before = 0;
    tell_checkpoint(checkpointer,
                    (struct explore_checkpoint_news){.event = CHECKPOINT_REFUSED,
                                                     .reason = checkpointer->stream.error.text});
}

bool checkpointer_open(struct checkpointer *checkpointer)
{
    if (checkpointer->calls == NULL || checkpointer->calls->open == NULL)
        return false;
    checkpointer->reading = true;
    enum pz_status status = stream_open(&checkpointer->stream);
    if (status == PZ_OK && get_head(checkpointer))
        return true;
    checkpointer->reading = false;
    if (status == PZ_OK)
        (void)stream_close(&checkpointer->stream);
    if (status != PZ_NO_TABLE)
        refuse_checkpoint(checkpointer);
    return false;
}

bool checkpointer_open_again(struct checkpointer *checkpointer)
{
    assert(checkpointer->reading);
    (void)stream_close(&checkpointer->stream);
    replay_log_forget(&checkpointer->log);
    return checkpointer_open(checkpointer);
}

bool checkpointer_get(struct checkpointer *checkpointer, void *bytes, size_t length)
{
    assert(checkpointer->reading);
    return stream_get(&checkpointer->stream, bytes, length);
}

bool checkpointer_ends_run(const struct checkpointer *checkpointer)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    return calls != NULL && calls->advice != NULL && checkpointer->stream.failed;
}

enum pz_status checkpointer_refuse(struct checkpointer *checkpointer, struct pz_error *error)
{
    assert(checkpointer->calls != NULL && (checkpointer->reading || checkpointer->stream.failed));
    const char *advice = checkpointer->calls->advice;
    checkpointer_fail(checkpointer,
                      "it contradicts itself, files are missing, or there is no memory for what it holds");
    return pz_fail(error, PZ_STORAGE, "cannot go on from what was saved: %s%s%s",
                   checkpointer->stream.error.text, advice != NULL ? "; " : "", advice != NULL ? advice : "");
}

bool checkpointer_close(struct checkpointer *checkpointer, bool sound)
{
    assert(checkpointer->reading);
    if (!sound)
        (void)checkpointer_refuse(checkpointer, NULL);
    bool good = stream_close(&checkpointer->stream);
    checkpointer->reading = false;
    checkpointer->monitor->began -= good ? checkpointer->seconds_before : 0;
    if (good)
        tell_checkpoint(checkpointer, (struct explore_checkpoint_news){.event = CHECKPOINT_RESUMED,
                                                                       .level = checkpointer->level});
    else
        refuse_checkpoint(checkpointer);
    return good;
}

enum pz_status checkpointer_note_damage(struct checkpointer *checkpointer, bool resumed,
                                        struct pz_error *error)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    const struct pz_error reason = *error;
    if (calls != NULL && resumed && calls->advice != NULL)
        return pz_fail(error, PZ_STORAGE, "%.240s; %s", reason.text, calls->advice);
    if (calls != NULL)
        tell_checkpoint(checkpointer,
                        (struct explore_checkpoint_news){.event = CHECKPOINT_REFUSED, .reason = reason.text});
    return PZ_OK;
}

enum pz_status checkpointer_replay(struct checkpointer *checkpointer, struct pz_error *error)
{
    return replay_log_play(&checkpointer->log, error);
}

/* ---- when ---- */

void checkpointer_expect(struct checkpointer *checkpointer, uint64_t bytes)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    struct pz_error error = {0};
    if (calls != NULL && calls->expect != NULL && bytes > 0 &&
        calls->expect(calls->context, bytes, &error) != PZ_OK)
        tell_checkpoint(checkpointer, (struct explore_checkpoint_news){
                                          .event = CHECKPOINT_SHORT, .bytes = bytes, .reason = error.text});
}

bool checkpointer_due(const struct checkpointer *checkpointer, uint64_t bytes)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    if (calls == NULL || checkpointer->off)
        return false;
    double since = clock_seconds() - checkpointer->last_end;
    double cost = (double)bytes / checkpointer->rate;
    if (cost < checkpointer->last_cost)
        cost = checkpointer->last_cost; /* the last checkpoint may have been slow, or failed slowly */
    return since >= calls->interval && (calls->share <= 0 || since * calls->share >= cost);
}

bool checkpointer_wanted(const struct checkpointer *checkpointer)
{
    const struct control *control = checkpointer->monitor->control;
    return checkpointer->calls != NULL && !checkpointer->off && control != NULL && control_keeps(control);
}

/* Returns true if a stopping run should still write a checkpoint: it ends within the grace, and takes no
 * more time than it saves. A checkpoint of at most a second is always worth it. */
static bool stop_has_time(struct checkpointer *checkpointer, double cost)
{
    return cost <= grace_left(checkpointer) && cost <= clock_seconds() - checkpointer->last_end + 1;
}

/* ---- writing one ---- */

/* Returns true for a cancelled run, which needs no checkpoint and no news of a failed one. */
static bool is_cancelled(const struct checkpointer *checkpointer)
{
    const struct control *control = checkpointer->monitor->control;
    return control != NULL && control_stopped(control) && !control_keeps(control);
}

static void account(struct checkpointer *checkpointer, enum checkpoint_event event, uint64_t bytes)
{
    struct checkpoint_stream *stream = &checkpointer->stream;
    checkpointer->last_end = clock_seconds();
    checkpointer->last_cost = checkpointer->last_end - checkpointer->save_began;
    if (event == CHECKPOINT_FAILED && is_cancelled(checkpointer))
        return;
    tell_checkpoint(checkpointer,
                    (struct explore_checkpoint_news){.event = event,
                                                     .level = checkpointer->level,
                                                     .bytes = bytes,
                                                     .seconds = checkpointer->last_cost,
                                                     .reason = stream->failed ? stream->error.text : NULL});
}

static void put_head(struct checkpointer *checkpointer)
{
    const struct replay_log *log = &checkpointer->log;
    struct checkpoint_stream *stream = &checkpointer->stream;
    size_t identity = strlen(checkpointer->identity);
    const struct checkpoint_head head = {.mark = HEAD_MARK,
                                         .version = EXPLORE_CHECKPOINT_VERSION,
                                         .identity_length = (uint32_t)identity,
                                         .level = checkpointer->level,
                                         .levels = log->levels,
                                         .states = log->states,
                                         .log_length = log->length,
                                         .seconds = checkpointer->save_began - checkpointer->began +
                                                    checkpointer->seconds_before};
    (void)stream_put(stream, &head, sizeof head);
    (void)stream_put(stream, checkpointer->identity, identity);
    (void)stream_put(stream, log->bytes, log->length);
}

bool checkpointer_begin(struct checkpointer *checkpointer, uint32_t level, uint64_t bytes)
{
    assert(checkpointer->calls != NULL && !checkpointer->reading);
    struct checkpoint_stream *stream = &checkpointer->stream;
    bytes += checkpointer->log.length + sizeof(struct checkpoint_head) + CHECKPOINT_IDENTITY_MAX +
             sizeof(uint64_t);
    checkpointer->level = level;
    checkpointer->bytes = bytes;
    checkpointer->save_began = clock_seconds();
    stream->failed = false;
    if (checkpointer->log.incomplete)
        (void)stream_fail(stream, PZ_MEMORY, "no memory for its levels");
    else if (checkpointer_wanted(checkpointer) &&
             !stop_has_time(checkpointer, (double)bytes / checkpointer->rate))
        (void)stream_fail(stream, PZ_LIMIT, "a stop has no time for so much");
    else if (stream_begin(stream, bytes)) {
        put_head(checkpointer);
        return true;
    }
    account(checkpointer, CHECKPOINT_FAILED, bytes);
    return false;
}

bool checkpointer_put(struct checkpointer *checkpointer, const void *bytes, size_t length)
{
    assert(!checkpointer->reading);
    return stream_put(&checkpointer->stream, bytes, length);
}

void checkpointer_fail(struct checkpointer *checkpointer, const char *reason)
{
    (void)stream_fail(&checkpointer->stream, PZ_STORAGE, reason);
}

void checkpointer_end(struct checkpointer *checkpointer)
{
    assert(!checkpointer->reading && checkpointer->calls != NULL);
    struct checkpoint_stream *stream = &checkpointer->stream;
    bool committed = stream_end(stream);
    account(checkpointer, committed ? CHECKPOINT_SAVED : CHECKPOINT_FAILED, stream->bytes);
    if (committed && checkpointer->last_cost > 0.1) /* a small one says little about the disk */
        checkpointer->rate = (double)stream->bytes / checkpointer->last_cost;
}
