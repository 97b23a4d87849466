/* SPDX-License-Identifier: MIT */
/* Gets more boards of a level than one reply of SAMPLE has, by asking several times. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "options.h"
#include "session.h"

/* Returns how many boards the arguments ask for; 0 if that is not a number. */
uint64_t sample_count(const struct arguments *arguments);
/* Asks with one seed after the other until there are enough different boards, or hardly any new one comes.
 * Boards repeat with their seed. On EXIT_FOUND the caller clears *boards. */
enum exit_code sample_many(struct session *session, const struct arguments *arguments,
                           struct records *boards);

#endif
