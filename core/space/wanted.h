/* SPDX-License-Identifier: MIT */
/*
 * Is this thread's work still wanted? A long preparation asks it that lies deep inside calls which know of no
 * control, such as a puzzle's first lower bound. (In guard.c, beside what else a puzzle's calls keep by
 * thread.)
 */
#ifndef SPACE_WANTED_H
#define SPACE_WANTED_H

#include <stdbool.h>

struct wanted {
    bool (*still)(void *context);
    void *context;
};

/* Sets what the calling thread asks from now on; NULL: everything is wanted. Returns what it asked before. */
const struct wanted *wanted_set(const struct wanted *wanted);
/* Returns true if the work is still wanted. Any thread; at least every few milliseconds while it prepares. */
bool wanted_still(void);

#endif
