/* SPDX-License-Identifier: MIT */
/*
 * Large anonymous mappings: zeroed, page-aligned, given back to the system when unmapped. A mapping takes
 * address space only; a page costs memory when it is first touched.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum memory_pages {
    MEMORY_SMALL_PAGES, /* 4 KiB: for ranges that are touched in part */
    MEMORY_HUGE_PAGES /* 2 MiB where the system grants them, in ranges of 2 MiB or more: these start at such a
                         border */
};

/* Returns NULL when the system refuses. Nothing is accounted here: budgets are the caller's affair. */
void *memory_map(size_t bytes, enum memory_pages pages);
/* bytes: as many as were mapped. NULL is fine. */
void memory_unmap(void *base, size_t bytes);

#endif
