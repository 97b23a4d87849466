/* SPDX-License-Identifier: MIT */
/*
 * Lets the whole process build pattern databases one at a time. Two builds of 7-8 at once would not fit where
 * one does, and a second request for the same databases finds them built.
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
