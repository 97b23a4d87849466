/* SPDX-License-Identifier: MIT */
#include "web/http/http_exchange.h"

#include "version.h"
#include "web/api/ask.h"
#include "web/api/json_answer.h"
#include "web/api/openapi.h"
#include "web/http/gate.h"
#include "web/http/http_stream.h"
#include "web/http/respond.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum stage {
    STAGE_BODY,     /* the request comes in */
    STAGE_WAITING,  /* suspended: the daemon is asked */
    STAGE_ANSWERED, /* the answer is whole, or the stream may begin */
    STAGE_SENDING
};

enum { HEARTBEAT_SECONDS = 15 };

struct http_exchange {
    struct web_server *server;
    struct MHD_Connection *connection;
    struct visitor *visitor;
    struct limits_slot *slot;
    const struct page *page;   /* a file of the page, for which nothing is asked; else NULL */
    const struct route *route; /* of the API; else NULL */
    char job[ROUTE_JOB_MAX];
    const char *allow; /* of a refused method; else NULL */
    enum stage stage;
    bool suspended;
    struct text body;
    bool body_too_long;
    struct ask *ask;
    struct event *gone; /* the client's end of the connection, while the daemon is asked */
    struct json_answer answer;
    size_t held;    /* bytes of the answer, counted in the server and in the client's slot */
    bool streaming; /* counted as a stream */
    struct stream stream;
    struct event *heartbeat;
};

/* ---- waiting for the daemon ---- */

static void resume(struct http_exchange *exchange)
{
    if (!exchange->suspended)
        return;
    exchange->suspended = false;
    MHD_resume_connection(exchange->connection);
    server_kick(exchange->server);
}

static void hang_up(struct http_exchange *exchange)
{
    if (exchange->ask == NULL)
        return;
    ask_free(exchange->ask);
    exchange->ask = NULL;
    if (exchange->gone != NULL)
        event_free(exchange->gone);
    exchange->gone = NULL;
    if (!exchange->streaming)
        exchange->server->asks--;
}

static void answered(struct http_exchange *exchange)
{
    hang_up(exchange);
    exchange->stage = STAGE_ANSWERED;
    resume(exchange);
}

static void on_heartbeat(evutil_socket_t fd, short what, void *argument)
{
    struct http_exchange *exchange = argument;
    (void)fd;
    (void)what;
    stream_beat(&exchange->stream);
    resume(exchange);
}

/* Turns the answer into a stream, after the daemon's OK to WATCH. */
static bool begin_stream(struct http_exchange *exchange)
{
    const struct timeval interval = {.tv_sec = HEARTBEAT_SECONDS};
    struct refusal refusal;
    struct web_server *server = exchange->server;
    bool room =
        server->streams < STREAMS_MAX || refuse(&refusal, "busy", "too many streams of events at a time");
    if (!room || !limits_stream(&server->limits, exchange->slot, &refusal)) {
        answer_fail(&exchange->answer, &refusal);
        return false;
    }
    server->streams++;
    server->asks--;
    exchange->streaming = true;
    exchange->stage = STAGE_ANSWERED;
    exchange->heartbeat = event_new(server->base, -1, EV_PERSIST, on_heartbeat, exchange);
    if (exchange->heartbeat != NULL)
        (void)event_add(exchange->heartbeat, &interval);
    return ask_bound(exchange->ask, 0, 0);
}

static void take_event(struct http_exchange *exchange, const struct reply *reply)
{
    stream_take(&exchange->stream, reply);
    if (exchange->stream.ended)
        hang_up(exchange);
    else if (exchange->stream.out.length > STREAM_WAITING_MAX)
        ask_pause(exchange->ask, true);
    resume(exchange);
}

static void count_released(struct http_exchange *exchange)
{
    limits_release(&exchange->server->limits, exchange->slot, exchange->held);
    exchange->held = 0;
}

/* Counts what the answer holds now. */
static bool count_held(struct http_exchange *exchange, struct refusal *refusal)
{
    size_t more = exchange->answer.json.length - exchange->held;
    if (!limits_hold(&exchange->server->limits, exchange->slot, more, refusal))
        return false;
    exchange->held += more;
    return true;
}

/* Ends the question with an error. */
static void answer_failure(struct http_exchange *exchange, const struct refusal *refusal)
{
    count_released(exchange);
    answer_fail(&exchange->answer, refusal);
    answered(exchange);
}

