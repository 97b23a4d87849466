/* SPDX-License-Identifier: MIT */
#include "explore/costs/cost_queue.h"

#include "base/memory.h"
#include "explore/explore.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 15, STACKS = EXPLORE_LEVEL_MAX + 1 };

bool cost_queue_init(struct cost_queue *queue, struct budget *budget)
{
    const uint64_t most = budget_free(budget) / sizeof *queue->entries + CHUNK;
    *queue = (struct cost_queue){.budget = budget, .unused = COST_QUEUE_NONE};
    queue->capacity = most < COST_QUEUE_NONE - 1 ? (uint32_t)most : COST_QUEUE_NONE - 1;
    queue->entries = memory_map(queue->capacity * sizeof *queue->entries, MEMORY_HUGE_PAGES);
    queue->stacks = malloc(STACKS * sizeof *queue->stacks);
    if (queue->entries == NULL || queue->stacks == NULL) {
        budget_starve(budget);
        return false;
    }
    memset(queue->stacks, 0xFF, STACKS * sizeof *queue->stacks);
    return true;
}

void cost_queue_clear(struct cost_queue *queue)
{
    if (queue->budget == NULL)
        return;
    memory_unmap(queue->entries, queue->capacity * sizeof *queue->entries);
    budget_give(queue->budget, queue->paid * sizeof *queue->entries);
    free(queue->stacks);
}

static uint32_t entry_new(struct cost_queue *queue)
{
    const uint32_t old = queue->unused;
    if (old != COST_QUEUE_NONE) {
        queue->unused = queue->entries[old].below;
        return old;
    }
    if (queue->count == queue->paid) {
        if (queue->capacity - queue->paid < CHUNK ||
            !budget_take(queue->budget, CHUNK * sizeof *queue->entries))
            return COST_QUEUE_NONE;
        queue->paid += CHUNK;
    }
    return queue->count++;
}

bool cost_queue_push(struct cost_queue *queue, uint32_t number, uint32_t cost)
{
    const uint32_t entry = entry_new(queue);
    if (entry == COST_QUEUE_NONE)
        return false;
    queue->entries[entry] = (struct cost_queue_entry){.number = number, .below = queue->stacks[cost]};
    queue->stacks[cost] = entry;
    return true;
}

uint32_t cost_queue_pop(struct cost_queue *queue, uint32_t cost)
{
    const uint32_t entry = queue->stacks[cost];
    if (entry == COST_QUEUE_NONE)
        return COST_QUEUE_NONE;
    const uint32_t number = queue->entries[entry].number;
    queue->stacks[cost] = queue->entries[entry].below;
    queue->entries[entry].below = queue->unused;
    queue->unused = entry;
    return number;
}
