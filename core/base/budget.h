/* SPDX-License-Identifier: MIT */
/*
 * A memory budget: a limit in bytes, the bytes in use, and their peak. A budget may have a parent, as a job's
 * has the daemon's. Bytes are taken from both or from neither. Any thread may call any function.
 *
 * A cache may hold part of a budget with what nobody uses now. It gives that back when the budget is short.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Large anonymous mappings: zeroed, page-aligned, given back to the system when unmapped. A mapping takes
 * address space only; a page costs memory when it is first touched.
 */

enum memory_pages {
    MEMORY_SMALL_PAGES, /* 4 KiB: for ranges that are touched in part */
    /* 2 MiB where the system grants them, in ranges of 2 MiB or more: these start at such a border */
    MEMORY_HUGE_PAGES,
    /* the same but for the first 2 MiB: what stays small clears no huge page, which takes a tenth of a
     * millisecond */
    MEMORY_GROWING
};

/* Returns NULL when the system refuses. Nothing is accounted here: budgets are the caller's affair. */
void *memory_map(size_t bytes, enum memory_pages pages);
/* bytes: as many as were mapped. NULL is fine. */
void memory_unmap(void *base, size_t bytes);

struct budget {
    struct budget *parent;  /* NULL for none; set once */
    _Atomic uint64_t limit; /* bytes; written by budget_set_limit */
    _Atomic uint64_t used;  /* written by every thread that takes or gives */
    _Atomic uint64_t peak;  /* highest value of used */
    _Atomic bool starved;   /* written by budget_starve */
    /* The cache: its part of used that it can give back, and how. Set before other threads see the budget. */
    _Atomic uint64_t reclaimable;   /* written by the cache */
    void (*reclaim)(void *context); /* gives back what it can; may be called by any thread; NULL for none */
    void *reclaim_context;
};

void budget_init(struct budget *budget, struct budget *parent, uint64_t limit);
/* Takes all the bytes or none. Returns false if that would pass a limit, also after caches gave way. */
bool budget_take(struct budget *budget, uint64_t bytes);
void budget_give(struct budget *budget, uint64_t bytes);
/* Notes that so many bytes are in use now beside those that were taken, such as another part's buffers. They
 * count for the peak alone, of this budget alone. */
void budget_note_beside(struct budget *budget, uint64_t bytes);
/* Returns the bytes that could be taken now, here and in every parent. */
uint64_t budget_free(const struct budget *budget);
/* Returns the least limit, here and in every parent. */
uint64_t budget_most(const struct budget *budget);
/* Notes that the system had no memory for what was taken from this budget. A search that stops for this
 * reason has not met a limit. */
void budget_starve(struct budget *budget);
bool budget_is_starved(const struct budget *budget);
void budget_set_limit(struct budget *budget, uint64_t limit);

/* ---- memory that is taken from a budget: NULL if the budget or the system has no room ---- */

/* Maps zeroed memory in huge pages (memory_map). Without a budget nothing is accounted. */
void *budget_map(struct budget *budget, size_t bytes);
void budget_unmap(struct budget *budget, void *memory, size_t bytes); /* memory: NULL is fine */
/* Enlarges memory that was taken so. NULL leaves all as before, also where `bytes` overflowed. */
void *budget_realloc(struct budget *budget, void *memory, uint64_t before, uint64_t bytes);
/* Returns zeroed memory to free(), and adds its bytes to *taken, which the owner gives back. */
void *budget_calloc(struct budget *budget, uint64_t count, size_t size, uint64_t *taken);

#endif
