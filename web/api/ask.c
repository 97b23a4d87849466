/* SPDX-License-Identifier: MIT */
#include "web/api/ask.h"

#include "protocol/text/utf8.h"

#include <assert.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { LINE_MAX_BYTES = 1 << 20 };

struct ask {
    struct bufferevent *wire;
    struct event *deadline;
    struct ask_user user;
    size_t bytes_left; /* SIZE_MAX for no bound */
    bool connected;
    bool handing; /* lines are being handed out: ask_free waits until that ends */
    bool freed;
};

static void fail_ask(struct ask *ask, const char *code, const char *text)
{
    struct refusal refusal;
    (void)refuse(&refusal, code, "%s", text);
    ask->user.broken(ask->user.user, &refusal);
}

/* Hands out one line. Returns false if that was the last one. */
static bool ask_take_line(struct ask *ask, char *line, size_t length)
{
    struct reply reply;
    struct pz_error error = {.text = ""};
    if (length >= ask->bytes_left) {
        fail_ask(ask, "too-large", "the answer is too long for one request");
        return false;
    }
    ask->bytes_left -= ask->bytes_left == SIZE_MAX ? 0 : length;
    utf8_scrub(line, length);
    if (!reply_parse(&reply, line, length, &error)) {
        fail_ask(ask, error.code == PZ_MEMORY ? "memory" : "connection-lost", error.text);
        return false;
    }
    ask->user.reply(ask->user.user, &reply);
    reply_clear(&reply);
    return !ask->freed;
}

static void ask_on_read(struct bufferevent *wire, void *argument)
{
    struct ask *ask = argument;
    struct evbuffer *in = bufferevent_get_input(wire);
    bool more = true;
    size_t length = 0;
    assert(!ask->handing && !ask->freed);
    char *line = NULL;
    ask->handing = true;
    while (more && (line = evbuffer_readln(in, &length, EVBUFFER_EOL_LF)) != NULL) {
        more = ask_take_line(ask, line, length);
        free(line);
    }
    if (more && evbuffer_get_length(in) > LINE_MAX_BYTES)
        fail_ask(ask, "connection-lost", "the daemon sent a line without an end");
    ask->handing = false;
    if (ask->freed)
        ask_free(ask);
}

static void on_event(struct bufferevent *wire, short what, void *argument)
{
    struct ask *ask = argument;
    (void)wire;
    if ((what & BEV_EVENT_CONNECTED) != 0)
        ask->connected = true;
    else if (ask->connected)
        fail_ask(ask, "connection-lost", "the daemon hung up");
    else
        fail_ask(ask, "unreachable", "no puzzled answers at its socket");
}

static void on_deadline(evutil_socket_t fd, short what, void *argument)
{
    (void)fd;
    (void)what;
    fail_ask(argument, "timeout", "the daemon took too long for this");
}

static bool reach_daemon(struct ask *ask, const struct address *address, struct refusal *refusal)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    _Static_assert(sizeof to.sun_path >= sizeof address->path, "a path must fit");
    memcpy(to.sun_path, address->path, sizeof address->path);
    errno = 0;
    if (bufferevent_socket_connect(ask->wire, (struct sockaddr *)&to, sizeof to) == 0)
        return true;
    if (errno == EAGAIN)
        return refuse(refusal, "busy", "the daemon has too many connections waiting");
    return refuse(refusal, "unreachable", "no puzzled answers at %s: %s", address->name,
                  strerrordesc_np(errno));
}

struct ask *ask_new(struct event_base *base, const struct address *address, const char *lines, size_t length,
                    struct ask_user user, struct refusal *refusal)
{
    assert(length > 0 && lines[length - 1] == '\n');
    struct ask *ask = calloc(1, sizeof *ask);
    if (ask != NULL) {
        ask->user = user;
        ask->bytes_left = SIZE_MAX;
        /* Deferred: the loop reports a failure to connect, not this call. */
        ask->wire = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
        ask->deadline = evtimer_new(base, on_deadline, ask);
    }
    if (ask == NULL || ask->wire == NULL || ask->deadline == NULL) {
        (void)refuse(refusal, "memory", "no memory for a connection to the daemon");
        ask_free(ask);
        return NULL;
    }
    bufferevent_setcb(ask->wire, ask_on_read, NULL, on_event, ask);
    bool good = reach_daemon(ask, address, refusal);
    if (good &&
        (bufferevent_write(ask->wire, lines, length) != 0 || bufferevent_enable(ask->wire, EV_READ) != 0))
        good = refuse(refusal, "memory", "no memory for the request");
    if (good)
        return ask;
    ask_free(ask);
    return NULL;
}

bool ask_bound(struct ask *ask, size_t bytes, unsigned seconds)
{
    const struct timeval patience = {.tv_sec = (time_t)seconds};
    ask->bytes_left = bytes == 0 ? SIZE_MAX : bytes;
    return (seconds == 0 ? evtimer_del(ask->deadline) : evtimer_add(ask->deadline, &patience)) == 0;
}

void ask_pause(struct ask *ask, bool paused)
{
    if (paused)
        (void)bufferevent_disable(ask->wire, EV_READ);
    else
        (void)bufferevent_enable(ask->wire, EV_READ);
}

void ask_free(struct ask *ask)
{
    if (ask == NULL)
        return;
    if (ask->handing) {
        ask->freed = true;
        return;
    }
    if (ask->wire != NULL)
        bufferevent_free(ask->wire);
    if (ask->deadline != NULL)
        event_free(ask->deadline);
    free(ask);
}

void ask_settle(struct event_base *base)
{
    /* At most 32 deferred callbacks run in a turn of the loop. */
    while (event_base_get_num_events(base, EVENT_BASE_COUNT_ACTIVE) > 0)
        (void)event_base_loop(base, EVLOOP_NONBLOCK);
}
