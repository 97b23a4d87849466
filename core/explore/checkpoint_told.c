/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint_told.h"

#include <stdlib.h>
#include <string.h>

/* One level as the sink was told it; count states follow. */
struct told_level {
    uint32_t level, count;
    uint64_t states;
};

/* ---- writing down ---- */

static bool make_room(struct told *told, size_t length)
{
    if (told->room - told->length >= length)
        return true;
    size_t room = 2 * (told->length + length) + 4096;
    uint8_t *grown = realloc(told->bytes, room);
    if (grown == NULL)
        return false;
    told->bytes = grown;
    told->room = room;
    return true;
}

static bool write_down(struct told *told, const void *bytes, size_t length)
{
    if (told->lost || !make_room(told, length)) {
        told->lost = true;
        return false;
    }
    memcpy(told->bytes + told->length, bytes, length);
    told->length += length;
    return true;
}

void told_forget(struct told *told)
{
    told->length = told->last = 0;
    told->levels = 0;
    told->states = 0;
}

bool told_is_sound(const struct told *told)
{
    size_t at = 0;
    uint64_t states = 0;
    for (uint32_t level = 0; level < told->levels; level++) {
        struct told_level one;
        if (told->length - at < sizeof one)
            return false;
        memcpy(&one, told->bytes + at, sizeof one);
        at += sizeof one;
        if (one.level != level || (one.count > 0 && (told->length - at) / told->state_bytes < one.count))
            return false;
        at += (size_t)one.count * told->state_bytes;
        states += one.states;
    }
    return at == told->length && states == told->states;
}

bool told_copy(const struct told *told, struct told *copy)
{
    copy->length = 0;
    if (told->lost || !make_room(copy, told->length))
        return false;
    if (told->length > 0)
        memcpy(copy->bytes, told->bytes, told->length);
    copy->length = told->length;
    copy->levels = told->levels;
    copy->states = told->states;
    return true;
}

/* ---- in the sink's place ---- */

static enum pz_status on_begin(void *context, const struct explore_plan *plan, struct pz_error *error)
{
    const struct recorder *recorder = context;
    return recorder->sink->begin(recorder->sink->context, plan, error);
}

static enum pz_status on_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct recorder *recorder = context;
    const struct explore_sink *sink = recorder->sink;
    struct told *told = &recorder->told;
    const struct told_level one = {.level = level, .states = states};
    told->last = told->length;
    (void)write_down(told, &one, sizeof one);
    told->levels = level + 1;
    told->states += states;
    return sink->level != NULL ? sink->level(sink->context, level, states, error) : PZ_OK;
}

static enum pz_status on_examples(void *context, uint32_t level, const void *states, unsigned count,
                                  struct pz_error *error)
{
    struct recorder *recorder = context;
    struct told *told = &recorder->told;
    if (write_down(told, states, (size_t)count * told->state_bytes)) {
        struct told_level one;
        memcpy(&one, told->bytes + told->last, sizeof one);
        one.count = count;
        memcpy(told->bytes + told->last, &one, sizeof one);
    }
    return recorder->sink->examples(recorder->sink->context, level, states, count, error);
}

static enum pz_status on_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    const struct recorder *recorder = context;
    return recorder->sink->run(recorder->sink->context, run, error);
}

static enum pz_status on_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                               struct pz_error *error)
{
    const struct recorder *recorder = context;
    return recorder->sink->chunk(recorder->sink->context, number, bytes, length, error);
}

void recorder_init(struct recorder *recorder, const struct explore_sink *sink, uint32_t state_bytes)
{
    *recorder = (struct recorder){.sink = sink,
                                  .calls = {.context = recorder,
                                            .begin = sink->begin != NULL ? on_begin : NULL,
                                            .level = on_level,
                                            .examples = sink->examples != NULL ? on_examples : NULL,
                                            .run = sink->run != NULL ? on_run : NULL,
                                            .chunk = sink->chunk != NULL ? on_chunk : NULL},
                                  .told = {.state_bytes = state_bytes}};
}

void recorder_clear(struct recorder *recorder)
{
    free(recorder->told.bytes);
}

enum pz_status recorder_replay(const struct recorder *recorder, struct pz_error *error)
{
    const struct explore_sink *sink = recorder->sink;
    const struct told *told = &recorder->told;
    enum pz_status status = PZ_OK;
    size_t at = 0;
    for (uint32_t level = 0; level < told->levels && status == PZ_OK; level++) {
        struct told_level one;
        memcpy(&one, told->bytes + at, sizeof one);
        at += sizeof one;
        if (sink->level != NULL)
            status = sink->level(sink->context, level, one.states, error);
        if (status == PZ_OK && sink->examples != NULL && one.count > 0)
            status = sink->examples(sink->context, level, told->bytes + at, one.count, error);
        at += (size_t)one.count * told->state_bytes;
    }
    return status;
}
