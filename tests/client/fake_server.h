/* SPDX-License-Identifier: MIT */
/* A daemon that follows a script: for each request it expects one line and answers with given bytes. */
#ifndef FAKE_SERVER_H
#define FAKE_SERVER_H

#include <stddef.h>

enum fake_then {
    FAKE_GO_ON,
    FAKE_HANG_UP,  /* close the connection after the reply */
    FAKE_INTERRUPT /* send the process a SIGINT before the reply */
};

struct fake_step {
    const char *request; /* the line that must come next, on whichever connection */
    const char *reply;   /* bytes to send, LFs and all; NULL for none */
    enum fake_then then;
    const char *first; /* bytes for the first connection, sent before the reply; NULL for none */
};

struct fake_server;

/* Listens on a Unix socket in a fresh directory, or on a free TCP port of the loopback. The steps must live
 * until fake_server_stop. */
struct fake_server *fake_server_start(const struct fake_step *steps, size_t count, int tcp);
/* The path, or HOST:PORT. */
const char *fake_server_name(const struct fake_server *server);
/* Ends the server. Returns NULL if the script was followed to its end, else what was wrong. */
const char *fake_server_stop(struct fake_server *server);

#endif
