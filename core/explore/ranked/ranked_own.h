/* SPDX-License-Identifier: MIT */
/* A ranked search from within, and its checkpoints: for ranked.c and ranked_checkpoint.c alone. */
#ifndef EXPLORE_RANKED_OWN_H
#define EXPLORE_RANKED_OWN_H

#include "explore/ranked/ranked_level.h"
#include "explore/run/explorer.h"

/* A number, or with runs a word and its states. */
enum { EXAMPLE_WORDS = 2 };

/* Where the search is. A checkpoint begins with it. */
struct ranked_place {
    uint32_t level;
    uint32_t turns; /* of the next level that are done, and how many states they found */
    uint64_t found;
    uint64_t width; /* of the level */
    uint64_t states, generated;
    uint64_t on_disk; /* 1 if the states are in scratch space */
};

struct ranked {
    struct explorer base;
    struct explorer_setup setup;
    struct team *team; /* NULL for one thread */
    struct ranked_level level;
    struct ranked_parts parts;
    struct ranked_place place;
    struct bottom_k
        examples[2]; /* by the level's last bit: of the newest level, and of the one before or after */
    uint64_t taken;  /* bytes of the budget */
};

static inline struct ranked *ranked_of(struct explorer *explorer)
{
    return (struct ranked *)explorer;
}

/* ---- ranked_checkpoint.c: the functions of struct explorer_ops ---- */

/* Of states in memory: the array, and the marks. */
uint64_t ranked_save_bytes(const struct explorer *explorer, uint64_t states);
void ranked_save(struct explorer *explorer, struct checkpointer *checkpointer);
bool ranked_load(struct explorer *explorer, struct checkpointer *checkpointer);

/* Of states on disk: the file is the checkpoint, but for the place and what is known of its runs. */
uint64_t ranked_save_bytes_on_disk(const struct explorer *explorer, uint64_t states);
void ranked_save_on_disk(struct explorer *explorer, struct checkpointer *checkpointer);
bool ranked_load_on_disk(struct explorer *explorer, struct checkpointer *checkpointer);

#endif
