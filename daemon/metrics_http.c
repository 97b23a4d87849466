/* SPDX-License-Identifier: MIT */
#include "metrics_http.h"

#include "listeners.h"

#include <event2/buffer.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_SECONDS = 10, BODY_MAX = 1024 };

struct metrics_http {
    struct server *server;
    struct evhttp *http;
    char *path; /* of the Unix socket, to be removed; NULL for a port */
};

static void on_metrics(struct evhttp_request *request, void *context)
{
    struct metrics_http *http = context;
    struct text text = {0};
    struct evbuffer *body = evhttp_request_get_output_buffer(request);
    server_metrics(http->server, &text);
    if (text.failed || text.data == NULL || evbuffer_add(body, text.data, text.length) != 0) {
        evhttp_send_error(request, HTTP_INTERNAL, NULL);
    } else {
        (void)evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type",
                                "text/plain; version=0.0.4; charset=utf-8");
        evhttp_send_reply(request, HTTP_OK, NULL, NULL);
    }
    text_free(&text);
}

static int listen_where_configured(struct metrics_http *http, struct pz_error *error)
{
    const struct config *config = &http->server->config;
    if (*config->metrics_listen != '/')
        return listen_on_address(config->metrics_listen, error);
    int made = listen_on_path(config->metrics_listen, config->socket_mode, config->socket_group, error);
    if (made >= 0) /* else it is somebody else's, and stays */
        http->path = strdup(config->metrics_listen);
    return made;
}

/* Takes the socket in any case. False without memory; also for the event, of which evconnlistener_new would not tell. */
static bool accept_on(const struct metrics_http *http, int socket)
{
    struct evconnlistener *listener = evconnlistener_new(
        http->server->base, NULL, NULL, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, socket);
    if (listener == NULL) {
        (void)close(socket);
        return false;
    }
    if (evhttp_bind_listener(http->http, listener) == NULL) {
        evconnlistener_free(listener);
        return false;
    }
    return evconnlistener_enable(listener) == 0;
}

enum pz_status metrics_http_new(struct server *server, struct metrics_http **out, struct pz_error *error)
{
    struct metrics_http *http = calloc(1, sizeof *http);
    if (http == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the metrics");
    http->server = server;
    http->http = evhttp_new(server->base);
    int socket = http->http != NULL ? listen_where_configured(http, error) : -1;
    if (http->http == NULL)
        (void)pz_fail(error, PZ_MEMORY, "no memory for the metrics");
    if (socket < 0 || !accept_on(http, socket)) {
        if (socket >= 0)
            (void)pz_fail(error, PZ_MEMORY, "no memory for the metrics' listener");
        metrics_http_free(http);
        return error->code;
    }
    evhttp_set_timeout(http->http, TIMEOUT_SECONDS);
    evhttp_set_max_body_size(http->http, BODY_MAX);
    evhttp_set_allowed_methods(http->http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
    if (evhttp_set_cb(http->http, "/metrics", on_metrics, http) != 0) {
        metrics_http_free(http);
        return pz_fail(error, PZ_MEMORY, "no memory for the metrics");
    }
    *out = http;
    return PZ_OK;
}

void metrics_http_free(struct metrics_http *http)
{
    if (http == NULL)
        return;
    if (http->http != NULL)
        evhttp_free(http->http);
    if (http->path != NULL)
        (void)unlink(http->path);
    free(http->path);
    free(http);
}
