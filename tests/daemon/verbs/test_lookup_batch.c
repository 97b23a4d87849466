/* SPDX-License-Identifier: MIT */
/* Lookups that no worker sees, because the daemon stops. */
#include "test_support.h"

#include "daemon/lookup/deferred_lookup.h"
#include "daemon/lookup/lookup_batch.h"
#include "daemon/server.h"
#include "pair.h"

#include <unistd.h>

struct scene {
    struct server server; /* that is stopping */
    int client;           /* the other end of the connection */
};

static bool always(const char *line, size_t length)
{
    return true;
}

static int set_up(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL)
        return -1;
    *state = scene;
    struct server *server = &scene->server;
    const struct connection_handler handler = {
        .context = server, .is_lookup = always, .lookups = lookup_batch_submit};
    struct pair pair = {.config = &server->config, .metrics = &server->metrics, .clients = &server->clients};
    server->stopping = true;
    scene->client = pair_connect(&pair, &handler, &server->connections);
    server->base = pair.base;
    return scene->client >= 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    connections_free(scene->server.connections);
    (void)close(scene->client);
    event_base_free(scene->server.base);
    clients_free(&scene->server.clients);
    config_free(&scene->server.config);
    free(scene);
    return 0;
}

static void check_replies(struct scene *scene, const char *lines, size_t length, const char *expected)
{
    char replies[1024];
    assert_int_equal(write(scene->client, lines, length), (ssize_t)length);
    pair_turn(scene->server.base);
    ssize_t got = read(scene->client, replies, sizeof replies - 1);
    assert_true(got > 0);
    replies[got] = '\0';
    assert_string_equal(replies, expected);
}

#define SPECIFICATION(name) TEST_WITH(name, set_up, tear_down)

SPECIFICATION(each_lookup_is_refused_with_its_tag)
{
    static const char lines[] =
        "DISTANCE 3x3 123456780 tag=a\nDISTANCE 3x3 123456780\nPATH 3x3 867254301 tag=b\n";
    check_replies(*state, lines, sizeof lines - 1,
                  "ERR shutting-down retry tag=a the daemon is stopping\n"
                  "ERR shutting-down retry the daemon is stopping\n"
                  "ERR shutting-down retry tag=b the daemon is stopping\n");
}

/* Their lines have not been read yet: they may have any byte. */
SPECIFICATION(a_lookup_may_hold_any_byte)
{
    static const char lines[] =
        "DISTANCE 3x3 \0\nDISTANCE \xff\0\0 tag=a\n\0\nDISTANCE 3x3 123456780 tag=b\n";
    check_replies(*state, lines, sizeof lines - 1,
                  "ERR shutting-down retry the daemon is stopping\n"
                  "ERR shutting-down retry the daemon is stopping\n"
                  "ERR shutting-down retry the daemon is stopping\n"
                  "ERR shutting-down retry tag=b the daemon is stopping\n");
}

static void note_end(void *context, const struct pz_error *error)
{
    *(enum pz_status *)context = error->code;
}

SPECIFICATION(a_lookup_that_waits_for_an_exploration_at_a_stop_hears_of_the_stop)
{
    struct scene *scene = *state;
    enum pz_status end = PZ_OK;
    struct request *request = calloc(1, sizeof *request);
    assert_non_null(request);
    request->verb = VERB_EXPLORE;
    deferred_lookup_begin(&scene->server, NULL, request, 1, note_end, &end);
    assert_int_equal(end, PZ_SHUTTING_DOWN);
}
