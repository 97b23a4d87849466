/* SPDX-License-Identifier: MIT */
/*
 * One level of a ranked search. Level 0 may be all goals. Most levels are pushed: each state of the last
 * level reaches its neighbours. When fewer states are left than twice the last level, it is pulled: each
 * unreached state looks for a neighbour in the last level, and stops at the first. Spaces that have blocks go
 * block by block instead (block_level.h).
 */
#ifndef EXPLORE_RANKED_RANKED_LEVEL_H
#define EXPLORE_RANKED_RANKED_LEVEL_H

#include "base/team.h"
#include "explore/ranked/blocks/block_level.h"
#include "explore/ranked/ranked_components.h"
#include "explore/ranked/states.h"
#include "explore/run/turns.h"
#include "explore/sample/bottom_k.h"
#include "puzzled/space.h"

enum { BATCH_STATES = 512 };

/* Owned by one worker of the team. */
struct ranked_worker {
    uint64_t *numbers; /* a batch */
    uint64_t *next;    /* what a move makes of the batch, or all successors of a state */
    uint64_t *successors;
    uint8_t *tokens;
    struct bottom_k examples;  /* of the level being made */
    uint64_t generated, found; /* in the last call of ranked_level_make */
    struct block_worker block; /* with blocks */
};

/* RANKED_JOIN makes no level: it joins the states of each component. */
enum ranked_way { RANKED_PUSH, RANKED_PULL, RANKED_GOALS, RANKED_JOIN };

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what threads write has cache lines of its own */
struct ranked_level {
    const struct pz_space *space;
    struct states states;
    uint64_t seed;
    struct ranked_worker *workers;
    unsigned worker_count;
    struct turns turns; /* of the level being made; its control and tick are the owner's to set */
    uint32_t level;     /* being made */
    enum ranked_way way;
    struct ranked_components *parts; /* NULL where they are not asked for */
    struct block_space blocks;       /* blocks.runs: NULL without blocks */
};

/* Returns false without memory. */
bool ranked_worker_init(struct ranked_worker *worker, const struct ranked_level *level, unsigned examples);
void ranked_worker_clear(struct ranked_worker *worker);
/* Makes the level after the last one, or level 0, from that turn on; team NULL for the caller alone. The
 * results are in the workers. Returns PZ_OK, or turns_status if the level ended early: the next call can go
 * on at turns_done, as long as both rows of active bits are kept. */
enum pz_status ranked_level_make(struct ranked_level *level, uint64_t first, struct team *team);
/* Returns the number of turns of a level. */
uint64_t ranked_level_turns(const struct ranked_level *level);
/* Goes on with states and active bits that a checkpoint has filled: so many turns of the next level are done.
 * Returns false without memory. */
bool ranked_level_resume(struct ranked_level *level, uint32_t newest, uint64_t turns);
/* Writes up to `most` numbers of a level's examples; returns how many. Sorts the sample. */
unsigned ranked_level_examples(const struct ranked_level *level, struct bottom_k *sample, uint64_t *numbers,
                               unsigned most);

#endif
