/* SPDX-License-Identifier: MIT */
/* Gets more boards of a level than one reply of SAMPLE has, by asking several times. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "client/session/command.h"
#include "client/session/session.h"

/* Sets *count to the number of boards that the arguments ask for, 1 or more. Returns PZ_BAD_REQUEST for
 * anything else. */
enum pz_status sample_count(const struct arguments *arguments, uint64_t *count, struct pz_error *error);
/* Asks with one seed after the other until there are enough different boards, or hardly any new one comes.
 * Boards repeat with their seed. On EXIT_FOUND the caller clears *boards. */
enum exit_code sample_many(struct session *session, const struct arguments *arguments,
                           struct records *boards);

#endif
