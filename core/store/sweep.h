/* SPDX-License-Identifier: MIT */
/*
 * Removing the pieces of tables that nothing reads any more, a bounded number at a time: a table of gigabytes
 * is thousands of values, and one transaction that frees them all would hold up every other write.
 */
#ifndef STORE_SWEEP_H
#define STORE_SWEEP_H

#include "store/environment.h"

/* The numbers of the tables to be removed. Guarded by the writer's lock. */
struct sweep {
    uint64_t *tables;
    size_t count, room;
    double not_before; /* clock_seconds(): after a failure, a while later */
};

/* Without memory the table is left to the next store_open. */
void sweep_add(struct sweep *sweep, uint64_t table);
void sweep_drop(struct sweep *sweep, uint64_t table);
/* A step failed: the next one comes SWEEP_PAUSE seconds later. */
enum { SWEEP_PAUSE = 10 };
void sweep_pause(struct sweep *sweep);
void sweep_free(struct sweep *sweep);
/* Whether there is something to do now. */
bool sweep_waits(const struct sweep *sweep);
static inline uint64_t sweep_next(const struct sweep *sweep)
{
    return sweep->tables[0];
}

/* One step: an operation_apply with a struct sweep_step. */
struct sweep_step {
    struct environment *environment;
    uint64_t table;
    bool done; /* nothing of the table is left, its record included */
};
int sweep_apply(void *context, MDB_txn *txn, struct pz_error *error);

#endif
