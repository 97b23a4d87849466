/* SPDX-License-Identifier: MIT */
/*
 * Lookups about small spaces: if DISTANCE, PATH, SAMPLE or DEEPEST find no table, the space is explored
 * first, by a job of the same client, within a second or two. [limits] explore-first says up to how many
 * states. If the size is not known, the job gets little memory and time; if they do not suffice, the job is
 * forgotten and the lookup is refused. The hashes of such requests are kept in server->explore_failed, and
 * for ten minutes they are not tried again. Any other failure is this lookup's alone: a full queue, a job
 * that somebody cancels, or that does not end within ten seconds.
 */
#ifndef DAEMON_DEFERRED_LOOKUP_H
#define DAEMON_DEFERRED_LOOKUP_H

#include "daemon/net/pending_reply.h"
#include "protocol/request.h"

struct server;

/* error: NULL if the client has left, and its pending reply is freed. Its code is PZ_OK if the exploration
 * has ended or could never help, so that the store now has the answer or will not have it; else the lookup's.
 */
typedef void deferred_lookup_done(void *context, const struct pz_error *error);

/* Carries out an EXPLORE for the client of the pending reply, which goes on waiting; takes the request, of
 * that hash, over. done is called once, when the exploration has ended or was refused. Loop thread. */
void deferred_lookup_begin(struct server *server, struct pending_reply *pending, struct request *request,
                           uint64_t hash, deferred_lookup_done *done, void *context);

#endif
