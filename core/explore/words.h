/* SPDX-License-Identifier: MIT */
/* The engines, and what an exploration may keep: each a row here, with its word. Also for protocol/. */
#ifndef EXPLORE_WORDS_H
#define EXPLORE_WORDS_H

enum engine { ENGINE_AUTO, ENGINE_STRIPED, ENGINE_DENSE, ENGINE_COUNT };
#define ENGINE_WORDS "auto", "striped", "dense"

enum keep {
    KEEP_TABLE,  /* distances of all visited states go to the sink */
    KEEP_LEVELS, /* only the number of states of each level, and the examples */
    KEEP_COUNT
};
#define KEEP_WORDS "table", "levels"

#endif
