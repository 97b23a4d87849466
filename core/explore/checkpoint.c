/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint_parts.h"

#include "base/clock.h"
#include "space/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes a second that a disk is taken to write before anything was measured. */
#define USUAL_RATE 200e6

/* ---- whose it is ---- */

/* All that makes two explorations' levels, examples or tables differ, and the layout of what an engine saves.
 * The sizes of teams, kernels and stripes do not. A depth that only ends earlier does: its run would go on
 * behind its own end. */
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
    checkpointer->sinkless = sink == NULL;
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

void checkpointer_at(struct checkpointer *checkpointer, uint32_t level)
{
    checkpointer->own_level = level;
}

void checkpointer_make_way(struct checkpointer *checkpointer, const char *identity)
{
    checkpointer->makes_way = identity;
}

static bool is_in_the_way(const struct checkpointer *checkpointer)
{
    const char *other = checkpointer->makes_way;
    return other != NULL && strncmp(checkpointer->stream.found, other, strlen(other)) == 0;
}

void checkpointer_discard(struct checkpointer *checkpointer)
{
    if (checkpointer == NULL)
        return;
    checkpointer_give_up(checkpointer, NULL);
    if (checkpointer->kept && checkpointer->calls->discard != NULL)
        checkpointer->calls->discard(checkpointer->calls->context);
    checkpointer->kept = false;
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

uint32_t checkpointer_level_now(const struct checkpointer *checkpointer)
{
    return checkpointer->sinkless ? checkpointer->own_level : checkpointer_levels(checkpointer);
}

void checkpointer_note(const struct checkpointer *checkpointer, enum checkpoint_event event, uint32_t level,
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
    checkpointer_note(checkpointer, CHECKPOINT_REFUSED, 0, 0, 0);
}

bool checkpointer_open(struct checkpointer *checkpointer)
{
    if (checkpointer->calls == NULL || checkpointer->calls->open == NULL)
        return false;
    checkpointer->use = USE_READ;
    enum pz_status status = stream_open(&checkpointer->stream, checkpointer->identity,
                                        &checkpointer->recorder.told, &checkpointer->seconds_before);
    checkpointer->kept = status != PZ_NO_TABLE;
    if (status == PZ_OK)
        return true;
    checkpointer->use = USE_NONE;
    if (status != PZ_NO_TABLE && is_in_the_way(checkpointer)) {
        checkpointer->kept = false;
        checkpointer->off = true;
    } else if (status != PZ_NO_TABLE) {
        refuse(checkpointer);
    }
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
    checkpointer_note(checkpointer, CHECKPOINT_RESUMED, checkpointer_level_now(checkpointer), 0, 0);
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
    checkpointer_note(checkpointer, CHECKPOINT_FAILED, checkpointer_level_now(checkpointer), bytes, 0);
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
