/* SPDX-License-Identifier: MIT */
/* Suggests what to ask for in place of a refused exploration, within the available memory. */
#ifndef EXPLORE_ADVICE_H
#define EXPLORE_ADVICE_H

#include "explore/explore.h"

enum { ADVICE_TEXT = 200 };

/* Writes alternatives to the request that fit in this much memory and scratch space (0: not known):
 * "keep=levels takes 5.9G; depth=24 fits". The estimate that refused the request tries each of them. Expands
 * some tens of thousands of states to see how fast the levels grow. */
void advice_write(const struct explore_request *request, uint64_t memory, uint64_t room,
                  char text[ADVICE_TEXT]);

/* Estimates how many states the levels up to the request's depth have: what was seen of the first ones, and
 * beyond that as these grow. */
uint64_t advice_states_within(const struct explore_request *request);

#endif
