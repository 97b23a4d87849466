/* SPDX-License-Identifier: MIT */
/*
 * A level-synchronous breadth-first search from one root over any space. explore_run and the solvers drive it
 * level by level.
 *
 * A level, as search_advance makes it:
 *
 *     search_prepare     a set that has become large is spread; will the level fit in memory?
 *     search_begin       the counters of a level are 0
 *     search_work        every worker of the team:
 *         expand           takes states of the frontier, expands and mixes them, gathers the keys by
 *                          partition; full chunks go to the partitions' inboxes
 *         flush_buckets    so do the last chunks, which are not full
 *         remote_meet      with other ranks: waits until the successors of all have come
 *         team_barrier     no more successors come
 *         merge            takes partitions, removes duplicates in their inboxes and what is in older
 *                          levels; the rest is the partition's part of the new level
 *     search_tally       adds up what the workers did
 *     remote_settle      with other ranks: all halt, or none
 *     search_end         the new level is the frontier
 *
 * expand and merge are those of the store that holds the visited states: layers or a hash set (visited.h).
 *
 * A search begins with a set of one partition, which grows as needed, on the caller's thread alone. When it
 * has become large, it is spread over many partitions, between two levels, and the searchers start. So a
 * small question costs microseconds.
 */
#ifndef STRIPED_SEARCH_H
#define STRIPED_SEARCH_H

#include "explore/checkpoint/checkpointer.h"
#include "explore/key/radix.h"
#include "explore/striped/search/search_step.h"

struct exchange; /* exchange.h */

struct search_options {
    const void *root;
    const struct search_place
        *place;              /* to resume from, with search_put_back and search_reopen; NULL: the root */
    bool spread;             /* level 0 may have states that lead to one another */
    bool keep_all;           /* keep every visited state; else, in reversible spaces, only three levels */
    unsigned partitions;     /* a power of two, used from the start; 0 for the engine's choice */
    uint64_t first_capacity; /* of each segment; 0 for the usual one */
    uint64_t seed;           /* of the examples */
    /* Other ranks that have a part of the partitions; NULL for none. With ranks partitions is not 0, place is
     * NULL and all options are the same on all ranks. */
    const struct exchange *exchange;
};

/* Bytes of a chunk, for searchers. */
size_t search_chunk_bytes(const struct pz_space *space);

/* Returns how many partitions suit the searchers' memory; ranks is 1 for a search that is alone. */
unsigned search_partitions(const struct searchers *searchers, unsigned ranks);

enum pz_status search_new(struct searchers *searchers, const struct search_options *options,
                          struct search **out, struct pz_error *error);
void search_free(struct search *search); /* NULL is fine */

/*
 * Makes the next level. HALT_NONE: it is complete, and is now the frontier. Otherwise the set holds part of
 * it, with its distance, and the search cannot go on. With HALT_FOUND, found is the state (a mixed key).
 * HALT_MEMORY may also come before any work, if the level would not fit. The monitor must outlive the search;
 * it is told how far the level is.
 */
enum halt search_advance(struct search *search, struct monitor *monitor, const struct search_step *step,
                         uint64_t *found);

/* The place after the last complete level. */
struct search_place search_place(const struct search *search);
/* Returns true if the set still holds all that search_place needs; for use after a level that ended early. */
bool search_is_whole(const struct search *search);
/* Puts one state back into a search that was made with a place; distance is the low 16 bits of its level.
 * States come in ascending order of the keys. Returns false without memory, or if it cannot be there. */
bool search_put_back(struct search *search, const uint64_t *key, uint16_t distance);
/* Restores the frontier, after all states are back. Returns false if it is not as wide as the place says. */
bool search_reopen(struct search *search);

/* The numbers count the states of all ranks, where there are others. */
uint32_t search_level(const struct search *search);    /* of the frontier */
uint64_t search_frontier(const struct search *search); /* states in it, also after a step with last */
uint64_t search_states(const struct search *search);   /* in all complete levels */
uint64_t search_generated(const struct search *search);
uint64_t search_expanded(const struct search *search);
/* Return the lowest level that is needed to go on, how many states are kept from it on, and the words of a
 * key. */
uint32_t search_lowest(const struct search *search);
uint64_t search_held(const struct search *search);
unsigned search_words(const struct search *search);
/* Returns the distance of a key, or -1, in a search that keeps all states. */
int64_t search_find(const struct search *search, const uint64_t *key);

/* ---- walking through the states, between two levels or after a level that ended early ---- */

struct search_cursor {
    const struct search *search;
    uint32_t lowest, deepest; /* levels that are walked through */
    bool failed;              /* there was no memory: the walk ended too early */
    struct set_cursor place;  /* in a set */
    struct budget own;
    struct radix radix; /* with layers: a partition's states, each with its level, in the order of keys */
    unsigned partition; /* the next one */
    uint64_t at, count; /* in radix; for a single level, positions of the partition's log */
};

/* Walks through the complete levels from lowest to deepest, both included. The cursor must not move. */
void cursor_begin(struct search_cursor *cursor, const struct search *search, uint32_t lowest,
                  uint32_t deepest);
/* Finds the next state, in ascending order of the keys, and its level. Returns false at the end. */
bool cursor_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level);
void cursor_end(struct search_cursor *cursor);

/* Returns true if the level is one of the cursor's. */
static inline bool cursor_wants(const struct search_cursor *cursor, uint32_t level)
{
    return level >= cursor->lowest && level <= cursor->deepest;
}

/*
 * Returns true if every successor of the states of the search's level was visited. It stops at the first one
 * that was not: after a few states if there are more levels, after a pass over the whole level if it is the
 * last. It also returns false if the answer stays unknown: the control says stop, its deadline has passed,
 * or there is no memory. Called by the owner of the search, between two levels; over ranks all call it
 * together, and it returns the same on all.
 */
bool search_is_exhausted(const struct search *search, const struct pz_space *space,
                         const struct control *control);

#endif
