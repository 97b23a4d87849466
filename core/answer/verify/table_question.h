/* SPDX-License-Identifier: MIT */
/* The question that a stored table answers, read back from its name. */
#ifndef ANSWER_VERIFY_TABLE_QUESTION_H
#define ANSWER_VERIFY_TABLE_QUESTION_H

#include "explore/explore.h"
#include "puzzled/space.h"

struct table_question {
    struct pz_space *space; /* owned */
    uint64_t root[PZ_STATE_MAX / 8];
    enum explore_from from;
};

/* Reads "slide:3x3 root=1,2,… from=goals". PZ_STORAGE if it has no root; PZ_BAD_PUZZLE where the puzzle is
 * not known here. */
enum pz_status table_question_open(const char *name, struct table_question *question, struct pz_error *error);
void table_question_clear(struct table_question *question);

#endif
