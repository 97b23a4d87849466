/* SPDX-License-Identifier: MIT */
#include "base/gate.h"

#include "base/clock.h"

#define PATIENCE_SECONDS 50e-6

enum { LOOKS_PER_CLOCK = 8 };

void gate_init(struct gate *gate)
{
    atomic_init(&gate->opened, 0);
    atomic_init(&gate->sleepers, 0);
    (void)pthread_mutex_init(&gate->lock, NULL);
    (void)pthread_cond_init(&gate->changed, NULL);
}

void gate_end(struct gate *gate)
{
    (void)pthread_cond_destroy(&gate->changed);
    (void)pthread_mutex_destroy(&gate->lock);
}

uint32_t gate_seen(struct gate *gate)
{
    return atomic_load_explicit(&gate->opened, memory_order_acquire);
}

/* Either the sleeper, who has raised sleepers, still sees the new number, or it is seen here: both orders of
 * these two are one and the same for everybody (sequentially consistent). */
void gate_open(struct gate *gate)
{
    atomic_fetch_add_explicit(&gate->opened, 1, memory_order_seq_cst);
    if (atomic_load_explicit(&gate->sleepers, memory_order_seq_cst) == 0)
        return;
    (void)pthread_mutex_lock(&gate->lock);
    (void)pthread_cond_broadcast(&gate->changed);
    (void)pthread_mutex_unlock(&gate->lock);
}

/* Tells the processor that this is a loop that waits. */
static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool opens_soon(struct gate *gate, uint32_t seen)
{
    double end = clock_seconds() + PATIENCE_SECONDS;
    do {
        for (unsigned i = 0; i < LOOKS_PER_CLOCK; i++) {
            if (gate_seen(gate) != seen)
                return true;
            relax();
        }
    } while (clock_seconds() < end);
    return false;
}

void gate_pass(struct gate *gate, uint32_t seen, bool patient)
{
    if (patient && opens_soon(gate, seen))
        return;
    (void)pthread_mutex_lock(&gate->lock);
    atomic_fetch_add_explicit(&gate->sleepers, 1, memory_order_seq_cst);
    while (atomic_load_explicit(&gate->opened, memory_order_seq_cst) == seen)
        (void)pthread_cond_wait(&gate->changed, &gate->lock);
    atomic_fetch_sub_explicit(&gate->sleepers, 1, memory_order_relaxed);
    (void)pthread_mutex_unlock(&gate->lock);
}
