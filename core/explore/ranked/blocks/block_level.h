/* SPDX-License-Identifier: MIT */
/*
 * One level of a space whose moves carry blocks of ranks (struct pz_runs). The worker that makes a block is
 * its only writer: it collects the block's new states from the blocks that moves join it to. While those have
 * few states, it carries their states over; when few states are left in the block, it looks for a neighbour
 * in the last level for each of them instead.
 *
 * The ranks of a cluster divide the blocks (block_kernel.h). What a level needs of other ranks' blocks comes
 * in rounds (block_exchange.h), and each block is then made once in each round.
 */
#ifndef EXPLORE_RANKED_BLOCK_LEVEL_H
#define EXPLORE_RANKED_BLOCK_LEVEL_H

#include "explore/ranked/blocks/block_exchange.h"
#include "explore/ranked/blocks/block_file.h"
#include "explore/ranked/blocks/block_kernel.h"
#include "explore/ranked/ranked_components.h"
#include "explore/sample/bottom_k.h"
#include "puzzled/space.h"

#include <stddef.h>

/* Arrays are by the places of this rank's blocks (block_kernel.h). */
struct block_space {
    struct pz_runs *runs; /* its own */
    struct block_shape shape;
    struct block_share share;
    struct states *states;
    struct block_file *file;        /* its own, where the states lie on disk; NULL: they are in memory */
    struct block_exchange *foreign; /* its own, with other ranks; else NULL */
    uint32_t *found[2]; /* by the level's last bit: states of each block in it; its writer writes */
    uint32_t *left;     /* states of each block that are not reached */
    uint32_t *order;    /* places in the order in which blocks are made; NULL: as they are */
    uint32_t together;  /* the most blocks that are siblings; 1 without order */
    uint64_t seed;
    bool again; /* the level being made has had a round: this rank's own blocks were carried in it */
};

/*
 * Siblings of a block: those that moves join to it as they are. Where blocks are aligned, all blocks of an
 * orbit are siblings, and each gets the same states of the last level from the others. So siblings are made
 * one after the other, by one worker, which makes their set once. A block's own states do no harm in it: they
 * are reached. This is the set of states of the last level in a block and its siblings, of one worker.
 */
struct siblings {
    size_t words;
    uint64_t *set;
    uint32_t last;    /* the level */
    unsigned count;   /* of the blocks with states in it; 0: there is no set yet */
    uint64_t *blocks; /* these, ascending */
    uint64_t *found;  /* those of the block being made, in any order; its owner writes */
};

/* Returns true if the set is not yet that of the blocks found, count of them. Then it is empty, and the
 * caller adds their states. */
bool siblings_begin(struct siblings *siblings, uint32_t last, unsigned count);

static inline bool siblings_join(const struct pz_edge *edge)
{
    return edge->outer != PZ_NO_RUN && edge->rows == NULL && edge->columns == NULL;
}

/* Owned by one worker of the team. */
struct block_worker {
    uint64_t *next, *left; /* sets of a block's states */
    struct block_list list;
    struct siblings siblings;
    struct pz_edge *forward; /* by move: from the block */
    /* On disk: the block `held`, which is the one being made, and the block that leads to it, as they were
     * read. */
    uint64_t *own, *source;
    uint64_t held; /* UINT64_MAX for none */
};

/* Receives what was found. */
struct block_sink {
    struct bottom_k *examples;       /* of words: see block_examples */
    struct ranked_components *parts; /* NULL where they are not asked for */
    uint64_t found, generated;       /* added to */
};

/* ---- what spaces and workers own (block_space.c) ---- */

/* Returns how many positions the states of this rank's blocks take. */
uint64_t block_positions(const struct pz_runs *runs, struct block_share share);
/* Returns the bytes that block_space_init takes, beside the states: tables, and numbers of each block. */
uint64_t block_space_bytes(const struct pz_runs *runs, struct block_share share);
/* Returns the words of a block with its active bits, as they lie on disk. */
size_t block_file_words(const struct block_shape *shape);
/* Takes ownership of the blocks, also on failure. The states' count must be known; their memory or file may
 * be set later. */
bool block_space_init(struct block_space *space, struct pz_runs *runs, struct block_share share,
                      struct states *states, uint64_t seed);
void block_space_clear(struct block_space *space); /* with all that it owns */
bool block_worker_init(struct block_worker *worker, const struct block_space *space);
void block_worker_clear(struct block_worker *worker);

/* Returns the block that is made after so many others of this rank's. */
static inline uint64_t block_space_at(const struct block_space *space, uint64_t at)
{
    return block_share_at(space->share, space->order != NULL ? space->order[at] : at);
}

/* ---- levels (block_level.c) ---- */

/* Counts again after a checkpoint has filled states and active bits: the states of the newest level, and for
 * the first `done` that are made also those of the level being made. */
bool block_space_count(struct block_space *space, uint32_t level, uint64_t done);

/* Makes one of this rank's blocks in a level; with other ranks, its states that this round leads to. */
void block_level_make(const struct block_space *space, struct block_worker *worker, struct block_sink *sink,
                      uint32_t level, uint64_t block);
/* Makes a block's part of level 0: the numbers that are chosen. */
void block_level_choose(const struct block_space *space, struct block_worker *worker, struct block_sink *sink,
                        uint64_t block, bool (*is_chosen)(const void *context, uint64_t number),
                        const void *context);

/* Returns the set of a block's states in the last level, until the worker's next call. */
const uint64_t *block_last_states(const struct block_space *space, struct block_worker *worker, uint32_t last,
                                  uint64_t block);

/* ---- examples: samples of words, with the states of the level in them (block_space.c) ---- */

/* Adds another sample. A word that both have becomes one, with the states of both. */
void block_examples_join(struct bottom_k *sample, const struct bottom_k *other);
/* Returns what is wrong with an entry that came from a rank; NULL if it is one that may come. The context is
 * a struct block_space: fault of struct agree_entries. */
const char *block_example_fault(const void *context, unsigned from, const struct bottom_k_entry *entry);
/* Writes the numbers of up to `most` states of a sorted sample: one of each word, then a second one of each,
 * and so on. Returns how many. */
unsigned block_examples(const struct block_space *space, const struct bottom_k *sample, uint64_t *numbers,
                        unsigned most);

/* Returns a block's states after the last level, until the worker's next call. */
const _Atomic uint64_t *block_states(const struct block_space *space, struct block_worker *worker,
                                     uint64_t block);
/* Writes chunk `number` of a table (ranked_table.h): the states by number. Returns its length. */
size_t ranked_table_encode_blocks(const struct block_space *space, struct block_worker *worker,
                                  uint64_t number, uint8_t *chunk);

/* Returns the number of the state at a position. */
uint64_t block_number(const struct block_space *space, uint64_t position);

#endif
