/* SPDX-License-Identifier: MIT */
#include "explore/checkpoint_stream.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define MARK UINT64_C(0x5059434B50540200) /* "PYCKPT", 2, 0 */

void stream_clear(struct checkpoint_stream *stream)
{
    free(stream->part);
    stream->part = NULL;
}

void stream_spoil(struct checkpoint_stream *stream, enum pz_status status, const char *reason)
{
    if (!stream->failed)
        (void)pz_fail(&stream->error, status, "%s", reason);
    stream->failed = true;
}

static bool spoil(struct checkpoint_stream *stream, const char *reason)
{
    stream_spoil(stream, PZ_STORAGE, reason);
    return false;
}

/* Whether whoever owns the stream lets it go on. */
static bool goes_on(struct checkpoint_stream *stream)
{
    const char *objection = stream->objection(stream->context);
    if (objection != NULL)
        stream_spoil(stream, PZ_CANCELLED, objection);
    return !stream->failed;
}

/* ---- writing ---- */

bool stream_begin(struct checkpoint_stream *stream, uint64_t bytes)
{
    const struct explore_checkpoint *calls = stream->calls;
    stream->failed = false;
    stream->filled = 0;
    stream->written = 0;
    stream->seconds = 0;
    atomic_store_explicit(&stream->bytes, 0, memory_order_relaxed);
    if (stream->part == NULL)
        stream->part = malloc(EXPLORE_PART_MAX);
    if (stream->part == NULL)
        stream_spoil(stream, PZ_MEMORY, "no memory for a checkpoint");
    else if (calls->begin(calls->context, bytes, &stream->error) != PZ_OK)
        stream->failed = true;
    return !stream->failed;
}

static void put_part(struct checkpoint_stream *stream)
{
    const struct explore_checkpoint *calls = stream->calls;
    if (stream->filled == 0 || stream->failed || !goes_on(stream))
        return;
    double began = clock_seconds();
    if (calls->part(calls->context, stream->part, stream->filled, &stream->error) != PZ_OK)
        stream->failed = true;
    stream->seconds += clock_seconds() - began;
    atomic_fetch_add_explicit(&stream->bytes, stream->filled, memory_order_relaxed);
    stream->written++;
    stream->filled = 0;
}

void stream_put(struct checkpoint_stream *stream, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    while (length > 0 && !stream->failed) {
        size_t room = EXPLORE_PART_MAX - stream->filled;
        size_t here = length < room ? length : room;
        memcpy(stream->part + stream->filled, from, here);
        stream->filled += here;
        from += here;
        length -= here;
        if (stream->filled == EXPLORE_PART_MAX)
            put_part(stream);
    }
}

static void put_end(struct checkpoint_stream *stream, const struct told *told, double seconds,
                    const char *identity)
{
    const uint64_t mark = MARK;
    size_t identity_length = strlen(identity);
    stream_put(stream, &mark, sizeof mark);
    put_part(stream);
    const struct checkpoint_head head = {.mark = MARK,
                                         .version = EXPLORE_CHECKPOINT_VERSION,
                                         .identity_length = (uint32_t)identity_length,
                                         .levels = told->levels,
                                         .told_part = stream->written,
                                         .told_length = told->length,
                                         .states = told->states,
                                         .seconds = seconds};
    stream_put(stream, told->bytes, told->length);
    put_part(stream);
    stream_put(stream, &head, sizeof head);
    stream_put(stream, identity, identity_length);
    put_part(stream);
}

bool stream_end(struct checkpoint_stream *stream, const struct told *told, double seconds,
                const char *identity)
{
    const struct explore_checkpoint *calls = stream->calls;
    put_end(stream, told, seconds, identity);
    double began = clock_seconds();
    if (!stream->failed)
        stream->failed = calls->commit(calls->context, &stream->error) != PZ_OK;
    stream->seconds += clock_seconds() - began;
    if (stream->failed)
        calls->abort(calls->context);
    return !stream->failed;
}

/* ---- reading ---- */

