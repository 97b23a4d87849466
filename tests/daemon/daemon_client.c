/* SPDX-License-Identifier: MIT */
#include "daemon_client.h"

#include "test_support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 120000 * PUZZLED_TEST_PATIENCE };

static struct client *clients; /* that have not hung up */

void pause_for(struct patience *patience, const char *what)
{
    enum { PAUSE_MS = 2 };
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    if (patience->paused_ms > PATIENCE_MS)
        fail_msg("waited in vain for %s", what);
    patience->paused_ms += PAUSE_MS;
    (void)nanosleep(&pause, NULL);
}

static struct client *client_of(int socket)
{
    struct client *client = calloc(1, sizeof *client);
    assert_non_null(client);
    assert_true(socket >= 0);
    client->socket = socket;
    client->next = clients;
    clients = client;
    return client;
}

struct client *client_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(made >= 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (connect(made, (const struct sockaddr *)&address, sizeof address) == 0)
        return client_of(made);
    (void)close(made);
    return NULL;
}

struct client *client_connect_tcp(in_port_t port, const char *from)
{
    struct sockaddr_in own = {.sin_family = AF_INET};
    struct sockaddr_in other = {.sin_family = AF_INET, .sin_port = htons(port)};
    assert_int_equal(inet_pton(AF_INET, from, &own.sin_addr), 1);
    assert_int_equal(inet_pton(AF_INET, "127.0.0.1", &other.sin_addr), 1);
    struct client *client = client_of(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    assert_int_equal(bind(client->socket, (const struct sockaddr *)&own, sizeof own), 0);
    assert_int_equal(connect(client->socket, (const struct sockaddr *)&other, sizeof other), 0);
    return client;
}

void client_free(struct client *client)
{
    struct client **at = &clients;
    while (*at != client)
        at = &(*at)->next;
    *at = client->next;
    (void)close(client->socket);
    free(client);
}

void clients_hang_up(void)
{
    while (clients != NULL)
        client_free(clients);
}

void client_send_bytes(struct client *client, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t sent = send(client->socket, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EPIPE)
            return; /* the daemon has closed: the next read shows it */
        assert_true(sent > 0);
        at += sent;
        length -= (size_t)sent;
    }
}

void client_send(struct client *client, const char *line)
{
    client_send_bytes(client, line, strlen(line));
    client_send_bytes(client, "\n", 1);
}

/* Waits for more bytes. Returns false if the daemon has closed. */
static bool receive(struct client *client)
{
    struct pollfd poll_of = {.fd = client->socket, .events = POLLIN};
    memmove(client->buffer, client->buffer + client->begin, client->length);
    client->begin = 0;
    assert_true(client->length < sizeof client->buffer);
    if (poll(&poll_of, 1, PATIENCE_MS) <= 0)
        fail_msg("no reply within %d ms", PATIENCE_MS);
    ssize_t got =
        recv(client->socket, client->buffer + client->length, sizeof client->buffer - client->length, 0);
    if (got <= 0)
        return false;
    client->length += (size_t)got;
    return true;
}

const char *client_line(struct client *client)
{
    for (;;) {
        const char *begin = client->buffer + client->begin;
        const char *end = memchr(begin, '\n', client->length);
        if (end != NULL) {
            size_t length = (size_t)(end - begin);
            memcpy(client->line, begin, length);
            client->line[length] = '\0';
            client->begin += length + 1;
            client->length -= length + 1;
            return client->line;
        }
        if (!receive(client))
            return NULL;
    }
}

const char *client_next(struct client *client)
{
    const char *line = client_line(client);
    if (line == NULL)
        fail_msg("the daemon closed the connection");
    return line;
}

const char *client_ask(struct client *client, const char *line)
{
    client_send(client, line);
    return client_next(client);
}

static void expect_begin(const char *what, const char *line, const char *begin)
{
    if (strncmp(line, begin, strlen(begin)) != 0)
        fail_msg("%s: '%s' does not begin with '%s'", what, line, begin);
}

void client_expect(struct client *client, const char *line, const char *begin)
{
    expect_begin(line, client_ask(client, line), begin);
}

void client_expect_next(struct client *client, const char *begin)
{
    expect_begin("the next line", client_next(client), begin);
}

void client_expect_rows(struct client *client, const char *const rows[][2], size_t count)
{
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        client_expect(client, rows[i][0], rows[i][1]);
}

size_t client_skip_list(struct client *client)
{
    size_t count = 0;
    for (;; count++) {
        const char *line = client_next(client);
        if (strcmp(line, "END") == 0)
            return count;
    }
}

void client_expect_list(struct client *client, const char *line, const char *begin, size_t count)
{
    client_expect(client, line, begin);
    const size_t records = client_skip_list(client);
    if (records != count)
        fail_msg("%s: %zu records, expected %zu", line, records, count);
}

