/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "connection_parts.h"
#include "reply.h"

#include <event2/event.h>
#include <stdlib.h>

struct ticket *ticket_new(struct connection *connection)
{
    struct ticket *ticket = calloc(1, sizeof *ticket);
    if (ticket == NULL)
        return NULL;
    ticket->connection = connection;
    ticket->verb = METRICS_NO_VERB;
    ticket->started = clock_seconds();
    connection->ticket = ticket;
    return ticket;
}

const char *ticket_tag(const struct ticket *ticket)
{
    return ticket->tag[0] != '\0' ? ticket->tag : NULL;
}

struct client *ticket_client(const struct ticket *ticket)
{
    return ticket->connection != NULL ? ticket->connection->client : NULL;
}

/* Enabling once more begins to write also where libevent made the connection while memory was short: it then
 * goes on without the callback that does so. A reply that cannot be sent leaves the client waiting, so the
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
        (void)evbuffer_unfreeze(output, 1); /* a bufferevent's output is drained by itself alone */
        (void)evbuffer_drain(output, evbuffer_get_length(output));
        (void)evbuffer_freeze(output, 1);
    }
    if (connection->broken) /* the loop closes it: the caller may still work with the ticket */
        bufferevent_trigger(bev, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
}

void ticket_write(struct ticket *ticket, struct text *text)
{
    struct connection *connection = ticket->connection;
    if (connection != NULL && text->length > 0)
        write_out(connection, text);
    text_clear(text);
}

size_t ticket_backlog(const struct ticket *ticket)
{
    return ticket->connection != NULL ? connection_backlog(ticket->connection) : 0;
}

void ticket_drop(struct ticket *ticket)
{
    if (ticket->connection != NULL)
        ticket->connection->ticket = NULL;
    free(ticket);
}

void ticket_finish(struct ticket *ticket, struct text *text, enum pz_status code)
{
    struct connection *connection = ticket->connection;
    double now = clock_seconds();
    if (text->failed && connection != NULL) {
        /* A reply without its end would put the client out of step for good. */
        connection->closing = true;
        text->length = 0;
        code = PZ_MEMORY;
    }
    ticket_write(ticket, text);
    text_free(text);
    if (connection != NULL && !ticket->is_batch)
        metrics_request(connection->all->metrics, ticket->verb, code, now - ticket->started);
    ticket_drop(ticket);
    if (connection == NULL)
        return;
    connection->answered = now;
    /* The next request of this connection waits for the loop: it may change or free what the caller works
     * with, as FORGET does with the job whose WAIT is just being answered. */
    if (!connection->processing)
        bufferevent_trigger(connection->bev, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
}

void ticket_fail(struct ticket *ticket, const struct pz_error *error)
{
    struct text text = {0};
    reply_error(&text, ticket_tag(ticket), error);
    ticket_finish(ticket, &text, error->code);
}

void ticket_close_connection(struct ticket *ticket)
{
    if (ticket->connection != NULL)
        ticket->connection->closing = true;
}
