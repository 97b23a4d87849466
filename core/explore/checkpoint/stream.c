/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define END_MARK UINT64_C(0x444E45504B435950) /* "PYCKPEND" in memory, on little-endian machines */

void stream_clear(struct checkpoint_stream *stream)
{
    free(stream->buffer);
    stream->buffer = NULL;
}

bool stream_fail(struct checkpoint_stream *stream, enum pz_status status, const char *reason)
{
    if (!stream->failed)
        (void)pz_fail(&stream->error, status, "%s", reason);
    stream->failed = true;
    return false;
}

static bool may_go_on(struct checkpoint_stream *stream)
{
    const char *objection = stream->objection(stream->context);
    return objection == NULL || stream_fail(stream, PZ_CANCELLED, objection);
}

/* ---- writing ---- */

bool stream_begin(struct checkpoint_stream *stream, uint64_t bytes)
{
    const struct explore_checkpoint *calls = stream->calls;
    stream->failed = false;
    stream->filled = 0;
    stream->bytes = 0;
    if (stream->buffer == NULL)
        stream->buffer = malloc(EXPLORE_PART_MAX);
    if (stream->buffer == NULL)
        return stream_fail(stream, PZ_MEMORY, "no memory for a checkpoint");
    stream->failed = calls->begin(calls->context, bytes, &stream->error) != PZ_OK;
    return !stream->failed;
}

static void put_part(struct checkpoint_stream *stream)
{
    const struct explore_checkpoint *calls = stream->calls;
    if (!may_go_on(stream))
        return;
    assert(stream->filled > 0 && stream->filled <= EXPLORE_PART_MAX);
    stream->failed = calls->part(calls->context, stream->buffer, stream->filled, &stream->error) != PZ_OK;
    stream->bytes += stream->filled;
    stream->filled = 0;
}

bool stream_put(struct checkpoint_stream *stream, const void *bytes, size_t length)
{
    assert(stream->failed || (stream->buffer != NULL && stream->filled < EXPLORE_PART_MAX));
    const uint8_t *from = bytes;
    while (length > 0 && !stream->failed) {
        size_t room = EXPLORE_PART_MAX - stream->filled;
        size_t here = length < room ? length : room;
        memcpy(stream->buffer + stream->filled, from, here);
        stream->filled += here;
        from += here;
        length -= here;
        if (stream->filled == EXPLORE_PART_MAX)
            put_part(stream);
    }
    return !stream->failed;
}

bool stream_end(struct checkpoint_stream *stream)
{
    assert(stream->failed ||
           stream->filled < EXPLORE_PART_MAX); /* one that was stopped keeps its full part */
    const struct explore_checkpoint *calls = stream->calls;
    const uint64_t mark = END_MARK;
    if (stream_put(stream, &mark, sizeof mark) && stream->filled > 0)
        put_part(stream);
    if (!stream->failed)
        stream->failed = calls->commit(calls->context, &stream->error) != PZ_OK;
    if (stream->failed)
        calls->abort(calls->context);
    return !stream->failed;
}

/* ---- reading ---- */

enum pz_status stream_open(struct checkpoint_stream *stream)
{
    const struct explore_checkpoint *calls = stream->calls;
    stream->failed = false;
    stream->left = 0;
    stream->next = 0;
    const enum pz_status status = calls->open(calls->context, &stream->parts, &stream->error);
    stream->failed = status != PZ_OK && status != PZ_NO_TABLE;
    return status;
}

static bool next_part(struct checkpoint_stream *stream)
{
    const void *bytes = NULL;
    const struct explore_checkpoint *calls = stream->calls;
    if (stream->next == stream->parts)
        return stream_fail(stream, PZ_STORAGE, "it ends too early");
    if (!may_go_on(stream))
        return false;
    stream->failed =
        calls->read(calls->context, stream->next++, &bytes, &stream->left, &stream->error) != PZ_OK;
    stream->source = bytes;
    return !stream->failed;
}

bool stream_get(struct checkpoint_stream *stream, void *bytes, size_t length)
{
    uint8_t *to = bytes;
    while (length > 0 && !stream->failed) {
        if (stream->left == 0 && !next_part(stream))
            break;
        size_t here = length < stream->left ? length : stream->left;
        assert(stream->source != NULL);
        memcpy(to, stream->source, here);
        stream->source += here;
        stream->left -= here;
        to += here;
        length -= here;
    }
    return !stream->failed;
}

bool stream_close(struct checkpoint_stream *stream)
{
    uint64_t mark = 0;
    if (stream_get(stream, &mark, sizeof mark) &&
        (mark != END_MARK || stream->left != 0 || stream->next != stream->parts))
        (void)stream_fail(stream, PZ_STORAGE, "it has no end");
    stream->calls->close(stream->calls->context);
    return !stream->failed;
}
