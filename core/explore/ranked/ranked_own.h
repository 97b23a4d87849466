/* SPDX-License-Identifier: MIT */
/* The inside of a ranked search, with its ranks and checkpoints: for the files ranked*.c alone. */
#ifndef EXPLORE_RANKED_OWN_H
#define EXPLORE_RANKED_OWN_H

#include "explore/ranked/ranked_level.h"
#include "explore/run/explorer.h"
#include "explore/sample/bottom_k.h"

/* A number, or with blocks a word and its states. */
enum { EXAMPLE_WORDS = 2 };

/* The search's place. A checkpoint begins with it. */
struct ranked_place {
    uint32_t level;
    uint32_t turns; /* of the next level that are done, and how many states they found */
    uint64_t found;
    uint64_t width; /* of the level */
    uint64_t states, generated;
    uint64_t on_disk; /* 1 if the states are in scratch space */
};

/* The parts that only a search on ranks has. */
struct ranked_ranks {
    const struct exchange *exchange; /* NULL in one process, which has nothing of this */
    uint64_t generated;              /* by this rank, in the level being made */
    struct bottom_k chosen;          /* among the examples of all ranks */
    struct agree_part *part;
    /* On disk: what a checkpoint keeps of every rank's blocks, as the last level left them. */
    uint8_t *kept;
    size_t rank_bytes; /* of it */
};

struct ranked {
    struct explorer base;
    struct explorer_setup setup;
    struct explorer_ops ops; /* less what the request leaves out */
    struct team *team;       /* NULL for one thread */
    struct ranked_level level;
    struct ranked_components parts;
    struct ranked_place place;
    struct bottom_k
        examples[2]; /* by the level's last bit: of the newest level, and of the one before or after */
    struct ranked_ranks ranks;
    uint64_t taken; /* bytes of the budget */
};

static inline struct ranked *ranked_of(struct explorer *explorer)
{
    return (struct ranked *)explorer;
}

/* ---- ranked_ranks.c: all ranks make the same calls in the same order ---- */

/* Makes what a search on ranks needs; nothing in one process. The blocks must be ready. */
enum pz_status ranked_ranks_open(struct ranked *ranked, struct pz_error *error);
void ranked_ranks_close(struct ranked *ranked);
/* Returns the bytes that it takes. */
uint64_t ranked_ranks_bytes(const struct explore_request *request, const struct pz_runs *runs);
/* Makes turns of a level by all workers or by one, and adds up what they found: the function that makes one
 * process's levels. */
typedef enum pz_status ranked_make_turns(struct ranked *ranked, bool wide, struct pz_error *error);
/* Makes a level in rounds. */
enum pz_status ranked_ranks_level(struct ranked *ranked, ranked_make_turns *make_turns, bool wide,
                                  struct pz_error *error);
/* Adds up what the ranks found in a level, so that all ranks have the same numbers. In one process it
 * returns status. */
enum pz_status ranked_ranks_settle(struct ranked *ranked, enum pz_status status, struct pz_error *error);
/* Chooses `most` of the examples of all ranks. */
struct bottom_k *ranked_ranks_choose(struct ranked *ranked, const struct bottom_k *own, unsigned most);
/* Makes all ranks' files safe, and collects what a checkpoint keeps of them. Called when a level has just
 * become the newest.
 */
enum pz_status ranked_ranks_keep(struct ranked *ranked, struct pz_error *error);
/* Save and load what all ranks have kept. Loading returns false if that is not possible. */
void ranked_ranks_save(struct ranked *ranked, struct checkpointer *checkpointer);
bool ranked_ranks_load(struct ranked *ranked, struct checkpointer *checkpointer);

/* ---- ranked_checkpoint.c: the functions of struct explorer_ops ---- */

uint64_t ranked_save_bytes(const struct explorer *explorer, uint64_t states);
void ranked_save(struct explorer *explorer, struct checkpointer *checkpointer);
bool ranked_load(struct explorer *explorer, struct checkpointer *checkpointer);

#endif
