/* SPDX-License-Identifier: MIT */
#include "daemon/net/connection.h"

#include "base/clock.h"
#include "base/log.h"
#include "daemon/net/connection_internal.h"

#include <assert.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    INPUT_MAX = 64 << 10,     /* bytes read ahead of the request at work */
    OUTPUT_PAUSE = 64 << 10,  /* bytes unsent at which no further request begins */
    OUTPUT_RESUME = 16 << 10, /* and at which one begins again */
    READ_AT_ONCE = 64 << 10,
    METHOD_MAX = 8,       /* bytes of the longest HTTP method and its space */
    LOOKUPS_MAX = 1024,   /* lines of one batch */
    SUBMISSIONS_MAX = 64, /* of one connection that wait for their replies */
    LINES_AT_ONCE = 256   /* requests of one connection before others have their turn */
};

/* Begins the requests that may begin; closes a connection that has finished, and then frees it. */
static void connection_process(struct connection *connection);

/* ---- life ---- */

static void connection_free(struct connection *connection)
{
    struct connections *all = connection->all;
    assert(connection_is_sound(connection) && !connection->processing);
    for (struct pending_reply *pending = connection->pending, *next = NULL; pending != NULL; pending = next) {
        next = pending->next;
        pending->connection = NULL;
        atomic_store_explicit(&pending->abandoned, true, memory_order_relaxed);
        if (pending->finished)
            pending_reply_drop(pending);
        else if (pending->gone != NULL)
            pending->gone(pending);
    }
    LIST_REMOVE(connection, link);
    all->count--;
    draft_drop(&connection->draft);
    client_release(connection->client);
    bufferevent_free(connection->bev);
    free(connection);
}

/* Returns true if the system says that the other side is gone for good. */
static bool hung_up(const struct connection *connection)
{
    struct pollfd poll_of = {.fd = bufferevent_getfd(connection->bev)};
    return poll(&poll_of, 1, 0) > 0 && (poll_of.revents & (POLLHUP | POLLERR)) != 0;
}

/* Returns true if the last reply is longer ago than `idle-timeout`. A client that waits for a reply is not
 * idle. Bytes that do not complete a request do not count. */
static bool is_idle(const struct connection *connection)
{
    const double most = connection->all->config->idle_timeout;
    return connection->pending == NULL && most >= 1 && clock_seconds() - connection->answered >= most;
}

static void connection_on_event(struct bufferevent *bev, short what, void *context)
{
    struct connection *connection = context;
    if ((what & BEV_EVENT_TIMEOUT) != 0 && (what & BEV_EVENT_READING) != 0 && !is_idle(connection)) {
        if (bufferevent_enable(bev, EV_READ) != 0)
            connection_free(connection); /* it would get no more events */
        return;
    }
    if ((what & BEV_EVENT_EOF) == 0 || hung_up(connection)) {
        connection_free(connection);
        return;
    }
    /* The client sends no more but may still read: its requests are answered first. */
    connection->ended = true;
    connection->reading = false;
    connection_process(connection);
}

static void connection_on_readable(struct bufferevent *bev, void *context)
{
    (void)bev;
    connection_process(context);
}

static void connection_on_written(struct bufferevent *bev, void *context)
{
    (void)bev;
    connection_process(context);
}

static void set_timeouts(struct connection *connection)
{
    const struct config *config = connection->all->config;
    struct timeval idle = {.tv_sec = (time_t)config->idle_timeout};
    struct timeval stall = {.tv_sec = (time_t)config->stall_timeout};
    (void)bufferevent_set_timeouts(connection->bev, config->idle_timeout >= 1 ? &idle : NULL,
                                   config->stall_timeout >= 1 ? &stall : NULL);
}

static void refuse_request(struct connections *all, int socket, const char *line)
{
    metrics_add(&all->metrics->connections_refused, 1);
    (void)!write(socket, line, strlen(line));
    (void)close(socket);
}

void connections_accept(struct connections *all, int socket)
{
    struct connection *connection = calloc(1, sizeof *connection);
    struct client *client = clients_join(all->clients, socket);
    bool room = all->count < all->config->connections && !all->draining;
    struct bufferevent *bev = NULL;
    if (connection != NULL && client != NULL && room)
        bev = bufferevent_socket_new(all->base, socket, BEV_OPT_CLOSE_ON_FREE);
    if (bev == NULL) {
        free(connection);
        client_release(client);
        refuse_request(all, socket,
                       room ? "ERR memory retry no memory for a connection\n"
                            : "ERR limit retry too many connections, by [limits] connections\n");
        return;
    }
    *connection = (struct connection){.all = all,
                                      .bev = bev,
                                      .client = client,
                                      .draft = {.all = &all->drafts, .of_client = &client->drafts_bytes},
                                      .answered = clock_seconds()};
    LIST_INSERT_HEAD(&all->list, connection, link);
    all->count++;
    metrics_add(&all->metrics->connections, 1);
    log_event(LOG_LEVEL_DEBUG, 0, "event=connected client=%s", client->name);
    bufferevent_setcb(bev, connection_on_readable, connection_on_written, connection_on_event, connection);
    bufferevent_setwatermark(bev, EV_WRITE, OUTPUT_RESUME, 0);
    (void)bufferevent_set_max_single_read(bev, READ_AT_ONCE);
    set_timeouts(connection);
    const int at_once = 1; /* on TCP: a short reply does not wait for the next one */
    (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    connection->reading = true;
    if (bufferevent_enable(bev, EV_READ | EV_WRITE) != 0)
        connection_free(connection); /* no memory: it would get no events */
}

/* ---- lines ---- */

static bool is_http(const char *line, size_t length)
{
    static const char *const methods[] = {"GET ",     "POST ",    "PUT ",   "HEAD ",  "DELETE ",
                                          "OPTIONS ", "CONNECT ", "TRACE ", "PATCH ", "PRI "};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        size_t method = strlen(methods[i]);
        if (length >= method && memcmp(line, methods[i], method) == 0)
            return true;
    }
    return false;
}

