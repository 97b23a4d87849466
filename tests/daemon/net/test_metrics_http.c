/* SPDX-License-Identifier: MIT */
/* The metrics by HTTP: what a scraper gets, and what any other client of that socket gets. */
#include "harness.h"

enum { HEAD_MAX = 8192, VISITS_MAX = 32 };

/* A daemon that serves them on a socket beside its own. */
static int set_up(void **state)
{
    if (daemon_setup(state) != 0)
        return -1;
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, text_of("[daemon]\nmetrics-listen = %s/metrics\n", daemon->directory));
    struct client *client = client_new(daemon);
    client_expect(client, "PING", "OK pong=yes"); /* so the other socket is there as well */
    client_free(client);
    return 0;
}

static struct client *visit(const struct daemon *daemon)
{
    struct client *client = client_connect(text_of("%s/metrics", daemon->directory));
    assert_non_null(client);
    return client;
}

struct reply {
    unsigned status;
    size_t announced, body; /* bytes */
    unsigned true_lines;    /* of those below */
};

/* The metrics of a daemon that has done nothing. */
static const char *const true_lines[] = {"puzzled_jobs{state=\"done\"} 0", "puzzled_memory_used_bytes 0",
                                         "puzzled_memory_limit_bytes 1073741824", "puzzled_tables 0"};
enum { TRUE_LINES = sizeof true_lines / sizeof *true_lines };

/* Reads to the end of the connection, and frees the client. */
static struct reply read_reply(struct client *client)
{
    struct reply reply = {0};
    bool in_body = false;
    const char *first = client_next(client);
    assert_int_equal(strncmp(first, "HTTP/1.1 ", 9), 0);
    reply.status = (unsigned)strtoul(first + 9, NULL, 10);
    for (const char *line = client_line(client); line != NULL; line = client_line(client)) {
        if (strncmp(line, "Content-Length: ", 16) == 0)
            reply.announced = strtoul(line + 16, NULL, 10);
        for (unsigned i = 0; i < TRUE_LINES; i++)
            reply.true_lines += strcmp(line, true_lines[i]) == 0;
        reply.body += in_body ? strlen(line) + 1 : 0;
        in_body |= line[strspn(line, "\r")] == '\0';
    }
    client_free(client);
    return reply;
}

static struct reply ask(const struct daemon *daemon, const char *request)
{
    struct client *client = visit(daemon);
    client_send_bytes(client, request, strlen(request));
    return read_reply(client);
}

#define VISITED(name) TEST_WITH(name, set_up, daemon_teardown)

VISITED(a_scraper_gets_them_whole)
{
    static const char *const requests[] = {
        "GET /metrics HTTP/1.1\r\nHost: here\r\nAccept: text/plain\r\n\r\n",
        "GET /metrics HTTP/1.0\r\n\r\n",
        "GET /metrics?name[]=puzzled_jobs HTTP/1.1\r\n\r\n",
        "GET /metrics HTTP/1.0\n\n",
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct reply reply = ask(*state, requests[i]);
        assert_int_equal(reply.status, 200);
        assert_int_equal(reply.true_lines, TRUE_LINES);
        assert_int_equal(reply.body, reply.announced);
    }
}

VISITED(a_head_gets_the_length_alone)
{
    struct reply reply = ask(*state, "HEAD /metrics HTTP/1.1\r\n\r\n");
    assert_int_equal(reply.status, 200);
    assert_true(reply.announced > 1000);
    assert_int_equal(reply.body, 0);
}

VISITED(whatever_else_is_asked_is_refused)
{
    assert_int_equal(ask(*state, "GET / HTTP/1.1\r\n\r\n").status, 404);
    assert_int_equal(ask(*state, "GET /metrics/x HTTP/1.1\r\n\r\n").status, 404);
    assert_int_equal(ask(*state, "GET /metric HTTP/1.1\r\n\r\n").status, 404);
    assert_int_equal(ask(*state, "GET \r\n\r\n").status, 404);
    assert_int_equal(ask(*state, "POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\na=b").status, 405);
    assert_int_equal(ask(*state, "\r\n\r\n").status, 405);
    assert_int_equal(ask(*state, "EXPLORE 3x3\n\n").status, 405);
}

VISITED(a_head_without_end_is_refused)
{
    char many[HEAD_MAX];
    memset(many, 'a', sizeof many);
    struct client *client = visit(*state);
    client_send_bytes(client, "GET /metrics HTTP/1.1\r\nX: ", 26);
    client_send_bytes(client, many, sizeof many);
    assert_int_equal(read_reply(client).status, 431);
}

VISITED(a_request_may_come_in_pieces)
{
    static const char request[] = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
    struct client *client = visit(*state);
    for (size_t i = 0; i < sizeof request - 1; i++) {
        client_send_bytes(client, request + i, 1);
        assert_true(i % 10 != 0 || client_is_silent(client, 2));
    }
    assert_int_equal(read_reply(client).status, 200);
}

VISITED(who_holds_connections_open_keeps_nobody_out)
{
    enum { HELD = 2 * VISITS_MAX };
    static struct client *held[HELD];
    for (unsigned i = 0; i < HELD; i++) {
        held[i] = visit(*state);
        client_send_bytes(held[i], "GET ", 4);
    }
    assert_int_equal(ask(*state, "GET /metrics HTTP/1.1\r\n\r\n").status, 200);
    assert_null(client_line(held[0])); /* the oldest had to go */
    client_send_bytes(held[HELD - 1], "/metrics HTTP/1.1\r\n\r\n", 21);
    assert_int_equal(read_reply(held[HELD - 1]).status, 200);
    for (unsigned i = 0; i < HELD - 1; i++)
        client_free(held[i]);
}

VISITED(who_wants_the_same_socket_is_refused_and_leaves_it_where_it_is)
{
    const struct daemon *daemon = *state;
    daemon_expect_refusal("another daemon answers on",
                          "--config %s/puzzled.conf --socket %s/second --state-dir %s/other",
                          daemon->directory, daemon->directory, daemon->directory);
    assert_int_equal(ask(daemon, "GET /metrics HTTP/1.1\r\n\r\n").status, 200);
}
