/* SPDX-License-Identifier: MIT */
/* A rank's question: the request on its command line, and the plan of it, as a daemon makes it. */
#ifndef RANK_QUESTION_H
#define RANK_QUESTION_H

#include "explore/exchange/exchange.h"
#include "explore/question_plan.h"
#include "protocol/request.h"
#include "rank_options.h"

struct rank_question {
    struct request request;
    struct pz_space *space; /* as the request has it; owned */
    uint64_t root[PZ_STATE_MAX / 8];
    struct question_plan plan;
    uint64_t moves;  /* a hash of the states that the root leads to */
    uint64_t memory; /* bytes that a rank may take; 0: not given */
};

/* Fills *question. A definition is known already (definition_share). The caller calls rank_question_clear,
 * even after a failure. */
enum pz_status question_open(const struct options *options, struct rank_question *question,
                             struct pz_error *error);
void rank_question_clear(struct rank_question *question);

/* Return PZ_OK if every rank runs this version, and has the question of rank 0; else the same error text on
 * all ranks. Every rank calls them. */
enum pz_status question_agree_version(const struct exchange *exchange, const char *version,
                                      struct pz_error *error);
enum pz_status question_agree(const struct exchange *exchange, const struct rank_question *question,
                              const struct options *options, struct pz_error *error);

/* A puzzle that is a text: rank 0 reads it, and all ranks know it then. Every rank calls it; path: of the
 * file, of which only rank 0's counts. NULL there: there is no definition. Returns the same status and text
 * on all ranks. */
enum pz_status definition_share(const struct exchange *exchange, const char *path, struct pz_error *error);

#endif
