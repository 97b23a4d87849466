/* SPDX-License-Identifier: MIT */
/* The exploration that a refused lookup would need (explore_first.h makes it). */
#ifndef DAEMON_LOOKUP_WISH_H
#define DAEMON_LOOKUP_WISH_H

#include "protocol/request.h"
#include "protocol/text/text.h"
#include "puzzled/space.h"

#include <stdint.h>

/* Explorations that lookups may ask for (explore_first.h). */
struct explore_wish {
    uint64_t most;    /* states; 0 for none */
    bool made;        /* the exploration for the next request has just been made, and its reply says so */
    struct text line; /* the request of the missing exploration: then no reply was appended */
};

/* Returns true if a lookup with this verb waits for an exploration where it finds no table. */
bool lookup_wish_waits(enum verb verb);
/* Writes the request of the exploration that a refused lookup would need, whose verb waits for one. Leaves
 * out empty if the space has more states than most. start: the text of a board that the space was opened for;
 * NULL for none. Worker thread. */
void lookup_wish_write(const struct request *request, const struct pz_space *space, const char *start,
                       uint64_t most, struct text *out);
#endif
