/* SPDX-License-Identifier: MIT */
#include "visitor.h"

#include "machine.h"
#include "reply.h"
#include "threads.h"
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct visitor visitors[VISITORS_MAX + 1]; /* the last one probes */
bool visitors_may_lose;

/* Less than the daemon's stall-timeout. */
static const uint64_t stall_ns = UINT64_C(50000000000);

void visitors_begin(void)
{
    for (unsigned i = 0; i <= VISITORS_MAX; i++)
        visitors[i] = (struct visitor){.socket = -1};
}

/* ---- connecting and leaving ---- */

static void visitor_connect(struct visitor *visitor, unsigned user)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", world->socket);
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (file < 0)
        return;
    if (connect(file, (const struct sockaddr *)&address, sizeof address) != 0) {
        (void)close(file);
        return;
    }
    system_will_connect(user == 0 ? SIM_ROOT : SIM_FIRST_USER + user - 1);
    *visitor =
        (struct visitor){.socket = file, .user = user, .lazy = world_once_in(8), .read_at = world->now_ns};
    world_trace("client %u is user %u", (unsigned)(visitor - visitors), user);
}

static void visitor_drop(struct visitor *visitor)
{
    /* What it asked for without a reply may happen now or later: the models know. */
    (void)close(visitor->socket);
    free(visitor->unread);
    free(visitor->head);
    *visitor = (struct visitor){.socket = -1};
}

void visitors_drop_all(void)
{
    for (unsigned i = 0; i <= VISITORS_MAX; i++)
        if (visitors[i].socket >= 0)
            visitor_drop(&visitors[i]);
}

struct visitor *visitors_probe(void)
{
    visitor_connect(&visitors[VISITORS_MAX], 0);
    visitors[VISITORS_MAX].lazy = false;
    return visitors[VISITORS_MAX].socket >= 0 ? &visitors[VISITORS_MAX] : NULL;
}

/* ---- sending ---- */

bool visitor_room(const struct visitor *visitor)
{
    return visitor->socket >= 0 && !visitor->half_closed && visitor->count < ASKS_MAX - 1 &&
           visitor->unsent_length < UNSENT_MAX - 8192;
}

static void note_names(struct ask *ask)
{
    for (unsigned name = 0; name < NAMES; name++)
        ask->seen[name] |= name_model_values(name);
}

struct ask *visitor_ask(struct visitor *visitor, const struct ask *ask, const char *line)
{
    static unsigned tags;
    struct ask *own = &visitor->asks[(visitor->first + visitor->count++) % ASKS_MAX];
    *own = *ask;
    own->tag = ask->kind == ASK_NONSENSE ? 0 : ++tags;
    own->sent = world->now_ns;
    note_names(own);
    (void)snprintf(own->line, sizeof own->line, "%s", line);
    char *end = visitor->unsent + visitor->unsent_length;
    const size_t room = UNSENT_MAX - visitor->unsent_length;
    const int length = own->tag != 0 ? snprintf(end, room, "%s tag=t%u\n", line, own->tag)
                                     : snprintf(end, room, "%s\n", line);
    visitor->unsent_length += (size_t)length;
    world_trace("client %u asks: %s tag=t%u", (unsigned)(visitor - visitors), own->line, own->tag);
    return own;
}

void visitors_note_names(void)
{
    for (unsigned i = 0; i <= VISITORS_MAX; i++)
        for (unsigned j = 0; j < visitors[i].count; j++)
            note_names(&visitors[i].asks[(visitors[i].first + j) % ASKS_MAX]);
}

/* Sends all, or only the beginning. */
static bool visitor_send(struct visitor *visitor, bool all)
{
    if (visitor->unsent_length == 0)
        return false;
    const size_t wanted = all ? visitor->unsent_length : 1 + world_below(visitor->unsent_length);
    const ssize_t sent = send(visitor->socket, visitor->unsent, wanted, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent <= 0)
        return false;
    visitor->unsent_length -= (size_t)sent;
    memmove(visitor->unsent, visitor->unsent + sent, visitor->unsent_length);
    return true;
}

/* ---- reading ---- */

static void check_tag(const struct ask *ask, const char *line)
{
    char tag[16];
    (void)snprintf(tag, sizeof tag, "t%u", ask->tag);
    if (strncmp(line, "OK", 2) != 0 && strncmp(line, "ERR ", 4) != 0)
        world_violate("no reply to '%s': %s", ask->line, line);
    if (ask->tag != 0 && !reply_has(line, "tag", tag))
        world_violate("another's reply to '%s' (%s): %s", ask->line, tag, line);
}

static void finish(struct visitor *visitor, const char *head, const char *records)
{
    struct ask *ask = &visitor->asks[visitor->first];
    ask_judge(ask, head, records);
    visitor->first = (visitor->first + 1) % ASKS_MAX;
    visitor->count--;
}

