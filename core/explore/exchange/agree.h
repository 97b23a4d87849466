/* SPDX-License-Identifier: MIT */
/* Agreements of the ranks of one exploration. All ranks make the same calls in the same order. */
#ifndef EXPLORE_AGREE_H
#define EXPLORE_AGREE_H

#include "explore/exchange/exchange.h"
#include "puzzled/status.h"

#include <stdint.h>

/* Returns PZ_OK if that is every rank's status; else the status and the text of the first rank that failed,
 * with its number. *least becomes the least value of all ranks; may be NULL. Without ranks (exchange is NULL)
 * it returns status. */
enum pz_status agree_status(const struct exchange *exchange, enum pz_status status, uint64_t *least,
                            struct pz_error *error);

#endif
