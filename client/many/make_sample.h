/* SPDX-License-Identifier: MIT */
/* Boards of one space that are as far from the goal as wanted. */
#ifndef MAKE_SAMPLE_H
#define MAKE_SAMPLE_H

#include "client/many/make_search.h"
#include "client/show/sliding.h"

/* Takes boards of a puzzle from its table; where the space is too large for one, random walks from its goal
 * are solved. No board is taken twice. Returns as make_search does. */
enum exit_code make_sample(struct make_search *search, const char *puzzle, uint64_t *found);

#endif
