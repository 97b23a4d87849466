/* SPDX-License-Identifier: MIT */
/*
 * The table that answers a question. All positions of the goal and all symmetric variants of a puzzle share
 * one table, that of the canonical question; a match turns states of the question into states of that table
 * and back. Finding one takes longer than a lookup, so the last few are kept; their views only within a
 * batch.
 */
#ifndef ANSWER_TABLE_MATCH_H
#define ANSWER_TABLE_MATCH_H

#include "explore/table/table_reader.h"
#include "space/root_set.h"
#include "store/store.h"

enum { MATCH_WORDS = PZ_STATE_MAX / 8 };

struct table_match {
    /* The question: states of this space, distances from the nearest of these roots. */
    const struct pz_puzzle *puzzle;
    uint32_t state_bytes;
    char size[PZ_SIZE_MAX];
    struct root_set roots;
    enum explore_from from; /* distances from the roots, or of all that they reach to the nearest goal */
    /* Its canonical form. */
    struct pz_space *canonical; /* owned; NULL when the puzzle has no canonical form: the space is its own */
    struct pz_canon canon;
    char name[STORE_NAME_MAX]; /* of the table */
    /* Its table, within a batch; NULL outside. */
    struct table_view *view;
    struct table_reader *reader; /* chosen by the format in its record; stays when the view goes */
    uint64_t used;               /* number of the last lookup that used it; the least is replaced */
};

/* Finds the canonical question, and writes the name of the table that holds the distances from its roots.
 * *canonical is the caller's to close; NULL where the puzzle has no canonical form. */
enum pz_status table_match_name(const struct pz_space *space, const void *roots, unsigned count,
                                enum explore_from from, struct pz_canon *canon, struct pz_space **canonical,
                                char out[STORE_NAME_MAX], struct pz_error *error);

enum pz_status table_match_init(struct table_match *match, const struct pz_space *space,
                                const struct root_set *roots, enum explore_from from, struct pz_error *error);
void table_match_clear(struct table_match *match);
bool table_match_is_for(const struct table_match *match, const struct pz_space *space,
                        const struct root_set *roots, enum explore_from from);

/* Opens the table if it is not open; space is the question's. PZ_NO_TABLE if none is stored, PZ_STORAGE if
 * its record cannot be true. */
enum pz_status table_match_open(struct table_match *match, const struct pz_space *space, struct store *store,
                                struct pz_error *error);
/* Fails with PZ_NO_TABLE: names the exploration that would make the table, and what that takes if it is
 * known. */
enum pz_status table_match_missing(const struct table_match *match, const struct pz_space *space,
                                   struct pz_error *error);
/* Closes the table's view. */
void table_match_release(struct table_match *match);

/* Returns the space of the table's states: the canonical one, or the question's own. */
const struct pz_space *table_match_space(const struct table_match *match, const struct pz_space *space);
/* Turn a state of the question into one of the table, and back. space is the question's. */
void table_match_to_table(const struct table_match *match, const struct pz_space *space, const void *state,
                          void *canonical);
void table_match_from_table(const struct table_match *match, const struct pz_space *space,
                            const void *canonical, void *state);

#endif
