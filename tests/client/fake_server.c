/* SPDX-License-Identifier: MIT */
#include "fake_server.h"

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 8, LINE_MAX_HERE = 8192 };

struct fake_connection {
    int fd; /* -1: free */
    size_t length;
    char line[LINE_MAX_HERE];
};

struct fake_server {
    char directory[64];
    char path[96];
    int listener;
    int stop[2]; /* a pipe: closing its end stops the thread */
    pthread_t thread;
    const struct fake_step *steps; /* below: the thread's own, read by the owner after the join */
    size_t count, done;
    struct fake_connection connections[CONNECTIONS_MAX];
};

static char wrong[LINE_MAX_HERE * 2];

static void hang_up(struct fake_connection *connection)
{
    (void)close(connection->fd);
    connection->fd = -1;
}

static bool send_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

static void answer(struct fake_server *server, struct fake_connection *connection, const char *line)
{
    const struct fake_step *step = server->done < server->count ? &server->steps[server->done] : NULL;
    if (step == NULL || strcmp(step->request, line) != 0) {
        if (wrong[0] == '\0')
            (void)snprintf(wrong, sizeof wrong, "came: \"%.4000s\", expected: \"%.4000s\"", line,
                           step == NULL ? "nothing more" : step->request);
        hang_up(connection);
        return;
    }
    server->done++;
    if (step->then == FAKE_INTERRUPT)
        (void)kill(getpid(), SIGINT);
    if (step->first != NULL)
        (void)send_all(server->connections[0].fd, step->first, strlen(step->first));
    bool sent = step->reply == NULL || send_all(connection->fd, step->reply, strlen(step->reply));
    if (step->then == FAKE_HANG_UP || !sent)
        hang_up(connection);
}

static void serve(struct fake_server *server, struct fake_connection *connection)
{
    char *end = connection->line + connection->length;
    ssize_t got = recv(connection->fd, end, sizeof connection->line - connection->length - 1, 0);
    if (got <= 0) {
        hang_up(connection);
        return;
    }
    connection->length += (size_t)got;
    for (;;) {
        char *lf = memchr(connection->line, '\n', connection->length);
        if (lf == NULL || connection->fd < 0)
            return;
        size_t used = (size_t)(lf - connection->line) + 1;
        *lf = '\0';
        answer(server, connection, connection->line);
        connection->length -= used;
        memmove(connection->line, lf + 1, connection->length);
    }
}

static void accept_one(struct fake_server *server)
{
    int fd = accept(server->listener, NULL, NULL);
    for (int i = 0; i < CONNECTIONS_MAX && fd >= 0; i++) {
        if (server->connections[i].fd >= 0)
            continue;
        server->connections[i].fd = fd;
        server->connections[i].length = 0;
        return;
    }
    if (fd >= 0)
        (void)close(fd);
}

static void *run(void *context)
{
    struct fake_server *server = context;
    for (;;) {
        struct pollfd fds[CONNECTIONS_MAX + 2];
        fds[0] = (struct pollfd){.fd = server->stop[0], .events = POLLIN};
        fds[1] = (struct pollfd){.fd = server->listener, .events = POLLIN};
        for (int i = 0; i < CONNECTIONS_MAX; i++)
            fds[i + 2] = (struct pollfd){.fd = server->connections[i].fd, .events = POLLIN};
        if (poll(fds, CONNECTIONS_MAX + 2, -1) < 0)
            continue;
        for (int i = 0; i < CONNECTIONS_MAX; i++)
            if (fds[i + 2].revents != 0 && server->connections[i].fd >= 0)
                serve(server, &server->connections[i]);
        if (fds[1].revents != 0)
            accept_one(server);
        if (fds[0].revents != 0)
            return NULL;
    }
}

static void listen_unix(struct fake_server *server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(server->directory, sizeof server->directory, "/tmp/puzzlectl-test-XXXXXX");
    if (mkdtemp(server->directory) == NULL)
        abort();
    (void)snprintf(server->path, sizeof server->path, "%s/socket", server->directory);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", server->path);
    server->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(server->listener, (const struct sockaddr *)&address, sizeof address) != 0)
        abort();
}

static void listen_tcp(struct fake_server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    server->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(server->listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(server->listener, (struct sockaddr *)&address, &length) != 0)
        abort();
    (void)snprintf(server->path, sizeof server->path, "127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
}

struct fake_server *fake_server_start(const struct fake_step *steps, size_t count, int tcp)
{
    struct fake_server *server = calloc(1, sizeof *server);
    sigset_t all;
    sigset_t before;
    if (server == NULL)
        abort();
    wrong[0] = '\0';
    server->steps = steps;
    server->count = count;
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        server->connections[i].fd = -1;
    if (tcp)
        listen_tcp(server);
    else
        listen_unix(server);
    if (pipe(server->stop) != 0 || listen(server->listener, 8) != 0)
        abort();
    /* Signals are for the thread that runs the client. */
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&server->thread, NULL, run, server) != 0)
        abort();
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return server;
}

const char *fake_server_name(const struct fake_server *server)
{
    return server->path;
}

const char *fake_server_stop(struct fake_server *server)
{
    (void)close(server->stop[1]);
    (void)pthread_join(server->thread, NULL);
    if (server->done < server->count && wrong[0] == '\0')
        (void)snprintf(wrong, sizeof wrong, "never came: \"%.4000s\"", server->steps[server->done].request);
    for (int i = 0; i < CONNECTIONS_MAX; i++)
        if (server->connections[i].fd >= 0)
            hang_up(&server->connections[i]);
    (void)close(server->stop[0]);
    (void)close(server->listener);
    if (server->directory[0] != '\0') {
        (void)unlink(server->path);
        (void)rmdir(server->directory);
    }
    free(server);
    return wrong[0] == '\0' ? NULL : wrong;
}