/* Answers a line that is too long, without the handler. */
static void refuse_long_line(struct connection *connection)
{
    struct pending_reply *pending = pending_reply_new(connection);
    struct pz_error error;
    if (pending == NULL) {
        connection->closing = true;
        return;
    }
    (void)pz_fail(&error, PZ_BAD_REQUEST, "the line is longer than %d bytes; all of it was ignored",
                  PROTOCOL_LINE_MAX);
    pending_reply_fail(pending, &error);
}

/* Finds the first line of the input, without its line end; returns false if none is complete. *taken counts
 * its bytes with the line end. The pointer is good until the input is drained. */
static bool next_request_line(struct connection *connection, const char **line, size_t *length, size_t *taken)
{
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    size_t available = evbuffer_get_length(input);
    assert(connection->scanned <= available);
    if (available == connection->scanned)
        return false;
    const char *bytes = (const char *)evbuffer_pullup(input, -1);
    if (bytes == NULL) { /* no memory to make it one piece, and no later event would try again */
        connection->closing = true;
        return false;
    }
    const char *end = memchr(bytes + connection->scanned, '\n', available - connection->scanned);
    if (end == NULL) {
        connection->scanned = available;
        return false;
    }
    *line = bytes;
    *length = (size_t)(end - bytes);
    *taken = *length + 1;
    if (*length > 0 && bytes[*length - 1] == '\r')
        --*length;
    return true;
}

static void drain_line(struct connection *connection, size_t taken)
{
    (void)evbuffer_drain(bufferevent_get_input(connection->bev), taken);
    connection->scanned = 0;
}

/* Discards the received part of a line that is too long. The line gets one error; HTTP ends the
 * connection. */
static void discard(struct connection *connection)
{
    struct evbuffer *input = bufferevent_get_input(connection->bev);
    if (connection->scanned <= PROTOCOL_LINE_MAX + 1)
        return;
    const char *head = (const char *)evbuffer_pullup(input, METHOD_MAX);
    bool http = !connection->discarding && head != NULL && is_http(head, METHOD_MAX);
    drain_line(connection, evbuffer_get_length(input));
    if (http) {
        connection->closing = true;
    } else if (!connection->discarding) {
        connection->discarding = true;
        refuse_long_line(connection);
    }
}

/* Collects the lookups at the head of the input into one text; returns how many. */
static unsigned gather_lookups(struct connection *connection, struct text *lines)
{
    const char *line = NULL;
    size_t length = 0;
    size_t taken = 0;
    unsigned count = 0;
    uint64_t rate = connection->all->config->requests_per_second;
    while (count < LOOKUPS_MAX && next_request_line(connection, &line, &length, &taken)) {
        bool batches = length <= PROTOCOL_LINE_MAX && connection->all->handler.is_lookup(line, length);
        if (count > 0 && (!batches || !client_may_request(connection->client, rate)))
            break; /* the caller has checked the first one */
        text_append(lines, line, length);
        text_append(lines, "\n", 1);
        drain_line(connection, taken);
        count++;
    }
    return count;
}

static void begin_lookups(struct connection *connection)
{
    const struct connection_handler *handler = &connection->all->handler;
    struct text lines = {0};
    unsigned count = gather_lookups(connection, &lines);
    struct pending_reply *pending = lines.failed ? NULL : pending_reply_new(connection);
    if (pending == NULL) {
        connection->closing = true;
    } else {
        pending->is_batch = true;
        handler->lookups(handler->context, pending, &lines, count);
    }
    text_free(&lines);
}

static void begin_request(struct connection *connection, const char *line, size_t length, bool too_soon)
{
    const struct connection_handler *handler = &connection->all->handler;
    struct pending_reply *pending = pending_reply_new(connection);
    if (pending == NULL) {
        connection->closing = true;
        return;
    }
    pending->is_submission = handler->is_submission(line, length);
    pending->too_soon = too_soon;
    handler->request(handler->context, pending, line, length);
}

