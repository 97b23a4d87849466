/* SPDX-License-Identifier: MIT */
/* More boards of a level than one reply of SAMPLE holds, by asking several times. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "options.h"
#include "session.h"

/* Returns how many boards the arguments ask for; 0 when that is no number. */
uint64_t sample_count(const struct arguments *arguments);
/* Asks with one seed after the other until there are so many different boards, or hardly any new one comes.
 * The same seed gives the same boards. On EXIT_FOUND the caller clears *boards. */
enum exit_code sample_many(struct session *session, const struct arguments *arguments,
                           struct records *boards);

#endif