static bool next_source(struct checkpoint_stream *stream, uint64_t end)
{
    const void *bytes = NULL;
    const struct explore_checkpoint *calls = stream->calls;
    if (stream->next >= end)
        return spoil(stream, "it ends too early");
    if (!goes_on(stream))
        return false;
    if (calls->read(calls->context, stream->next++, &bytes, &stream->left, &stream->error) != PZ_OK) {
        stream->failed = true;
        return false;
    }
    stream->source = bytes;
    return true;
}

/* The next bytes of the parts before end. */
static bool get(struct checkpoint_stream *stream, uint64_t end, void *bytes, size_t length)
{
    uint8_t *to = bytes;
    while (length > 0 && !stream->failed) {
        if (stream->left == 0 && !next_source(stream, end))
            return false;
        size_t here = length < stream->left ? length : stream->left;
        memcpy(to, stream->source, here);
        stream->source += here;
        stream->left -= here;
        to += here;
        length -= here;
    }
    return !stream->failed;
}

static void seek(struct checkpoint_stream *stream, uint64_t part)
{
    stream->next = part;
    stream->left = 0;
}

static bool get_head(struct checkpoint_stream *stream, uint64_t parts, const char *identity,
                     struct checkpoint_head *head)
{
    char *found = stream->found;
    memset(found, 0, CHECKPOINT_IDENTITY_MAX);
    if (parts == 0)
        return spoil(stream, "it is empty");
    seek(stream, parts - 1);
    if (!get(stream, parts, head, sizeof *head))
        return false;
    if (head->mark != MARK || head->version != EXPLORE_CHECKPOINT_VERSION ||
        head->identity_length >= CHECKPOINT_IDENTITY_MAX)
        return spoil(stream, "it is of another version or machine");
    if (!get(stream, parts, found, head->identity_length))
        return false;
    if (stream->left != 0 || head->told_part >= parts)
        return spoil(stream, "its head is malformed");
    return strcmp(found, identity) == 0 || spoil(stream, "it is of another exploration");
}

static bool get_told(struct checkpoint_stream *stream, uint64_t parts, const struct checkpoint_head *head,
                     struct told *told)
{
    /* A length that is nonsense must not become an allocation. */
    if (head->told_length / EXPLORE_PART_MAX >= parts)
        return spoil(stream, "its levels are malformed");
    free(told->bytes);
    told->bytes = malloc(head->told_length + 1);
    told->room = told->bytes != NULL ? head->told_length + 1 : 0;
    if (told->bytes == NULL)
        return spoil(stream, "there is no memory to read it");
    seek(stream, head->told_part);
    if (!get(stream, parts - 1, told->bytes, head->told_length))
        return false;
    told->length = head->told_length;
    told->levels = head->levels;
    told->states = head->states;
    bool sound = stream->left == 0 && stream->next == parts - 1 && told_is_sound(told);
    return sound || spoil(stream, "its levels are malformed");
}

enum pz_status stream_open(struct checkpoint_stream *stream, const char *identity, struct told *told,
                           double *seconds)
{
    const struct explore_checkpoint *calls = stream->calls;
    struct checkpoint_head head;
    uint64_t parts = 0;
    stream->failed = false;
    enum pz_status status = calls->open(calls->context, &parts, &stream->error);
    if (status != PZ_OK)
        return status;
    if (!get_head(stream, parts, identity, &head) || !get_told(stream, parts, &head, told)) {
        calls->close(calls->context);
        return stream->error.code;
    }
    *seconds = head.seconds;
    stream->end = head.told_part;
    seek(stream, 0);
    return PZ_OK;
}

bool stream_get(struct checkpoint_stream *stream, void *bytes, size_t length)
{
    return get(stream, stream->end, bytes, length);
}

bool stream_close(struct checkpoint_stream *stream)
{
    uint64_t mark = 0;
    if (stream_get(stream, &mark, sizeof mark) &&
        (mark != MARK || stream->left != 0 || stream->next != stream->end))
        (void)spoil(stream, "it has no end");
    stream->calls->close(stream->calls->context);
    return !stream->failed;
}
