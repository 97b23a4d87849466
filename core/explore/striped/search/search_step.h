/* SPDX-License-Identifier: MIT */
/* One level of a search: what its caller asks for, where it stands before and after, and why it ended early.
 */
#ifndef STRIPED_SEARCH_STEP_H
#define STRIPED_SEARCH_STEP_H

#include "explore/striped/search/searchers.h"

struct search;

/* A search's place between two levels: everything but its states. */
struct search_place {
    uint32_t level, unused;
    uint64_t frontier_states, previous_states;
    uint64_t states, generated, expanded; /* of all complete levels */
};

/* Why a level ended early. */
enum halt {
    HALT_NONE,
    HALT_FOUND,
    HALT_CANCELLED,
    HALT_TIME,
    HALT_MEMORY,
    HALT_LEVELS /* distances would not fit 16 bits any more */
};

/* The options of one level. */
struct search_step {
    bool last;                  /* nothing will be expanded after it: keep no frontier */
    bool visits;                /* levels do not matter: there may be any number of them */
    bool any_goal;              /* halt at a state that the space calls a goal */
    const uint64_t *goal;       /* halt at this state (a mixed key); NULL for none */
    const struct search *other; /* halt at a new state that is in this search's frontier; NULL for none */
    uint64_t states_before;     /* of other searches, for the progress report */
};

#endif
