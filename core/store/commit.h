/* SPDX-License-Identifier: MIT */
/* From operations to one synchronous transaction; the writer thread's. */
#ifndef STORE_COMMIT_H
#define STORE_COMMIT_H

#include "store/environment.h"
#include "store/operation.h"

/* Commits a list of operations in one transaction and fills the outcome of each. Grows the map where that
 * helps. When they cannot be committed together (the disk is full, say), they are tried one by one, so that
 * one that does not fit takes no other with it. */
void commit_group(struct environment *environment, struct operation *group);
/* Commits the first operation of the list only. */
void commit_alone(struct environment *environment, struct operation *operation);

#endif