static void on_reply(void *user, const struct reply *reply)
{
    struct http_exchange *exchange = user;
    struct refusal refusal;
    if (exchange->streaming) {
        take_event(exchange, reply);
        return;
    }
    if (exchange->route->streams && reply->kind == REPLY_OK) {
        if (begin_stream(exchange))
            resume(exchange);
        else
            answered(exchange);
        return;
    }
    bool good = answer_take(&exchange->answer, reply) ||
                refuse(&refusal, "connection-lost", "the daemon sent a line that cannot stand there");
    if (!good || !count_held(exchange, &refusal)) {
        answer_failure(exchange, &refusal);
    } else if (answer_whole(&exchange->answer)) {
        answered(exchange);
    }
}

static void on_broken(void *user, const struct refusal *refusal)
{
    struct http_exchange *exchange = user;
    if (exchange->streaming) {
        stream_fail(&exchange->stream, refusal);
        hang_up(exchange);
        resume(exchange);
        return;
    }
    answer_failure(exchange, refusal);
}

/* The client has closed its end: what the daemon still does for it is in vain. */
static void on_gone(evutil_socket_t fd, short what, void *argument)
{
    struct refusal refusal;
    (void)fd;
    (void)what;
    (void)refuse(&refusal, "connection-lost", "the client hung up");
    on_broken(argument, &refusal);
}

/* ---- the request ---- */

/* The query of a GET while it is collected. */
struct url_query {
    json_t *arguments;
    const char *wrong; /* the name of an invalid parameter; NULL for none */
};

static enum MHD_Result add_argument(void *closure, enum MHD_ValueKind kind, const char *key,
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
    (void)MHD_get_connection_values(exchange->connection, MHD_GET_ARGUMENT_KIND, add_argument, &query);
    if (query.wrong == NULL && query.arguments != NULL)
        return query.arguments;
    json_decref(query.arguments);
    (void)refuse(refusal, "bad-request", "the parameter \"%.40s\" comes twice, or is no UTF-8",
                 query.wrong == NULL ? "" : query.wrong);
    return NULL;
}

static bool ask_daemon(struct http_exchange *exchange, const struct web_question *question,
                       struct refusal *refusal)
{
    struct web_server *server = exchange->server;
    const struct ask_user user = {.reply = on_reply, .broken = on_broken, .user = exchange};
    if (server->asks >= ASKS_MAX)
        return refuse(refusal, "busy", "too many requests at a time");
    answer_begin(&exchange->answer, question);
    exchange->ask = ask_new(server->base, &server->settings->daemon, question->lines.data,
                            question->lines.length, user, refusal);
    if (exchange->ask == NULL)
        return false;
    server->asks++;
    exchange->gone = event_new(server->base, exchange->visitor->fd, EV_CLOSED, on_gone, exchange);
    if (exchange->gone == NULL || event_add(exchange->gone, NULL) != 0 ||
        !ask_bound(exchange->ask, ANSWER_BYTES_MAX, ASK_SECONDS)) {
        hang_up(exchange);
        return refuse(refusal, "memory", "no memory for a timer");
    }
    return true;
}

static bool begin_asking(struct http_exchange *exchange, struct refusal *refusal)
{
    bool read_only = exchange->server->settings->read_only;
    if (exchange->body_too_long)
        return refuse(refusal, "too-large", "the body has more than %d bytes", QUESTION_BODY_MAX);
    json_t *arguments = read_arguments(exchange, refusal);
    if (arguments == NULL)
        return false;
    struct web_question question;
    bool good = question_read(&question, exchange->route, exchange->job, arguments,
                              read_only ? STARTS_READ_ONLY : QUESTION_STARTS_MAX, refusal);
    json_decref(arguments);
    if (!good)
        return false;
    good = ask_daemon(exchange, &question, refusal);
    question_clear(&question);
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
    answer_value(&answer, json_pack("{s:s, s:b, s:i}", "version", PUZZLED_VERSION, "read_only",
                                    (int)settings->read_only, "starts_max",
                                    settings->read_only ? STARTS_READ_ONLY : QUESTION_STARTS_MAX));
    return respond_json(exchange->connection, 200, answer_text(&answer), &more);
}

/* ---- the answer ---- */

static ssize_t read_stream(void *closure, uint64_t position, char *bytes, size_t room)
{
    struct http_exchange *exchange = closure;
    (void)position;
    ssize_t got = stream_read(&exchange->stream, bytes, room);
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
                                      .lasts = to_all && exchange->route != NULL && exchange->route->lasts &&
                                               !answer->open};
    const unsigned status = answer->status;
    exchange->stage = STAGE_SENDING;
    if (exchange->streaming)
        return respond_stream(exchange->connection, read_stream, exchange, to_all);
    visitors_set_busy(&exchange->server->visitors, exchange->visitor, false, server_now_ms());
    return respond_json(exchange->connection, status, answer_text(&exchange->answer), &more);
}

