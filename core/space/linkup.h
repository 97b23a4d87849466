/* SPDX-License-Identifier: MIT */
#ifndef SPACE_LINKUP_H
#define SPACE_LINKUP_H

#include "puzzled/space.h"

/*
 * Link-up (连连看): joins two equal tiles by a path over empty cells with few turns. It solves itself: its
 * board is part of the space, and its states are empty.
 */
extern const struct pz_puzzle linkup_puzzle;

#endif
