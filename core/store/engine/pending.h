/* SPDX-License-Identifier: MIT */
/*
 * Small writes that are not committed yet, in an ordered map. Readers look there first, so that they see a
 * change before it is committed. The map is a treap (Seidel and Aragon 1996) of a few thousand entries at
 * most, ordered by database and key. It has no lock of its own: the writer's lock guards it.
 */
#ifndef STORE_PENDING_H
#define STORE_PENDING_H

#include "store/lmdb/value_codec.h"

#include <stdatomic.h>

/* One key's new value, or its removal. Belongs to one operation. */
struct change {
    struct change *next;         /* of the same operation, in order */
    struct change *left, *right; /* in the map */
    uint64_t priority;
    bool in_map;
    /* A later change of the same key came. Written by the thread that submits that change, read by the writer
     * thread while it commits. */
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

/* Adds a change, in place of an earlier one of the same key. */
void pending_add(struct pending *pending, struct change *change);
/* Removes a change, unless a later one has replaced it. */
void pending_remove(struct pending *pending, struct change *change);
/* Returns the change of exactly this key, or NULL. */
const struct change *pending_find(const struct pending *pending, enum database database,
                                  const struct key *key);
/* Returns the first change of this database whose key is not below key, or NULL. */
const struct change *pending_from(const struct pending *pending, enum database database,
                                  const struct key *key);

#endif
