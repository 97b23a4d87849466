/* SPDX-License-Identifier: MIT */
/*
 * Remarks about a text that is sound but may not mean what its author meant. Any word that is no value is a
 * name, so a misspelt value is one, too: names that stand once in a rule or a goal are remarked on, if no
 * rule has them twice.
 */
#ifndef TEXT_PSVN_REMARKS_H
#define TEXT_PSVN_REMARKS_H

#include "base/table/state_table.h"
#include "space/text/psvn/psvn_model.h"

#include <stdbool.h>
#include <stdio.h>

struct psvn_domain;

/* A name of a rule or a goal, where it stands first. */
struct psvn_name {
    struct psvn_word word;
    uint16_t domain;
    uint16_t uses;
};

enum {
    PSVN_REMARKS_MAX = 8,     /* are written out */
    PSVN_SINGLES_MAX = 256,   /* are looked at */
    PSVN_WELL_KNOWN_MAX = 512 /* names */
};

/* Words that may get a remark when all rules are known. */
struct psvn_single {
    struct psvn_word word, meant; /* meant: length 0 for none */
    bool left;
};

struct psvn_remarks {
    uint32_t singles;
    struct psvn_single single[PSVN_SINGLES_MAX];
    struct state_table known; /* hashes of names that a rule has twice, up to PSVN_WELL_KNOWN_MAX */
};

/* Notes the names of one rule or goal: `bound` of them stand on the left, the others on the right only. One
 * that the left side has only once means any value, as '-' does. One of the right side alone stands for each
 * value, and is remarked on if it looks like a misspelt value or name. */
void psvn_remark_on_names(struct psvn_remarks *remarks, const struct psvn_domain *domains,
                          const struct psvn_name *names, uint32_t count, uint32_t bound);
/* Returns the remarks, malloc'd, with "; " between; NULL for none, or without memory. */
char *psvn_remarks_text(const struct psvn_remarks *remarks);

#endif
