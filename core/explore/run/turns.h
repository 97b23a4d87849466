/* SPDX-License-Identifier: MIT */
/*
 * Divides work among the workers of a team: each takes the next turn until no turn is left, or until the
 * work must end early. A worker that takes a turn finishes it. So when nobody works, all turns before the
 * next one are done.
 */
#ifndef EXPLORE_RUN_TURNS_H
#define EXPLORE_RUN_TURNS_H

#include "explore/control.h"

/* Called by the owner now and then with the share of the work that is done. Returns true to pause it. */
typedef bool level_tick(void *context, double done);

struct turns {
    _Alignas(
        64) _Atomic uint64_t next;  /* workers count it up; its line has nothing else that is written often */
    _Alignas(64) _Atomic int ended; /* enum pz_status: why the work ends early; set by any worker */
    uint64_t count;
    const struct control *control; /* may be NULL */
    level_tick *tick;              /* may be NULL */
    void *context;
    bool owner_worked; /* since the work began or was resumed; only the owner uses it */
};

/* Begins or resumes the work at a turn. The owner calls it before the team works. */
void turns_begin(struct turns *turns, uint64_t first, uint64_t count);
/* Takes a turn. Returns false if there is none, or if the work ends: the control says so (PZ_CANCELLED,
 * PZ_LIMIT), the tick does (PZ_BUSY), or a worker has called turns_end. */
bool turns_take(struct turns *turns, unsigned worker, uint64_t *turn);
/* Makes the work end early with that status. The first one counts, but a pause (PZ_BUSY) gives way. By any
 * worker. */
void turns_end(struct turns *turns, enum pz_status status);

/* Returns PZ_OK, or why the work ended early. */
static inline enum pz_status turns_status(const struct turns *turns)
{
    return (enum pz_status)atomic_load_explicit(&turns->ended, memory_order_relaxed);
}

/* Returns how many turns are done, from the first on, when nobody works. */
static inline uint64_t turns_done(const struct turns *turns)
{
    const uint64_t next = atomic_load_explicit(&turns->next, memory_order_relaxed);
    return next < turns->count ? next : turns->count;
}

#endif
