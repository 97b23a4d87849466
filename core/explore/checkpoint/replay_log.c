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

/* ---- recording ---- */

void replay_log_level(struct replay_log *log, uint32_t level, uint64_t states)
{
    const struct logged_level one = {.level = level, .states = states};
    assert(level >= log->levels);
    log->last = log->length;
    (void)replay_append(log, &one, sizeof one);
    log->levels = level + 1;
    log->states += states;
}

void replay_log_examples(struct replay_log *log, const void *states, unsigned count)
{
    struct logged_level one;
    assert(log->levels > 0);
    if (!replay_append(log, states, (size_t)count * log->state_bytes))
        return;
    memcpy(&one, log->bytes + log->last, sizeof one);
    one.count = count;
    memcpy(log->bytes + log->last, &one, sizeof one);
}
