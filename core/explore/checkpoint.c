/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint.h"

#include "base/clock.h"
#include "space/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK UINT64_C(0x5059434B50540100) /* "PYCKPT", 1, 0 */
/* A stop waits no longer than this for a checkpoint (the daemon's patience is 4.5 s, and the commit comes on top). */
#define GRACE_SECONDS 2.5
/* Bytes a second that a disk is taken to write before anything was measured. */
#define USUAL_RATE 200e6

enum { IDENTITY_MAX = 2 * PZ_STATE_MAX + PZ_SIZE_MAX + 256 };

struct head {
    uint64_t mark;
    uint32_t version, identity_length;
    uint32_t levels, unused;
    uint64_t told_length;
    uint64_t states; /* in those levels */
    double seconds;  /* since the run began, over all its parts */
};

/* One level as the sink was told it; count states follow. */
struct told_level {
    uint32_t level, count;
    uint64_t states;
};

struct checkpointer {
    const struct explore_checkpoint *calls; /* NULL: none */
    const struct control *control;
    const struct explore_sink *sink; /* the caller's */
    struct explore_sink recorder;    /* in its place */
    uint32_t state_bytes;
    char identity[IDENTITY_MAX];

    uint8_t *told; /* struct told_level and states, one after the other */
    size_t told_length, told_room;
    size_t told_last; /* offset of the last level */
    uint32_t levels;
    uint64_t states;

    bool off; /* no room, or no memory: none are written any more */
    double began;
    double seconds_before;
    double last_end;  /* of the last one, or the beginning */
    double last_cost; /* seconds that it took, or is expected to */
    double rate;      /* bytes a second, of the last one */

    /* Of the one being written or read. */
    uint8_t *part; /* written: EXPLORE_PART_MAX of room */
    const uint8_t *source;
    size_t filled, left; /* bytes in part; bytes from source on */
    uint64_t parts, next_part;
    uint64_t bytes;
    double save_began;
    bool failed;
    struct pz_error error;
};

/* ---- what the sink is told ---- */

static bool tell(struct checkpointer *checkpointer, const void *bytes, size_t length)
{
    if (checkpointer->told_room - checkpointer->told_length < length) {
        size_t room = 2 * (checkpointer->told_length + length) + 4096;
        uint8_t *grown = realloc(checkpointer->told, room);
        if (grown == NULL) {
            checkpointer->off = true;
            return false;
        }
        checkpointer->told = grown;
        checkpointer->told_room = room;
    }
    memcpy(checkpointer->told + checkpointer->told_length, bytes, length);
    checkpointer->told_length += length;
    return true;
}

static enum pz_status on_begin(void *context, const struct explore_plan *plan, struct pz_error *error)
{
    const struct checkpointer *checkpointer = context;
    return checkpointer->sink->begin(checkpointer->sink->context, plan, error);
}

static enum pz_status on_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct checkpointer *checkpointer = context;
    const struct told_level told = {.level = level, .states = states};
    checkpointer->told_last = checkpointer->told_length;
    if (!checkpointer->off)
        (void)tell(checkpointer, &told, sizeof told);
    checkpointer->levels = level + 1;
    checkpointer->states += states;
    const struct explore_sink *sink = checkpointer->sink;
    return sink->level != NULL ? sink->level(sink->context, level, states, error) : PZ_OK;
}

static enum pz_status on_examples(void *context, uint32_t level, const void *states, unsigned count,
                                  struct pz_error *error)
{
    struct checkpointer *checkpointer = context;
    if (!checkpointer->off && tell(checkpointer, states, (size_t)count * checkpointer->state_bytes)) {
        struct told_level told;
        memcpy(&told, checkpointer->told + checkpointer->told_last, sizeof told);
        told.count = count;
        memcpy(checkpointer->told + checkpointer->told_last, &told, sizeof told);
    }
    return checkpointer->sink->examples(checkpointer->sink->context, level, states, count, error);
}

