/* SPDX-License-Identifier: MIT */
/*
 * The states that a search has visited, behind one interface. There are two stores: layers
 * (visited_layers.c), for spaces whose moves can be undone, and a hash set (visited_hash.c), for all others
 * and for small searches. A search that has become large may move from the
 * set to layers (spread.c).
 *
 * Each function is given the search that owns the store. Unless said otherwise it is called by the search's
 * owner, between two levels.
 */
#ifndef STRIPED_VISITED_H
#define STRIPED_VISITED_H

#include "explore/striped/search/search_step.h"

struct search_cursor;

struct visited {
    /* Makes an empty store of that many partitions. first_capacity: of each segment, 0 for the usual one.
     * Returns PZ_TOO_LARGE if the budget is too small, PZ_MEMORY if the system has no memory. */
    enum pz_status (*init)(struct search *search, unsigned partitions, uint64_t first_capacity,
                           struct pz_error *error);

    /* A level: prepare, then expand and merge by every searcher, then end if the level is complete.
     * prepare returns false if the level would not fit. expand leaves the last successors in the worker's
     * buckets; merge begins when all of them are in the inboxes. */
    bool (*prepare)(struct search *search);
    void (*expand)(struct search *search, struct searcher *worker);
    void (*merge)(struct search *search, struct searcher *worker);
    void (*end)(struct search *search);
    /* Takes the chunk of a bucket, while a level is expanded. Returns false if memory is spent. */
    bool (*add)(struct search *search, struct searcher *worker, unsigned partition, struct chunk *chunk);
    bool tokens_apart; /* chunks hold keys with a token of a byte; else entries */

    /* Returns the level of a key, or -1, in a search that keeps all states. */
    int64_t (*find)(const struct search *search, const uint64_t *key);
    /* Returns true if the key is in the frontier. */
    bool (*in_frontier)(const struct search *search, const uint64_t *key);
    /* Moves the cursor to the next state of its levels, in ascending order of the keys. Returns false at the
     * end. */
    bool (*next)(struct search_cursor *cursor, uint64_t *key, uint32_t *level);

    /* Returns true if all levels that are needed to go on are there, also after a level that ended early.
     * NULL: they always are, as the next level drops none that going on needs. */
    bool (*is_whole)(const struct search *search);
    /* Puts back a state, or puts in the root; states come in ascending order of the keys. Returns false
     * without memory, or if the state cannot be there. */
    bool (*put_back)(struct search *search, const uint64_t *key, uint32_t level);
    /* Ends putting back. Returns false if the frontier is not as wide as the search says. */
    bool (*reopen)(struct search *search);
};

extern const struct visited visited_layers;
extern const struct visited visited_hash;

/* Returns true if the space's tokens are sets that join: then no successor is in an earlier level. */
bool visited_tokens_join(const struct pz_space *space);
/* Returns true if layers are the better store for this space. */
bool visited_layers_suit(const struct pz_space *space);
/* Returns the store for a search of this space over that many partitions. */
const struct visited *visited_for(const struct pz_space *space, unsigned partitions);

#endif
