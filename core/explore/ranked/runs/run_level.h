/* SPDX-License-Identifier: MIT */
/*
 * One level of a space whose moves carry *runs*: blocks of ranks. The worker that makes a run is its only
 * writer: it collects the run's new states from the runs that moves join it to. While those have few states,
 * it carries their states over; when few states are left in the run, it looks for a neighbour in the last
 * level for each of them instead.
 *
 * The ranks of a cluster divide the runs (run_share.h). What a level needs of other ranks' runs comes in
 * rounds (foreign_runs.h), and each run is then made once in each round.
 */
#ifndef EXPLORE_RANKED_RUN_LEVEL_H
#define EXPLORE_RANKED_RUN_LEVEL_H

#include "explore/ranked/ranked_parts.h"
#include "explore/ranked/runs/foreign_runs.h"
#include "explore/ranked/runs/run_file.h"
#include "explore/ranked/runs/run_kernel.h"
#include "explore/ranked/runs/run_kin.h"
#include "explore/sample/bottom_k.h"

/* Arrays are by the places of this rank's runs (run_share.h). */
struct run_space {
    struct pz_runs *runs; /* its own */
    struct run_shape shape;
    struct run_share share;
    struct states *states;
    struct run_file *file;        /* its own, where the states lie on disk; NULL: they are in memory */
    struct foreign_runs *foreign; /* its own, with other ranks; else NULL */
    uint32_t *found[2];           /* by the level's last bit: states of each run in it; its writer writes */
    uint32_t *left;               /* states of each run that are not reached */
    uint32_t *order;              /* places in the order in which runs are made; NULL: as they are */
    uint32_t together;            /* the most runs that are siblings; 1 without order */
    uint64_t seed;
    bool again; /* the level being made has had a round: this rank's own runs were carried in it */
};

/* Owned by one worker of the team. */
struct run_member {
    uint64_t *next, *left; /* sets of a run's states */
    struct run_list list;
    struct run_kin kin;
    struct pz_edge *forward; /* by move: from the run */
    /* On disk: the run `held`, which is the one being made, and the run that leads to it, as they were
     * read. */
    uint64_t *own, *source;
    uint64_t held; /* UINT64_MAX for none */
};

/* Receives what was found. */
struct run_sink {
    struct bottom_k *examples;  /* of words: see run_examples */
    struct ranked_parts *parts; /* NULL where they are not asked for */
    uint64_t found, generated;  /* added to */
};

/* ---- what spaces and workers own (run_space.c) ---- */

/* Returns how many positions the states of this rank's runs take. */
uint64_t run_positions(const struct pz_runs *runs, struct run_share share);
/* Returns the bytes that run_space_init takes, beside the states: tables, and numbers of each run. */
uint64_t run_space_bytes(const struct pz_runs *runs, struct run_share share);
/* Returns the words of a run with its active bits, as they lie on disk. */
size_t run_file_words(const struct run_shape *shape);
/* Takes ownership of the runs, also on failure. The states' count must be known; their memory or file may be
 * set later. */
bool run_space_init(struct run_space *space, struct pz_runs *runs, struct run_share share,
                    struct states *states, uint64_t seed);
void run_space_clear(struct run_space *space); /* closes the runs, the file and the foreign runs */
bool run_member_init(struct run_member *member, const struct run_space *space);
void run_member_clear(struct run_member *member);

/* Returns the run that is made after so many others of this rank's. */
static inline uint64_t run_space_at(const struct run_space *space, uint64_t at)
{
    return run_share_at(space->share, space->order != NULL ? space->order[at] : at);
}

/* ---- levels (run_level.c) ---- */

/* Counts again after a checkpoint has filled states and active bits: the states of the newest level, and for
 * the first `done` that are made also those of the level being made. */
bool run_space_count(struct run_space *space, uint32_t level, uint64_t done);

/* Makes one of this rank's runs in a level; with other ranks, its states that this round leads to. */
void run_level_make(const struct run_space *space, struct run_member *member, struct run_sink *sink,
                    uint32_t level, uint64_t run);
/* Makes a run's part of level 0: the numbers that are chosen. */
void run_level_choose(const struct run_space *space, struct run_member *member, struct run_sink *sink,
                      uint64_t run, bool (*is_chosen)(const void *context, uint64_t number),
                      const void *context);

/* Returns the set of a run's states in the last level, until the worker's next call. */
const uint64_t *run_last_states(const struct run_space *space, struct run_member *member, uint32_t last,
                                uint64_t run);

/* ---- examples: samples of words, with the states of the level in them (run_examples.c) ---- */

/* Adds another sample. A word that both have becomes one, with the states of both. */
void run_examples_join(struct bottom_k *sample, const struct bottom_k *other);
/* Returns what is wrong with an entry that came from a rank; NULL if it is one that may come. */
const char *run_example_fault(const struct run_space *space, unsigned from,
                              const struct bottom_k_entry *entry);
/* Writes the numbers of up to `most` states of a sorted sample: one of each word, then a second one of each,
 * and so on. Returns how many. */
unsigned run_examples(const struct run_space *space, const struct bottom_k *sample, uint64_t *numbers,
                      unsigned most);

/* Returns a run's states after the last level, until the worker's next call. */
const _Atomic uint64_t *run_states(const struct run_space *space, struct run_member *member, uint64_t run);
/* Writes chunk `number` of a table (ranked_table.h): the states by number. Returns its length. */
size_t run_table_encode(const struct run_space *space, struct run_member *member, uint64_t number,
                        uint8_t *chunk);

/* Returns the number of the state at a position. */
uint64_t run_number(const struct run_space *space, uint64_t position);

#endif
