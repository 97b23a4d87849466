/* SPDX-License-Identifier: MIT */
#include "web/http/web_server.h"

#include "web/api/ask.h"
#include "web/http/http_exchange.h"
#include "web/http/respond.h"
#include "web/http/server_internal.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>

enum {
    CONNECTION_BYTES = 24 << 10, /* of a request's line and headers */
    CONNECTION_SECONDS = 30,     /* without a byte, in either direction */
    PARAMETERS_MAX = 64,         /* of an address: a request to the daemon has fewer keys */
    LARGE_BLOCK = 128 << 10,     /* bytes from which on malloc asks the system */
    OTHER_DESCRIPTORS = 128,     /* beside those of clients and of the daemon */
    CONNECTIONS_BEYOND = 64      /* above PEERS_MAX, before the oldest are gone */
};

/* Lets libmicrohttpd do its work, and asks when it wants to be called again. */
static void on_work(evutil_socket_t fd, short what, void *argument)
{
    struct web_server *server = argument;
    MHD_UNSIGNED_LONG_LONG wait = 0;
    (void)fd;
    (void)what;
    (void)MHD_run(server->http);
    if (MHD_get_timeout(server->http, &wait) == MHD_YES) {
        const struct timeval after = {.tv_sec = (time_t)(wait / 1000),
                                      .tv_usec = (suseconds_t)(wait % 1000 * 1000)};
        (void)evtimer_add(server->timer, &after);
    }
}

static void on_sweep(evutil_socket_t fd, short what, void *argument)
{
    struct web_server *server = argument;
    (void)fd;
    (void)what;
    peers_sweep(&server->peers, server_now_ms());
}

static void on_stop(evutil_socket_t fd, short what, void *argument)
{
    (void)fd;
    (void)what;
    (void)event_base_loopbreak(((struct web_server *)argument)->base);
}

static void on_connection(void *closure, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct web_server *server = closure;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *context = peers_add(&server->peers, info->connect_fd, server_now_ms());
    } else {
        peers_remove(&server->peers, *context);
        *context = NULL;
    }
}

/* Raises the limit of descriptors as far as allowed. Returns how many clients they suffice for. */
static unsigned room_for_peers(void)
{
    enum { BESIDE = ASKS_MAX + STREAMS_MAX + OTHER_DESCRIPTORS + CONNECTIONS_BEYOND };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return 64;
    files.rlim_cur = files.rlim_max < PEERS_MAX + BESIDE ? files.rlim_max : PEERS_MAX + BESIDE;
    (void)setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur >= PEERS_MAX + BESIDE)
        return PEERS_MAX;
    return files.rlim_cur > BESIDE + 64 ? (unsigned)files.rlim_cur - BESIDE : 64;
}

static struct peer *peer_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *known =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return known == NULL ? NULL : known->socket_context;
}

/* Cuts off a query of too many parameters before they are read: where the library has no memory for them all,
 * it never answers. */
static void *take_address(void *closure, const char *address, struct MHD_Connection *connection)
{
    struct peer *peer = peer_of(connection);
    char *query = strchr(address, '?');
    unsigned count = 0;
    (void)closure;
    for (const char *at = query; at != NULL; at = strchr(at + 1, '&'))
        count++;
    if (count > PARAMETERS_MAX) {
        query[1] = '\0'; /* the library may have found the query already */
        if (peer != NULL)
            peer->wrong = "the address has too many parameters";
    }
    return NULL; /* no exchange yet */
}

/* Decodes a part of the address in place, and notes if that makes a zero byte, which would end it. */
static size_t decode_path(void *closure, struct MHD_Connection *connection, char *text)
{
    struct peer *peer = peer_of(connection);
    (void)closure;
    if (peer != NULL && strstr(text, "%00") != NULL)
        peer->wrong = "the address has a zero byte, %00";
    return MHD_http_unescape(text);
}

