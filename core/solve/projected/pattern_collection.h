/* SPDX-License-Identifier: MIT */
/* A collection of abstractions, and its text. */
#ifndef PROJECTED_PATTERN_COLLECTION_H
#define PROJECTED_PATTERN_COLLECTION_H

#include "solve/solve_request.h"
#include "space/text/project/projection.h"

enum { COLLECTION_MAX = 16 };

struct pattern_collection {
    unsigned count;
    uint64_t atoms[COLLECTION_MAX];
    uint8_t group[COLLECTION_MAX]; /* ascending. Groups are added up, in one the greatest counts */
    char text[SOLVE_PARTITION_MAX];
};

/* Cuts the atoms, in their order, into patterns as large as so many bytes for all of them allow. Returns
 * false if there is none. */
bool collection_choose(const struct projector *projector, uint64_t bytes,
                       struct pattern_collection *collection);
/* Leaves out a pattern; there must be another one. The others come in groups of their own, in another order.
 */
void collection_drop(const struct projector *projector, struct pattern_collection *collection,
                     unsigned number);
/* Reads the text of a collection, in which '+' and '|' are the same: abstractions decide which it is. */
enum pz_status collection_parse(const struct projector *projector, const char *text,
                                struct pattern_collection *collection, struct pz_error *error);

#endif
