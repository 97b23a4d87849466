/* SPDX-License-Identifier: MIT */
#include "client/session/daemon_connection.h"

#include "client/session/terminal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct daemon_connection {
    int fd;
    struct text out;
    struct text in;
    size_t used;    /* of in: bytes of lines already handed out */
    size_t scanned; /* of in: bytes known to hold no LF */
    uint64_t bytes; /* of all lines that were handed out */
    bool closed;    /* the daemon hung up; what is in `in` may still be read */
};

/* Returns a connected socket; -1 with errno. */
static int connect_one(int family, int protocol, const struct sockaddr *to, socklen_t length)
{
    int yes = 1;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, protocol);
    if (fd < 0)
        return -1;
    if (family != AF_UNIX)
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(fd, to, length) == 0)
        return fd;
    int reason = errno;
    (void)close(fd);
    errno = reason;
    return -1;
}

static int connect_unix(const struct address *address)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    _Static_assert(sizeof to.sun_path >= sizeof address->path, "a path must fit");
    memcpy(to.sun_path, address->path, sizeof address->path);
    return connect_one(AF_UNIX, 0, (const struct sockaddr *)&to, sizeof to);
}

static int connect_tcp(const struct address *address, struct pz_error *error)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int failure = getaddrinfo(address->host, address->port, &hints, &found);
    if (failure != 0) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "%s", gai_strerror(failure));
        return -1;
    }
    int fd = -1;
    for (const struct addrinfo *one = found; one != NULL && fd < 0; one = one->ai_next)
        fd = connect_one(one->ai_family, one->ai_protocol, one->ai_addr, one->ai_addrlen);
    if (fd < 0)
        (void)pz_fail(error, PZ_INTERNAL, "%s", strerrordesc_np(errno));
    freeaddrinfo(found);
    return fd;
}

struct daemon_connection *connection_open(const struct address *address, struct pz_error *error)
{
    struct daemon_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for a connection");
        return NULL;
    }
    if (address->path[0] != '\0') {
        connection->fd = connect_unix(address);
        if (connection->fd < 0)
            (void)pz_fail(error, PZ_INTERNAL, "%s", strerrordesc_np(errno));
    } else {
        connection->fd = connect_tcp(address, error);
    }
    if (connection->fd < 0) {
        free(connection);
        return NULL;
    }
    (void)fcntl(connection->fd, F_SETFL, O_NONBLOCK);
    return connection;
}

void connection_close(struct daemon_connection *connection)
{
    if (connection == NULL)
        return;
    (void)close(connection->fd);
    text_free(&connection->out);
    text_free(&connection->in);
    free(connection);
}

uint64_t connection_bytes(const struct daemon_connection *connection)
{
    return connection->bytes;
}

bool connection_send(struct daemon_connection *connection, const char *line, size_t length)
{
    assert(length > 0 && line[length - 1] == '\n'); /* whole lines, so that each has its reply */
    text_append(&connection->out, line, length);
    return !connection->out.failed;
}

/* Returns true if all that was handed out was scanned, and all that was scanned was read. */
__attribute__((unused)) static bool input_is_sound(const struct daemon_connection *connection)
{
    return connection->used <= connection->scanned && connection->scanned <= connection->in.length;
}

/* Finds the next whole line in the bytes that were read. */
static bool cut_line(struct daemon_connection *connection, const char **line, size_t *length)
{
    struct text *in = &connection->in;
    assert(input_is_sound(connection));
    if (in->length == connection->scanned)
        return false;
    char *lf = memchr(in->data + connection->scanned, '\n', in->length - connection->scanned);
    if (lf == NULL) {
        connection->scanned = in->length;
        return false;
    }
    char *begin = in->data + connection->used;
    connection->used = connection->scanned = (size_t)(lf - in->data) + 1;
    connection->bytes += (size_t)(lf - begin) + 1;
    if (lf > begin && lf[-1] == '\r')
        lf--;
    *lf = '\0';
    *line = begin;
    *length = (size_t)(lf - begin);
    return true;
}

static bool write_some(struct daemon_connection *connection, struct pz_error *error)
{
    struct text *out = &connection->out;
    ssize_t sent = send(connection->fd, out->data, out->length, MSG_NOSIGNAL);
    if (sent >= 0) {
        text_drop(out, (size_t)sent);
        return true;
    }
    if (errno == EAGAIN || errno == EINTR)
        return true;
    /* Lines that came before the daemon hung up may still wait to be read. */
    if (errno == EPIPE || errno == ECONNRESET) {
        text_cut(out, 0);
        return true;
    }
    (void)pz_fail(error, PZ_INTERNAL, "%s", strerrordesc_np(errno));
    return false;
}

static bool read_some(struct daemon_connection *connection, struct pz_error *error)
{
    char bytes[16384];
    ssize_t got = recv(connection->fd, bytes, sizeof bytes, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (got < 0 && errno != ECONNRESET) {
        (void)pz_fail(error, PZ_INTERNAL, "%s", strerrordesc_np(errno));
        return false;
    }
    if (got <= 0) {
        connection->closed = true;
        return true;
    }
    text_drop(&connection->in, connection->used);
    connection->scanned -= connection->used;
    connection->used = 0;
    text_append(&connection->in, bytes, (size_t)got);
    assert(input_is_sound(connection));
    if (connection->in.failed) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for a reply");
        return false;
    }
    if (connection->scanned > CONNECTION_LINE_MAX) {
        (void)pz_fail(error, PZ_INTERNAL, "a line of more than %d bytes", CONNECTION_LINE_MAX);
        return false;
    }
    return true;
}

enum received connection_receive(struct daemon_connection *connection, const char **line, size_t *length,
                                 struct pz_error *error)
{
    for (;;) {
        if (interrupt_came())
            return RECEIVED_INTERRUPT;
        if (cut_line(connection, line, length))
            return RECEIVED_LINE;
        if (connection->closed) {
            bool half = connection->in.length > connection->used;
            (void)pz_fail(error, PZ_INTERNAL, half ? "it hung up in the middle of a line" : "it hung up");
            return RECEIVED_FAILURE;
        }
        struct pollfd fd = {.fd = connection->fd, .events = POLLIN};
        if (connection->out.length > 0)
            fd.events |= POLLOUT;
        if (interrupt_poll(&fd) < 0)
            fd.revents = 0; /* a signal: handled above */
        if ((fd.revents & POLLOUT) != 0 && !write_some(connection, error))
            return RECEIVED_FAILURE;
        if ((fd.revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !read_some(connection, error))
            return RECEIVED_FAILURE;
    }
}
