/* SPDX-License-Identifier: MIT */
#include "base/table/cost_queue.h"

#include "base/budget.h"

#include <assert.h>
#include <stdlib.h>

enum { PAGE_TOPS = 1 << 12, PAGES = 1 << 20, PAGE_BYTES = PAGE_TOPS * sizeof(uint32_t), CHUNK = 1 << 15 };

struct cost_queue_entry {
    uint32_t number;
    uint32_t below; /* the next in its stack, plus 1; 0 for none */
};

bool cost_queue_init(struct cost_queue *queue, struct budget *budget)
{
    const uint64_t most = budget_free(budget) / sizeof *queue->entries + CHUNK;
    *queue = (struct cost_queue){.budget = budget,
                                 .pages = memory_map(PAGES * sizeof *queue->pages, MEMORY_SMALL_PAGES),
                                 .capacity = most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1};
    /* Those that were popped are used again: few are touched. */
    if (queue->pages != NULL)
        queue->entries = memory_map(queue->capacity * sizeof *queue->entries, MEMORY_SMALL_PAGES);
    if (queue->entries == NULL)
        budget_starve(budget);
    return queue->entries != NULL;
}

static void free_page(struct cost_queue *queue, uint32_t number)
{
    if (queue->pages[number] == NULL)
        return;
    free(queue->pages[number]);
    queue->pages[number] = NULL;
    budget_give(queue->budget, PAGE_BYTES);
}

void cost_queue_clear(struct cost_queue *queue)
{
    for (uint32_t i = queue->lowest / PAGE_TOPS; i < queue->end; i++)
        free_page(queue, i);
    memory_unmap(queue->pages, PAGES * sizeof *queue->pages);
    memory_unmap(queue->entries, queue->capacity * sizeof *queue->entries);
    if (queue->paid > 0)
        budget_give(queue->budget, queue->paid * sizeof *queue->entries);
}

/* Returns the top of a stack, which is 0 if the stack is empty; NULL without memory. */
static uint32_t *top_of(struct cost_queue *queue, uint32_t cost)
{
    const uint32_t number = cost / PAGE_TOPS;
    uint64_t taken = 0;
    assert(cost >= queue->lowest);
    if (queue->pages[number] == NULL) {
        queue->pages[number] = budget_calloc(queue->budget, PAGE_TOPS, sizeof **queue->pages, &taken);
        if (queue->pages[number] == NULL)
            return NULL;
        queue->end = number < queue->end ? queue->end : number + 1;
    }
    return queue->pages[number] + cost % PAGE_TOPS;
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
            !budget_take(queue->budget, CHUNK * sizeof *queue->entries))
            return 0;
        queue->paid += CHUNK;
    }
    assert(queue->count < queue->paid);
    return ++queue->count;
}

bool cost_queue_push(struct cost_queue *queue, uint32_t number, uint32_t cost)
{
    uint32_t *top = top_of(queue, cost);
    const uint32_t entry = top != NULL ? entry_new(queue) : 0;
    assert(number != COST_QUEUE_NONE);
    if (entry == 0)
        return false;
    queue->entries[entry - 1] = (struct cost_queue_entry){.number = number, .below = *top};
    *top = entry;
    return true;
}

bool cost_queue_offer(struct cost_queue *queue, uint32_t number, uint64_t cost, uint32_t *known)
{
    if (cost > COST_MAX) {
        queue->far += *known == COST_UNREACHED;
        *known = *known == COST_UNREACHED ? COST_FAR : *known;
        return true;
    }
    if (cost >= *known)
        return true;
    queue->reached += *known >= COST_FAR;
    queue->far -= *known == COST_FAR;
    *known = (uint32_t)cost;
    return cost_queue_push(queue, number, *known);
}

bool cost_queue_lowest(struct cost_queue *queue, uint32_t *cost)
{
    uint32_t within = queue->lowest % PAGE_TOPS;
    for (uint32_t number = queue->lowest / PAGE_TOPS; number < queue->end; number++, within = 0) {
        const uint32_t *page = queue->pages[number];
        for (; page != NULL && within < PAGE_TOPS; within++)
            if (page[within] != 0) {
                *cost = queue->lowest = number * PAGE_TOPS + within;
                return true;
            }
        free_page(queue, number);
    }
    return false;
}

uint32_t cost_queue_pop(struct cost_queue *queue, uint32_t cost)
{
    assert(cost == queue->lowest);
    uint32_t *top = top_of(queue, cost);
    if (top == NULL || *top == 0)
        return COST_QUEUE_NONE;
    struct cost_queue_entry *entry = &queue->entries[*top - 1];
    const uint32_t next = entry->below;
    entry->below = queue->unused;
    queue->unused = *top;
    *top = next;
    return entry->number;
}
