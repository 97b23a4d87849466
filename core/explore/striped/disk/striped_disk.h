/* SPDX-License-Identifier: MIT */
/* The striped engine with its levels in scratch space (bin_search.h), as an explorer. */
#ifndef STRIPED_STRIPED_DISK_H
#define STRIPED_STRIPED_DISK_H

#include "explore/run/explorer.h"

/* Returns PZ_OK if this request can be explored on disk within so much memory; PZ_TOO_LARGE if the memory is
 * too small to begin with, PZ_UNSUPPORTED for what is done in memory only. */
enum pz_status striped_disk_check(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error);
/* Returns the least bytes of memory with which such a search begins. */
uint64_t striped_disk_least(const struct explore_request *request);
/* Sets the cost on disk: the least memory with which it begins, and the rest if estimate->states is
 * known. */
void striped_disk_estimate(const struct explore_request *request, struct explore_estimate *estimate);
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
/* Makes the explorer of a request that striped_disk_check takes. */
enum pz_status striped_disk_open(const struct explorer_setup *setup, struct explorer **out,
                                 struct pz_error *error);

#endif
