/* SPDX-License-Identifier: MIT */
/* For tests that stand between the code and the system: a call of some kind fails, once or from then on. The
 * test names its kinds, CALLS the last, and wraps the calls; each asks call_fails first. */
#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { FAILING_CALLS_MAX = 8 };

static struct {
    _Atomic long left[FAILING_CALLS_MAX]; /* calls until one fails; negative: it has */
    bool for_good;
    int failure; /* an errno */
} fault;

static inline bool call_fails(unsigned call)
{
    const long left = atomic_fetch_sub(&fault.left[call], 1);
    if (left > 0 || (left < 0 && !fault.for_good))
        return false;
    errno = fault.failure;
    return true;
}

static inline void no_fault(void)
{
    for (unsigned i = 0; i < FAILING_CALLS_MAX; i++)
        atomic_store(&fault.left[i], LONG_MAX);
}

/* Calls of the other kinds go on. */
static inline void set_fault(unsigned call, long after, bool for_good, int failure)
{
    no_fault();
    fault.for_good = for_good;
    fault.failure = failure;
    atomic_store(&fault.left[call], after);
}

#endif