const char *client_only_record(struct client *client, const char *line)
{
    client_expect(client, line, "OK count=1");
    const char *record = text_of("%s", client_next(client));
    assert_string_equal(client_next(client), "END");
    return record;
}

const char *client_about(struct client *client, const char *verb, unsigned long job)
{
    char line[64];
    (void)snprintf(line, sizeof line, "%s %lu", verb, job);
    return client_ask(client, line);
}

void client_expect_levels(struct client *client, unsigned long job, const char *file, unsigned levels)
{
    uint64_t counts[512];
    char expected[64];
    const unsigned known = test_data_levels(file, counts, 512);
    const unsigned count = levels == 0 ? known : levels;
    assert_in_range(count, 1, known);
    (void)snprintf(expected, sizeof expected, "count=%u", count);
    expect_fields(client_about(client, "LEVELS", job), expected);
    for (unsigned level = 0; level < count; level++) {
        (void)snprintf(expected, sizeof expected, "level=%u states=%ju", level, (uintmax_t)counts[level]);
        expect_fields(client_next(client), expected);
    }
    assert_string_equal(client_next(client), "END");
}

bool client_is_silent(struct client *client, int milliseconds)
{
    struct pollfd poll_of = {.fd = client->socket, .events = POLLIN};
    return client->length == 0 && poll(&poll_of, 1, milliseconds) == 0;
}

/* ---- replies ---- */

const char *value_of(const char *line, const char *key)
{
    static char values[2][CLIENT_LINE_MAX];
    static unsigned turn;
    char *value = values[turn++ % 2];
    char spaced[64];
    int length = snprintf(spaced, sizeof spaced, " %s=", key);
    const char *at = strncmp(line, spaced + 1, (size_t)length - 1) == 0 ? line - 1 : strstr(line, spaced);
    value[0] = '\0';
    if (at == NULL)
        return value;
    at += length;
    const char *stops = *at == '"' ? "\"" : " ";
    at += *at == '"';
    (void)snprintf(value, sizeof *values, "%.*s", (int)strcspn(at, stops), at);
    return value;
}

unsigned long long number_of(const char *line, const char *key)
{
    return strtoull(value_of(line, key), NULL, 10);
}

/* Asserts that a reply to that request, or what it made, has the fields. */
static void expect_fields_of(const char *request, const char *line, const char *fields)
{
    char words[1024];
    char *rest = NULL;
    assert_true(*fields != '\0' && snprintf(words, sizeof words, "%s", fields) < (int)sizeof words);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        assert_non_null(value);
        *value++ = '\0';
        const char *found = value_of(line, word);
        if (strcmp(found, value) != 0)
            fail_msg("%s: %s='%s', expected '%s', in: %s", request, word, found, value, line);
    }
}

void expect_fields(const char *line, const char *fields)
{
    expect_fields_of("reply", line, fields);
}

void client_expect_fields(struct client *client, const char *line, const char *fields)
{
    expect_fields_of(line, client_ask(client, line), fields);
}

unsigned long client_submit(struct client *client, const char *line)
{
    const char *reply = client_ask(client, line);
    if (strncmp(reply, "OK job=", 7) != 0)
        fail_msg("%s: %s", line, reply);
    return strtoul(value_of(reply, "job"), NULL, 10);
}

const char *client_wait(struct client *client, unsigned long job)
{
    const char *reply = client_about(client, "WAIT", job);
    assert_int_equal(strncmp(reply, "OK ", 3), 0);
    return value_of(reply, "state");
}

unsigned long client_end_in(struct client *client, const char *state, const char *line)
{
    const unsigned long job = client_submit(client, line);
    const char *ended = client_wait(client, job);
    if (strcmp(ended, state) != 0)
        fail_msg("%s: %s, expected %s: %s", line, ended, state, client_result(client, job));
    return job;
}

unsigned long client_done(struct client *client, const char *line)
{
    return client_end_in(client, "done", line);
}

unsigned long client_expect_end(struct client *client, const char *line, const char *fields)
{
    const unsigned long job = client_submit(client, line);
    (void)client_wait(client, job);
    expect_fields_of(line, client_result(client, job), fields);
    return job;
}

void client_await_state(struct client *client, unsigned long job, const char *state)
{
    for (struct patience patience = {0};; pause_for(&patience, state)) {
        const char *reached = value_of(client_about(client, "STATUS", job), "state");
        if (strcmp(reached, state) == 0)
            return;
        if (strcmp(reached, "queued") != 0 && strcmp(reached, "running") != 0)
            fail_msg("job %lu is %s, not %s", job, reached, state);
    }
}

const char *client_result(struct client *client, unsigned long job)
{
    return client_about(client, "RESULT", job);
}
