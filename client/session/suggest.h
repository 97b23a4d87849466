/* SPDX-License-Identifier: MIT */
/* Suggests what a refused request may have meant. */
#ifndef SUGGEST_H
#define SUGGEST_H

#include "client/session/session.h"

/* Writes "did you mean 'sokoban'?" on the error stream if the request named a puzzle or a key that the daemon
 * does not know and a known one is similar. If a board stands in the puzzle's place, says how to write it. If
 * a file's name stands in a board's place, says how its boards are read. Says
 * where a missing board goes. */
void suggest(struct session *session, const char *request, const struct reply *refusal);

#endif
