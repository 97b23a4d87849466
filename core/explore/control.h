/* SPDX-License-Identifier: MIT */
/* Lets a caller watch and steer a running search. */
#ifndef EXPLORE_CONTROL_H
#define EXPLORE_CONTROL_H

#include "puzzled/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum outcome { OUTCOME_DONE, OUTCOME_STOPPED };
enum stop_reason {
    STOP_NONE,
    STOP_DEPTH,
    STOP_MEMORY,
    STOP_TIME,
    STOP_DISK,  /* the scratch space is full */
    STOP_LEVELS /* there are more levels than are kept: EXPLORE_LEVEL_MAX is the last */
};
#define STOP_WORDS "none", "depth", "memory", "time", "disk", "levels"

struct progress {
    const char *phase;      /* "search", "store", "pdb", "clusters", "load", "save", …: a constant */
    uint32_t level;         /* being expanded, or the bound of an iterative deepening */
    uint64_t frontier;      /* states in that level, 0 if not known */
    uint64_t states;        /* stored so far, or nodes generated */
    double rate;            /* states a second, lately */
    uint64_t bytes;         /* in use of the job's budget */
    double done;            /* share of this level or phase done, 0 … 1 */
    double seconds;         /* since the search began */
    const char *waiting;    /* what the search waits for most of the time: "disk", a constant; else NULL */
    uint64_t disk;          /* bytes of scratch space in use */
    uint64_t written, read; /* bytes so far, to scratch space and from it */
    double write_rate, read_rate; /* bytes a second, lately */
    uint32_t group, groups;       /* the current one, and how many there are; 0 without groups */
    unsigned ranks;               /* of a cluster that search; 0 for this process alone */
    unsigned slowest;             /* the rank that the others waited for in the last level */
};

struct control {
    _Atomic bool stop; /* set by any thread to cancel; engines look at least every 50 ms */
    /* Set before stop if the caller shuts down and will run the same work again later. The run then writes a
     * checkpoint before it ends, if it has a place for one and can write it within
     * explore_checkpoint.grace. */
    _Atomic bool keep;
    double deadline; /* clock_seconds() at which to stop with STOP_TIME; 0 for none */
    /* A value of clock_thread_seconds() in the thread that calls solve_run. IDA* and A* ignore the deadline
     * until then; other searches ignore this field. 0 for none. */
    double busy_until;
    /* Called by the thread that owns the search, at least every 200 ms, with no lock held; may be NULL. */
    void (*report)(void *context, const struct progress *progress);
    void *context;
};

static inline bool control_stopped(const struct control *control)
{
    return atomic_load_explicit(&control->stop, memory_order_relaxed);
}

/* Returns PZ_CANCELLED if the control says stop, PZ_LIMIT if its deadline has passed, else PZ_OK; also for
 * NULL. Reads the clock only where there is a deadline. Any thread may call it. */
enum pz_status control_poll(const struct control *control);
/* The same, but PZ_OK after the deadline while busy_until is not reached. */
enum pz_status control_poll_busy(const struct control *control);

static inline bool control_keeps(const struct control *control)
{
    return atomic_load_explicit(&control->stop, memory_order_acquire) &&
           atomic_load_explicit(&control->keep, memory_order_relaxed);
}

#endif
