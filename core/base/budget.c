/* SPDX-License-Identifier: MIT */
#include "base/budget.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

static void *map(size_t bytes)
{
    void *base =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

/* Returns memory that starts at a huge page, its first bytes in small ones. Maps one huge page too much and
 * gives the ends back. */
static void *map_aligned(size_t bytes, size_t small)
{
    size_t room = bytes + HUGE_PAGE;
    if (room < bytes)
        return NULL;
    char *base = map(room);
    if (base == NULL)
        return NULL;
    size_t before = (HUGE_PAGE - (uintptr_t)base % HUGE_PAGE) % HUGE_PAGE;
    size_t page = 4096;
    size_t end = before + (bytes + page - 1) / page * page;
    if (before > 0)
        (void)munmap(base, before);
    if (end < room)
        (void)munmap(base + end, room - end);
    if (small > 0)
        (void)madvise(base + before, small, MADV_NOHUGEPAGE);
    if (bytes > small)
        (void)madvise(base + before + small, bytes - small, MADV_HUGEPAGE);
    return base + before;
}

void *memory_map(size_t bytes, enum memory_pages pages)
{
    assert(bytes > 0);
    if (pages != MEMORY_SMALL_PAGES && bytes >= HUGE_PAGE)
        return map_aligned(bytes, pages == MEMORY_GROWING ? HUGE_PAGE : 0);
    void *base = map(bytes);
    if (base != NULL)
        (void)madvise(base, bytes, MADV_NOHUGEPAGE);
    return base;
}

void memory_unmap(void *base, size_t bytes)
{
    assert(base == NULL || (bytes > 0 && (uintptr_t)base % 4096 == 0));
    if (base != NULL)
        (void)munmap(base, bytes);
}

void budget_init(struct budget *budget, struct budget *parent, uint64_t limit)
{
    assert(parent != budget);
    budget->parent = parent;
    atomic_init(&budget->limit, limit);
    atomic_init(&budget->used, 0);
    atomic_init(&budget->peak, 0);
    atomic_init(&budget->starved, false);
    atomic_init(&budget->reclaimable, 0);
    budget->reclaim = NULL;
    budget->reclaim_context = NULL;
}

static void budget_raise_peak(struct budget *budget, uint64_t used)
{
    uint64_t peak = atomic_load_explicit(&budget->peak, memory_order_relaxed);
    while (peak < used && !atomic_compare_exchange_weak_explicit(
                              &budget->peak, &peak, used, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* All orders in this file are relaxed: the numbers publish nothing. */
static bool budget_take_own(struct budget *budget, uint64_t bytes)
{
    uint64_t limit = atomic_load_explicit(&budget->limit, memory_order_relaxed);
    uint64_t used = atomic_load_explicit(&budget->used, memory_order_relaxed);
    do {
        if (bytes > limit || used > limit - bytes)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&budget->used, &used, used + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

static bool budget_take_reclaiming(struct budget *budget, uint64_t bytes)
{
    if (budget_take_own(budget, bytes))
        return true;
    if (budget->reclaim == NULL || atomic_load_explicit(&budget->reclaimable, memory_order_relaxed) == 0)
        return false;
    budget->reclaim(budget->reclaim_context);
    return budget_take_own(budget, bytes);
}

bool budget_take(struct budget *budget, uint64_t bytes)
{
    if (!budget_take_reclaiming(budget, bytes))
        return false;
    if (budget->parent != NULL && !budget_take(budget->parent, bytes)) {
        atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
        return false;
    }
    budget_raise_peak(budget, atomic_load_explicit(&budget->used, memory_order_relaxed));
    return true;
}

void budget_give(struct budget *budget, uint64_t bytes)
{
    for (; budget != NULL; budget = budget->parent) {
        const uint64_t used = atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
        assert(used >= bytes); /* nobody gives more than was taken */
        (void)used;
    }
}

void budget_note_beside(struct budget *budget, uint64_t bytes)
{
    budget_raise_peak(budget, atomic_load_explicit(&budget->used, memory_order_relaxed) + bytes);
}

uint64_t budget_free(const struct budget *budget)
{
    uint64_t least = UINT64_MAX;
    for (; budget != NULL; budget = budget->parent) {
        uint64_t limit = atomic_load_explicit(&budget->limit, memory_order_relaxed);
        uint64_t used = atomic_load_explicit(&budget->used, memory_order_relaxed);
        uint64_t cached = atomic_load_explicit(&budget->reclaimable, memory_order_relaxed);
        used -= cached < used ? cached : used;
        uint64_t left = used < limit ? limit - used : 0;
        if (left < least)
            least = left;
    }
    return least;
}

uint64_t budget_most(const struct budget *budget)
{
    uint64_t least = UINT64_MAX;
    for (; budget != NULL; budget = budget->parent) {
        uint64_t limit = atomic_load_explicit(&budget->limit, memory_order_relaxed);
        least = limit < least ? limit : least;
    }
    return least;
}

void budget_set_limit(struct budget *budget, uint64_t limit)
{
    atomic_store_explicit(&budget->limit, limit, memory_order_relaxed);
}

void budget_starve(struct budget *budget)
{
    atomic_store_explicit(&budget->starved, true, memory_order_relaxed);
}

bool budget_is_starved(const struct budget *budget)
{
    return atomic_load_explicit(&budget->starved, memory_order_relaxed);
}

/* Notes a failure of the system, whose bytes go back. */
static void *paid(struct budget *budget, void *memory, uint64_t bytes)
{
    if (memory == NULL && budget != NULL) {
        budget_give(budget, bytes);
        budget_starve(budget);
    }
    return memory;
}

void *budget_map(struct budget *budget, size_t bytes)
{
    if (budget != NULL && !budget_take(budget, bytes))
        return NULL;
    return paid(budget, memory_map(bytes, MEMORY_HUGE_PAGES), bytes);
}

void budget_unmap(struct budget *budget, void *memory, size_t bytes)
{
    memory_unmap(memory, bytes);
    if (memory != NULL && budget != NULL)
        budget_give(budget, bytes);
}

void *budget_calloc(struct budget *budget, uint64_t count, size_t size, uint64_t *taken)
{
    if (!budget_take(budget, count * size))
        return NULL;
    void *memory = paid(budget, calloc(count, size), count * size);
    *taken += memory != NULL ? count * size : 0;
    return memory;
}

void *budget_realloc(struct budget *budget, void *memory, uint64_t before, uint64_t bytes)
{
    if (bytes <= before || !budget_take(budget, bytes - before))
        return NULL;
    return paid(budget, realloc(memory, bytes), bytes - before);
}
