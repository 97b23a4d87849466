/* SPDX-License-Identifier: MIT */
#include "daemon/net/pending_reply.h"

#include "base/clock.h"
#include "base/status_word.h"
#include "daemon/net/connection_internal.h"
#include "protocol/text/utf8.h"

#include <assert.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

struct pending_reply *pending_reply_new(struct connection *connection)
{
    struct pending_reply *pending = calloc(1, sizeof *pending);
    if (pending == NULL)
        return NULL;
    assert(connection_is_sound(connection));
    assert(connection->last_pending == NULL || connection->last_pending->next == NULL);
    pending->connection = connection;
    pending->client = client_hold(connection->client);
    pending->verb = METRICS_NO_VERB;
    pending->started = clock_seconds();
    if (connection->pending == NULL)
        connection->pending = pending;
    else
        connection->last_pending->next = pending;
    connection->last_pending = pending;
    connection->pending_count++;
    return pending;
}

const char *pending_reply_tag(const struct pending_reply *pending)
{
    return pending->tag[0] != '\0' ? pending->tag : NULL;
}

/* Enabling again makes libevent write even if it made the connection while memory was short: it then lacks
 * the callback that starts writing. A reply that cannot be sent would leave the client waiting, so the
 * connection ends. */
static void write_out(struct connection *connection, const struct text *text)
{
    struct bufferevent *bev = connection->bev;
    if (connection->broken)
        return;
    connection->broken = bufferevent_write(bev, text->data, text->length) != 0;
    if (bufferevent_enable(bev, EV_WRITE) != 0) {
        struct evbuffer *output = bufferevent_get_output(bev);
        connection->broken = true;
        (void)evbuffer_unfreeze(output, 1); /* frozen, since only the bufferevent drains its output */
        (void)evbuffer_drain(output, evbuffer_get_length(output));
        (void)evbuffer_freeze(output, 1);
    }
    if (connection->broken) /* the loop closes it: the caller may still work with the pending reply */
        bufferevent_trigger(bev, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
}

void pending_reply_write(struct pending_reply *pending, struct text *text)
{
    struct connection *connection = pending->connection;
    assert(!pending->finished);
    if (connection != NULL && pending != connection->pending)
        text_join(&pending->held, text);
    else if (connection != NULL && text->length > 0)
        write_out(connection, text);
    text_clear(text);
}

bool pending_reply_is_abandoned(const struct pending_reply *pending)
{
    /* Relaxed: it publishes nothing else. */
    return atomic_load_explicit(&pending->abandoned, memory_order_relaxed);
}

size_t pending_reply_backlog(const struct pending_reply *pending)
{
    return pending->connection != NULL ? connection_backlog(pending->connection) : 0;
}

static void unlink_pending(struct connection *connection, const struct pending_reply *pending)
{
    struct pending_reply *before = NULL;
    struct pending_reply **link = &connection->pending;
    for (; *link != pending; link = &before->next)
        before = *link;
    *link = pending->next;
    if (pending->next == NULL)
        connection->last_pending = before;
    connection->pending_count--;
    assert(connection_is_sound(connection));
}

void pending_reply_intercept(struct pending_reply *pending, pending_reply_taker *intercept, void *context)
{
    assert(pending->intercept == NULL);
    pending->intercept = intercept;
    pending->intercept_context = context;
}

bool pending_reply_hand_over(struct pending_reply *pending, struct job *job, const struct pz_error *error)
{
    pending_reply_taker *intercept = pending->intercept;
    if (intercept == NULL)
        return false;
    pending->intercept = NULL;
    intercept(pending, pending->intercept_context, job, error);
    return true;
}

void pending_reply_drop(struct pending_reply *pending)
{
    (void)pending_reply_hand_over(pending, NULL, NULL);
    if (pending->connection != NULL)
        unlink_pending(pending->connection, pending);
    client_release(pending->client);
    text_free(&pending->held);
    free(pending);
}

/* Writes the held text of the first replies, and frees those that are finished. */
static void write_held(struct connection *connection)
{
    bool finished = true;
    for (struct pending_reply *pending = connection->pending, *next = NULL; pending != NULL && finished;
         pending = next) {
        next = pending->next;
        finished = pending->finished;
        connection->broken = connection->broken || pending->held.failed;
        if (pending->held.length > 0)
            write_out(connection, &pending->held);
        text_free(&pending->held);
        if (finished)
            pending_reply_drop(pending);
    }
}

void pending_reply_finish(struct pending_reply *pending, struct text *text, enum pz_status code)
{
    struct connection *connection = pending->connection;
    assert(!pending->finished && pending->intercept == NULL); /* a reply is finished once */
    double now = clock_seconds();
    if (text->failed && connection != NULL) {
        /* After a reply without its end the client could no longer separate replies. */
        connection->closing = true;
        connection->broken = connection->broken || pending->next != NULL;
        text_cut(text, 0);
        code = PZ_MEMORY;
    }
    pending_reply_write(pending, text);
    text_free(text);
    if (connection != NULL && !pending->is_batch)
        metrics_request(connection->all->metrics, pending->verb, code, now - pending->started);
    if (connection != NULL && pending != connection->pending) {
        pending->finished = true; /* it is written together with the reply before it */
        return;
    }
    pending_reply_drop(pending);
    if (connection == NULL)
        return;
    write_held(connection);
    connection->answered = now;
    /* The loop begins the next request, not we: it may free what the caller still uses, as FORGET does with
     * the job whose WAIT is being answered. */
    if (!connection->processing)
        bufferevent_trigger(connection->bev, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
}

void pending_reply_fail(struct pending_reply *pending, const struct pz_error *error)
{
    struct text text = {0};
    if (pending_reply_hand_over(pending, NULL, error))
        return;
    reply_error(&text, pending_reply_tag(pending), error);
    pending_reply_finish(pending, &text, error->code);
}

void pending_reply_close_connection(struct pending_reply *pending)
{
    if (pending->connection != NULL)
        pending->connection->closing = true;
}

/* ---- lines ---- */

void reply_ok(struct text *out, const char *tag)
{
    text_add(out, "OK");
    text_key(out, "tag", tag);
}

void reply_line_end(struct text *out)
{
    text_append(out, "\n", 1);
}

void reply_list(struct text *out, const char *tag, size_t count)
{
    reply_ok(out, tag);
    text_format(out, " count=%zu", count);
}

void reply_list_end(struct text *out)
{
    text_add(out, "END\n");
}

void reply_record_end(struct reply_records *records)
{
    reply_line_end(&records->lines);
    records->count++;
}

void reply_records_write(struct reply_records *records, struct text *out)
{
    reply_line_end(out);
    text_join(out, &records->lines);
    reply_list_end(out);
    text_free(&records->lines);
}

void reply_from(struct text *out, bool to_goal)
{
    text_add(out, to_goal ? " to=goal" : " from=root");
}

/* Adds text with '?' for control characters and '…' for a character of which quoting left only a part. */
static void add_clean(struct text *out, const char *words)
{
    size_t length = strlen(words);
    size_t at = 0;
    while (!utf8_is_clean(words, length, &at)) {
        bool cut = utf8_length(words + at, length - at) == 0;
        text_append(out, words, at);
        text_add(out, cut ? "…" : "?");
        do
            at++;
        while (cut && at < length && ((unsigned char)words[at] & 0xC0u) == 0x80u);
        words += at;
        length -= at;
    }
    text_append(out, words, length);
}

void reply_error(struct text *out, const char *tag, const struct pz_error *error)
{
    text_format(out, "ERR %s %s", status_word(error->code),
                status_is_retryable(error->code) ? "retry" : "fatal");
    text_key(out, "tag", tag);
    text_append(out, " ", 1);
    add_clean(out, error->text);
    reply_line_end(out);
}
