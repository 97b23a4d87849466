/* SPDX-License-Identifier: MIT */
/*
 * One level of a ranked search. Level 0 may be all goals. Most levels are pushed: each state of the last
 * level reaches its neighbours. When fewer states are left than twice the last level, it is pulled: each
 * unreached state looks for a neighbour in the last level, and stops at the first.
 */
#ifndef EXPLORE_RANKED_LEVEL_H
#define EXPLORE_RANKED_LEVEL_H

#include "base/team.h"
#include "explore/control.h"
#include "explore/ranked/parts.h"
#include "explore/ranked/states.h"
#include "explore/sample/bottom_k.h"
#include "puzzled/space.h"

enum { BATCH_STATES = 512 };

/* Owned by one member of the team. */
struct ranked_member {
    uint64_t *numbers; /* a batch */
    uint64_t *next;    /* what a move makes of the batch, or all successors of a state */
    uint64_t *successors;
    uint8_t *tokens;
    struct bottom_k examples; /* of the level being made */
    uint64_t generated;
    uint64_t found;
};

/* RANKED_JOIN makes no level: it joins the states of each part. */
enum ranked_way { RANKED_PUSH, RANKED_PULL, RANKED_GOALS, RANKED_JOIN };

struct ranked_level {
    const struct pz_space *space;
    struct states states;
    uint64_t seed;
    struct ranked_member *members;
    struct control *control;
    void (*report)(void *context, double done); /* by the owner, now and then */
    void *context;
    uint32_t level; /* being made */
    enum ranked_way way;
    struct ranked_parts *parts; /* NULL where they are not asked for */
    _Atomic uint64_t next_part; /* members count it up */
    _Atomic bool stopped;       /* by the control, or the deadline */
};

/* Returns false without memory. */
bool ranked_member_init(struct ranked_member *member, const struct pz_space *space, unsigned examples);
void ranked_member_clear(struct ranked_member *member);
/* Makes the level after the last one, or level 0; team NULL for the caller alone. The members hold the sums.
 * Returns false if it was stopped before it was complete. */
bool ranked_level_make(struct ranked_level *level, struct team *team);

#endif
