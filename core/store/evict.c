/* SPDX-License-Identifier: MIT */
/* Making room: which tables go first. */
#include "base/status.h"
#include "store/table.h"

#include <inttypes.h>

struct eviction {
    struct store *store;
    bool found;
    struct table_record oldest;
};

static bool visit_oldest(void *context, const struct table_record *table)
{
    struct eviction *eviction = context;
    uint64_t here = checks_used_ms(eviction->store, table->id);
    uint64_t used = here > table->used_ms ? here : table->used_ms;
    if (table->pinned || (eviction->found && used >= eviction->oldest.used_ms))
        return true;
    eviction->found = true;
    eviction->oldest = *table;
    eviction->oldest.used_ms = used;
    return true;
}

enum pz_status store_evict(struct store *store, uint64_t bytes,
                           void (*evicted)(void *context, const struct table_record *table), void *context,
                           struct pz_error *error)
{
    for (uint64_t freed = 0; freed < bytes;) {
        struct eviction eviction = {.store = store};
        enum pz_status status = store_tables(store, visit_oldest, &eviction, error);
        if (status_is_retryable(status)) /* the oldest may be among those that were not seen */
            return status;
        if (!eviction.found)
            return status != PZ_OK ? status
                                   : pz_fail(error, PZ_STORAGE_FULL,
                                             "%" PRIu64 " bytes could be evicted of the %" PRIu64
                                             " that are needed; the rest is pinned or in use",
                                             freed, bytes);
        status = store_table_remove(store, eviction.oldest.name, error);
        if (status != PZ_OK && status != PZ_NO_TABLE) /* gone meanwhile is as good */
            return status;
        freed += eviction.oldest.bytes;
        if (evicted != NULL)
            evicted(context, &eviction.oldest);
    }
    return PZ_OK;
}
