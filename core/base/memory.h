/* SPDX-License-Identifier: MIT */
/*
 * Large anonymous mappings: zeroed, page-aligned, given back to the system when unmapped. Reserving
 * takes address space only; a page costs memory when it is first touched.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

enum memory_pages {
    MEMORY_SMALL_PAGES, /* 4 KiB: for ranges that are touched in part */
    MEMORY_HUGE_PAGES   /* 2 MiB where the system grants them; the range starts at such a border */
};

/* NULL when the system refuses. Nothing is accounted here: budgets are the caller's. */
void *memory_map(size_t bytes, enum memory_pages pages);
/* The same bytes as mapped; NULL is fine. */
void memory_unmap(void *base, size_t bytes);
/* Drops the contents: the pages go back to the system and read as zeros from then on. Page-aligned. */
void memory_discard(void *base, size_t bytes);

#endif
