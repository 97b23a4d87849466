/* SPDX-License-Identifier: MIT */
#include "lookup_batch.h"

#include "lookup_worker.h"
#include "protocol/request.h"
#include "reply.h"
#include "server.h"
#include "thread_pool.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_A_TURN = 32 };

struct lookup_batch {
    struct work_item item;
    struct thread_pool *pool; /* that works on it */
    struct pending_reply *pending;
    struct text lines;
    size_t done; /* bytes of them */
    struct text replies;
};

static void batch_work(struct work_item *item, void *member)
{
    struct lookup_batch *batch = (struct lookup_batch *)item;
    struct lookup_worker *worker = member;
    const struct text *lines = &batch->lines;
    answers_begin(lookup_worker_answers(worker));
    for (unsigned turn = 1; batch->done < lines->length && !item->again; turn++) {
        const char *line = lines->data + batch->done;
        const char *stop = memchr(line, '\n', lines->length - batch->done);
        lookup_worker_run(worker, line, (size_t)(stop - line), &batch->replies);
        batch->done += (size_t)(stop - line) + 1;
        /* Who asked for little does not wait behind those who asked for much. */
        item->again =
            turn % LINES_A_TURN == 0 && batch->done < lines->length && thread_pool_backlog(batch->pool) > 0;
    }
    answers_end(lookup_worker_answers(worker));
}

static void batch_deliver(struct loop_message *message)
{
    struct lookup_batch *batch = (struct lookup_batch *)message;
    pending_reply_finish(batch->pending, &batch->replies, PZ_OK);
    text_free(&batch->lines);
    free(batch);
}

/* Each line needs its reply all the same. */
static void refuse(struct pending_reply *pending, const struct text *lines, const struct pz_error *error)
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

static void submit(struct server *server, struct thread_pool *pool, struct pending_reply *pending,
                   struct text *lines)
{
    struct lookup_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL || server->stopping) {
        const struct pz_error memory = {.code = PZ_MEMORY, .text = "no memory for lookups"};
        const struct pz_error stopping = {.code = PZ_SHUTTING_DOWN, .text = "the daemon is stopping"};
        refuse(pending, lines, batch == NULL ? &memory : &stopping);
        free(batch);
        return;
    }
    batch->item = (struct work_item){.message.deliver = batch_deliver, .work = batch_work};
    batch->pool = pool;
    batch->pending = pending;
    batch->lines = *lines;
    *lines = (struct text){0};
    thread_pool_submit(pool, &batch->item);
}

void lookup_batch_submit(void *context, struct pending_reply *pending, struct text *lines, unsigned count)
{
    struct server *server = context;
    submit(server, count > LINES_A_TURN ? server->bulk_lookups : server->lookups, pending, lines);
}

void lookup_batch_single(struct server *server, struct pending_reply *pending, const char *line,
                         size_t length, bool is_slow)
{
    struct text lines = {0};
    text_append(&lines, line, length);
    text_append(&lines, "\n", 1);
    if (lines.failed) {
        const struct pz_error error = {.code = PZ_MEMORY, .text = "no memory for the request"};
        pending_reply_fail(pending, &error);
    } else {
        pending->is_batch = true; /* counted by the worker */
        submit(server, is_slow ? server->slow_requests : server->lookups, pending, &lines);
    }
    text_free(&lines);
}
