/* SPDX-License-Identifier: MIT */
/* Spreads a search that has become large over its partitions. */
#include "explore/striped/search/search_cursor.h"
#include "explore/striped/search/search_parts.h"

/* Gives back the chunks of the frontier, whose states are in the store as well. */
static void give_frontier(struct search *search)
{
    pool_give(&search->searchers->pool, search->frontier.chunks);
    search->frontier = (struct frontier){0};
}

static bool set_to_layers(struct search *search)
{
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX] = {0};
    uint32_t level = 0;
    bool kept = layers_init(&search->layers, &search->searchers->pool, search->large_stripes);
    cursor_begin(&cursor, search, 0, search->level);
    while (kept && cursor_next(&cursor, key, &level))
        kept = layers_put_back(search, key, level);
    cursor_end(&cursor);
    return kept && layers_reopen(search);
}

static bool spread_layers(struct search *search)
{
    if (!set_to_layers(search)) {
        restore_clear(search);
        layers_clear(&search->layers); /* their chunks are lost to the pool until it is cleared */
        return false;
    }
    give_frontier(search);
    set_clear(&search->set);
    search->visited = &visited_layers;
    return true;
}

/* Returns true if the visited states are few enough for one partition and the caller's thread. */
static bool is_small(const struct search *search)
{
    bool joins = visited_tokens_join(search->space) &&
                 visited_for(search->space, search->large_stripes) == &visited_layers;
    if (search->states < SEARCH_LARGE_STATES)
        return true;
    return !joins && search->frontier_states < SEARCH_WIDE_LEVEL && search->states < SEARCH_LARGE_NARROW;
}

static bool spread_set(struct search *search)
{
    struct set_options options = {.budget = search->searchers->budget,
                                  .words = search->words,
                                  .stripes = search->large_stripes,
                                  .first_capacity = search->states / search->large_stripes * 2 + 32};
    return set_restripe(&search->set, &options);
}

void search_spread(struct search *search)
{
    if (search->visited != &visited_hash || search->large_stripes <= search->set.stripe_count ||
        is_small(search))
        return;
    bool layers = visited_for(search->space, search->large_stripes) == &visited_layers;
    if (layers && search->level > SET_DISTANCE_MAX) /* so deep, the set does not know levels */
        return;
    if (!(layers ? spread_layers(search) : spread_set(search)))
        search->large_stripes = 0;
}