static enum pz_status on_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    const struct checkpointer *checkpointer = context;
    return checkpointer->sink->run(checkpointer->sink->context, run, error);
}

static enum pz_status on_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                               struct pz_error *error)
{
    const struct checkpointer *checkpointer = context;
    return checkpointer->sink->chunk(checkpointer->sink->context, number, bytes, length, error);
}

const struct explore_sink *checkpointer_sink(const struct checkpointer *checkpointer)
{
    return checkpointer->calls != NULL ? &checkpointer->recorder : checkpointer->sink;
}

uint32_t checkpointer_levels(const struct checkpointer *checkpointer)
{
    return checkpointer->levels;
}

uint64_t checkpointer_states(const struct checkpointer *checkpointer)
{
    return checkpointer->states;
}

double checkpointer_seconds(const struct checkpointer *checkpointer)
{
    return checkpointer->seconds_before;
}

static void forget_told(struct checkpointer *checkpointer)
{
    checkpointer->told_length = checkpointer->told_last = 0;
    checkpointer->levels = 0;
    checkpointer->states = 0;
    checkpointer->seconds_before = 0;
}

/* ---- making and freeing ---- */

/* Everything that the numbers depend on. */
static void write_identity(struct checkpointer *checkpointer, const struct explore_request *request,
                           const char *engine)
{
    char name[PZ_SIZE_MAX + 64];
    (void)space_name(request->space, name);
    int length =
        snprintf(checkpointer->identity, IDENTITY_MAX, "%s %s keep=%d depth=%u seed=%llu root=", engine, name,
                 (int)request->keep, request->depth, (unsigned long long)request->seed);
    const uint8_t *root = request->root;
    for (uint32_t i = 0; i < request->space->state_bytes && length + 2 < IDENTITY_MAX; i++)
        length += snprintf(checkpointer->identity + length, IDENTITY_MAX - (size_t)length, "%02x", root[i]);
}

