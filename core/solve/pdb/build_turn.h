/* SPDX-License-Identifier: MIT */
/*
 * One build of pattern databases at a time in the whole process: two of 7-8 at once would not fit where one
 * does, and who asks for the same databases finds them made.
 */
#ifndef PDB_BUILD_TURN_H
#define PDB_BUILD_TURN_H

#include "explore/control.h"
#include "puzzled/status.h"

/* Waits for the turn. PZ_OK, and build_turn_give follows; PZ_CANCELLED, PZ_LIMIT (deadline). Reports the
 * phase "wait". control: NULL is fine. Any thread. */
enum pz_status build_turn_take(struct control *control, struct pz_error *error);
void build_turn_give(void);

#endif
