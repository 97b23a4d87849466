/* SPDX-License-Identifier: MIT */
/* The address where the daemon listens. */
#ifndef PROTOCOL_ADDRESS_H
#define PROTOCOL_ADDRESS_H

#include "puzzled/status.h"

struct address {
    char path[108]; /* of a Unix socket; "" when it is TCP */
    char host[256];
    char port[8];
    char name[280]; /* for messages: the path, or HOST:PORT */
};

/* Finds the default address: $PUZZLED_SOCKET; for root /run/puzzled/puzzled.sock; else
 * $XDG_RUNTIME_DIR/puzzled.sock or, without that, /tmp/puzzled-UID/puzzled.sock. This is the daemon's own
 * rule. A user without a daemon there gets the system's, if any. */
bool address_default(struct address *address, struct pz_error *error);
bool address_socket(struct address *address, const char *path, struct pz_error *error);
/* "localhost:7845", "127.0.0.1:7845", "[::1]:7845" */
bool address_host(struct address *address, const char *text, struct pz_error *error);

#endif
