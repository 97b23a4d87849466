/* SPDX-License-Identifier: MIT */
/*
 * Holds a plugin to what it promises while it runs: a head that searches can rely on, rank below count, no
 * more successors than max_successors, texts as long as it says, and of the first states, and sometimes
 * later, that a state's text and number, and a move of it where all can be undone, lead back to it.
 * Successors are taken through room of the guard's own, so that too many of them overwrite nothing. After the
 * first broken promise no state of the space has successors: every search of it ends soon. Its caller asks
 * guard_verdict.
 *
 * Built-in puzzles have no guard, and cost nothing.
 */
#ifndef SPACE_GUARD_H
#define SPACE_GUARD_H

#include "puzzled/space.h"

/* Returns true if the state is what its own text says. For any space. */
bool guard_reads_back(const struct pz_space *space, const void *state);
/* Opens a plugin's space, and does not guard it. PZ_BAD_PUZZLE if its head is none to rely on. */
enum pz_status guard_open(const struct pz_puzzle *puzzle, const struct pz_setup *setup, struct pz_space **out,
                          struct pz_error *error);
/* The same, and guards it. */
enum pz_status guard_space(const struct pz_puzzle *puzzle, const struct pz_setup *setup,
                           struct pz_space **out, struct pz_error *error);
/* Returns true if the space is guarded. */
bool guard_has(const struct pz_space *space);
/* Returns PZ_OK, or PZ_BAD_PUZZLE with the first promise that the plugin broke. states is how many were
 * found, 0 if that is not known: there are no more than its count. Any thread. */
enum pz_status guard_verdict(const struct pz_space *space, uint64_t states, struct pz_error *error);

/*
 * Is this thread's work still wanted? A long preparation asks it that lies deep inside calls which know of no
 * control, such as a puzzle's first lower bound.
 */

struct wanted {
    bool (*still)(void *context);
    void *context;
};

/* Sets what the calling thread asks from now on; NULL: everything is wanted. Returns what it asked before. */
const struct wanted *wanted_set(const struct wanted *wanted);
/* Returns true if the work is still wanted. Any thread; at least every few milliseconds while it prepares. */
bool wanted_still(void);

#endif
