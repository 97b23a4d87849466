/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

static void *map(size_t bytes)
{
    void *base =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

/* Returns memory that starts at a huge page. Maps one huge page too much and gives the ends back. */
static void *map_aligned(size_t bytes)
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
    (void)madvise(base + before, bytes, MADV_HUGEPAGE);
    return base + before;
}

void *memory_map(size_t bytes, enum memory_pages pages)
{
    assert(bytes > 0);
    if (pages == MEMORY_HUGE_PAGES && bytes >= HUGE_PAGE)
        return map_aligned(bytes);
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
