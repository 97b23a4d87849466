/* SPDX-License-Identifier: MIT */
/* A rank's question: the space and the root that its command line names, in their canonical orientation. */
#ifndef QUESTION_H
#define QUESTION_H

#include "explore/exchange/exchange.h"
#include "options.h"

struct question {
    struct pz_space *space; /* owned */
    uint64_t root[PZ_STATE_MAX / 8];
};

/* Fills *question. The caller calls question_clear, even after a failure. */
enum pz_status question_open(const struct options *options, struct question *question,
                             struct pz_error *error);
void question_clear(struct question *question);

/* Return PZ_OK if every rank runs this version, and has the question of rank 0; else the same error text on
 * all ranks. Every rank calls them. */
enum pz_status question_agree_version(const struct exchange *exchange, const char *version,
                                      struct pz_error *error);
enum pz_status question_agree(const struct exchange *exchange, const struct question *question,
                              const struct options *options, struct pz_error *error);

#endif
