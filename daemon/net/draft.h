/* SPDX-License-Identifier: MIT */
/* A long text that a client sends in several requests, kept with its connection until the last one. Each
 * part says at which byte it begins, so that a refused part cannot go unnoticed. Loop thread. */
#ifndef DAEMON_DRAFT_H
#define DAEMON_DRAFT_H

#include "protocol/text/text.h"
#include "puzzled/status.h"

#include <stdint.h>

enum { DRAFTS_BYTES = 64 << 20 }; /* of all connections together */

struct draft {
    struct text text;
    size_t *all; /* bytes of all drafts */
};

/* Appends a part of the text. at: 0 starts over; else it must be the length of the text so far. Fails for a
 * text of more than most bytes, and when drafts take too much memory; the text so far is dropped then. */
enum pz_status draft_add(struct draft *draft, uint64_t at, const char *bytes, size_t length, size_t most,
                         struct pz_error *error);
/* Hands the text over, NUL-ended, to the caller, who frees it; NULL if there is none. */
char *draft_take(struct draft *draft, size_t *length);
void draft_drop(struct draft *draft);

#endif
