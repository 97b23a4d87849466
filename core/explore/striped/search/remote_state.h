/* SPDX-License-Identifier: MIT */
/* A search's state about the other ranks: which partitions are theirs, and what waits for them. */
#ifndef STRIPED_REMOTE_STATE_H
#define STRIPED_REMOTE_STATE_H

#include "explore/exchange/mailbox.h"
#include "explore/striped/search/search_step.h"
#include "explore/striped/visited/inbox.h"

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
    unsigned stripe_bits;
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
static inline bool remote_has(const struct remote *remote, unsigned stripe)
{
    return stripe - remote->first >= remote->count;
}

/* Returns the partition of a key, where there are other ranks. */
static inline unsigned remote_stripe(const struct remote *remote, const uint64_t *key)
{
    return (unsigned)(key[0] >> 1 >> (63 - remote->stripe_bits));
}

/* Returns true if the partition of a key is another rank's. */
static inline bool remote_has_key(const struct remote *remote, const uint64_t *key)
{
    return remote->exchange != NULL && remote_has(remote, remote_stripe(remote, key));
}

/* Returns how many of all partitions are this rank's. */
static inline unsigned remote_share(const struct remote *remote, unsigned stripes)
{
    return remote->count < stripes ? remote->count : stripes;
}

#endif
