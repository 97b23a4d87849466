/* SPDX-License-Identifier: MIT */
/* Eviction: the tables unused for longest go first, and only as many as are needed. */
#include "base/status_word.h"
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct candidates {
    struct store *store;
    struct table_record *tables;
    size_t count, room;
    uint64_t bytes; /* of all */
    bool starved;   /* memory ran out while they were collected */
};

static bool visit_table(void *context, const struct table_record *table)
{
    struct candidates *candidates = context;
    if (table->pinned)
        return true;
    if (candidates->count == candidates->room) {
        size_t room = candidates->room * 2 + 16;
        struct table_record *grown = reallocarray(candidates->tables, room, sizeof *grown);
        candidates->starved = grown == NULL;
        if (grown == NULL)
            return false;
        candidates->tables = grown;
        candidates->room = room;
    }
    struct table_record *copy = &candidates->tables[candidates->count++];
    const uint64_t here = checks_used_ms(candidates->store, table->id);
    *copy = *table;
    copy->used_ms = here > table->used_ms ? here : table->used_ms;
    candidates->bytes += table->bytes;
    return true;
}

static enum pz_status find_candidates(struct store *store, struct candidates *candidates,
                                      struct pz_error *error)
{
    *candidates = (struct candidates){.store = store};
    enum pz_status status = store_tables(store, visit_table, candidates, error);
    if (candidates->starved)
        return pz_fail(error, PZ_MEMORY, "no memory to choose the tables to be evicted");
    return status_is_retryable(status) ? status : PZ_OK; /* a damaged table is no candidate */
}

enum pz_status store_evictable(struct store *store, uint64_t *bytes, struct pz_error *error)
{
    struct candidates candidates;
    enum pz_status status = find_candidates(store, &candidates, error);
    *bytes = candidates.bytes;
    free(candidates.tables);
    return status;
}

static int by_use(const void *a, const void *b)
{
    const struct table_record *one = a, *other = b;
    if (one->used_ms != other->used_ms)
        return one->used_ms < other->used_ms ? -1 : 1;
    return one->id < other->id ? -1 : one->id > other->id;
}

/* Reduces the list to the tables to evict: the longest unused ones until they suffice, without those that
 * the later ones make unnecessary. */
static void choose_evicted(struct candidates *candidates, uint64_t bytes)
{
    uint64_t chosen = 0;
    size_t count = 0;
    qsort(candidates->tables, candidates->count, sizeof *candidates->tables, by_use);
    assert(candidates->bytes >= bytes);
    while (chosen < bytes) {
        assert(count < candidates->count);
        chosen += candidates->tables[count++].bytes;
    }
    for (size_t i = count; i-- > 0;) {
        if (chosen - candidates->tables[i].bytes < bytes)
            continue;
        chosen -= candidates->tables[i].bytes;
        count--;
        memmove(&candidates->tables[i], &candidates->tables[i + 1], (count - i) * sizeof *candidates->tables);
    }
    assert(chosen >= bytes && (count > 0 || bytes == 0));
    candidates->count = count;
}

enum pz_status store_evict(struct store *store, uint64_t bytes,
                           void (*evicted)(void *context, const struct table_record *table), void *context,
                           struct pz_error *error)
{
    struct candidates candidates;
    enum pz_status status = find_candidates(store, &candidates, error);
    if (status == PZ_OK && candidates.bytes < bytes)
        status = pz_fail(error, PZ_STORAGE_FULL,
                         "%" PRIu64 " bytes more are needed, and only %" PRIu64
                         " could be had by evicting every table that is not pinned: nothing was evicted",
                         bytes, candidates.bytes);
    else if (status == PZ_OK)
        choose_evicted(&candidates, bytes);
    for (size_t i = 0; i < candidates.count && status == PZ_OK; i++) {
        const struct table_record *table = &candidates.tables[i];
        status = table_remove(store, table->name, table->id, error);
        if (status == PZ_NO_TABLE) /* it is already gone */
            status = PZ_OK;
        else if (status == PZ_OK && evicted != NULL)
            evicted(context, table);
    }
    free(candidates.tables);
    return status;
}
