/* SPDX-License-Identifier: MIT */
/* The numbers of states of a search, and the size of a bucket. */
#include "explore/striped/search/search.h"
#include "explore/striped/search/search_parts.h"

uint32_t search_level(const struct search *search)
{
    return search->level;
}

uint64_t search_frontier(const struct search *search)
{
    return search->frontier_states + search->remote.frontier_states;
}

double search_growth(const struct search *search)
{
    uint64_t before = search->previous_states + search->remote.previous_states;
    return search->level == 0 ? 1.0 : (double)search_frontier(search) / (double)before;
}

uint64_t search_states(const struct search *search)
{
    return search->states + search->remote.states;
}

uint64_t search_generated(const struct search *search)
{
    return search->generated + search->remote.generated;
}

uint64_t search_expanded(const struct search *search)
{
    return search->expanded + search->remote.expanded;
}

size_t search_bucket_room(const struct search *search)
{
    const struct pool *pool = &search->searchers->pool;
    return (size_t)(search->visited->tokens_apart ? pool->capacity : pool->entries) * search->words;
}
