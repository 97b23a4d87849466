/* SPDX-License-Identifier: MIT */
/* Says what a refused exploration could be asked for instead, within the memory that there is. */
#ifndef EXPLORE_ADVICE_H
#define EXPLORE_ADVICE_H

#include "explore/explore.h"

enum { ADVICE_TEXT = 200 };

/* Writes what fits in so much memory and scratch space (0: not known) in place of the request: "keep=levels
 * takes 5.9G; depth=24 fits". Each is tried by the estimate that refused the request. Expands some tens of
 * thousands of states, to see how fast the levels grow. */
void advice_write(const struct explore_request *request, uint64_t memory, uint64_t room,
                  char text[ADVICE_TEXT]);

#endif
