/* SPDX-License-Identifier: MIT */
/* The inside of a ranked search, with its ranks and checkpoints: for the files ranked*.c alone. */
#ifndef EXPLORE_RANKED_OWN_H
#define EXPLORE_RANKED_OWN_H

#include "base/team.h"
#include "explore/ranked/blocks/block_level.h"
#include "explore/ranked/ranked_components.h"
#include "explore/ranked/states.h"
#include "explore/run/explorer.h"
#include "explore/run/turns.h"
#include "explore/sample/bottom_k.h"
#include "puzzled/space.h"

/*
 * One level of a ranked search. Level 0 may be all goals. Most levels are pushed: each state of the last
 * level reaches its neighbours. When fewer states are left than twice the last level, it is pulled: each
 * unreached state looks for a neighbour in the last level, and stops at the first. Spaces that have blocks go
 * block by block instead (block_level.h).
 */

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

/* Makes turns of a level by all workers or by one, and adds up what they found (ranked.c). */
enum pz_status ranked_make_turns(struct ranked *ranked, bool wide, struct pz_error *error);

/* ---- ranked_ranks.c: all ranks make the same calls in the same order ---- */

/* Makes what a search on ranks needs; nothing in one process. The blocks must be ready. */
enum pz_status ranked_ranks_open(struct ranked *ranked, struct pz_error *error);
void ranked_ranks_close(struct ranked *ranked);
/* Returns the bytes that it takes. */
uint64_t ranked_ranks_bytes(const struct explore_request *request, const struct pz_runs *runs);
/* Makes a level in rounds. */
enum pz_status ranked_ranks_level(struct ranked *ranked, bool wide, struct pz_error *error);
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