/* Begins the work of the line at the head of the input, or of the lookups that start with it. */
static void begin_line(struct connection *connection, const char *line, size_t length, size_t taken)
{
    struct connections *all = connection->all;
    const uint64_t rate = all->config->requests_per_second;
    if (connection->discarding) {
        connection->discarding = false; /* the rest of the long line, whatever it looks like */
    } else if (is_http(line, length)) {
        connection->closing = true;
    } else if (length > PROTOCOL_LINE_MAX) {
        refuse_long_line(connection);
    } else if (!client_may_request(connection->client, rate)) {
        begin_request(connection, line, length, true);
    } else if (all->handler.is_lookup(line, length)) {
        begin_lookups(connection);
        return;
    } else {
        begin_request(connection, line, length, false);
    }
    drain_line(connection, taken);
}

/* ---- flow ---- */

static bool may_begin_request(const struct connection *connection)
{
    return (connection->pending == NULL || connection->pending->is_submission) &&
           connection->pending_count < SUBMISSIONS_MAX && !connection->closing && !connection->broken &&
           !connection->all->draining && connection_backlog(connection) < OUTPUT_PAUSE;
}

/* Returns true if the line may begin now. While others wait for their replies only a submission may. */
static bool may_begin_line(const struct connection *connection, const char *line, size_t length)
{
    return connection->pending == NULL ||
           (length <= PROTOCOL_LINE_MAX && connection->all->handler.is_submission(line, length));
}

/* Closes a finished connection; else reads on or pauses, as full as the input is. */
static void connection_settle(struct connection *connection, bool all_begun)
{
    bool last = connection->closing || connection->all->draining || (connection->ended && all_begun);
    bool done =
        connection->broken || (last && connection->pending == NULL) || (all_begun && is_idle(connection));
    if (done && connection_backlog(connection) == 0) {
        connection_free(connection);
        return;
    }
    bool room = evbuffer_get_length(bufferevent_get_input(connection->bev)) < INPUT_MAX;
    bool read = room && !connection->ended && !connection->closing;
    if (read == connection->reading)
        return;
    connection->reading = read;
    if (!read)
        (void)bufferevent_disable(connection->bev, EV_READ);
    else if (bufferevent_enable(connection->bev, EV_READ) != 0)
        connection_free(connection); /* no memory: it would get no more events */
}

/* Asks for the next piece of a long reply. */
static void go_on(struct connection *connection)
{
    struct pending_reply *pending = connection->pending;
    if (pending == NULL || pending->drained == NULL || connection_backlog(connection) >= OUTPUT_PAUSE)
        return;
    void (*drained)(struct pending_reply *) = pending->drained;
    pending->drained = NULL;
    drained(pending);
}

static void connection_process(struct connection *connection)
{
    const char *line = NULL;
    size_t length = 0;
    size_t taken = 0;
    unsigned begun = 0;
    bool all_begun = false;
    assert(!connection->processing && connection_is_sound(connection));
    connection->processing = true;
    go_on(connection);
    while (may_begin_request(connection) && begun < LINES_AT_ONCE && !all_begun) {
        if (!next_request_line(connection, &line, &length, &taken)) {
            all_begun = true;
            if (connection->pending == NULL)
                discard(connection);
        } else if (may_begin_line(connection, line, length)) {
            begin_line(connection, line, length, taken);
            begun++;
        } else {
            break;
        }
    }
    connection->processing = false;
    if (begun == LINES_AT_ONCE)
        bufferevent_trigger(connection->bev, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
    connection_settle(connection, all_begun);
}

/* ---- all of them ---- */

enum pz_status connections_new(const struct connections_options *options, struct connections **out,
                               struct pz_error *error)
{
    struct connections *all = calloc(1, sizeof *all);
    if (all == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the connections");
    *all = (struct connections){.base = options->base,
                                .config = options->config,
                                .metrics = options->metrics,
                                .clients = options->clients,
                                .handler = options->handler};
    TAILQ_INIT(&all->drafts.list);
    *out = all;
    return PZ_OK;
}

void connections_free(struct connections *all)
{
    if (all == NULL)
        return;
    while (!LIST_EMPTY(&all->list))
        connection_free(LIST_FIRST(&all->list));
    assert(all->count == 0 && all->drafts.bytes == 0 && TAILQ_EMPTY(&all->drafts.list));
    free(all);
}

struct draft *connection_draft(struct connection *connection)
{
    return &connection->draft;
}

size_t connections_count(const struct connections *all)
{
    return all->count;
}

void connections_reload(struct connections *all)
{
    for (struct connection *connection = LIST_FIRST(&all->list); connection != NULL;
         connection = LIST_NEXT(connection, link))
        set_timeouts(connection);
}

void connections_drain(struct connections *all)
{
    all->draining = true;
    for (struct connection *connection = LIST_FIRST(&all->list), *next = NULL; connection != NULL;
         connection = next) {
        next = LIST_NEXT(connection, link);
        connection_process(connection);
    }
}
