/* SPDX-License-Identifier: MIT */
/* Finds out if a search that ends at a limit of depth has visited everything. */
#ifndef STRIPED_BEYOND_H
#define STRIPED_BEYOND_H

#include "explore/striped/search/search.h"

/*
 * Returns true if every successor of the states of the search's level was visited. It stops at the first one
 * that was not: after a few states if there are more levels, after a pass over the whole level if it is the
 * last. It also returns false if the answer stays unknown: the control says stop, its deadline has passed,
 * or there is no memory. Called by the owner of the search, between two levels; over ranks all call it
 * together, and it returns the same on all.
 */
bool search_is_exhausted(const struct search *search, const struct pz_space *space,
                         const struct control *control);

#endif
