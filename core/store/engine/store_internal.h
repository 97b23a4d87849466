/* SPDX-License-Identifier: MIT */
/* The members of struct store, for the rooms of core/store. Others need store.h. */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include "store/engine/writer.h"
#include "store/lmdb/environment.h"

/* The numbers of jobs (numbers.h). */
struct job_numbers {
    uint64_t next;             /* guarded by store->change */
    uint64_t block;            /* numbers in it; guarded by store->change, as what follows */
    double asked_at;           /* clock_seconds() */
    uint64_t asked;            /* end of the last block that was asked for; guarded by store->change */
    _Atomic uint64_t reserved; /* numbers below are durably reserved; the writer thread raises it */
};

struct table_checks;

struct store {
    struct environment environment;
    struct writer *writer; /* NULL when read-only */
    struct job_numbers numbers;
    _Atomic uint64_t next_table;
    _Atomic uint64_t jobs;       /* how many there are; for store_stats */
    pthread_mutex_t change;      /* held from reading a small record until its new value is submitted */
    pthread_mutex_t checks_lock; /* guards checks */
    struct table_checks *checks; /* the verified pieces of each table (checks.c) */
    /* An operation for a flush that finds no memory. Made by store_open; any thread may take it. */
    _Atomic(struct operation *) spare;
};

#endif
