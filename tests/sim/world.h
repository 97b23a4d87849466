/* SPDX-License-Identifier: MIT */
/*
 * What outlasts a life of the simulated daemon: the seed's random numbers, the clocks, the trace, what the
 * disk has not been told to keep, and the model. Each life is a process of its own, which drops all else when
 * it ends; so this lies in memory that all of them share. In one life there is one thread.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "base/random.h"
#include "model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOCKET_PATH_MAX = 100, VIOLATION_MAX = 1000 };

/* LMDB writes nothing more after a meta page that failed, so these fail seldom. */
enum disk_fault { DISK_FAILS_WRITES = 1, DISK_FAILS_SYNCS = 2, DISK_FAILS_META = 4 };

struct world {
    uint64_t seed;
    struct random random;
    uint64_t now_ns;  /* of the clock that never jumps back */
    int64_t wall_ns;  /* what the wall clock is ahead of it */
    uint64_t disk_ns; /* that the disk has taken, and takes until disk_until for what it does now */
    uint64_t disk_until;
    uint64_t steps;   /* events that were delivered: a thread or a client went on, or time passed */
    uint64_t trace;   /* a hash of all that happened */
    unsigned life;    /* the present one, from 0 */
    bool last;        /* no life follows it */
    unsigned failing; /* what fails now: enum disk_fault */
    bool quiet;       /* the disk is fast now */
    bool has_failed;  /* and have failed in this life, or in one whose jobs may still feel it */
    unsigned kills;
    char state[SOCKET_PATH_MAX], socket[SOCKET_PATH_MAX]; /* paths */
    char violation[VIOLATION_MAX];
    struct job_model jobs;
    struct name_model names;
};

/* What the wall clock is ahead at the beginning. */
static const int64_t world_wall_ns = INT64_C(1700000000) * 1000000000;

extern struct world *world;
extern bool world_verbose;

/* Begins a world from a seed, in a directory that is empty. */
void world_begin(uint64_t seed, const char *directory);

/* What the disk has taken of the time until now. */
uint64_t world_disk_ns(void);

/* A random number below bound; true once in so many times. */
uint64_t world_below(uint64_t bound);
bool world_once_in(uint64_t times);

/* Adds to the trace, and prints if all is to be seen. */
__attribute__((format(printf, 1, 2))) void world_trace(const char *format, ...);
/* What follows was never seen by the trace: it may differ between two runs of one seed. */
__attribute__((format(printf, 1, 2))) void world_remark(const char *format, ...);
/* Something happened that must not: ends the life, and the seed has failed. */
__attribute__((format(printf, 1, 2), noreturn)) void world_violate(const char *format, ...);

#endif
