/* SPDX-License-Identifier: MIT */
#ifndef SPACE_LINKUP_H
#define SPACE_LINKUP_H

#include "puzzled/space.h"

/*
 * Link-up (连连看): whether a path over empty cells with few turns joins two equal tiles. It solves itself:
 * its board is part of the space, and its states are empty.
 */
extern const struct pz_puzzle linkup_puzzle;

#endif
