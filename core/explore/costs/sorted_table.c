/* SPDX-License-Identifier: MIT */
#include "explore/costs/sorted_table.h"

#include <stdlib.h>
#include <string.h>

static unsigned group_of(const struct state_table *table, uint32_t number)
{
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(state_table_at(table, number), table->state_bytes, key);
    return (unsigned)(key[0] >> (64 - ENTRY_TOKEN_BITS));
}

bool sorted_table_init(struct sorted_table *sorted, const struct state_table *table, uint32_t most)
{
    *sorted = (struct sorted_table){.table = table, .radix = {.budget = table->budget}};
    if (!budget_take(table->budget, table->count * sizeof *sorted->numbers))
        return false;
    sorted->numbers = malloc(((size_t)table->count + 1) * sizeof *sorted->numbers);
    sorted->keys = malloc(SORTED_RUN_KEYS * table->state_bytes);
    if (sorted->numbers == NULL)
        budget_give(table->budget, table->count * sizeof *sorted->numbers);
    if (sorted->numbers == NULL || sorted->keys == NULL)
        return false;
    for (uint32_t i = 0; i < table->count; i++)
        if (costs_own_at(table, i)->cost <= most)
            sorted->first[group_of(table, i)]++;
    for (unsigned i = 0, sum = 0; i <= KEY_GROUPS; i++)
        sorted->first[i] = sum += sorted->first[i];
    for (uint32_t i = table->count; i-- > 0;)
        if (costs_own_at(table, i)->cost <= most)
            sorted->numbers[--sorted->first[group_of(table, i)]] = i;
    return true;
}

void sorted_table_clear(struct sorted_table *sorted)
{
    if (sorted->numbers != NULL)
        budget_give(sorted->table->budget, sorted->table->count * sizeof *sorted->numbers);
    free(sorted->numbers);
    free(sorted->keys);
    radix_clear(&sorted->radix);
}

/* Makes the next group: its states in order, each an entry with its cost. Returns false without memory. */
static bool sort_group(struct sorted_table *sorted, unsigned words)
{
    const struct state_table *table = sorted->table;
    const uint32_t first = sorted->first[sorted->group];
    sorted->at = 0;
    sorted->count = sorted->first[sorted->group + 1] - first;
    sorted->group++;
    if (!radix_reserve(&sorted->radix, (uint64_t)sorted->count * (words + 1)))
        return false;
    uint64_t *entry = sorted->radix.entries;
    for (uint32_t i = first; i < first + sorted->count; i++, entry += words + 1) {
        uint64_t key[KEY_WORDS_MAX];
        mix_bytes(state_table_at(table, sorted->numbers[i]), table->state_bytes, key);
        entry_make(entry, key, 0, words);
        entry[words] = costs_own_at(table, sorted->numbers[i])->cost;
    }
    radix_sort_pairs(&sorted->radix, sorted->count, words, 0);
    return true;
}

bool sorted_table_next(struct sorted_table *sorted, struct explore_run *out)
{
    const unsigned words = (unsigned)(sorted->table->state_bytes / sizeof(uint64_t));
    size_t count = 0;
    while (count < SORTED_RUN_KEYS) {
        if (sorted->at == sorted->count) {
            if (sorted->group == KEY_GROUPS)
                break;
            if (!sort_group(sorted, words))
                return false;
            continue;
        }
        const uint64_t *entry = sorted->radix.entries + (uint64_t)sorted->at++ * (words + 1);
        const uint64_t top = (uint64_t)(sorted->group - 1) << (64 - ENTRY_TOKEN_BITS);
        entry_key(entry, top, sorted->keys + count * words, words);
        sorted->distances[count++] = (uint32_t)entry[words];
    }
    *out = (struct explore_run){
        .keys = sorted->keys, .distances = sorted->distances, .count = count, .key_words = words};
    return true;
}
