/* SPDX-License-Identifier: MIT */
#include "web/http/http_exchange.h"

#include "protocol/json.h"
#include "version.h"
#include "web/api/board_value.h"
#include "web/api/openapi.h"
#include "web/http/access.h"
#include "web/http/respond.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* ---- the events of a job ---- */

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

static bool events_is_last(const struct reply *event)
{
    return !reply_is(event, "state", "queued") && !reply_is(event, "state", "running");
}

void events_take(struct stream *stream, const struct reply *reply)
{
    switch (reply->kind) {
    case REPLY_OK:
        break;
    case REPLY_EVENT:
        add_event(stream, NULL, json_of_reply(reply));
        stream->ended = stream->ended || events_is_last(reply);
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

void events_fail(struct stream *stream, const struct refusal *refusal)
{
    add_event(stream, "refused", json_of_error(refusal->code, code_retry(refusal->code), refusal->text));
    stream->ended = true;
}

void events_beat(struct stream *stream)
{
    if (!stream->ended)
        text_add(&stream->out, ":\n\n");
}

/* Takes up to room bytes out. Returns 0 if there are none, -1 at the end. */
static ssize_t events_read(struct stream *stream, char *bytes, size_t room)
{
    assert(room > 0);
    size_t length = stream->out.length < room ? stream->out.length : room;
    if (length == 0)
        return stream->ended ? -1 : 0;
    memcpy(bytes, stream->out.data, length);
    text_drop(&stream->out, length);
    return (ssize_t)length;
}

void events_clear(struct stream *stream)
{
    text_free(&stream->out);
    *stream = (struct stream){0};
}

/* ---- the request ---- */

/* The query of a GET while it is collected. */
struct url_query {
    json_t *arguments;
    const char *wrong; /* the name of an invalid parameter; NULL for none */
};

static enum MHD_Result take_http_argument(void *closure, enum MHD_ValueKind kind, const char *key,
                                          const char *value)
{
    struct url_query *query = closure;
    (void)kind;
    bool again = json_object_get(query->arguments, key) != NULL;
    if (again || json_object_set_new(query->arguments, key, json_string(value == NULL ? "" : value)) != 0)
        query->wrong = key;
    return MHD_YES;
}

/* Reads the arguments as an object: a POST's body, or a GET's query. */
static json_t *read_arguments(struct http_exchange *exchange, struct refusal *refusal)
{
    if (strcmp(exchange->route->method, "POST") == 0)
        return question_body(text_string(&exchange->body), exchange->body.length, refusal);
    struct url_query query = {.arguments = json_object()};
    (void)MHD_get_connection_values(exchange->connection, MHD_GET_ARGUMENT_KIND, take_http_argument, &query);
    if (query.wrong == NULL && query.arguments != NULL)
        return query.arguments;
    json_decref(query.arguments);
    (void)refuse(refusal, "bad-request", "the parameter \"%.40s\" comes twice, or is no UTF-8",
                 query.wrong == NULL ? "" : query.wrong);
    return NULL;
}

/* The boards of one request. */
static size_t boards_most(const struct http_exchange *exchange)
{
    return exchange->server->settings->read_only ? STARTS_READ_ONLY : QUESTION_STARTS_MAX;
}

static bool begin_asking(struct http_exchange *exchange, struct refusal *refusal)
{
    if (exchange->body_too_long)
        return refuse(refusal, "too-large", "the body has more than %d bytes", QUESTION_BODY_MAX);
    json_t *arguments = read_arguments(exchange, refusal);
    if (arguments == NULL)
        return false;
    struct web_question question;
    bool good =
        (!route_submits(exchange->route) ||
         visitor_limit(exchange->server->settings, arguments, exchange->visitor, refusal)) &&
        question_read(&question, exchange->route, exchange->job, arguments, boards_most(exchange), refusal);
    json_decref(arguments);
    if (!good)
        return false;
    exchange->lasts = question.lasts;
    good = exchange_ask(exchange, &question, refusal);
    web_question_clear(&question);
    return good;
}

/* Answers the page's question about this server. */
static enum MHD_Result answer_ourselves(const struct http_exchange *exchange)
{
    const struct settings *settings = exchange->server->settings;
    const struct respond_more more = {.to_all = settings->open_to_all};
    if (exchange->route->describes)
        return respond_json(exchange->connection, 200, openapi_text(), &more);
    struct json_answer answer = {0};
    char visitor[VISITOR_NAME_MAX];
    visitor_name(settings, exchange->visitor, visitor);
    answer_value(&answer,
                 json_pack("{s:s, s:b, s:b, s:I, s:s*}", "version", PUZZLED_VERSION, "read_only",
                           (int)settings->read_only, "defines", !settings->read_only && *visitor == '\0',
                           "starts_max", (json_int_t)boards_most(exchange), "visitor",
                           *visitor == '\0' ? NULL : visitor));
    return respond_json(exchange->connection, 200, answer_text(&answer), &more);
}

/* Reads the boards of a text. */
static enum MHD_Result answer_boards(struct http_exchange *exchange)
{
    struct refusal refusal;
    const struct respond_more more = {.to_all = exchange->server->settings->open_to_all};
    const bool fits = !exchange->body_too_long ||
                      refuse(&refusal, "too-large", "the body has more than %d bytes", QUESTION_BODY_MAX);
    json_t *arguments = fits ? read_arguments(exchange, &refusal) : NULL;
    json_t *boards = arguments != NULL ? board_values(arguments, boards_most(exchange), &refusal) : NULL;
    json_decref(arguments);
    if (boards != NULL)
        answer_value(&exchange->answer, boards);
    if (boards == NULL || !exchange_hold(exchange, &refusal))
        return respond_refusal(exchange->connection, &refusal, more.to_all);
    return respond_json(exchange->connection, 200, answer_text(&exchange->answer), &more);
}

/* ---- the answer ---- */

static ssize_t read_stream(void *closure, uint64_t position, char *bytes, size_t room)
{
    struct http_exchange *exchange = closure;
    (void)position;
    ssize_t got = events_read(&exchange->stream, bytes, room);
    if (got < 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (exchange->ask != NULL && exchange->stream.out.length <= STREAM_WAITING_MAX / 2)
        ask_pause(exchange->ask, false);
    if (got == 0) {
        exchange->suspended = true;
        MHD_suspend_connection(exchange->connection);
    }
    return got;
}

/* Returns true if pages of every origin may read the answer. */
static bool is_to_all(const struct http_exchange *exchange)
{
    return exchange->server->settings->open_to_all && exchange->page == NULL;
}

static enum MHD_Result send_answer(struct http_exchange *exchange)
{
    const struct json_answer *answer = &exchange->answer;
    const bool to_all = is_to_all(exchange);
    const struct respond_more more = {.allow = exchange->allow,
                                      .job = answer->job,
                                      .to_all = to_all,
                                      .lasts = to_all && exchange->lasts && !answer->open};
    const unsigned status = answer->status;
    if (exchange->streaming)
        return respond_stream(exchange->connection, read_stream, exchange, to_all);
    peers_set_busy(&exchange->server->peers, exchange->peer, false, server_now_ms());
    return respond_json(exchange->connection, status, answer_text(&exchange->answer), &more);
}

static enum MHD_Result send_refusal(struct http_exchange *exchange, const struct refusal *refusal)
{
    return respond_refusal(exchange->connection, refusal, is_to_all(exchange));
}

/* ---- what libmicrohttpd calls ---- */

/* The last line counts: our own proxy may add one behind those that the client sent. */
static enum MHD_Result note_forwarded(void *closure, enum MHD_ValueKind kind, const char *key,
                                      const char *value)
{
    (void)kind;
    if (strcasecmp(key, "X-Forwarded-For") == 0)
        *(const char **)closure = value != NULL ? value : "";
    return MHD_YES;
}

static const char *cookie_of(struct MHD_Connection *connection)
{
    return MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, VISITOR_COOKIE);
}

static bool admit(struct http_exchange *exchange, const char *url, const char *method,
                  struct refusal *refusal)
{
    struct web_server *server = exchange->server;
    struct MHD_Connection *connection = exchange->connection;
    struct access_headers headers;
    const char *forwarded = NULL;
    if (server->settings->behind_proxy)
        (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, note_forwarded, &forwarded);
    const union MHD_ConnectionInfo *peer =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct visitor client = limits_client(&server->limits, peer->client_addr, forwarded);
    exchange->slot = client.slot;
    exchange->visitor = visitor_who(server->settings, &server->limits, cookie_of(connection), client);
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
    access_headers_read(connection, &headers);
    return limits_request(&server->limits, exchange->slot, server_now_ms(), refusal) &&
           route_find(method, url, &exchange->route, exchange->job, refusal) &&
           access_allowed(server->settings, exchange->route, &headers, refusal) &&
           visitor_may(server->settings, exchange->route, exchange->job, exchange->visitor, refusal) &&
           (length == NULL || strtoull(length, NULL, 10) <= QUESTION_BODY_MAX ||
            refuse(refusal, "too-large", "the body has %s bytes, at most %d are allowed", length,
                   QUESTION_BODY_MAX));
}

/* Finds the file that a path outside the API names. */
static bool find_page(struct http_exchange *exchange, const char *url, const char *method,
                      struct refusal *refusal)
{
    struct access_headers headers;
    access_headers_read(exchange->connection, &headers);
    if (!access_host(exchange->server->settings, headers.host, refusal))
        return false;
    exchange->page = pages_find(exchange->server->pages, url);
    if (exchange->page == NULL)
        return refuse(refusal, "not-found", "no such page");
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
        return true;
    (void)refuse(refusal, "bad-method", "a page takes GET, HEAD");
    refusal->allow = "GET, HEAD";
    return false;
}

/* Refuses a request, also one whose body has not come: then the connection closes. */
static enum MHD_Result refuse_early(struct http_exchange *exchange, const char *method,
                                    const struct refusal *refusal)
{
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0) {
        answer_fail(&exchange->answer, refusal);
        exchange->allow = refusal->allow;
        exchange->answered = true;
        return MHD_YES;
    }
    return send_refusal(exchange, refusal);
}

static enum MHD_Result first_call(struct web_server *server, struct MHD_Connection *connection,
                                  const char *url, const char *method, void **place)
{
    struct refusal refusal;
    const union MHD_ConnectionInfo *known =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct http_exchange *exchange = calloc(1, sizeof *exchange);
    if (exchange == NULL || known == NULL || known->socket_context == NULL) {
        free(exchange);
        return MHD_NO;
    }
    *exchange =
        (struct http_exchange){.server = server, .connection = connection, .peer = known->socket_context};
    exchange->peer->exchange = exchange;
    *place = exchange;
    if (!access_unambiguous(connection, &refusal) ||
        (exchange->peer->wrong != NULL && !refuse(&refusal, "bad-request", "%s", exchange->peer->wrong))) {
        exchange->peer->wrong = NULL;
        return send_refusal(exchange, &refusal);
    }
    bool api = strncmp(url, "/api/", 5) == 0;
    if (api ? admit(exchange, url, method, &refusal) : find_page(exchange, url, method, &refusal))
        return MHD_YES;
    return refuse_early(exchange, method, &refusal);
}

static enum MHD_Result answer_page(const struct http_exchange *exchange)
{
    char cookie[VISITOR_COOKIE_MAX];
    visitor_cookie(exchange->server->settings, cookie_of(exchange->connection), cookie);
    return respond_page(exchange->connection, exchange->page, cookie);
}

/* The library overlooks an end that came together with bytes before it. Wakes it to look again. */
static void notice_end(int fd)
{
    char byte = 0;
    if (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        (void)shutdown(fd, SHUT_RD);
}

static void take_body(struct http_exchange *exchange, const char *upload, size_t *size)
{
    exchange->body_too_long = exchange->body_too_long || exchange->body.length + *size > QUESTION_BODY_MAX;
    if (!exchange->body_too_long)
        text_append(&exchange->body, upload, *size);
    *size = 0;
    notice_end(exchange->peer->fd);
}

enum MHD_Result exchange_handle(void *closure, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_size, void **place)
{
    struct http_exchange *exchange = *place;
    struct refusal refusal;
    (void)version;
    if (exchange == NULL)
        return first_call(closure, connection, url, method, place);
    if (exchange->answered)
        return send_answer(exchange);
    if (*upload_size > 0) {
        take_body(exchange, upload, upload_size);
        return MHD_YES;
    }
    if (exchange->page != NULL)
        return answer_page(exchange);
    if (exchange->route->verb == VERB_COUNT && !exchange->route->changes)
        return exchange->route->reads ? answer_boards(exchange) : answer_ourselves(exchange);
    if (!begin_asking(exchange, &refusal))
        return send_refusal(exchange, &refusal);
    if (exchange->answered)
        return send_answer(exchange);
    peers_set_busy(&exchange->server->peers, exchange->peer, true, 0);
    exchange->suspended = true;
    MHD_suspend_connection(connection);
    return MHD_YES;
}

void exchange_completed(void *closure, struct MHD_Connection *connection, void **place,
                        enum MHD_RequestTerminationCode why)
{
    struct http_exchange *exchange = *place;
    (void)closure;
    (void)connection;
    (void)why;
    if (exchange == NULL)
        return;
    if (exchange->peer->busy)
        peers_set_busy(&exchange->server->peers, exchange->peer, false, server_now_ms());
    exchange->peer->exchange = NULL;
    exchange_end_asking(exchange);
    text_free(&exchange->body);
    free(exchange);
    *place = NULL;
}
