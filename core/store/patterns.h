/* SPDX-License-Identifier: MIT */
/*
 * Pattern databases for the solvers: an archive (solve/solve.h) on the store.
 *
 * In the database they are tables of chunks like others. A search reads a database at random, hundreds of
 * millions of times and for hours, so it is copied out once, checksums and all, into memory of huge pages
 * that all searches share: no read transaction is held while a search runs, and the translation of addresses
 * does not become the bottleneck that it would be in a file of 4 KiB pages (docs/storage.md has the
 * measurement). What nobody uses stays in memory up to a limit, for the next search.
 */
#ifndef STORE_PATTERNS_H
#define STORE_PATTERNS_H

#include "base/budget.h"
#include "explore/control.h"
#include "solve/solve.h"
#include "store/store.h"

struct patterns;

/* keep_bytes: of databases in memory that nobody uses. budget: from which their memory is taken, NULL for
 * none. Any thread may use the archives of it. */
enum pz_status patterns_new(struct store *store, uint64_t keep_bytes, struct budget *budget,
                            struct patterns **out, struct pz_error *error);
/* When no search has any. NULL is fine. */
void patterns_free(struct patterns *patterns);
/* Gives back the memory of databases that nobody uses. */
void patterns_trim(struct patterns *patterns);
/* Bytes in memory now. */
uint64_t patterns_bytes(struct patterns *patterns);

/* One search's access to the databases; used by its thread. Databases that it saves belong to this job (0 for
 * none): forgetting that job removes them. */
struct patterns_access {
    struct patterns *patterns;
    uint64_t job;
    const struct control *control;
    struct pattern_archive archive;
    enum pz_status saved; /* PZ_OK, or why a database could not be saved; the search goes on without */
    struct pz_error error;
};
/* control: the search's, heeded while a database is loaded or saved; NULL for none. */
void patterns_access_init(struct patterns_access *access, struct patterns *patterns, uint64_t job,
                          const struct control *control);

#endif
