/* SPDX-License-Identifier: MIT */
/*
 * The stripes of other ranks. All ranks number the stripes alike. Each owns as many as the others, in one
 * row, so that the ranks' keys are in order, too. What a rank makes for a stripe of another waits in that
 * rank's inbox here, until it fills a message. What comes in goes into the buckets of the owner of the
 * search, as if the owner had made it. A level is a round of exchange/post.h.
 */
#ifndef STRIPED_REMOTE_H
#define STRIPED_REMOTE_H

#include "explore/exchange/post.h"
#include "explore/striped/search/crew.h"
#include "explore/striped/search/search.h"
#include "explore/striped/visited/inbox.h"

struct outgoing {
    struct inbox inbox;    /* pushed to by every member, taken by the owner */
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
    unsigned first, count;           /* the stripes of this rank; when alone, all possible numbers */
    unsigned stripe_bits;
    struct outgoing *out; /* for each rank */
    struct post *post;
    struct budget *budget; /* which holds the post */
    uint32_t full;         /* so many full chunks fill a message */
    /* Of the level being made: */
    _Atomic unsigned flushed; /* other members that have pushed everything: they add, the owner reads */
    /* In complete levels of the other ranks: */
    uint64_t frontier_states, previous_states, states;
    uint64_t generated, expanded; /* also in one that ended early */
};

/* exchange may be NULL. Returns false without memory. */
bool remote_init(struct search *search, const struct exchange *exchange, unsigned stripes);
void remote_clear(struct remote *remote); /* all zeros is fine */

/* Returns true if a stripe is another rank's. */
static inline bool remote_has(const struct remote *remote, unsigned stripe)
{
    return stripe - remote->first >= remote->count;
}

/* Returns the stripe of a key, where there are other ranks. */
static inline unsigned remote_stripe(const struct remote *remote, const uint64_t *key)
{
    return (unsigned)(key[0] >> 1 >> (63 - remote->stripe_bits));
}

/* Returns true if the stripe of a key is another rank's. */
static inline bool remote_has_key(const struct remote *remote, const uint64_t *key)
{
    return remote->exchange != NULL && remote_has(remote, remote_stripe(remote, key));
}

/* Returns the rank that has the stripe of a key. */
unsigned remote_rank(const struct remote *remote, const uint64_t *key);

/* Returns how many of all stripes are this rank's. */
static inline unsigned remote_share(const struct remote *remote, unsigned stripes)
{
    return remote->count < stripes ? remote->count : stripes;
}

/* ---- a level of a search that has other ranks ---- */

void remote_begin(struct search *search);
/* Takes a chunk for a stripe of another rank. Waits while too much is to be sent. Called by any member. */
void remote_push(struct search *search, struct crew_member *member, unsigned stripe, struct chunk *chunk);
/* Sends full messages and takes those that came in. Returns false if there were none. Called by the owner. */
bool remote_work(struct search *search);
/* Waits until every rank's successors for this one have come. Called by every member, after it has pushed all
 * that it has for other ranks. What came in last still lies in the owner's buckets. */
void remote_meet(struct search *search, struct crew_member *member);
/* Tells all ranks how the level went here, and learns how it went there. Returns the halt of the first
 * rank that halted. Called by the owner. */
enum halt remote_settle(struct search *search, const struct rank_level *own);

#endif
