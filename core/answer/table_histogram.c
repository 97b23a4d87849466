/* SPDX-License-Identifier: MIT */
#include "answer/table_histogram.h"

#include <stdlib.h>

enum {
    VALUES = 255 /* an entry of 255 belongs to no board */
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

enum pz_status table_histogram(struct store *store, const struct table_record *table, uint64_t **counts,
                               uint32_t *values, struct pz_error *error)
{
    *counts = NULL;
    *values = 0;
    if (table->kind != TABLE_PATTERN)
        return store_levels(store, table->job, counts, values, error);
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
