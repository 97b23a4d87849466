/* SPDX-License-Identifier: MIT */
/* A puzzle that is a text: rank 0 reads it, and all ranks know it then. */
#ifndef RANK_DEFINITION_H
#define RANK_DEFINITION_H

#include "explore/exchange/exchange.h"
#include "puzzled/status.h"

/* Every rank calls it; path: of the file, of which only rank 0's counts. NULL there: there is no definition.
 * Returns the same status and text on all ranks. */
enum pz_status definition_share(const struct exchange *exchange, const char *path, struct pz_error *error);

#endif
