/* SPDX-License-Identifier: MIT */
/* The part of an exchange in which the daemon is asked: its replies become the answer, or a stream of events.
 */
#include "web/http/access.h"
#include "web/http/http_exchange.h"

#include <stdlib.h>

enum { HEARTBEAT_SECONDS = 15 };

static void resume(struct http_exchange *exchange)
{
    if (!exchange->suspended)
        return;
    exchange->suspended = false;
    MHD_resume_connection(exchange->connection);
    server_kick(exchange->server);
}

/* Takes a request to the daemon off the counts. */
static void count_ended(struct http_exchange *exchange)
{
    exchange->server->asks--;
    exchange->slot->asks--;
}

static void exchange_hang_up(struct http_exchange *exchange)
{
    if (exchange->ask == NULL)
        return;
    ask_free(exchange->ask);
    exchange->ask = NULL;
    if (exchange->gone != NULL)
        event_free(exchange->gone);
    exchange->gone = NULL;
    if (!exchange->streaming)
        count_ended(exchange);
}

static void answered(struct http_exchange *exchange)
{
    exchange_hang_up(exchange);
    exchange->answered = true;
    resume(exchange);
}

static void on_heartbeat(evutil_socket_t fd, short what, void *argument)
{
    struct http_exchange *exchange = argument;
    (void)fd;
    (void)what;
    events_beat(&exchange->stream);
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
    count_ended(exchange);
    exchange->streaming = true;
    exchange->answered = true;
    exchange->heartbeat = event_new(server->base, -1, EV_PERSIST, on_heartbeat, exchange);
    if (exchange->heartbeat != NULL)
        (void)event_add(exchange->heartbeat, &interval);
    return ask_bound(exchange->ask, 0, 0);
}

static void exchange_take_event(struct http_exchange *exchange, const struct reply *reply)
{
    events_take(&exchange->stream, reply);
    if (exchange->stream.ended)
        exchange_hang_up(exchange);
    else if (exchange->stream.out.length > STREAM_WAITING_MAX)
        ask_pause(exchange->ask, true);
    resume(exchange);
}

static void count_released(struct http_exchange *exchange)
{
    limits_release(&exchange->server->limits, exchange->slot, exchange->held);
    exchange->held = 0;
}

bool exchange_hold(struct http_exchange *exchange, struct refusal *refusal)
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
        exchange_take_event(exchange, reply);
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
    if (exchange->answer.made != 0)
        visitor_began(exchange->visitor, exchange->answer.made);
    if (!good || !exchange_hold(exchange, &refusal)) {
        answer_failure(exchange, &refusal);
    } else if (answer_whole(&exchange->answer)) {
        answered(exchange);
    }
}

static void on_broken(void *user, const struct refusal *refusal)
{
    struct http_exchange *exchange = user;
    if (exchange->streaming) {
        events_fail(&exchange->stream, refusal);
        exchange_hang_up(exchange);
        resume(exchange);
        return;
    }
    answer_failure(exchange, refusal);
}

/* The client has closed its end: nobody needs the daemon's answer any more. */
static void on_gone(evutil_socket_t fd, short what, void *argument)
{
    struct refusal refusal;
    (void)fd;
    (void)what;
    (void)refuse(&refusal, "connection-lost", "the client hung up");
    on_broken(argument, &refusal);
}

bool exchange_ask(struct http_exchange *exchange, const struct web_question *question,
                  struct refusal *refusal)
{
    struct web_server *server = exchange->server;
    const struct ask_user user = {.reply = on_reply, .broken = on_broken, .user = exchange};
    if (server->asks >= ASKS_MAX)
        return refuse(refusal, "busy", "too many requests at a time");
    answer_begin(&exchange->answer, question);
    if (answer_whole(&exchange->answer)) { /* no board can be asked */
        exchange->answered = true;
        return true;
    }
    if (!limits_ask(&server->limits, exchange->slot, refusal))
        return false;
    server->asks++;
    exchange->ask = ask_new(server->base, &server->settings->daemon, question->lines.data,
                            question->lines.length, user, refusal);
    if (exchange->ask == NULL) {
        count_ended(exchange);
        return false;
    }
    exchange->gone = event_new(server->base, exchange->peer->fd, EV_CLOSED, on_gone, exchange);
    if (exchange->gone == NULL || event_add(exchange->gone, NULL) != 0 ||
        !ask_bound(exchange->ask, ANSWER_BYTES_MAX, ASK_SECONDS)) {
        exchange_hang_up(exchange);
        return refuse(refusal, "memory", "no memory for a timer");
    }
    return true;
}

void exchange_end_asking(struct http_exchange *exchange)
{
    exchange_hang_up(exchange);
    if (exchange->streaming) {
        exchange->server->streams--;
        exchange->slot->streams--;
    }
    if (exchange->heartbeat != NULL)
        event_free(exchange->heartbeat);
    if (exchange->slot != NULL)
        count_released(exchange);
    events_clear(&exchange->stream);
    answer_clear(&exchange->answer);
}

void exchange_abandon(struct http_exchange *exchange)
{
    struct refusal refusal;
    if (!exchange->suspended)
        return;
    (void)refuse(&refusal, "shutting-down", "puzzled-web is stopping");
    on_broken(exchange, &refusal);
}
