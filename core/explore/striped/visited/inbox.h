/* SPDX-License-Identifier: MIT */
/*
 * A partition's inbox and its lock. The inbox is a stack of chunks of successors that have come to the
 * partition and are not yet processed. Any thread pushes without the lock. The holder of the lock takes all
 * at once. A push is a release, taking is an acquire.
 */
#ifndef STRIPED_INBOX_H
#define STRIPED_INBOX_H

#include "explore/key/chunk.h"

#include <pthread.h>
#include <stdatomic.h>

struct inbox {
    pthread_mutex_t lock;
    _Atomic(struct chunk *) top;
    _Atomic uint32_t height; /* chunks in it, or a few more or fewer while they move: a hint only */
};

static inline void inbox_init(struct inbox *inbox)
{
    (void)pthread_mutex_init(&inbox->lock, NULL);
    atomic_init(&inbox->top, NULL);
    atomic_init(&inbox->height, 0);
}

static inline void inbox_clear(struct inbox *inbox)
{
    (void)pthread_mutex_destroy(&inbox->lock);
}

/* Pushes a list of that many chunks, first … last. Returns the new height. */
static inline uint32_t inbox_push(struct inbox *inbox, struct chunk *first, struct chunk *last,
                                  uint32_t chunks)
{
    struct chunk *top = atomic_load_explicit(&inbox->top, memory_order_relaxed);
    do {
        last->next = top;
    } while (!atomic_compare_exchange_weak_explicit(&inbox->top, &top, first, memory_order_release,
                                                    memory_order_relaxed));
    return atomic_fetch_add_explicit(&inbox->height, chunks, memory_order_relaxed) + chunks;
}

static inline bool inbox_is_empty(const struct inbox *inbox)
{
    return atomic_load_explicit(&inbox->top, memory_order_relaxed) == NULL;
}

/* Returns all chunks as a list and leaves the inbox empty. Called by the holder of the lock. */
static inline struct chunk *inbox_take(struct inbox *inbox)
{
    struct chunk *list = atomic_exchange_explicit(&inbox->top, NULL, memory_order_acquire);
    uint32_t height = 0;
    for (const struct chunk *chunk = list; chunk != NULL; chunk = chunk->next)
        height++;
    (void)atomic_fetch_sub_explicit(&inbox->height, height, memory_order_relaxed);
    return list;
}

/*
 * Returns true, with the lock taken, if an inbox of that height is full. From limit on it tries the lock, so
 * that no thread waits for another; from four times the limit on it waits, so that inboxes are bounded.
 */
static inline bool inbox_lock_if_full(struct inbox *inbox, uint32_t height, uint32_t limit)
{
    if (height < limit)
        return false;
    if (height / 4 < limit)
        return pthread_mutex_trylock(&inbox->lock) == 0;
    (void)pthread_mutex_lock(&inbox->lock);
    return true;
}

#endif
