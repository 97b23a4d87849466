/* SPDX-License-Identifier: MIT */
/* The tower of Hanoi, with three pegs or more. */
#ifndef SPACE_HANOI_H
#define SPACE_HANOI_H

#include "puzzled/space.h"

extern const struct pz_puzzle hanoi_puzzle;

#endif