static enum MHD_Result send_refusal(struct http_exchange *exchange, const struct refusal *refusal)
{
    exchange->stage = STAGE_SENDING;
    return respond_refusal(exchange->connection, refusal, is_to_all(exchange));
}

/* ---- what libmicrohttpd calls ---- */

static bool admit(struct http_exchange *exchange, const char *url, const char *method,
                  struct refusal *refusal)
{
    struct web_server *server = exchange->server;
    struct MHD_Connection *connection = exchange->connection;
    struct gate_headers headers;
    const char *forwarded = server->settings->behind_proxy
                                ? MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Forwarded-For")
                                : NULL;
    const union MHD_ConnectionInfo *peer =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    exchange->slot = limits_slot(&server->limits, peer->client_addr, forwarded);
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
    gate_headers_read(connection, &headers);
    return limits_request(&server->limits, exchange->slot, server_now_ms(), refusal) &&
           route_find(method, url, &exchange->route, exchange->job, refusal) &&
           gate_open(server->settings, exchange->route, &headers, refusal) &&
           (length == NULL || strtoull(length, NULL, 10) <= QUESTION_BODY_MAX ||
            refuse(refusal, "too-large", "the body has %s bytes, at most %d are allowed", length,
                   QUESTION_BODY_MAX));
}

/* Finds the file that a path outside the API names. */
static bool find_page(struct http_exchange *exchange, const char *url, const char *method,
                      struct refusal *refusal)
{
    struct gate_headers headers;
    gate_headers_read(exchange->connection, &headers);
    if (!gate_host(exchange->server->settings, headers.host, refusal))
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
        exchange->stage = STAGE_ANSWERED;
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
        (struct http_exchange){.server = server, .connection = connection, .visitor = known->socket_context};
    exchange->visitor->exchange = exchange;
    *place = exchange;
    if (!gate_unambiguous(connection, &refusal) ||
        (exchange->visitor->zero_byte &&
         !refuse(&refusal, "bad-request", "the address has a zero byte, %%00"))) {
        exchange->visitor->zero_byte = false;
        return send_refusal(exchange, &refusal);
    }
    bool api = strncmp(url, "/api/", 5) == 0;
    if (api ? admit(exchange, url, method, &refusal) : find_page(exchange, url, method, &refusal))
        return MHD_YES;
    return refuse_early(exchange, method, &refusal);
}

static void take_body(struct http_exchange *exchange, const char *upload, size_t *size)
{
    exchange->body_too_long = exchange->body_too_long || exchange->body.length + *size > QUESTION_BODY_MAX;
    if (!exchange->body_too_long)
        text_append(&exchange->body, upload, *size);
    *size = 0;
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
    if (exchange->stage == STAGE_ANSWERED)
        return send_answer(exchange);
    if (*upload_size > 0) {
        take_body(exchange, upload, upload_size);
        return MHD_YES;
    }
    if (exchange->page != NULL)
        return respond_page(connection, exchange->page);
    if (exchange->route->verb == VERB_COUNT && !exchange->route->changes)
        return answer_ourselves(exchange);
    if (!begin_asking(exchange, &refusal))
        return send_refusal(exchange, &refusal);
    visitors_set_busy(&exchange->server->visitors, exchange->visitor, true, 0);
    exchange->stage = STAGE_WAITING;
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
    hang_up(exchange);
    if (exchange->streaming) {
        exchange->server->streams--;
        exchange->slot->streams--;
    }
    if (exchange->heartbeat != NULL)
        event_free(exchange->heartbeat);
    if (exchange->visitor->busy)
        visitors_set_busy(&exchange->server->visitors, exchange->visitor, false, server_now_ms());
    exchange->visitor->exchange = NULL;
    if (exchange->slot != NULL)
        count_released(exchange);
    stream_clear(&exchange->stream);
    answer_clear(&exchange->answer);
    text_free(&exchange->body);
    free(exchange);
    *place = NULL;
}

void exchange_abandon(struct http_exchange *exchange)
{
    struct refusal refusal;
    if (!exchange->suspended)
        return;
    (void)refuse(&refusal, "shutting-down", "puzzled-web is stopping");
    on_broken(exchange, &refusal);
}
