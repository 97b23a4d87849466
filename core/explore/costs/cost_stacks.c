/* SPDX-License-Identifier: MIT */
#include "explore/costs/cost_stacks.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { PAGES = 1 << 20, PAGE_BYTES = COST_STACKS_PAGE * sizeof(uint32_t) };

bool cost_stacks_init(struct cost_stacks *stacks, struct budget *budget)
{
    *stacks = (struct cost_stacks){.budget = budget,
                                   .pages = memory_map(PAGES * sizeof *stacks->pages, MEMORY_SMALL_PAGES)};
    if (stacks->pages == NULL)
        budget_starve(budget);
    return stacks->pages != NULL;
}

static void free_page(struct cost_stacks *stacks, uint32_t number)
{
    if (stacks->pages[number] == NULL)
        return;
    free(stacks->pages[number]);
    stacks->pages[number] = NULL;
    budget_give(stacks->budget, PAGE_BYTES);
}

void cost_stacks_clear(struct cost_stacks *stacks)
{
    if (stacks->pages == NULL)
        return;
    for (uint32_t i = stacks->lowest / COST_STACKS_PAGE; i < stacks->end; i++)
        free_page(stacks, i);
    memory_unmap(stacks->pages, PAGES * sizeof *stacks->pages);
}

uint32_t *cost_stacks_make(struct cost_stacks *stacks, uint32_t cost)
{
    const uint32_t number = cost / COST_STACKS_PAGE;
    assert(cost >= stacks->lowest && stacks->pages[number] == NULL);
    uint64_t taken = 0;
    uint32_t *page = budget_calloc(stacks->budget, COST_STACKS_PAGE, sizeof *page, &taken);
    if (page == NULL)
        return NULL;
    stacks->pages[number] = page;
    stacks->end = number < stacks->end ? stacks->end : number + 1;
    return page + cost % COST_STACKS_PAGE;
}

uint32_t *cost_stacks_first(struct cost_stacks *stacks)
{
    uint32_t within = stacks->lowest % COST_STACKS_PAGE;
    for (uint32_t number = stacks->lowest / COST_STACKS_PAGE; number < stacks->end; number++, within = 0) {
        uint32_t *page = stacks->pages[number];
        for (; page != NULL && within < COST_STACKS_PAGE; within++)
            if (page[within] != 0) {
                stacks->lowest = number * COST_STACKS_PAGE + within;
                return &page[within];
            }
        free_page(stacks, number);
    }
    return NULL;
}