/* Takes a line; returns false while it is one of a list that goes on, which stays. */
static bool take_line(struct visitor *visitor, char *line)
{
    const struct ask *ask = &visitor->asks[visitor->first];
    if (visitor->count == 0)
        world_violate("a line that nobody asked for: %s", line);
    if (visitor->head != NULL) {
        const bool is_watch = ask->kind == ASK_WATCH;
        const bool more = is_watch && strncmp(line, "ERR ", 4) != 0 &&
                          (strncmp(line, "LOST", 4) == 0 || reply_has(line, "state", "running") ||
                           reply_has(line, "state", "queued"));
        if (is_watch ? more : strcmp(line, "END") != 0)
            return is_watch;
        visitor->unread[visitor->records_length] = '\0';
        finish(visitor, visitor->head, is_watch ? line : visitor->unread);
        free(visitor->head);
        visitor->head = NULL;
        return true;
    }
    check_tag(ask, line);
    world_trace("client %u has: %.200s", (unsigned)(visitor - visitors), line);
    if (strncmp(line, "OK", 2) == 0 && ask->list)
        visitor->head = strdup(line);
    else
        finish(visitor, line, "");
    return true;
}

/* Takes the whole lines out of what came; those of a list stay until it ends. */
static void take_lines(struct visitor *visitor)
{
    char *end;
    while (visitor->socket >= 0 && visitor->unread_length > visitor->records_length &&
           (end = memchr(visitor->unread + visitor->records_length, '\n',
                         visitor->unread_length - visitor->records_length)) != NULL) {
        *end = '\0';
        const size_t next = (size_t)(end + 1 - visitor->unread);
        char *copy = strdup(visitor->unread + visitor->records_length);
        if (take_line(visitor, copy)) {
            visitor->unread_length -= next;
            memmove(visitor->unread, visitor->unread + next, visitor->unread_length);
            visitor->records_length = 0;
        } else {
            *end = '\n';
            visitor->records_length = next;
        }
        free(copy);
    }
}

/* It read nothing for so long, or time leapt, that the daemon may have hung up. */
static void note_stall(struct visitor *visitor)
{
    visitor->stalled |= world->now_ns - visitor->read_at > stall_ns;
    visitor->read_at = world->now_ns;
}

static bool lost_connection(struct visitor *visitor)
{
    note_stall(visitor);
    if (!visitors_may_lose && visitor->count > 0 && !visitor->half_closed && !visitor->stalled &&
        !world->has_failed)
        world_violate("the connection ended before the reply to '%s'", visitor->asks[visitor->first].line);
    world_trace("client %u is hung up on", (unsigned)(visitor - visitors));
    visitor_drop(visitor);
    return true;
}

static bool visitor_read(struct visitor *visitor)
{
    enum { READ_BYTES = 64 << 10 };
    if (visitor->unread_room < visitor->unread_length + READ_BYTES + 1) {
        visitor->unread_room = visitor->unread_length + 2 * READ_BYTES;
        visitor->unread = realloc(visitor->unread, visitor->unread_room);
        if (visitor->unread == NULL)
            abort();
    }
    const ssize_t length =
        recv(visitor->socket, visitor->unread + visitor->unread_length, READ_BYTES, MSG_DONTWAIT);
    if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR))
        return lost_connection(visitor);
    if (length < 0)
        return false;
    note_stall(visitor);
    visitor->unread_length += (size_t)length;
    take_lines(visitor);
    return true;
}

bool visitors_attend(void)
{
    bool anything = false;
    for (unsigned i = 0; i <= VISITORS_MAX; i++) {
        if (visitors[i].socket >= 0)
            anything |= visitor_send(&visitors[i], true);
        if (visitors[i].socket >= 0)
            anything |= visitor_read(&visitors[i]);
    }
    if (anything)
        threads_stir();
    return anything;
}

unsigned visitors_outstanding(void)
{
    unsigned all = 0;
    for (unsigned i = 0; i <= VISITORS_MAX; i++)
        all += visitors[i].count;
    return all;
}

const char *visitors_waiting_for(void)
{
    for (unsigned i = 0; i <= VISITORS_MAX; i++)
        if (visitors[i].count > 0)
            return visitors[i].asks[visitors[i].first].line;
    return "nothing";
}

/* ---- by lot ---- */

static void act_connected(struct visitor *visitor)
{
    const uint64_t lot = world_below(64);
    if (lot == 0) {
        world_trace("client %u vanishes", (unsigned)(visitor - visitors));
        visitor_drop(visitor);
    } else if (lot == 1 && visitor->unsent_length == 0) {
        visitor->half_closed = true;
        (void)shutdown(visitor->socket, SHUT_WR);
    } else if (lot < 24) {
        if (!visitor->lazy || world_once_in(16))
            (void)visitor_read(visitor);
    } else if (lot < 44) {
        (void)visitor_send(visitor, !world_once_in(4));
    } else if (visitor_room(visitor)) {
        ask_something(visitor);
    }
    if (visitor->socket >= 0 && visitor->half_closed && visitor->count == 0)
        visitor_drop(visitor);
}

void visitors_act(void)
{
    struct visitor *visitor = &visitors[world_below(VISITORS_MAX)];
    world->steps++;
    if (visitor->socket < 0)
        visitor_connect(visitor, (unsigned)world_below(SIM_USERS));
    else
        act_connected(visitor);
    threads_stir();
}
