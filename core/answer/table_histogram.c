/* SPDX-License-Identifier: MIT */
#include "answer/table_histogram.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    VALUES = 255, /* an entry of 255 belongs to no board */
    LEVELS_MOST = 1 << 20
};

static void count_bytes(const uint8_t *bytes, size_t length, uint64_t counts[VALUES + 1])
{
    for (size_t i = 0; i < length; i++)
        counts[bytes[i]]++;
}

static enum pz_status count_chunks(struct store *store, const char *name, uint64_t counts[VALUES + 1],
                                   struct pz_error *error)
{
    struct table_view *view;
    enum pz_status status = table_view_open(store, name, &view, error);
    if (status != PZ_OK)
        return status;
    const uint64_t all = table_view_record(view)->table_bytes;
    uint64_t at = 0;
    for (uint64_t number = 0; at < all && status == PZ_OK; number++) {
        const uint8_t *bytes;
        size_t length = 0;
        status = table_view_chunk(view, number, &bytes, &length, error);
        if (status == PZ_OK && (length == 0 || length > all - at))
            status = pz_fail(error, PZ_STORAGE, "a chunk of %.300s has a wrong length", name);
        if (status == PZ_OK)
            count_bytes(bytes, length, counts);
        at += length;
    }
    table_view_close(view);
    return status;
}

/* The counts of an exploration, 0 for a cost that no state has. */
static enum pz_status count_levels(struct store *store, const struct table_record *table, uint64_t **counts,
                                   uint32_t *values, struct pz_error *error)
{
    struct store_level *levels;
    uint32_t count;
    enum pz_status status = store_levels(store, table->job, &levels, &count, error);
    if (status != PZ_OK)
        return status;
    const uint32_t all = count > 0 ? levels[count - 1].level + 1 : 0;
    uint64_t *found = all <= LEVELS_MOST ? calloc((size_t)all + 1, sizeof *found) : NULL;
    for (uint32_t i = 0; i < count && found != NULL; i++)
        found[levels[i].level] = levels[i].states;
    free(levels);
    *counts = found;
    *values = found != NULL ? all : 0;
    if (all > LEVELS_MOST)
        return pz_fail(error, PZ_TOO_LARGE, "a histogram of costs to %" PRIu32 ": ask for LEVELS", all - 1);
    return found != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a histogram");
}

enum pz_status table_histogram(struct store *store, const struct table_record *table, uint64_t **counts,
                               uint32_t *values, struct pz_error *error)
{
    *counts = NULL;
    *values = 0;
    if (table->kind != TABLE_PATTERN)
        return count_levels(store, table, counts, values, error);
    *counts = calloc(VALUES + 1, sizeof **counts);
    if (*counts == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a histogram");
    enum pz_status status = count_chunks(store, table->name, *counts, error);
    if (status != PZ_OK) {
        free(*counts);
        *counts = NULL;
        return status;
    }
    *values = VALUES;
    while (*values > 0 && (*counts)[*values - 1] == 0)
        --*values;
    return PZ_OK;
}
