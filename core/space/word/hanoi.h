/* SPDX-License-Identifier: MIT */
/* The tower of Hanoi, with three pegs or more. */
#ifndef SPACE_HANOI_H
#define SPACE_HANOI_H

#include "puzzled/space.h"

extern const struct pz_puzzle hanoi_puzzle;

/* Writes the state that everybody begins with: all discs on the first peg. */
void hanoi_start(const struct pz_space *space, void *state);

#endif
