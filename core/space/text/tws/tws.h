/* SPDX-License-Identifier: MIT */
/* Permutation puzzles as ksolve and twsearch write them: sets of pieces, and moves that permute them. */
#ifndef TEXT_TWS_H
#define TEXT_TWS_H

#include "space/text/definition.h"

definition_compiler tws_compile;
extern const struct pz_puzzle tws_puzzle;

#endif
