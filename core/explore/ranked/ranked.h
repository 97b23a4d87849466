/* SPDX-License-Identifier: MIT */
/*
 * The ranked engine: all states of a space that has a ranking function and whose moves can be undone, in two
 * and an eighth bits a state, or in 36 bits with connected components; blocks of ranks also in scratch space.
 * docs/engines/ranked.md explains it. A level (ranked_next in ranked.c):
 *
 *     push or pull    by the width of the last level and what is left (ranked_own.h)
 *     rounds          of ranks: each sends the last level's blocks that others need (ranked_ranks.c)
 *       turns         every worker takes the next 65,536 states, or blocks, until none is left:
 *         push        each state of the last level reaches its neighbours
 *         pull        each unreached state looks for one neighbour in the last level
 *         block       the last level's states are carried into a block, or looked for (block_level.h)
 *     settle          the ranks agree and add up; on disk the new places become current
 */
#ifndef EXPLORE_RANKED_RANKED_H
#define EXPLORE_RANKED_RANKED_H

#include "explore/ranked/blocks/block_kernel.h"
#include "explore/ranked/states.h"
#include "explore/run/explorer.h"

/* The contracts are those of explore.h and explorer.h. The table's layout is ranked_table.h's. With a depth
 * limit no table is made. */
bool ranked_takes(const struct explore_request *request);
enum pz_status ranked_check_memory(const struct explore_request *request, uint64_t limit,
                                   struct pz_error *error);
enum pz_status ranked_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error);
enum pz_status ranked_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                               struct pz_error *error);
/* Returns true if the engine could take the request with its states in scratch space. */
bool ranked_has_disk(const struct explore_request *request);
/* Returns true if, with that much memory, the engine takes the request with its states in scratch space. */
bool ranked_uses_disk(const struct explore_request *request, uint64_t limit);
/* Returns this process's rank and the number of ranks; 0 of 1 in one process. */
struct block_share ranked_share(const struct explore_request *request);
/* Returns how many states there are, and with which active bits; memory comes later. runs: NULL for none. */
struct states ranked_states(const struct explore_request *request, const struct pz_runs *runs);

#endif
