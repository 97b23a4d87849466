/* SPDX-License-Identifier: MIT */
/* Room for copies of equal size, taken from a budget as it is needed and used again until all of it is given
 * back. */
#ifndef EXPLORE_COPIES_H
#define EXPLORE_COPIES_H

#include "base/budget.h"

#include <pthread.h>
#include <stddef.h>

struct copies_slab;
struct copies_free;

/* Any thread may call copies_take and copies_give. */
struct copies {
    struct budget *budget; /* NULL: there is no room for any */
    size_t copy_bytes;
    pthread_mutex_t lock;      /* guards what follows */
    struct copies_slab *slabs; /* all that is mapped */
    struct copies_free *free;
    unsigned char *fresh, *fresh_end; /* not touched yet */
};

void copies_init(struct copies *copies, struct budget *budget, size_t copy_bytes);
/* NULL when the budget or the system has no room. */
void *copies_take(struct copies *copies);
void copies_give(struct copies *copies, void *copy);
/* Gives everything back to the budget, when no copy is in use. */
void copies_drop(struct copies *copies);
void copies_clear(struct copies *copies);

#endif
