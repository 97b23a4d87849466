/* SPDX-License-Identifier: MIT */
/* TopSpin: tokens on a ring; a move reverses a run of neighbours. */
#ifndef SPACE_TOPSPIN_H
#define SPACE_TOPSPIN_H

#include "puzzled/space.h"

extern const struct pz_puzzle topspin_puzzle;

#endif
