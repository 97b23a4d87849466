/* SPDX-License-Identifier: MIT */
/* The striped engine with its levels in scratch space (bin_search.h), as an explorer. */
#ifndef STRIPED_STRIPED_DISK_H
#define STRIPED_STRIPED_DISK_H

#include "explore/run/explorer.h"

/* Returns PZ_OK if this request can be explored on disk within so much memory; PZ_TOO_LARGE if the memory is
 * too small to begin with, PZ_UNSUPPORTED for what is done in memory only. */
enum pz_status striped_disk_check(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error);
/* Sets the memory without which none begins, and what it costs on disk where the number of states is known.
 */
void striped_disk_estimate(const struct explore_request *request, struct explore_estimate *estimate);
/* Makes the explorer of a request that striped_disk_check takes. */
enum pz_status striped_disk_open(const struct explorer_setup *setup, struct explorer **out,
                                 struct pz_error *error);

#endif
