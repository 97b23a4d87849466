/* SPDX-License-Identifier: MIT */
/* Walks through the states of complete levels, in a run that keeps all states, and through dead states. Such
 * walks make the table, examples of a level, and the numbers of moves. */
#ifndef STRIPED_STATE_WALK_H
#define STRIPED_STATE_WALK_H

#include "explore/key/key_list.h"
#include "explore/striped/disk/disk_search.h"
#include "explore/striped/search/search.h"
#include "explore/striped/striped_graph.h"

enum { WALK_LOOK_STATES = 1 << 16 /* between two looks at the control and reports */ };

/* The states that are walked through. */
struct walked {
    const struct search *search; /* one of these three is set */
    const struct move_graph *graph;
    struct disk_search *disk;
    const struct key_list *dead; /* beside those of a search, in ascending order; NULL for none */
    unsigned words;              /* of a key; with dead only */
    uint32_t depth;              /* the last level */
    bool complete;
};

/* In a search on disk that keeps all levels. */
struct disk_walk {
    struct disk_search *search;
    struct partition_parts feed;      /* of the pieces that are read ahead; age is the level */
    const struct partition_want *got; /* the first piece of the next part; NULL after the last */
    const uint64_t *entries;          /* of it */
    uint32_t depth;
    uint32_t partition; /* the partition of the states in the radix */
    uint64_t at, count; /* in the first worker's radix: entries, each followed by its level */
    struct pz_error error;
    enum pz_status status;
};

struct state_walk {
    struct walked walked;
    struct search_cursor cursor; /* in a search */
    uint64_t at;                 /* in a graph */
    struct disk_walk partitions; /* on disk */
    /* If there are dead states: the next state that is not dead, and how many dead ones have been
     * passed. */
    uint64_t next_key[KEY_WORDS_MAX];
    uint32_t next_level;
    bool ahead, more;
    uint64_t passed;
};

void state_walk_begin(struct state_walk *walk, const struct walked *walked); /* the walk must not move */
/* Moves to the next state, in ascending order of the keys. The level of a dead one is depth + 1. Returns
 * false at the end. */
bool state_walk_next(struct state_walk *walk, uint64_t *key, uint32_t *level);
/* Returns PZ_OK, or why the walk ended too early: PZ_MEMORY, or the disk's status; the text says what the
 * walk was for. */
enum pz_status state_walk_status(const struct state_walk *walk, const char *what, struct pz_error *error);
void state_walk_end(struct state_walk *walk);

/* ---- runs of the table ---- */

enum { TABLE_RUN_KEYS = 4096 };

struct table_runs {
    struct state_walk walk;
    bool begun;
    unsigned words;
    uint64_t *keys; /* TABLE_RUN_KEYS × words */
    uint32_t distances[TABLE_RUN_KEYS];
};

/* Makes the next run; count 0 after the last. runs is zeroed at first. Returns PZ_MEMORY without memory,
 * PZ_STORAGE if what is on the disk is damaged. */
enum pz_status table_runs_next(struct table_runs *runs, const struct walked *walked, struct explore_run *out,
                               struct pz_error *error);
void table_runs_clear(struct table_runs *runs); /* a zeroed one is fine */

/* ---- examples ---- */

/* Offers all states of a level to the sample, by hashes of the seed; the search keeps that level. Returns
 * PZ_CANCELLED if the monitor's control says so. */
enum pz_status walk_sample(const struct search *search, uint32_t level, uint64_t seed,
                           struct monitor *monitor, struct bottom_k *sample, struct pz_error *error);

#endif
