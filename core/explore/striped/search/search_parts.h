/* SPDX-License-Identifier: MIT */
/* The inside of a search, which search.c shares with the two stores of visited states and with remote.c
 * and spread.c. All others use search.h. */
#ifndef STRIPED_SEARCH_PARTS_H
#define STRIPED_SEARCH_PARTS_H

#include "explore/exchange/mailbox.h"
#include "explore/striped/search/search_step.h"
#include "explore/striped/visited/layers.h"
#include "explore/striped/visited/visited.h"

enum {
    /* From so many states on they are spread over partitions … */
    SEARCH_LARGE_STATES = 1 << 15,
    /* … but, where tokens do not join, only with a level as wide as this, or from SEARCH_LARGE_NARROW on: a
     * narrow level gives every partition a state or two, and opening a chunk for them costs more than
     * inserting them. */
    SEARCH_WIDE_LEVEL = 1 << 14,
    SEARCH_LARGE_NARROW = 1 << 20,
};

/* ---- the other ranks: which partitions are theirs, and what waits for them ---- */

struct outgoing {
    struct inbox inbox;    /* pushed to by every worker, taken by the owner */
    struct chunk *taken;   /* from the inbox, not yet sent; the owner's alone, as is what follows */
    uint32_t taken_chunks; /* how many these are */
};

/* A rank's part of a level. */
struct rank_level {
    uint64_t found, generated, expanded;
    uint64_t halt; /* enum halt */
};

struct remote {
    const struct exchange *exchange; /* NULL: this process is alone */
    unsigned first, count;           /* the partitions of this rank; when alone, all possible numbers */
    unsigned partition_bits;
    struct outgoing *out; /* for each rank */
    struct mailbox *mailbox;
    struct budget *budget; /* which holds the mailbox */
    uint32_t full;         /* so many full chunks fill a message */
    /* Of the level being made: */
    _Atomic unsigned flushed; /* other workers that have pushed everything: they add, the owner reads */
    /* In complete levels of the other ranks: */
    uint64_t frontier_states, previous_states, states;
    uint64_t generated, expanded; /* also in one that ended early */
};

/* Returns true if a partition is another rank's. */
static inline bool remote_has(const struct remote *remote, unsigned partition)
{
    return partition - remote->first >= remote->count;
}

/* Returns the partition of a key, where there are other ranks. */
static inline unsigned remote_partition(const struct remote *remote, const uint64_t *key)
{
    return (unsigned)(key[0] >> 1 >> (63 - remote->partition_bits));
}

/* Returns true if the partition of a key is another rank's. */
static inline bool remote_has_key(const struct remote *remote, const uint64_t *key)
{
    return remote->exchange != NULL && remote_has(remote, remote_partition(remote, key));
}

/* Returns how many of all partitions are this rank's. */
static inline unsigned remote_share(const struct remote *remote, unsigned partitions)
{
    return remote->count < partitions ? remote->count : partitions;
}

/* ---- the search ---- */

/* The states of one partition that are being put back into layers, of all levels mixed. */
struct restore {
    uint64_t *pairs; /* room keys in ascending order, each followed by its level */
    uint64_t count, room;
    unsigned partition;
};

struct search {
    const struct pz_space *space;
    struct searchers *searchers;
    unsigned words;
    bool keep_all;
    const struct visited *visited; /* the store in use: */
    bool spread;                   /* level 0 may have states that lead to one another */
    bool tokens_missing;           /* layers: the frontier's tokens may not name all moves back */
    unsigned large_partitions;     /* to spread over when large; 0: the caller's number, from the start */
    struct set set;
    struct layers layers;
    struct remote remote; /* the numbers of states below do not count those of other ranks */
    uint32_t inbox_limit; /* with a set: chunks that an inbox may have before it is inserted */
    uint32_t level;
    uint64_t frontier_states, previous_states;
    uint64_t states, generated, expanded;     /* of complete levels; the work also of one that ended early */
    uint64_t generated_whole, expanded_whole; /* of complete levels alone */
    struct frontier frontier;                 /* with a set: guarded by lock while a level runs */
    struct restore restore;
    uint64_t seed;

    /* Of the level being made. */
    const struct search_step *step;
    struct layers_step layers_step;
    struct monitor *monitor;
    unsigned working;     /* threads that make it, the owner among them */
    pthread_mutex_t lock; /* guards frontier and found */
    uint64_t found[KEY_WORDS_MAX];
    _Atomic int halt;                /* enum halt: the first worker to halt sets it, all read it */
    _Atomic unsigned next_walk;      /* partition to be expanded, with layers; workers count it up */
    _Atomic unsigned next_partition; /* partition to be merged; workers count it up */
};

/* ---- search.c ---- */

void search_halt(struct search *search, enum halt halt);
bool search_halted(const struct search *search);
/* Halts with that state. */
void search_found(struct search *search, const uint64_t *key);
/* Return true if the step looks for a goal, and if this state, of that key, is one. */
bool search_wants_goal(const struct search *search);
bool search_is_goal(const struct search *search, const uint64_t *key, const uint64_t *state);

/* ---- figures ---- */

/* Returns the words of keys or entries that a bucket's chunk has room for. */
size_t search_bucket_room(const struct search *search);
/* Returns how many times as wide the frontier of all ranks is as the level before. */
double search_growth(const struct search *search);

/* ---- polling ---- */

/* Returns true when the worker shall go on. Every worker looks at the halt word; the owner also looks at the
 * clock, and reports. */
bool search_goes_on(struct search *search, const struct searcher *worker);

/* ---- spread.c ---- */

/* Spreads a set that has become large over its partitions, or turns it into layers. Where that fails the
 * search stays as it is. */
void search_spread(struct search *search);

/* ---- spread.c: put_back and reopen of layers ---- */

bool layers_put_back(struct search *search, const uint64_t *key, uint32_t level);
bool layers_reopen(struct search *search);
void restore_clear(struct search *search);

/* ---- remote.c ---- */

/*
 * The partitions of other ranks. All ranks number the partitions alike. Each owns as many as the others, in
 * one row, so that the ranks' keys are in order, too. Successors for a partition of another rank wait in that
 * rank's inbox here until they fill a message. Successors that come in go into the buckets of the owner of
 * the search, as if the owner had made them. A level is a round of exchange/mailbox.h.
 */

/* exchange may be NULL. Returns false without memory. */
bool remote_init(struct search *search, const struct exchange *exchange, unsigned partitions);
void remote_clear(struct remote *remote); /* all zeros is fine */

/* Returns the rank that has the partition of a key. */
unsigned remote_rank(const struct remote *remote, const uint64_t *key);

/* ---- a level of a search that has other ranks ---- */

/* Takes a chunk for a partition of another rank. Waits while too much is to be sent. Called by any worker. */
void remote_push(struct search *search, struct searcher *worker, unsigned partition, struct chunk *chunk);
/* Sends full messages and takes those that came in. Returns false if there were none. Called by the owner. */
bool remote_work(struct search *search);
/* Waits until every rank's successors for this one have come. Called by every worker, after it has pushed all
 * that it has for other ranks. What came in last still lies in the owner's buckets. */
void remote_meet(struct search *search, struct searcher *worker);
/* Reports to all ranks how the level went here, and learns how it went there. Returns the halt of the first
 * rank that halted. Called by the owner. */
enum halt remote_settle(struct search *search, const struct rank_level *own);

#endif
