/* SPDX-License-Identifier: MIT */
/* Deferred lookup: the exploration that a refused lookup would need (explore_first.h makes it). */
#ifndef DAEMON_LOOKUP_WISH_H
#define DAEMON_LOOKUP_WISH_H

#include "protocol/request.h"
#include "puzzled/space.h"

#include <stdint.h>

/* Explorations that lookups may ask for (explore_first.h). */
struct explore_wish {
    uint64_t most;           /* states; 0 for none */
    bool made;               /* the exploration for the next request has just been asked for */
    struct pz_error refused; /* made: why there was none, unless the code is PZ_OK */
    struct request *request; /* the missing exploration, owned: then no reply was appended; else NULL */
    uint64_t hash;           /* of that */
};

/* Returns true if a lookup with this verb waits for an exploration where it finds no table. */
bool lookup_wish_waits(enum verb verb);
/* Notes the exploration that a refused lookup would need, whose verb waits for one, unless the space has
 * more states than wish->most. start: the text of a board that the space was opened for; NULL for none.
 * Worker thread. */
void lookup_wish_make(const struct request *request, const struct pz_space *space, const char *start,
                      struct explore_wish *wish);

#endif
