/* SPDX-License-Identifier: MIT */
/*
 * Pattern databases for the solvers: an archive (solve/pattern_archive.h) on the store.
 *
 * In the store they are tables of chunks like others. A search reads a database at random, for hours. So it
 * is copied out once, checksums tested, into memory of huge pages that all searches share. Then no read
 * transaction is held while a search runs, and address translation costs less than in a file of 4 KiB pages
 * (measured in docs/storage.md). Unused databases stay in memory up to a limit, for the next search.
 */
#ifndef STORE_PATTERNS_H
#define STORE_PATTERNS_H

#include "base/budget.h"
#include "explore/control.h"
#include "solve/pattern_archive.h"
#include "store/store.h"

struct patterns;

/* keep_bytes: limit of unused databases in memory. budget: their memory is taken from it, and unused ones
 * are dropped when others need the memory; NULL for none. Any thread may use its archives. */
enum pz_status patterns_new(struct store *store, uint64_t keep_bytes, struct budget *budget,
                            struct patterns **out, struct pz_error *error);
/* Call it when no search holds a database. NULL is fine. */
void patterns_free(struct patterns *patterns);
/* Frees the memory of unused databases. */
void patterns_trim(struct patterns *patterns);
/* Returns the bytes in memory now. */
uint64_t patterns_bytes(struct patterns *patterns);

/* One search's access to the databases; used by its thread. Databases that it saves belong to this job (0 for
 * none): forgetting that job removes them. */
struct patterns_access {
    struct patterns *patterns;
    uint64_t job;
    const struct control *control;
    bool ahead; /* a load does not count as a use: no search has asked for the database */
    /* Makes room for a database that is about to be saved; NULL: those that do not fit are not saved. */
    enum pz_status (*room)(void *context, uint64_t bytes, struct pz_error *error);
    void *room_context;
    struct pattern_archive archive;
    enum pz_status saved; /* PZ_OK, or why a database could not be saved; the search goes on without */
    struct pz_error error;
};
/* control: the search's, obeyed while a database is loaded or saved; NULL for none. */
void patterns_access_init(struct patterns_access *access, struct patterns *patterns, uint64_t job,
                          const struct control *control);
/* Access to what is in memory already. A search that needs another database is cancelled: nothing is read,
 * waited for or built. */
void patterns_access_in_memory(struct patterns_access *access, struct patterns *patterns,
                               const struct control *control);

/*
 * Reads the pattern databases of the last day back into memory when a daemon starts, so that its first
 * searches need not wait for them. It uses a thread of its own, of low priority. If there are any, it also
 * reserves job numbers, so that the first search is answered without a commit.
 */

struct preload;

/* Starts the thread. Of 64 databases at most, those used last come first, as many as fit into so many bytes
 * together. They count as unused, so that they are dropped when others need the memory. Returns NULL if the
 * thread cannot be started: then searches load what they need. */
struct preload *preload_start(struct store *store, struct patterns *patterns, uint64_t bytes);
/* Ends the thread, also in the middle of a load. Call it before patterns_free. NULL is fine. */
void preload_stop(struct preload *preload);

#endif
