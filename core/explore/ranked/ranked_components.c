/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked_components.h"

#include "base/budget.h"

#include <assert.h>
#include <stdlib.h>

enum { NUMBER_BITS = 32 };

static void *parts_take(struct ranked_components *parts, uint64_t count, size_t size)
{
    return budget_calloc(parts->budget, count, size, &parts->bytes);
}

bool ranked_components_init(struct ranked_components *parts, uint64_t states, struct budget *budget)
{
    *parts = (struct ranked_components){.states = states, .budget = budget};
    if (states >> NUMBER_BITS != 0)
        return false;
    parts->of = parts_take(parts, states, sizeof *parts->of);
    for (uint64_t i = 0; i < states && parts->of != NULL; i++)
        atomic_init(&parts->of[i], (uint32_t)i);
    return parts->of != NULL;
}

void ranked_components_clear(struct ranked_components *parts)
{
    if (parts->budget == NULL)
        return;
    budget_give(parts->budget, parts->bytes);
    free(parts->of);
    free(parts->all);
    free(parts->farthest);
}

/* ---- joining: a forest of lower and lower numbers (Anderson and Woll 1991) ---- */

/* Returns the lowest number that is known to be in the component, and shortens the path to it. */
static uint32_t lowest_of(struct ranked_components *parts, uint32_t number)
{
    assert(number < parts->states);
    for (;;) {
        const uint32_t lower = atomic_load_explicit(&parts->of[number], memory_order_relaxed);
        if (lower == number)
            return number;
        const uint32_t lowest = atomic_load_explicit(&parts->of[lower], memory_order_relaxed);
        if (lowest != lower) /* any lower state of the component will do, so a lost write does no harm */
            atomic_store_explicit(&parts->of[number], lowest, memory_order_relaxed);
        number = lower;
    }
}

void ranked_components_join(struct ranked_components *parts, uint64_t a, uint64_t b)
{
    assert(a < parts->states && b < parts->states);
    for (;;) {
        uint32_t higher = lowest_of(parts, (uint32_t)a);
        uint32_t lower = lowest_of(parts, (uint32_t)b);
        if (higher == lower)
            return;
        if (higher < lower) {
            const uint32_t other = higher;
            higher = lower;
            lower = other;
        }
        uint32_t itself = higher; /* unless another worker has just joined it to a lower one */
        if (atomic_compare_exchange_strong_explicit(&parts->of[higher], &itself, lower, memory_order_relaxed,
                                                    memory_order_relaxed))
            return;
    }
}

/* ---- numbering ---- */

bool ranked_components_number(struct ranked_components *parts)
{
    for (uint64_t i = 0; i < parts->states; i++)
        parts->count += atomic_load_explicit(&parts->of[i], memory_order_relaxed) == i;
    parts->all = parts_take(parts, parts->count, sizeof *parts->all);
    parts->farthest = parts_take(parts, parts->count, sizeof *parts->farthest);
    if (parts->all == NULL || parts->farthest == NULL)
        return false;
    uint32_t next = 0;
    for (uint64_t i = 0; i < parts->states; i++) {
        const uint32_t lower = atomic_load_explicit(&parts->of[i], memory_order_relaxed);
        if (lower == i)
            parts->all[next].first = i;
        const uint32_t part =
            lower == i ? next++ : atomic_load_explicit(&parts->of[lower], memory_order_relaxed);
        atomic_store_explicit(&parts->of[i], part, memory_order_relaxed);
        parts->all[part].states++;
    }
    assert(next == parts->count);
    return true;
}

/* ---- the farthest states ---- */

void ranked_components_note(struct ranked_components *parts, uint64_t number, uint32_t level)
{
    assert(number < parts->states);
    const uint32_t part = atomic_load_explicit(&parts->of[number], memory_order_relaxed);
    const uint64_t mine = ((uint64_t)level + 1) << NUMBER_BITS | (UINT32_MAX - number);
    uint64_t best = atomic_load_explicit(&parts->farthest[part], memory_order_relaxed);
    while (best < mine && !atomic_compare_exchange_weak_explicit(&parts->farthest[part], &best, mine,
                                                                 memory_order_relaxed, memory_order_relaxed))
        ;
}

static int compare_components(const void *a, const void *b)
{
    const struct ranked_component *x = a;
    const struct ranked_component *y = b;
    if (x->states != y->states)
        return x->states < y->states ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

void ranked_components_sort(struct ranked_components *parts)
{
    assert(parts->all != NULL);
    for (uint64_t i = 0; i < parts->count; i++) {
        const uint64_t best = atomic_load_explicit(&parts->farthest[i], memory_order_relaxed);
        parts->all[i].deepest = best != 0 ? UINT32_MAX - (best & UINT32_MAX) : parts->all[i].first;
        parts->all[i].depth = best != 0 ? (uint32_t)((best >> NUMBER_BITS) - 1) : COMPONENT_DEAD;
    }
    qsort(parts->all, parts->count, sizeof *parts->all, compare_components);
}
