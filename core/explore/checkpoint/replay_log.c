/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint/replay_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One level; count examples follow. */
struct logged_level {
    uint32_t level, count;
    uint64_t states;
};

/* ---- the bytes ---- */

void replay_log_clear(struct replay_log *log)
{
    free(log->bytes);
    log->bytes = NULL;
}

void replay_log_forget(struct replay_log *log)
{
    log->length = log->last = 0;
    log->levels = 0;
    log->states = 0;
}

static bool replay_make_room(struct replay_log *log, size_t length)
{
    if (log->room - log->length >= length)
        return true;
    size_t room = 2 * (log->length + length) + 4096;
    uint8_t *grown = realloc(log->bytes, room);
    if (grown == NULL)
        return false;
    log->bytes = grown;
    log->room = room;
    return true;
}

static bool replay_append(struct replay_log *log, const void *bytes, size_t length)
{
    if (log->incomplete || !replay_make_room(log, length)) {
        log->incomplete = true;
        return false;
    }
    memcpy(log->bytes + log->length, bytes, length);
    log->length += length;
    return true;
}

bool replay_log_take(struct replay_log *log, size_t length)
{
    replay_log_forget(log);
    if (!replay_make_room(log, length))
        return false;
    log->length = length;
    return true;
}

bool replay_log_is_sound(const struct replay_log *log)
{
    size_t at = 0;
    uint64_t states = 0;
    for (uint32_t level = 0; level < log->levels; level++) {
        struct logged_level one;
        if (log->length - at < sizeof one)
            return false;
        memcpy(&one, log->bytes + at, sizeof one);
        at += sizeof one;
        if (one.level != level || (one.count > 0 && (log->length - at) / log->state_bytes < one.count))
            return false;
        at += (size_t)one.count * log->state_bytes;
        states += one.states;
    }
    return at == log->length && states == log->states;
}

enum pz_status replay_log_play(const struct replay_log *log, struct pz_error *error)
{
    assert(log->sink != NULL && replay_log_is_sound(log));
    const struct explore_sink *sink = log->sink;
    enum pz_status status = PZ_OK;
    size_t at = 0;
    for (uint32_t level = 0; level < log->levels && status == PZ_OK; level++) {
        struct logged_level one;
        memcpy(&one, log->bytes + at, sizeof one);
        at += sizeof one;
        if (sink->level != NULL)
            status = sink->level(sink->context, level, one.states, error);
        if (status == PZ_OK && sink->examples != NULL && one.count > 0)
            status = sink->examples(sink->context, level, log->bytes + at, one.count, error);
        at += (size_t)one.count * log->state_bytes;
    }
    return status;
}

/* ---- the recorder ---- */

static enum pz_status on_begin(void *context, const struct explore_plan *plan, struct pz_error *error)
{
    const struct replay_log *log = context;
    return log->sink->begin(log->sink->context, plan, error);
}

static enum pz_status on_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct replay_log *log = context;
    const struct logged_level one = {.level = level, .states = states};
    assert(level >= log->levels);
    log->last = log->length;
    (void)replay_append(log, &one, sizeof one);
    log->levels = level + 1;
    log->states += states;
    return log->sink->level != NULL ? log->sink->level(log->sink->context, level, states, error) : PZ_OK;
}

static enum pz_status on_examples(void *context, uint32_t level, const void *states, unsigned count,
                                  struct pz_error *error)
{
    struct replay_log *log = context;
    assert(level + 1 == log->levels);
    if (replay_append(log, states, (size_t)count * log->state_bytes)) {
        struct logged_level one;
        memcpy(&one, log->bytes + log->last, sizeof one);
        one.count = count;
        memcpy(log->bytes + log->last, &one, sizeof one);
    }
    return log->sink->examples(log->sink->context, level, states, count, error);
}

static enum pz_status on_edges(void *context, const struct explore_edges *edges, struct pz_error *error)
{
    const struct replay_log *log = context;
    return log->sink->edges(log->sink->context, edges, error);
}

static enum pz_status on_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    const struct replay_log *log = context;
    return log->sink->run(log->sink->context, run, error);
}

static enum pz_status on_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                               struct pz_error *error)
{
    const struct replay_log *log = context;
    return log->sink->chunk(log->sink->context, number, bytes, length, error);
}

void replay_log_init(struct replay_log *log, const struct explore_sink *sink, uint32_t state_bytes)
{
    *log = (struct replay_log){.sink = sink, .state_bytes = state_bytes};
    if (sink != NULL)
        log->recorder = (struct explore_sink){.context = log,
                                              .begin = sink->begin != NULL ? on_begin : NULL,
                                              .level = on_level,
                                              .examples = sink->examples != NULL ? on_examples : NULL,
                                              .edges = sink->edges != NULL ? on_edges : NULL,
                                              .run = sink->run != NULL ? on_run : NULL,
                                              .chunk = sink->chunk != NULL ? on_chunk : NULL};
}
