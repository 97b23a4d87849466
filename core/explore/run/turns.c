/* SPDX-License-Identifier: MIT */
#include "explore/run/turns.h"

#include <assert.h>

void turns_begin(struct turns *turns, uint64_t first, uint64_t count)
{
    assert(first <= count);
    turns->count = count;
    turns->owner_worked = false;
    atomic_store_explicit(&turns->next, first, memory_order_relaxed);
    atomic_store_explicit(&turns->ended, PZ_OK, memory_order_relaxed);
}

void turns_end(struct turns *turns, enum pz_status status)
{
    assert(status != PZ_OK);
    int ended = PZ_OK;
    while (!atomic_compare_exchange_weak_explicit(&turns->ended, &ended, (int)status, memory_order_relaxed,
                                                  memory_order_relaxed) &&
           (ended == PZ_OK || ended == PZ_BUSY)) /* the first one counts; a pause gives way */
        ;
}

/* The owner polls after each of its turns, not before: so even work that pauses at each poll makes
 * progress. */
static void owner_look(struct turns *turns)
{
    if (!turns->owner_worked || turns->tick == NULL)
        return;
    if (turns->tick(turns->context, (double)turns_done(turns) / (double)turns->count))
        turns_end(turns, PZ_BUSY);
}

bool turns_take(struct turns *turns, unsigned worker, uint64_t *turn)
{
    if (worker == 0)
        owner_look(turns);
    if (turns_status(turns) != PZ_OK)
        return false;
    const enum pz_status status = control_poll(turns->control);
    if (status != PZ_OK) {
        turns_end(turns, status);
        return false;
    }
    *turn = atomic_fetch_add_explicit(&turns->next, 1, memory_order_relaxed);
    if (worker == 0)
        turns->owner_worked = true;
    return *turn < turns->count;
}
