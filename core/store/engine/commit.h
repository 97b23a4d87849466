/* SPDX-License-Identifier: MIT */
/* Turns operations into one synchronous transaction. Only the writer thread calls these. */
#ifndef STORE_COMMIT_H
#define STORE_COMMIT_H

#include "store/engine/operation.h"
#include "store/lmdb/environment.h"

/* Commits a list of operations in one transaction and fills the outcome of each. Grows the map where that
 * helps. If they cannot be committed together, because the disk is full for example, each is tried alone: one
 * that does not fit fails no other. */
void commit_group(struct environment *environment, struct operation *group);
/* Commits the first operation of the list only. */
void commit_alone(struct environment *environment, struct operation *operation);

#endif
