/* SPDX-License-Identifier: MIT */
/*
 * Allocations that fail, one of them or all from one on: those of the program's own code, which the linker
 * leads here (--wrap), not those of shared libraries. Include it in one source of a program. Any thread may
 * call.
 */
#ifndef TESTS_FAILING_MEMORY_H
#define TESTS_FAILING_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Counts down to the call that fails; below zero none does. */
static _Atomic long calls_left = -1;
static _Atomic bool for_ever;
static _Atomic bool has_failed;

/* Counts a call and says whether it is to fail. */
static inline bool fails(void)
{
    long left = atomic_load(&calls_left);
    do {
        if (left < 0)
            return false;
    } while (!atomic_compare_exchange_weak(&calls_left, &left, left > 0 || !for_ever ? left - 1 : 0));
    if (left == 0)
        has_failed = true;
    return left == 0;
}

static inline void fail_at(long call, bool ever)
{
    has_failed = false;
    for_ever = ever;
    atomic_store(&calls_left, call);
}

static inline void fail_none(void)
{
    atomic_store(&calls_left, -1);
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

#endif
