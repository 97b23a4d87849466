/* SPDX-License-Identifier: MIT */
/*
 * Garbage collection: removes the pieces of tables that nothing reads any more, a bounded number at a time. A
 * table of gigabytes is thousands of values; one transaction that frees them all would hold up every other
 * write.
 */
#ifndef STORE_GARBAGE_H
#define STORE_GARBAGE_H

#include "store/lmdb/environment.h"

#include <assert.h>

struct garbage_table {
    uint64_t table;
    uint64_t bytes; /* of its pieces that are still there */
};

/* Guarded by the writer's lock. */
struct garbage {
    struct garbage_table *tables;
    size_t count, room;
    double not_before; /* clock_seconds(): the time of the next try after a failure */
};

/* bytes: of the table's pieces, as far as known. Without memory the table is left to the next store_open. */
void garbage_add(struct garbage *garbage, uint64_t table, uint64_t bytes);
void garbage_drop(struct garbage *garbage, uint64_t table);
/* Notes that a step freed so much of a table. */
void garbage_freed(struct garbage *garbage, uint64_t table, uint64_t bytes);
/* Returns the bytes that are still to be freed. */
uint64_t garbage_bytes(const struct garbage *garbage);
/* Called after a failed step: delays the next one by GARBAGE_PAUSE seconds. */
enum { GARBAGE_PAUSE = 10 };
void garbage_pause(struct garbage *garbage);
void garbage_free(struct garbage *garbage);
/* Returns true if there is something to collect now. */
bool garbage_is_due(const struct garbage *garbage);
static inline uint64_t garbage_next(const struct garbage *garbage)
{
    assert(garbage->count > 0);
    return garbage->tables[0].table;
}

/* One step: the context of garbage_apply, an operation_apply. */
struct garbage_step {
    struct environment *environment;
    uint64_t table;
    uint64_t freed; /* out: bytes */
    bool done;      /* out: once it is committed, nothing of the table is left, not even its record */
    bool damaged;   /* out: the table's pieces cannot be removed: they stay until the next opening */
};
int garbage_apply(void *context, MDB_txn *txn, struct pz_error *error);

#endif
