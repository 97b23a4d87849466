/* SPDX-License-Identifier: MIT */
/*
 * A whole connection over a pair of sockets, without a network: whatever comes, each line has exactly one
 * reply, however the bytes are cut into pieces. The first byte of the input chooses the size of the pieces.
 */
#include "fuzz.h"

#include "daemon/net/connection.h"
#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"

#include <event2/event.h>
#include <sys/socket.h>
#include <unistd.h>

struct scene {
    struct event_base *base;
    struct config config;
    struct metrics metrics;
    struct clients clients;
    struct connections *connections;
    int client;
    size_t replies;
    bool closed;
};

static void answer(void *context, struct pending_reply *pending, const char *line, size_t length)
{
    struct text out = {0};
    FUZZ_REQUIRE(length <= PROTOCOL_LINE_MAX && memchr(line, '\n', length) == NULL);
    reply_ok(&out, NULL);
    reply_line_end(&out);
    pending_reply_finish(pending, &out, PZ_OK);
}

static void answer_lookups(void *context, struct pending_reply *pending, struct text *lines, unsigned count)
{
    struct text out = {0};
    unsigned found = 0;
    for (size_t i = 0; i < lines->length; i++)
        found += lines->data[i] == '\n';
    FUZZ_REQUIRE(found == count);
    for (unsigned i = 0; i < count; i++) {
        reply_ok(&out, NULL);
        reply_line_end(&out);
    }
    pending_reply_finish(pending, &out, PZ_OK);
}

static void take_replies(struct scene *scene)
{
    char bytes[4096];
    for (;;) {
        (void)event_base_loop(scene->base, EVLOOP_NONBLOCK);
        ssize_t got = read(scene->client, bytes, sizeof bytes);
        if (got <= 0) {
            scene->closed |= got == 0;
            return;
        }
        for (ssize_t i = 0; i < got; i++)
            scene->replies += bytes[i] == '\n';
    }
}

static bool is_http(const uint8_t *line, size_t length)
{
    static const char *const methods[] = {"GET ",     "POST ",    "PUT ",   "HEAD ",  "DELETE ",
                                          "OPTIONS ", "CONNECT ", "TRACE ", "PATCH ", "PRI "};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (length >= strlen(methods[i]) && memcmp(line, methods[i], strlen(methods[i])) == 0)
            return true;
    return false;
}

/* How many replies the bytes ought to have; an HTTP request ends them. A line that is too long has its reply
 * before its end comes. */
static size_t due_replies(const uint8_t *data, size_t size, bool *closes)
{
    size_t due = 0;
    while (size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end != NULL ? (size_t)(end - data) : size;
        if (end == NULL && length <= PROTOCOL_LINE_MAX + 1)
            return due;
        *closes = is_http(data, length);
        if (*closes || end == NULL)
            return due + !*closes;
        due++;
        data = end + 1;
        size -= length + 1;
    }
    return due;
}

static void set_up(struct scene *scene)
{
    struct pz_error error;
    int pair[2];
    scene->base = event_base_new();
    const struct connections_options options = {.base = scene->base,
                                                .config = &scene->config,
                                                .metrics = &scene->metrics,
                                                .clients = &scene->clients,
                                                .handler = {.context = scene,
                                                            .is_lookup = command_is_lookup,
                                                            .is_submission = command_is_submission,
                                                            .request = answer,
                                                            .lookups = answer_lookups}};
    FUZZ_REQUIRE(scene->base != NULL && config_defaults(&scene->config, &error) == PZ_OK);
    FUZZ_REQUIRE(connections_new(&options, &scene->connections, &error) == PZ_OK);
    FUZZ_REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0);
    connections_accept(scene->connections, pair[0]);
    scene->client = pair[1];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scene scene = {0};
    bool closes = false;
    if (size < 2)
        return 0;
    size_t piece = (size_t)data[0] * data[0] + 1;
    data++;
    size--;
    set_up(&scene);
    for (size_t sent = 0; sent < size && !scene.closed;) {
        size_t length = size - sent < piece ? size - sent : piece;
        ssize_t taken = send(scene.client, data + sent, length, MSG_NOSIGNAL);
        sent += taken > 0 ? (size_t)taken : 0;
        take_replies(&scene);
        if (taken < 0)
            break;
    }
    take_replies(&scene);
    FUZZ_REQUIRE(scene.replies == due_replies(data, size, &closes));
    FUZZ_REQUIRE(scene.closed == closes);
    (void)close(scene.client);
    connections_free(scene.connections);
    clients_free(&scene.clients);
    config_free(&scene.config);
    event_base_free(scene.base);
    return 0;
}
