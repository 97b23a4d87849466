/* SPDX-License-Identifier: MIT */
/* Finds out if anything lies beyond the last level of a search that ends at a limit of depth. */
#ifndef STRIPED_BEYOND_H
#define STRIPED_BEYOND_H

#include "explore/striped/search.h"

/*
 * Returns true if no state of the search's level has a successor that was not visited. It ends at the first
 * one that has: after a few states where there are more levels, after a pass over the level where it is the
 * last. Returns false also where that is not known, as the control says stop, its deadline has passed or
 * there is no memory. By the owner of the search, between two levels.
 */
bool search_is_exhausted(const struct search *search, const struct pz_space *space,
                         const struct control *control);

#endif