enum pz_status checkpointer_new(const struct explore_request *request, const char *engine,
                                const struct control *control, const struct explore_sink *sink,
                                struct checkpointer **out, struct pz_error *error)
{
    struct checkpointer *checkpointer = calloc(1, sizeof *checkpointer);
    if (checkpointer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    checkpointer->calls = request->checkpoint;
    checkpointer->control = control;
    checkpointer->sink = sink;
    checkpointer->state_bytes = request->space->state_bytes;
    checkpointer->recorder = (struct explore_sink){.context = checkpointer,
                                                   .begin = sink->begin != NULL ? on_begin : NULL,
                                                   .level = on_level,
                                                   .examples = sink->examples != NULL ? on_examples : NULL,
                                                   .run = sink->run != NULL ? on_run : NULL,
                                                   .chunk = sink->chunk != NULL ? on_chunk : NULL};
    checkpointer->began = checkpointer->last_end = clock_seconds();
    checkpointer->rate = USUAL_RATE;
    write_identity(checkpointer, request, engine);
    *out = checkpointer;
    return PZ_OK;
}

void checkpointer_free(struct checkpointer *checkpointer)
{
    if (checkpointer == NULL)
        return;
    free(checkpointer->told);
    free(checkpointer->part);
    free(checkpointer);
}

static void note(const struct checkpointer *checkpointer, enum checkpoint_event event, uint64_t bytes,
                 double seconds, const char *reason)
{
    const struct explore_checkpoint_news news = {.event = event,
                                                 .level =
                                                     event == CHECKPOINT_REFUSED ? 0 : checkpointer->levels,
                                                 .bytes = bytes,
                                                 .seconds = seconds,
                                                 .reason = reason};
    if (checkpointer->calls->note != NULL)
        checkpointer->calls->note(checkpointer->calls->context, &news);
}

/* ---- going on ---- */

static bool next_source(struct checkpointer *checkpointer)
{
    const void *bytes = NULL;
    const struct explore_checkpoint *calls = checkpointer->calls;
    if (checkpointer->next_part == checkpointer->parts) {
        (void)pz_fail(&checkpointer->error, PZ_STORAGE, "it ends too early");
        return false;
    }
    if (checkpointer->control != NULL && control_stopped(checkpointer->control)) {
        checkpointer->off = true; /* the beginning, where this run now ends, is not to take its place */
        (void)pz_fail(&checkpointer->error, PZ_CANCELLED, "the run was stopped while it was read");
        return false;
    }
    if (calls->read(calls->context, checkpointer->next_part++, &bytes, &checkpointer->left,
                    &checkpointer->error) != PZ_OK)
        return false;
    checkpointer->source = bytes;
    return true;
}

bool checkpointer_get(struct checkpointer *checkpointer, void *bytes, size_t length)
{
    uint8_t *to = bytes;
    while (length > 0 && !checkpointer->failed) {
        if (checkpointer->left == 0) {
            checkpointer->failed = !next_source(checkpointer);
            continue;
        }
        size_t here = length < checkpointer->left ? length : checkpointer->left;
        memcpy(to, checkpointer->source, here);
        checkpointer->source += here;
        checkpointer->left -= here;
        to += here;
        length -= here;
    }
    return !checkpointer->failed;
}

/* The checkpoint in hand is none; the first reason stays. */
static bool spoil(struct checkpointer *checkpointer, const char *what)
{
    if (!checkpointer->failed)
        (void)pz_fail(&checkpointer->error, PZ_STORAGE, "%s", what);
    checkpointer->failed = true;
    return false;
}

/* Whether what was told is a row of levels from 0 on, whole to its last byte. */
static bool check_told(const struct checkpointer *checkpointer)
{
    size_t at = 0;
    uint64_t states = 0;
    for (uint32_t level = 0; level < checkpointer->levels; level++) {
        struct told_level told;
        if (checkpointer->told_length - at < sizeof told)
            return false;
        memcpy(&told, checkpointer->told + at, sizeof told);
        at += sizeof told;
        if (told.level != level || (checkpointer->told_length - at) / checkpointer->state_bytes < told.count)
            return false;
        at += (size_t)told.count * checkpointer->state_bytes;
        states += told.states;
    }
    return at == checkpointer->told_length && states == checkpointer->states;
}

static bool get_told(struct checkpointer *checkpointer, const struct head *head)
{
    /* A length that is nonsense must not become an allocation. */
    if (head->told_length / EXPLORE_PART_MAX >= checkpointer->parts)
        return spoil(checkpointer, "its levels are malformed");
    checkpointer->told = malloc(head->told_length + 1);
    if (checkpointer->told == NULL)
        return spoil(checkpointer, "there is no memory to read it");
    checkpointer->told_room = head->told_length + 1;
    if (!checkpointer_get(checkpointer, checkpointer->told, head->told_length))
        return false;
    checkpointer->told_length = head->told_length;
    checkpointer->levels = head->levels;
    checkpointer->states = head->states;
    checkpointer->seconds_before = head->seconds;
    return check_told(checkpointer) || spoil(checkpointer, "its levels are malformed");
}

static bool get_head(struct checkpointer *checkpointer)
{
    struct head head;
    char identity[IDENTITY_MAX] = "";
    if (!checkpointer_get(checkpointer, &head, sizeof head))
        return false;
    if (head.mark != MARK || head.version != EXPLORE_CHECKPOINT_VERSION ||
        head.identity_length >= IDENTITY_MAX)
        return spoil(checkpointer, "it is of another version or machine");
    if (!checkpointer_get(checkpointer, identity, head.identity_length))
        return false;
    if (strcmp(identity, checkpointer->identity) != 0)
        return spoil(checkpointer, "it is of another exploration");
    return get_told(checkpointer, &head);
}

bool checkpointer_open(struct checkpointer *checkpointer)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    if (calls == NULL || calls->open == NULL)
        return false;
    checkpointer->failed = false;
    checkpointer->left = 0;
    checkpointer->next_part = 0;
    enum pz_status status = calls->open(calls->context, &checkpointer->parts, &checkpointer->error);
    if (status != PZ_OK) {
        if (status != PZ_NO_TABLE)
            note(checkpointer, CHECKPOINT_REFUSED, 0, 0, checkpointer->error.text);
        return false;
    }
    if (get_head(checkpointer))
        return true;
    (void)checkpointer_close(checkpointer, false);
    return false;
}

