/* SPDX-License-Identifier: MIT */
/*
 * Which stored table answers a question, and how boards of the question become boards of the table. Making
 * this out takes longer than a lookup, so the last few are kept; their views only within a batch.
 */
#ifndef ANSWER_COVERING_H
#define ANSWER_COVERING_H

#include "explore/dense/table.h"
#include "store/store.h"

enum { COVERING_WORDS = PZ_STATE_MAX / 8 };

struct covering {
    /* The question: states of this space, distances from this root. */
    const struct pz_puzzle *puzzle;
    uint32_t state_bytes;
    char size[PZ_SIZE_MAX];
    uint64_t root[COVERING_WORDS];
    /* Its canonical form. */
    struct pz_space *canonical; /* owned; NULL when the puzzle has no canonical form: the space is its own */
    struct pz_canon canon;
    char name[STORE_NAME_MAX]; /* of the table */
    /* Its table, within a batch; NULL outside. */
    struct table_view *view;
    struct dense_table *dense; /* reader of a dense table; stays, without the view */
    uint64_t used;             /* when, in lookups; the least is replaced */
};

/* Writes the name of the table that holds the distances from root. */
enum pz_status covering_name(const struct pz_space *space, const void *root, struct pz_canon *canon,
                             struct pz_space **canonical, char out[STORE_NAME_MAX], struct pz_error *error);

enum pz_status covering_init(struct covering *covering, const struct pz_space *space, const void *root,
                             struct pz_error *error);
void covering_clear(struct covering *covering);
bool covering_is_for(const struct covering *covering, const struct pz_space *space, const void *root);

/* Opens the table when it is not open. PZ_NO_TABLE when none is stored. */
enum pz_status covering_open(struct covering *covering, struct store *store, struct pz_error *error);
/* Lets go of the store. */
void covering_release(struct covering *covering);

/* The space of the table's states: the canonical one, or the question's own. */
const struct pz_space *covering_space(const struct covering *covering, const struct pz_space *space);
void covering_in(const struct covering *covering, const struct pz_space *space, const void *state,
                 void *canonical);
void covering_out(const struct covering *covering, const struct pz_space *space, const void *canonical,
                  void *state);

#endif
