/* SPDX-License-Identifier: MIT */
/* Inside the abstractions of PSVN texts: what an abstractor knows of a text. */
#ifndef TEXT_PSVN_ABSTRACTOR_H
#define TEXT_PSVN_ABSTRACTOR_H

#include "space/text/abstract/abstraction.h"
#include "space/text/psvn/psvn_space.h"

enum { TOKEN_VALUES_MAX = 256 };

/* The values that are only carried about: how often each is there, and if rules name it. */
struct psvn_tokens {
    unsigned count[TOKEN_VALUES_MAX];
    bool is_named[TOKEN_VALUES_MAX];
    unsigned values;
    bool one_a_rule; /* each rule carries one that it does not name */
};

struct psvn_abstractor {
    struct abstractor base; /* first */
    const struct psvn_meaning *meaning;
    psvn_cell *goals; /* places of them each */
    uint32_t goal_count;
    uint64_t *written; /* of each rule: the atoms that it writes; where these are variables */
    bool has_tokens;   /* these are the atoms; else the variables are */
    struct psvn_tokens tokens;
    uint8_t atom[ABSTRACTION_ATOMS_MAX]; /* of tokens: the value */
};

/* The class that each value of tokens belongs to: class 0 has those that look alike. */
struct psvn_classes {
    uint8_t of[TOKEN_VALUES_MAX];
    unsigned count[TOKEN_VALUES_MAX]; /* how often a class is there */
    unsigned classes;
    unsigned first_named; /* classes from here on are of values that rules name */
};

/* Writes the text of an abstraction, malloc'd, or NULL without memory and where it would be very long. Its
 * last variable is 0, or 1 in the state to which one rule leads from each goal. The text's only goal is this
 * state, in which all others are 0. classes: NULL where the atoms are variables. */
char *psvn_abstraction_text(const struct psvn_abstractor *abstractor, uint64_t atoms,
                            const struct psvn_classes *classes, size_t *length);
/* Returns true if a variable is there in an abstraction on variables. */
static inline bool psvn_keeps(uint64_t atoms, uint32_t place)
{
    return place < ABSTRACTION_ATOMS_MAX && (atoms >> place & 1) != 0;
}

#endif