static bool start_http(struct web_server *server, struct refusal *refusal)
{
    const struct settings *settings = server->settings;
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
    if (settings->listen.storage.ss_family == AF_INET6)
        flags |= MHD_USE_IPv6;
    errno = 0;
    server->http = MHD_start_daemon(
        flags, 0, NULL, NULL, exchange_handle, server, MHD_OPTION_SOCK_ADDR, &settings->listen.storage,
        MHD_OPTION_CONNECTION_LIMIT, server->peers.most + CONNECTIONS_BEYOND, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)CONNECTION_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, decode_path, server,
        MHD_OPTION_URI_LOG_CALLBACK, take_address, server, MHD_OPTION_NOTIFY_COMPLETED, exchange_completed,
        server, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server, MHD_OPTION_END);
    return server->http != NULL ||
           refuse(refusal, "internal", "cannot listen on %s: %s", settings->listen_text,
                  errno != 0 ? strerrordesc_np(errno) : "the HTTP library refuses");
}

/* Makes the events of the loop. */
static bool start_loop(struct web_server *server, struct refusal *refusal)
{
    const struct timeval second = {.tv_sec = 1};
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->http, MHD_DAEMON_INFO_EPOLL_FD);
    server->readable = event_new(server->base, info->epoll_fd, EV_READ | EV_PERSIST, on_work, server);
    server->timer = evtimer_new(server->base, on_work, server);
    server->sweep = event_new(server->base, -1, EV_PERSIST, on_sweep, server);
    server->stop[0] = evsignal_new(server->base, SIGTERM, on_stop, server);
    server->stop[1] = evsignal_new(server->base, SIGINT, on_stop, server);
    if (server->readable != NULL && server->timer != NULL && server->sweep != NULL &&
        server->stop[0] != NULL && server->stop[1] != NULL && event_add(server->readable, NULL) == 0 &&
        event_add(server->sweep, &second) == 0 && event_add(server->stop[0], NULL) == 0 &&
        event_add(server->stop[1], NULL) == 0)
        return true;
    return refuse(refusal, "memory", "no memory for the event loop");
}

struct web_server *server_new(const struct settings *settings, struct refusal *refusal)
{
    struct web_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        (void)refuse(refusal, "memory", "no memory for the server");
        return NULL;
    }
    server->settings = settings;
    server->limits.rate = settings->rate;
    server->limits.asks = settings->read_only || settings->class_time[0] != '\0' ? ASKS_PER_CLIENT : ASKS_MAX;
    server->limits.streams = settings->read_only ? STREAMS_PER_CLIENT : STREAMS_MAX;
    /* Fixed, so that the memory of a large answer goes back to the system when it is read. */
    (void)mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
    if (getrandom(&server->limits.seed, sizeof server->limits.seed, 0) < 0)
        server->limits.seed = server_now_ms();
    peers_init(&server->peers, room_for_peers());
    server->base = event_base_new();
    char pages[PATH_MAX];
    settings_pages(settings, pages, sizeof pages);
    server->pages = pages_new(pages, refusal);
    respond_frames(&settings->frames);
    if (server->base != NULL && server->pages != NULL && start_http(server, refusal) &&
        start_loop(server, refusal))
        return server;
    if (server->base == NULL)
        (void)refuse(refusal, "memory", "no memory for the event loop");
    server_free(server);
    return NULL;
}

unsigned server_port(const struct web_server *server)
{
    return MHD_get_daemon_info(server->http, MHD_DAEMON_INFO_BIND_PORT)->port;
}

void server_run(struct web_server *server)
{
    (void)event_base_dispatch(server->base);
}

/* Resumes all connections before the library stops: a suspended one cannot be closed. */
static void abandon_all(struct web_server *server)
{
    struct peer *peer = NULL;
    TAILQ_FOREACH(peer, &server->peers.busy, link)
    {
        if (peer->exchange != NULL)
            exchange_abandon(peer->exchange);
    }
}

static void free_event(struct event *event)
{
    if (event != NULL)
        event_free(event);
}

void server_free(struct web_server *server)
{
    if (server == NULL)
        return;
    if (server->http != NULL) {
        abandon_all(server);
        MHD_stop_daemon(server->http);
    }
    free_event(server->readable);
    free_event(server->timer);
    free_event(server->sweep);
    free_event(server->stop[0]);
    free_event(server->stop[1]);
    if (server->base != NULL) {
        ask_settle(server->base);
        event_base_free(server->base);
    }
    pages_free(server->pages);
    free(server);
}
