/* SPDX-License-Identifier: MIT */
/*
 * Reads the pattern databases of the last day back into memory when a daemon starts, so that its first
 * searches need not wait for them. It uses a thread of its own, of low priority. If there are any, it also
 * reserves job numbers, so that the first search is answered without a commit.
 */
#ifndef STORE_PRELOAD_H
#define STORE_PRELOAD_H

#include "store/pattern/patterns.h"

struct preload;

/* Starts the thread. The databases used last come first, as many as fit into so many bytes together. They
 * count as unused, so that they are dropped when others need the memory. Returns NULL if the thread cannot
 * be started: then searches load what they need. */
struct preload *preload_start(struct store *store, struct patterns *patterns, uint64_t bytes);
/* Ends the thread, also in the middle of a load. Call it before patterns_free. NULL is fine. */
void preload_stop(struct preload *preload);

#endif
