/* SPDX-License-Identifier: MIT */
#include "explore/copies.h"

#include "base/memory.h"

#include <stdlib.h>

enum { SLAB_BYTES = 8 << 20 };

struct copies_slab {
    struct copies_slab *next;
    void *memory;
    size_t bytes;
};

/* In a copy that is not in use. */
struct copies_free {
    struct copies_free *next;
};

void copies_init(struct copies *copies, struct budget *budget, size_t copy_bytes)
{
    const size_t line = 64;
    *copies = (struct copies){.budget = budget, .copy_bytes = (copy_bytes + line - 1) / line * line};
    (void)pthread_mutex_init(&copies->lock, NULL);
}

void copies_drop(struct copies *copies)
{
    while (copies->slabs != NULL) {
        struct copies_slab *slab = copies->slabs;
        copies->slabs = slab->next;
        memory_unmap(slab->memory, slab->bytes);
        budget_give(copies->budget, slab->bytes);
        free(slab);
    }
    copies->free = NULL;
    copies->fresh = copies->fresh_end = NULL;
}

void copies_clear(struct copies *copies)
{
    copies_drop(copies);
    (void)pthread_mutex_destroy(&copies->lock);
}

/* Room for many copies, or for as many as the budget has left. */
static size_t slab_bytes(const struct copies *copies)
{
    uint64_t left = copies->budget != NULL ? budget_free(copies->budget) : 0;
    size_t most = left < SLAB_BYTES ? (size_t)left : SLAB_BYTES;
    return copies->copy_bytes > most ? copies->copy_bytes : most / copies->copy_bytes * copies->copy_bytes;
}

/* Locked; nothing of the memory is touched. */
static bool add_slab(struct copies *copies)
{
    size_t bytes = slab_bytes(copies);
    if (copies->budget == NULL || !budget_take(copies->budget, bytes))
        return false;
    struct copies_slab *slab = malloc(sizeof *slab);
    void *memory = slab != NULL ? memory_map(bytes, MEMORY_HUGE_PAGES) : NULL;
    if (memory == NULL) {
        free(slab);
        budget_give(copies->budget, bytes);
        return false;
    }
    *slab = (struct copies_slab){.next = copies->slabs, .memory = memory, .bytes = bytes};
    copies->slabs = slab;
    copies->fresh = memory;
    copies->fresh_end = copies->fresh + bytes;
    return true;
}

void *copies_take(struct copies *copies)
{
    void *copy = NULL;
    (void)pthread_mutex_lock(&copies->lock);
    if (copies->free != NULL) {
        copy = copies->free;
        copies->free = copies->free->next;
    } else if ((size_t)(copies->fresh_end - copies->fresh) >= copies->copy_bytes || add_slab(copies)) {
        copy = copies->fresh;
        copies->fresh += copies->copy_bytes;
    }
    (void)pthread_mutex_unlock(&copies->lock);
    return copy;
}

void copies_give(struct copies *copies, void *copy)
{
    struct copies_free *slot = copy;
    (void)pthread_mutex_lock(&copies->lock);
    slot->next = copies->free;
    copies->free = slot;
    (void)pthread_mutex_unlock(&copies->lock);
}
