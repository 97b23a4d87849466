/* SPDX-License-Identifier: MIT */
/*
 * The states that a search has visited, behind one door. Two stores keep it: layers (visited_layers.c), for
 * spaces whose moves can be undone and whose tokens join, and a hash set (visited_hash.c), for all others and
 * for small searches. A search that has become large may go over from the set to layers (spread.c).
 *
 * Each function is given the search that owns the store, which is between two levels where nothing else is
 * said, and is called by the search's owner.
 */
#ifndef STRIPED_VISITED_H
#define STRIPED_VISITED_H

#include "explore/striped/search.h"

struct search_cursor;

struct visited {
    /* Makes an empty store of that many stripes. first_capacity: of each segment, 0 for the usual one.
     * Returns PZ_TOO_LARGE where the budget does not hold it, PZ_MEMORY where the system does not. */
    enum pz_status (*init)(struct search *search, unsigned stripes, uint64_t first_capacity,
                           struct pz_error *error);
    /* Inserts the root, as the frontier. Returns PZ_TOO_LARGE where the budget does not hold it. */
    enum pz_status (*insert_root)(struct search *search, const uint64_t *key, struct pz_error *error);

    /* A level: prepare, then expand and merge by every member of the crew, then, if the level is complete,
     * end. prepare returns false when the level would not fit. expand leaves the last successors in the
     * member's buckets; merge begins when all of them are in the inboxes. */
    bool (*prepare)(struct search *search);
    void (*expand)(struct search *search, struct member *member);
    void (*merge)(struct search *search, struct member *member);
    void (*end)(struct search *search);
    /* Takes a full chunk of a bucket, while a level is expanded. Returns false when memory is spent. */
    bool (*add)(struct search *search, struct member *member, unsigned stripe, struct chunk *chunk);
    struct inbox *(*inbox)(struct search *search, unsigned stripe);
    bool tokens_apart; /* chunks hold keys with a token of a byte; else entries */

    /* Returns the level of a key, or -1, in a search that keeps all states. */
    int64_t (*find)(const struct search *search, const uint64_t *key);
    /* Returns true when the key is in the frontier. */
    bool (*in_frontier)(const struct search *search, const uint64_t *key);
    /* Moves the cursor to the next state of its levels, in ascending order of the keys. Returns false at the
     * end. */
    bool (*next)(struct search_cursor *cursor, uint64_t *key, uint32_t *level);

    /* Returns true when the levels that going on needs are all there, also after a level that ended early. */
    bool (*is_whole)(const struct search *search);
    /* Puts back a state, in ascending order of the keys. Returns false when there is no memory for it or it
     * cannot be there. */
    bool (*put_back)(struct search *search, const uint64_t *key, uint32_t level);
    /* Ends putting back. Returns false when the frontier is not as wide as the search says. */
    bool (*reopen)(struct search *search);
};

extern const struct visited visited_layers;
extern const struct visited visited_hash;

/* Returns true when layers are the better store for this space. */
bool visited_layers_suit(const struct pz_space *space);
/* Returns the store for a search of this space over that many stripes. */
const struct visited *visited_for(const struct pz_space *space, unsigned stripes);

#endif
