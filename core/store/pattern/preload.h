/* SPDX-License-Identifier: MIT */
/*
 * Reads the pattern databases that were used within the last day back into memory, on a thread of its own and
 * of low priority. A daemon that starts does so: then its first searches need not wait for theirs. If there
 * are any, job numbers are reserved, too, so that the first search is answered without a commit. Databases of
 * earlier versions, which nothing reads, are removed, except pinned ones.
 */
#ifndef STORE_PRELOAD_H
#define STORE_PRELOAD_H

#include "store/pattern/patterns.h"

struct preload;

/* Starts the thread. The databases used last come first, as many as fit into so many bytes together. They are
 * unused, so that they give way to whoever needs their memory. Returns NULL where that cannot be done: then
 * searches load what they need. */
struct preload *preload_start(struct store *store, struct patterns *patterns, uint64_t bytes);
/* Ends the thread, wherever it is. Before patterns_free; NULL is fine. */
void preload_stop(struct preload *preload);

#endif
