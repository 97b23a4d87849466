/* SPDX-License-Identifier: MIT */
/* One connection to a daemon: lines out, lines in. Used by one thread. Requests are queued and sent while
 * replies are read. So any number of them may be on their way without either side waiting for the other. */
#ifndef DAEMON_CONNECTION_H
#define DAEMON_CONNECTION_H

#include "protocol/address.h"
#include "protocol/text/text.h"

#include <stddef.h>
#include <stdint.h>

enum { CONNECTION_LINE_MAX = 1 << 20 /* bytes of a line that is read */ };

enum received {
    RECEIVED_LINE,
    RECEIVED_INTERRUPT, /* the user pressed Ctrl-C while we waited (terminal.h) */
    RECEIVED_FAILURE    /* closed, broken, or a line beyond the limit; the error says which */
};

struct daemon_connection;

/* Returns NULL with the reason if no daemon can be reached. */
struct daemon_connection *connection_open(const struct address *address, struct pz_error *error);
void connection_close(struct daemon_connection *connection); /* NULL is fine */

/* Queues a request line, which ends with LF. The next receive sends it. Returns false without memory. */
bool connection_send(struct daemon_connection *connection, const char *line, size_t length);

/* Waits for a line. *line lives until the next call. It is NUL-terminated, without LF and CR; *length counts
 * its bytes, which may include NUL. */
enum received connection_receive(struct daemon_connection *connection, const char **line, size_t *length,
                                 struct pz_error *error);
/* Returns the bytes of all lines that were received so far. */
uint64_t connection_bytes(const struct daemon_connection *connection);

#endif
