/* SPDX-License-Identifier: MIT */
/*
 * Small writes on their way to the disk, and the ordered map of them in which readers look first, so that
 * everyone reads at once what was written behind. A treap (Seidel and Aragon 1996): a few thousand
 * entries at most, ordered by database and key.
 *
 * Nothing here locks: the writer's lock guards it.
 */
#ifndef STORE_PENDING_H
#define STORE_PENDING_H

#include "store/codec.h"

#include <stdatomic.h>

/* One key's new value, or its removal. Belongs to one operation. */
struct change {
    struct change *next;         /* of the same operation, in order */
    struct change *left, *right; /* in the map */
    uint64_t priority;
    bool in_map;
    /* A later change of the same key came. Who submits that one writes it, the writer reads it while it
     * commits. */
    _Atomic bool superseded;
    bool erase;
    enum database database;
    struct key key;
    size_t length;
    uint8_t value[]; /* sealed */
};

struct pending {
    struct change *root;
    uint64_t seed; /* of the priorities */
};

/* Puts a change in, in place of an earlier one of the same key. */
void pending_add(struct pending *pending, struct change *change);
/* Takes it out, unless a later one has its place. */
void pending_remove(struct pending *pending, struct change *change);
/* The change of exactly this key, or NULL. */
const struct change *pending_find(const struct pending *pending, enum database database,
                                  const struct key *key);
/* The first change of this database whose key is not below key, or NULL. */
const struct change *pending_from(const struct pending *pending, enum database database,
                                  const struct key *key);

#endif
