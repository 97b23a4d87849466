/* SPDX-License-Identifier: MIT */
/* Permutation puzzles as ksolve and twsearch write them: sets of pieces, and moves that permute them. */
#ifndef TEXT_TWS_H
#define TEXT_TWS_H

#include "space/text/definition.h"

definition_compiler tws_compile;
extern const struct pz_puzzle tws_puzzle;

/* Makes the move of a state with this word, also where another one leads to the same state and names it.
 * Returns false if there is none. */
bool tws_move(const struct pz_space *space, const void *from, const char *word, size_t length, void *out);

/* With symmetry=yes a state stands for a class of states: it is the least of those that symmetries carry to
 * each other. */
bool tws_has_classes(const struct pz_space *space);
/* Returns for how many states; 1 in other spaces. */
uint64_t tws_stands_for(const struct pz_space *space, const void *state);

#endif
