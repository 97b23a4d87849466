/* SPDX-License-Identifier: MIT */
#ifndef SPACE_JUGS_H
#define SPACE_JUGS_H

#include "puzzled/space.h"

/* Water jugs: fill one, empty one, pour one into another until that is full or the first is empty. */
extern const struct pz_puzzle jugs_puzzle;

#endif