bool checkpointer_close(struct checkpointer *checkpointer, bool sound)
{
    uint64_t mark = 0;
    if (!sound)
        (void)spoil(checkpointer, "it contradicts itself, or there is no memory for what it holds");
    else if (checkpointer_get(checkpointer, &mark, sizeof mark) && mark != MARK)
        (void)spoil(checkpointer, "it has no end");
    checkpointer->calls->close(checkpointer->calls->context);
    if (!checkpointer->failed)
        return true;
    forget_told(checkpointer);
    note(checkpointer, CHECKPOINT_REFUSED, 0, 0, checkpointer->error.text);
    return false;
}

enum pz_status checkpointer_replay(struct checkpointer *checkpointer, struct pz_error *error)
{
    const struct explore_sink *sink = checkpointer->sink;
    enum pz_status status = PZ_OK;
    size_t at = 0;
    for (uint32_t level = 0; level < checkpointer->levels && status == PZ_OK; level++) {
        struct told_level told;
        memcpy(&told, checkpointer->told + at, sizeof told);
        at += sizeof told;
        if (sink->level != NULL)
            status = sink->level(sink->context, level, told.states, error);
        if (status == PZ_OK && sink->examples != NULL && told.count > 0)
            status = sink->examples(sink->context, level, checkpointer->told + at, told.count, error);
        at += (size_t)told.count * checkpointer->state_bytes;
    }
    note(checkpointer, CHECKPOINT_RESUMED, 0, 0, NULL);
    return status;
}

/* ---- leaving one ---- */

void checkpointer_expect(struct checkpointer *checkpointer, uint64_t bytes)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    if (calls == NULL || calls->expect == NULL)
        return;
    struct pz_error error = {0};
    if (calls->expect(calls->context, bytes, &error) == PZ_OK)
        return;
    checkpointer->off = true;
    note(checkpointer, CHECKPOINT_FAILED, bytes, 0, error.text);
}

bool checkpointer_due(const struct checkpointer *checkpointer)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    if (calls == NULL || checkpointer->off)
        return false;
    double since = clock_seconds() - checkpointer->last_end;
    return since >= calls->interval && (calls->share <= 0 || since * calls->share >= checkpointer->last_cost);
}

bool checkpointer_wanted(const struct checkpointer *checkpointer)
{
    return checkpointer->calls != NULL && !checkpointer->off && checkpointer->control != NULL &&
           control_keeps(checkpointer->control);
}

static void save_failed(struct checkpointer *checkpointer, double cost)
{
    checkpointer->last_end = clock_seconds();
    checkpointer->last_cost = cost;
    note(checkpointer, CHECKPOINT_FAILED, checkpointer->bytes, cost, checkpointer->error.text);
}

static void put_head(struct checkpointer *checkpointer)
{
    size_t identity = strlen(checkpointer->identity);
    const struct head head = {.mark = MARK,
                              .version = EXPLORE_CHECKPOINT_VERSION,
                              .identity_length = (uint32_t)identity,
                              .levels = checkpointer->levels,
                              .told_length = checkpointer->told_length,
                              .states = checkpointer->states,
                              .seconds =
                                  checkpointer->seconds_before + clock_seconds() - checkpointer->began};
    checkpointer_put(checkpointer, &head, sizeof head);
    checkpointer_put(checkpointer, checkpointer->identity, identity);
    checkpointer_put(checkpointer, checkpointer->told, checkpointer->told_length);
}

