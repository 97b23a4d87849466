/* SPDX-License-Identifier: MIT */
/* The striped engine: any space, as deep as memory allows. A row of engines.c's table. */
#ifndef STRIPED_STRIPED_H
#define STRIPED_STRIPED_H

#include "explore/run/explorer.h"

/* Returns the bytes of memory that a state takes at the peak, where all are kept. */
double striped_state_bytes(const struct pz_space *space);
/* Returns the bytes of memory that a search takes before it has visited a state. */
uint64_t striped_least_bytes(const struct explore_request *request);

/* Returns PZ_BAD_REQUEST if the number of partitions is not allowed, PZ_UNSUPPORTED if several ranks are to
 * keep a table or to explore from goals. The limit is not looked at. */
enum pz_status striped_check(const struct explore_request *request, uint64_t limit, struct pz_error *error);
enum pz_status striped_open(const struct explorer_setup *setup, struct explorer **out,
                            struct pz_error *error);
/* Returns true if no visited state may be forgotten. */
bool striped_keeps_all(const struct explore_request *request);
/* Fills in what so many states take. *estimate is zeroed. */
void striped_estimate_of(const struct explore_request *request, uint64_t states,
                         struct explore_estimate *estimate);
/* Fills in what can be known ahead. Returns what striped_check does. *estimate is zeroed. */
enum pz_status striped_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                                struct pz_error *error);
/* Returns the bytes that a checkpoint of all states takes, which is known only roughly: 0 where nobody knows
 * how many states there are. */
uint64_t striped_expected_bytes(const struct explore_request *request);

/* ---- in scratch space ---- */

/* Returns the scratch space that the peak of a search takes, in bytes for each state of all levels, if its
 * last level is the widest. */
double striped_disk_state_bytes(const struct explore_request *request);
/* Returns true if a request that leaves the place of its levels open can move to disk when so much memory is
 * full. */
bool striped_disk_follows(const struct explore_request *request, uint64_t memory);
/* Returns an estimate as a number of bytes that the protocol can write. */
static inline uint64_t told_bytes(double bytes)
{
    return bytes < 0x1p63 ? (uint64_t)bytes : (uint64_t)INT64_MAX;
}

#endif
