/* SPDX-License-Identifier: MIT */
#include "daemon/lookup/lookup_batch.h"

#include "daemon/lookup/deferred_lookup.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/pool/thread_pool.h"
#include "daemon/server_state.h"
#include "daemon/verbs/verb_commands.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_A_TURN = 32 };

/*
 * A batch goes between a worker, which makes a piece of the replies, and the loop, which writes it and waits
 * until the client has read it. It ends when all is written or the client is gone.
 */
struct lookup_batch {
    struct work_item item;
    struct server *server;
    struct thread_pool *pool; /* its workers */
    struct pending_reply *pending;
    struct text lines;       /* of many lookups; empty for a single request */
    size_t done;             /* bytes of them */
    struct request *request; /* a single one; NULL for many */
    struct reply_rest rest;  /* of its reply */
    struct text replies;     /* the piece */
    struct deferral deferral;
};

static void batch_free(struct lookup_batch *batch)
{
    reply_rest_free(&batch->rest);
    text_free(&batch->lines);
    text_free(&batch->replies);
    free(batch->deferral.request);
    free(batch->request);
    free(batch);
}

static bool has_more(const struct lookup_batch *batch)
{
    return batch->rest.state != NULL || batch->done < batch->lines.length;
}

/* ---- on a worker ---- */

static void work_on_lines(struct lookup_batch *batch, struct lookup_worker *worker)
{
    const struct text *lines = &batch->lines;
    answers_begin(lookup_worker_answers(worker));
    for (unsigned turn = 1; batch->done < lines->length && batch->replies.length < REPLY_PIECE; turn++) {
        const char *line = lines->data + batch->done;
        const char *stop = memchr(line, '\n', lines->length - batch->done);
        lookup_worker_run_line(worker, line, (size_t)(stop - line), &batch->deferral, &batch->replies);
        if (batch->deferral.request != NULL)
            break;
        batch->done += (size_t)(stop - line) + 1;
        /* A long batch pauses, so that small requests do not wait behind it. */
        if (turn % LINES_A_TURN == 0 && thread_pool_backlog(batch->pool) > 0)
            break;
    }
    answers_end(lookup_worker_answers(worker));
    batch->item.again =
        batch->done < lines->length && batch->replies.length < REPLY_PIECE && batch->deferral.request == NULL;
}

static void batch_work(struct work_item *item, void *worker)
{
    struct lookup_batch *batch = (struct lookup_batch *)item;
    if (pending_reply_is_abandoned(batch->pending))
        return;
    if (batch->request != NULL)
        lookup_worker_run(worker, batch->request, &batch->deferral, &batch->rest, &batch->replies);
    else
        work_on_lines(batch, worker);
}

/* ---- on the loop ---- */

/* The client has left. */
static void batch_drop(struct lookup_batch *batch)
{
    pending_reply_drop(batch->pending);
    batch_free(batch);
}

/* The client hung up before it had read a piece. */
static void batch_on_gone(struct pending_reply *pending)
{
    batch_drop(pending->context);
}

static void on_drained(struct pending_reply *pending)
{
    struct lookup_batch *batch = pending->context;
    pending->gone = NULL; /* the pool owns the batch again */
    thread_pool_submit(batch->pool, &batch->item, pending->client);
}

/* The exploration for a lookup has ended or was refused: the lookup is asked again. */
static void on_explored(void *context, const struct pz_error *error)
{
    struct lookup_batch *batch = context;
    if (error == NULL) {
        batch_free(batch);
        return;
    }
    if (pending_reply_is_abandoned(batch->pending)) { /* at a stop there are no workers any more */
        batch_drop(batch);
        return;
    }
    batch->deferral.made = true;
    batch->deferral.refused = *error;
    thread_pool_submit(batch->pool, &batch->item, batch->pending->client);
}

/* The replies so far do not wait for the exploration. */
static void explore_first(struct lookup_batch *batch)
{
    struct request *request = batch->deferral.request;
    batch->deferral.request = NULL;
    pending_reply_write(batch->pending, &batch->replies);
    deferred_lookup_begin(batch->server, batch->pending, request, batch->deferral.hash, on_explored, batch);
}

static void batch_deliver(struct loop_message *message)
{
    struct lookup_batch *batch = (struct lookup_batch *)message;
    struct pending_reply *pending = batch->pending;
    if (pending_reply_is_abandoned(pending)) {
        batch_drop(batch);
    } else if (batch->deferral.request != NULL && !batch->replies.failed) {
        explore_first(batch);
    } else if (has_more(batch) && !batch->replies.failed) {
        pending->gone = batch_on_gone;
        pending->drained = on_drained;
        pending->context = batch;
        pending_reply_write(pending, &batch->replies);
        text_free(&batch->replies);
    } else {
        pending_reply_finish(pending, &batch->replies, PZ_OK);
        batch_free(batch);
    }
}

/* Returns a batch without work yet; NULL with the error without memory, or if the daemon stops. */
static struct lookup_batch *batch_new(struct server *server, struct thread_pool *pool,
                                      struct pending_reply *pending, struct pz_error *error)
{
    struct lookup_batch *batch = server->stopping ? NULL : calloc(1, sizeof *batch);
    if (batch == NULL) {
        (void)pz_fail(error, server->stopping ? PZ_SHUTTING_DOWN : PZ_MEMORY, "%s",
                      server->stopping ? "the daemon is stopping" : "no memory for lookups");
        return NULL;
    }
    batch->item = (struct work_item){.message.deliver = batch_deliver, .work = batch_work};
    batch->server = server;
    batch->pool = pool;
    batch->pending = pending;
    batch->deferral.most = server->config.explore_first;
    pending->is_batch = true; /* counted by the worker */
    return batch;
}

/* Answers each line with the error. */
static void refuse_lookup(struct pending_reply *pending, const struct text *lines,
                          const struct pz_error *error)
{
    struct text out = {0};
    const char *stop = NULL;
    const char *end = lines->data + lines->length;
    for (const char *line = lines->data; line < end; line = stop + 1) {
        struct request request;
        struct pz_error own;
        stop = memchr(line, '\n', (size_t)(end - line));
        (void)request_parse(&request, line, (size_t)(stop - line), &own);
        reply_error(&out, request.tag, error);
    }
    pending_reply_finish(pending, &out, PZ_OK);
}

void lookup_batch_submit(void *context, struct pending_reply *pending, struct text *lines, unsigned count)
{
    struct server *server = context;
    struct pz_error error;
    struct thread_pool *pool = count > LINES_A_TURN ? server->bulk_lookups : server->lookups;
    struct lookup_batch *batch = batch_new(server, pool, pending, &error);
    if (batch == NULL) {
        refuse_lookup(pending, lines, &error);
        return;
    }
    batch->lines = *lines;
    *lines = (struct text){0};
    thread_pool_submit(pool, &batch->item, pending->client);
}

void lookup_batch_single(struct server *server, struct pending_reply *pending, struct request *request,
                         enum work_length length)
{
    struct pz_error error;
    struct thread_pool *pool = length == WORK_SHORT  ? server->lookups
                               : length == WORK_BULK ? server->bulk_lookups
                                                     : server->slow_requests;
    struct lookup_batch *batch = batch_new(server, pool, pending, &error);
    if (batch == NULL) {
        free(request);
        pending_reply_fail(pending, &error);
        return;
    }
    batch->request = request;
    thread_pool_submit(pool, &batch->item, pending->client);
}