bool checkpointer_begin(struct checkpointer *checkpointer, uint64_t bytes)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    bytes += checkpointer->told_length + sizeof(struct head) + sizeof(uint64_t) + IDENTITY_MAX;
    double cost = (double)bytes / checkpointer->rate;
    checkpointer->bytes = bytes;
    checkpointer->save_began = clock_seconds();
    if (checkpointer_wanted(checkpointer) && cost > GRACE_SECONDS) {
        (void)pz_fail(&checkpointer->error, PZ_LIMIT, "a stop has no time for so much");
        save_failed(checkpointer, cost);
        return false;
    }
    if (checkpointer->part == NULL)
        checkpointer->part = malloc(EXPLORE_PART_MAX);
    enum pz_status status = PZ_MEMORY;
    if (checkpointer->part != NULL)
        status = calls->begin(calls->context, bytes, &checkpointer->error);
    else
        (void)pz_fail(&checkpointer->error, PZ_MEMORY, "no memory for a checkpoint");
    if (status != PZ_OK) {
        save_failed(checkpointer, cost);
        return false;
    }
    checkpointer->failed = false;
    checkpointer->filled = 0;
    checkpointer->bytes = 0;
    put_head(checkpointer);
    return true;
}

/* A job that was cancelled waits for no checkpoint, and one that shuts down not for long. */
static bool goes_on(struct checkpointer *checkpointer)
{
    const struct control *control = checkpointer->control;
    if (control == NULL || !control_stopped(control))
        return true;
    if (!control_keeps(control))
        return spoil(checkpointer, "the run was cancelled");
    if (clock_seconds() - checkpointer->save_began > GRACE_SECONDS)
        return spoil(checkpointer, "a stop has no time for so much");
    return true;
}

static void put_part(struct checkpointer *checkpointer)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    checkpointer->bytes += checkpointer->filled;
    if (goes_on(checkpointer) &&
        calls->part(calls->context, checkpointer->part, checkpointer->filled, &checkpointer->error) != PZ_OK)
        checkpointer->failed = true;
    checkpointer->filled = 0;
}

void checkpointer_put(struct checkpointer *checkpointer, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    while (length > 0 && !checkpointer->failed) {
        size_t room = EXPLORE_PART_MAX - checkpointer->filled;
        size_t here = length < room ? length : room;
        memcpy(checkpointer->part + checkpointer->filled, from, here);
        checkpointer->filled += here;
        from += here;
        length -= here;
        if (checkpointer->filled == EXPLORE_PART_MAX)
            put_part(checkpointer);
    }
}

void checkpointer_fail(struct checkpointer *checkpointer, const char *reason)
{
    (void)spoil(checkpointer, reason);
}

void checkpointer_end(struct checkpointer *checkpointer)
{
    const struct explore_checkpoint *calls = checkpointer->calls;
    const uint64_t mark = MARK;
    checkpointer_put(checkpointer, &mark, sizeof mark);
    if (checkpointer->filled > 0 && !checkpointer->failed)
        put_part(checkpointer);
    if (!checkpointer->failed)
        checkpointer->failed = calls->commit(calls->context, &checkpointer->error) != PZ_OK;
    double now = clock_seconds();
    double cost = now - checkpointer->save_began;
    if (checkpointer->failed) {
        calls->abort(calls->context);
        save_failed(checkpointer, cost);
        return;
    }
    checkpointer->last_end = now;
    checkpointer->last_cost = cost;
    if (cost > 0.1) /* what is small says little about the disk */
        checkpointer->rate = (double)checkpointer->bytes / cost;
    note(checkpointer, CHECKPOINT_SAVED, checkpointer->bytes, cost, NULL);
}
