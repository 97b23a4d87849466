/* SPDX-License-Identifier: MIT */
/* PSVN, production system vector notation: a vector of variables, rules and goals. */
#ifndef TEXT_PSVN_H
#define TEXT_PSVN_H

#include "space/text/definition.h"

definition_compiler psvn_compile;
extern const struct pz_puzzle psvn_puzzle;

/* Makes the move of a state with this word, and writes its cost, also where another one leads to the same
 * state and names it. Returns false if there is none. */
bool psvn_move(const struct pz_space *space, const void *from, const char *word, size_t length, void *out,
               uint64_t *cost);

#endif
