/* SPDX-License-Identifier: MIT */
/*
 * A memory budget: a limit in bytes, the bytes in use, and their peak. A budget may have a parent, as a job's
 * has the daemon's. Bytes are taken from both or from neither. Any thread may call any function.
 */
#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct budget {
    struct budget *parent;  /* NULL for none; set once */
    _Atomic uint64_t limit; /* bytes; written by budget_set_limit */
    _Atomic uint64_t used;  /* written by every thread that takes or gives */
    _Atomic uint64_t peak;  /* highest value of used */
    _Atomic bool starved;   /* written by budget_starve */
};

void budget_init(struct budget *budget, struct budget *parent, uint64_t limit);
/* Takes all the bytes or none. Returns false if that would pass a limit. */
bool budget_take(struct budget *budget, uint64_t bytes);
void budget_give(struct budget *budget, uint64_t bytes);
/* Returns the bytes that could be taken now, here and in every parent. */
uint64_t budget_free(const struct budget *budget);
/* Notes that the system had no memory for what was taken from this budget. A search that stops for this
 * reason has not met a limit. */
void budget_starve(struct budget *budget);
bool budget_is_starved(const struct budget *budget);
void budget_set_limit(struct budget *budget, uint64_t limit);

#endif
