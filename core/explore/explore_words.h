/* SPDX-License-Identifier: MIT */
/* The engines, what an exploration may keep and where, with their words. protocol/ uses them, too. */
#ifndef EXPLORE_EXPLORE_WORDS_H
#define EXPLORE_EXPLORE_WORDS_H

enum engine { ENGINE_AUTO, ENGINE_STRIPED, ENGINE_DENSE, ENGINE_RANKED, ENGINE_COSTS, ENGINE_COUNT };
#define ENGINE_WORDS "auto", "striped", "dense", "ranked", "costs"

enum keep {
    KEEP_TABLE,  /* distances of all visited states go to the sink */
    KEEP_LEVELS, /* only the number of states of each level, and the examples */
    KEEP_COUNT
};
#define KEEP_WORDS "table", "levels"

/* The states from which an exploration's distances are counted. */
enum explore_from {
    FROM_ROOT,  /* from the root to each state */
    FROM_GOALS, /* to the nearest goal (retrograde analysis), from each state that the root reaches or that
                   has a rank */
    FROM_COUNT
};
#define FROM_WORDS "root", "goals"

/* The store of the dense engine's planes and of the striped one's levels: memory, or disk (external-memory
 * search). */
enum explore_planes {
    PLANES_AUTO,   /* the first of the others that fits */
    PLANES_MEMORY, /* as they are */
    PLANES_CODED,  /* coded, in memory */
    PLANES_DISK,   /* coded, in scratch space */
    PLANES_COUNT
};
#define PLANES_WORDS "auto", "memory", "coded", "disk"

#endif
