/* SPDX-License-Identifier: MIT */
/* For tests that stand between the code and the system: a call of some kind fails, once or from then on. The
 * linker leads pread, pwrite and fdatasync here (--wrap); what a test wraps beyond that asks call_fails, too.
 */
#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A flip is a read that succeeds and brings a bit that is wrong. */
enum call { CALL_READ, CALL_WRITE, CALL_SYNC, CALL_RENAME, CALL_FLIP, CALL_FLIP_PACKET, CALLS };

static struct {
    _Atomic long left[CALLS]; /* calls until one fails; negative: it has */
    bool for_good;
    int failure; /* an errno */
} fault;

static inline bool call_fails(enum call call)
{
    const long left = atomic_fetch_sub(&fault.left[call], 1);
    if (left > 0 || (left < 0 && !fault.for_good))
        return false;
    errno = fault.failure;
    return true;
}

static inline bool fault_was_met(enum call call)
{
    return atomic_load(&fault.left[call]) < 0;
}

static inline void no_fault(void)
{
    for (unsigned i = 0; i < CALLS; i++)
        atomic_store(&fault.left[i], LONG_MAX);
}

/* Calls of the other kinds go on. */
static inline void set_fault(enum call call, long after, bool for_good, int failure)
{
    no_fault();
    fault.for_good = for_good;
    fault.failure = failure;
    atomic_store(&fault.left[call], after);
}

static void (*before_write)(void); /* NULL: nothing */

ssize_t __real_pread(int file, void *bytes, size_t length, off_t offset);
ssize_t __real_pwrite(int file, const void *bytes, size_t length, off_t offset);
ssize_t __wrap_pread(int file, void *bytes, size_t length, off_t offset);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t length, off_t offset);
int __wrap_fdatasync(int file);

ssize_t __wrap_pread(int file, void *bytes, size_t length, off_t offset)
{
    if (call_fails(CALL_READ))
        return -1;
    const ssize_t got = __real_pread(file, bytes, length, offset);
    if (got > 0 && call_fails(CALL_FLIP))
        *(uint8_t *)bytes ^= 4;
    return got;
}

ssize_t __wrap_pwrite(int file, const void *bytes, size_t length, off_t offset)
{
    if (before_write != NULL)
        before_write();
    return call_fails(CALL_WRITE) ? -1 : __real_pwrite(file, bytes, length, offset);
}

/* Does nothing: no number of a search depends on the disk's delay. */
int __wrap_fdatasync(int file)
{
    (void)file;
    return call_fails(CALL_SYNC) ? -1 : 0;
}

#endif
