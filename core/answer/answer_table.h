/* SPDX-License-Identifier: MIT */
/* The table that answers a question: what the files of this layer share. Others need answer.h. */
#ifndef ANSWER_ANSWER_TABLE_H
#define ANSWER_ANSWER_TABLE_H

#include "answer/answer.h"
#include "answer/table_match.h"

/* Finds and opens the table to ask. Where there is one goal and moves can be undone, it is the one of the
 * distances from that goal. *out is never NULL. */
enum pz_status answers_choose(struct answers *answers, const struct pz_space *space, enum answer_from from,
                              struct table_match **out, struct pz_error *error);
/* Returns true if the table has distances to the nearest goal. */
bool answers_to_goal(const struct table_match *match, const struct pz_space *space);
/* Ends every answer: outside a batch nothing stays open. Returns status. */
enum pz_status answers_ended(struct answers *answers, enum pz_status status);

#endif
