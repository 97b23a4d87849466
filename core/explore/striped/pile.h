/* SPDX-License-Identifier: MIT */
/*
 * A stripe's lock and its pile: the chunks of successors that were brought to it and not looked at yet. Any
 * thread pushes without the lock; its holder takes all that lies there. Release on push, acquire on taking.
 */
#ifndef STRIPED_PILE_H
#define STRIPED_PILE_H

#include "explore/striped/chunk.h"

#include <pthread.h>
#include <stdatomic.h>

struct pile {
    pthread_mutex_t lock;
    _Atomic(struct chunk *) top;
    _Atomic uint32_t height; /* chunks on it, or a few more or fewer while they move: a hint only */
};

static inline void pile_init(struct pile *pile)
{
    (void)pthread_mutex_init(&pile->lock, NULL);
    atomic_init(&pile->top, NULL);
    atomic_init(&pile->height, 0);
}

static inline void pile_clear(struct pile *pile)
{
    (void)pthread_mutex_destroy(&pile->lock);
}

/* Pushes a list of chunks, first … last. */
static inline void pile_push(struct pile *pile, struct chunk *first, struct chunk *last)
{
    struct chunk *top = atomic_load_explicit(&pile->top, memory_order_relaxed);
    do {
        last->next = top;
    } while (!atomic_compare_exchange_weak_explicit(&pile->top, &top, first, memory_order_release,
                                                    memory_order_relaxed));
}

/* Adds to the height what was pushed, which every push must, for pile_take subtracts it; returns the new one.
 */
static inline uint32_t pile_rise(struct pile *pile, uint32_t chunks)
{
    return atomic_fetch_add_explicit(&pile->height, chunks, memory_order_relaxed) + chunks;
}

static inline bool pile_is_empty(const struct pile *pile)
{
    return atomic_load_explicit(&pile->top, memory_order_relaxed) == NULL;
}

/* All of it, as a list, and the height falls by as much. By the holder of the lock. */
static inline struct chunk *pile_take(struct pile *pile)
{
    struct chunk *list = atomic_exchange_explicit(&pile->top, NULL, memory_order_acquire);
    uint32_t height = 0;
    for (const struct chunk *chunk = list; chunk != NULL; chunk = chunk->next)
        height++;
    (void)atomic_fetch_sub_explicit(&pile->height, height, memory_order_relaxed);
    return list;
}

/*
 * Takes the lock where a pile of that height is worth being looked at: from limit on when nobody has it, so
 * that no thread waits for another, and from four times the limit on in any case, so that piles are bounded.
 */
static inline bool pile_lock_if_high(struct pile *pile, uint32_t height, uint32_t limit)
{
    if (height < limit)
        return false;
    if (height / 4 < limit)
        return pthread_mutex_trylock(&pile->lock) == 0;
    (void)pthread_mutex_lock(&pile->lock);
    return true;
}

#endif
