/* SPDX-License-Identifier: MIT */
/*
 * Lookups about spaces that are small: what DISTANCE, PATH, SAMPLE or DEEPEST lack is explored before they
 * are answered, by a job of the client's own, within a second or two. [limits] explore-first says up to how
 * many states. Where nobody can tell the size, the job has little memory and time; if they do not suffice it
 * is forgotten, and the lookup is refused as ever.
 */
#ifndef DAEMON_EXPLORE_FIRST_H
#define DAEMON_EXPLORE_FIRST_H

#include "daemon/net/pending_reply.h"
#include "protocol/request.h"
#include "puzzled/space.h"

#include <stdint.h>

struct server;

enum { EXPLORE_FIRST_FAILED = 256 };

/* The explorations that did not suffice, by the hash of their request; not tried again while they are
 * remembered. Zeroed memory is empty. Loop thread. */
struct explore_first_failed {
    uint64_t hash[EXPLORE_FIRST_FAILED];
};

/* Writes the request of the exploration that a refused lookup lacks. Leaves out empty if it has more states
 * than most, or if the lookup is none that waits. start: the text of a board that the space was opened for;
 * NULL for none. Worker thread. */
void explore_first_write(const struct request *request, const struct pz_space *space, const char *start,
                         uint64_t most, struct text *out);
/* Carries it out for the client of the pending reply, which goes on waiting. done is called once, when the
 * exploration has ended or was refused; gone: the client has left, and its pending reply is no more. Loop
 * thread. */
void explore_first_begin(struct server *server, struct pending_reply *pending, const char *line,
                         void (*done)(void *context, bool gone), void *context);

#endif
