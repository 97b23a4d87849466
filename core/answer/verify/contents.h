/* SPDX-License-Identifier: MIT */
/* Holds all that is stored against the rules of the puzzles; store_fsck checks what needs no rules. */
#ifndef ANSWER_VERIFY_CONTENTS_H
#define ANSWER_VERIFY_CONTENTS_H

#include "store/store.h"

/*
 * Checks the levels and the examples of every exploration that has ended, and every state of every table;
 * adds up each table (table_tally.h). Calls report, with one line without an LF, for each fault, and adds to
 * *faults. Leaves out puzzles that are not known here, and what store_fsck calls damaged. PZ_OK if all could
 * be looked at, whatever was found.
 */
enum pz_status contents_check(struct store *store, void (*report)(void *context, const char *fault),
                              void *context, uint64_t *faults, struct pz_error *error);

#endif
