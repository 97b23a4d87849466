/* SPDX-License-Identifier: MIT */
#include "explore/costs/cost_queue.h"

#include "base/memory.h"

#include <assert.h>

enum { CHUNK = 1 << 15 };

bool cost_queue_init(struct cost_queue *queue, struct budget *budget)
{
    const uint64_t most = budget_free(budget) / sizeof *queue->entries + CHUNK;
    *queue = (struct cost_queue){.capacity = most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1};
    if (!cost_stacks_init(&queue->stacks, budget))
        return false;
    /* Those that were popped are used again: few are touched. */
    queue->entries = memory_map(queue->capacity * sizeof *queue->entries, MEMORY_SMALL_PAGES);
    if (queue->entries == NULL)
        budget_starve(budget);
    return queue->entries != NULL;
}

void cost_queue_clear(struct cost_queue *queue)
{
    memory_unmap(queue->entries, queue->capacity * sizeof *queue->entries);
    if (queue->paid > 0)
        budget_give(queue->stacks.budget, queue->paid * sizeof *queue->entries);
    cost_stacks_clear(&queue->stacks);
}

/* Returns an entry, plus 1; 0 without memory. */
static uint32_t entry_new(struct cost_queue *queue)
{
    const uint32_t old = queue->unused;
    if (old != 0) {
        queue->unused = queue->entries[old - 1].below;
        return old;
    }
    if (queue->count == queue->paid) {
        if (queue->capacity - queue->paid < CHUNK ||
            !budget_take(queue->stacks.budget, CHUNK * sizeof *queue->entries))
            return 0;
        queue->paid += CHUNK;
    }
    return ++queue->count;
}

bool cost_queue_push(struct cost_queue *queue, uint32_t number, uint32_t cost)
{
    uint32_t *top = cost_stacks_top(&queue->stacks, cost);
    const uint32_t entry = top != NULL ? entry_new(queue) : 0;
    if (entry == 0)
        return false;
    queue->entries[entry - 1] = (struct cost_queue_entry){.number = number, .below = *top};
    *top = entry;
    return true;
}

bool cost_queue_lowest(struct cost_queue *queue, uint32_t *cost)
{
    const bool found = cost_stacks_first(&queue->stacks) != NULL;
    *cost = queue->stacks.lowest;
    return found;
}

uint32_t cost_queue_pop(struct cost_queue *queue, uint32_t cost)
{
    assert(cost == queue->stacks.lowest);
    uint32_t *top = cost_stacks_top(&queue->stacks, cost);
    if (top == NULL || *top == 0)
        return COST_QUEUE_NONE;
    struct cost_queue_entry *entry = &queue->entries[*top - 1];
    const uint32_t next = entry->below;
    entry->below = queue->unused;
    queue->unused = *top;
    *top = next;
    return entry->number;
}
