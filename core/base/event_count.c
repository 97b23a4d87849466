/* SPDX-License-Identifier: MIT */
#include "base/event_count.h"

#include "base/clock.h"

#include <assert.h>

#define PATIENCE_SECONDS 50e-6

enum { LOOKS_PER_CLOCK = 8 };

void event_count_init(struct event_count *event)
{
    atomic_init(&event->count, 0);
    atomic_init(&event->sleepers, 0);
    (void)pthread_mutex_init(&event->lock, NULL);
    (void)pthread_cond_init(&event->changed, NULL);
}

void event_count_end(struct event_count *event)
{
    assert(atomic_load_explicit(&event->sleepers, memory_order_relaxed) == 0);
    (void)pthread_cond_destroy(&event->changed);
    (void)pthread_mutex_destroy(&event->lock);
}

uint32_t event_count_read(struct event_count *event)
{
    return atomic_load_explicit(&event->count, memory_order_acquire);
}

/* Sequential consistency: a thread about to sleep sees the new count, or this one sees the sleeper. */
void event_count_advance(struct event_count *event)
{
    atomic_fetch_add_explicit(&event->count, 1, memory_order_seq_cst);
    if (atomic_load_explicit(&event->sleepers, memory_order_seq_cst) == 0)
        return;
    (void)pthread_mutex_lock(&event->lock);
    (void)pthread_cond_broadcast(&event->changed);
    (void)pthread_mutex_unlock(&event->lock);
}

/* Tells the processor that this is a spinning loop. */
static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool moves_soon(struct event_count *event, uint32_t seen)
{
    double end = clock_seconds() + PATIENCE_SECONDS;
    do {
        for (unsigned i = 0; i < LOOKS_PER_CLOCK; i++) {
            if (event_count_read(event) != seen)
                return true;
            relax();
        }
    } while (clock_seconds() < end);
    return false;
}

void event_count_await(struct event_count *event, uint32_t seen, bool patient)
{
    if (patient && moves_soon(event, seen))
        return;
    (void)pthread_mutex_lock(&event->lock);
    atomic_fetch_add_explicit(&event->sleepers, 1, memory_order_seq_cst);
    while (atomic_load_explicit(&event->count, memory_order_seq_cst) == seen)
        (void)pthread_cond_wait(&event->changed, &event->lock);
    atomic_fetch_sub_explicit(&event->sleepers, 1, memory_order_relaxed);
    (void)pthread_mutex_unlock(&event->lock);
}
