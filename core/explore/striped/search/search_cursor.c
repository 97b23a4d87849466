/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/search_cursor.h"

#include "explore/striped/search/search_parts.h"

#include <string.h>

void cursor_begin(struct search_cursor *cursor, const struct search *search, uint32_t lowest,
                  uint32_t deepest)
{
    memset(cursor, 0, sizeof *cursor);
    cursor->search = search;
    cursor->lowest = lowest;
    cursor->deepest = deepest < search->level ? deepest : search->level;
    /* Sorting takes a few thousandths of the states' memory. It has a budget of its own, because the job's
     * budget may be spent. */
    budget_init(&cursor->own, NULL, UINT64_MAX);
    cursor->radix.budget = &cursor->own;
}

void cursor_end(struct search_cursor *cursor)
{
    radix_clear(&cursor->radix);
}

bool cursor_next(struct search_cursor *cursor, uint64_t *key, uint32_t *level)
{
    return cursor->search->visited->next(cursor, key, level);
}
