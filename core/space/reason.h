/* SPDX-License-Identifier: MIT */
/* Why a state has no solution, in words: what each puzzle's solvable() goes by. */
#ifndef SPACE_REASON_H
#define SPACE_REASON_H

#include "puzzled/space.h"

/* Writes one line, without a full stop, that says by which rule of the puzzle the goal cannot be reached from
 * a state. solvable() has said PZ_NO. Any thread. */
void space_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX]);

#endif
