/* SPDX-License-Identifier: MIT */
#include "web/http/http_stream.h"

#include "protocol/json.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Adds an event with a value, which it releases. */
static void add_event(struct stream *stream, const char *name, json_t *value)
{
    char *text = value == NULL ? NULL : json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(12));
    if (name != NULL)
        text_format(&stream->out, "event: %s\n", name);
    text_format(&stream->out, "data: %s\n\n", text == NULL ? "{}" : text);
    stream->ended = stream->ended || stream->out.failed;
    free(text);
    json_decref(value);
}

static bool is_last(const struct reply *event)
{
    return !reply_is(event, "state", "queued") && !reply_is(event, "state", "running");
}

void stream_take(struct stream *stream, const struct reply *reply)
{
    switch (reply->kind) {
    case REPLY_OK:
        break;
    case REPLY_EVENT:
        add_event(stream, NULL, json_of_reply(reply));
        stream->ended = stream->ended || is_last(reply);
        break;
    case REPLY_LOST:
        add_event(stream, "lost", json_of_reply(reply));
        break;
    case REPLY_ERR:
        add_event(stream, "refused", json_of_refusal(reply));
        stream->ended = true;
        break;
    case REPLY_END:
    case REPLY_RECORD:
        stream->ended = true;
        break;
    }
}

void stream_fail(struct stream *stream, const struct refusal *refusal)
{
    add_event(stream, "refused", json_of_error(refusal->code, code_retry(refusal->code), refusal->text));
    stream->ended = true;
}

void stream_beat(struct stream *stream)
{
    if (!stream->ended)
        text_add(&stream->out, ":\n\n");
}

ssize_t stream_read(struct stream *stream, char *bytes, size_t room)
{
    assert(room > 0);
    size_t length = stream->out.length < room ? stream->out.length : room;
    if (length == 0)
        return stream->ended ? -1 : 0;
    memcpy(bytes, stream->out.data, length);
    text_drop(&stream->out, length);
    return (ssize_t)length;
}

void stream_clear(struct stream *stream)
{
    text_free(&stream->out);
    *stream = (struct stream){0};
}
