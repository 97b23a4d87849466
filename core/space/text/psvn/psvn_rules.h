/* SPDX-License-Identifier: MIT */
/* Facts about rules that need no state: their plain form, which of them undo each other, and the text
 * that all spellings of the same puzzle share. */
#ifndef TEXT_PSVN_RULES_H
#define TEXT_PSVN_RULES_H

#include "puzzled/space.h"
#include "space/text/psvn/psvn_model.h"

/*
 * Brings all rules into plain form and drops those that change nothing. In the plain form the right side is
 * open where it would write what the left side found, a name that tests and copies nothing is open, and names
 * are numbered in the order in which they appear.
 */
enum pz_status psvn_rules_simplify(struct psvn_model *model, struct pz_error *error);

/* Makes the model of the backward moves: each rule's inverse, in plain form. What a rule loses becomes a name
 * that the inverse does not bind. The words still lie in the first model, which must live longer. */
enum pz_status psvn_rules_invert(const struct psvn_model *model, struct psvn_model **out,
                                 struct pz_error *error);

/* Makes the model of the rules whose labels are in a list, commas, colons or blanks between, in the same way.
 * Fails if one of them is no label. labels: the list in the order of the text; "" if these are all rules. */
enum pz_status psvn_rules_pick(const struct psvn_model *model, const char *list, struct psvn_model **out,
                               char labels[PZ_SIZE_MAX], struct pz_error *error);

#define PSVN_NO_RULE UINT32_MAX
/* Fills undo[i] with a rule that is exactly the inverse of rule i and costs as much, or PSVN_NO_RULE. Sets
 * *all if each rule has one: then every move can be undone by one move. */
enum pz_status psvn_rules_undo(const struct psvn_model *model, uint32_t *undo, bool *all,
                               struct pz_error *error);

/* Writes the canonical text of a model in plain form, malloc'd. */
enum pz_status psvn_canonical(const struct psvn_model *model, char **out, size_t *length,
                              struct pz_error *error);

#endif
