/* SPDX-License-Identifier: MIT */
/* An archive that keeps pattern databases for the life of the program. */
#ifndef BENCH_KEPT_TABLES_H
#define BENCH_KEPT_TABLES_H

#include "base/budget.h"
#include "solve/solve.h"

#include <stdio.h>
#include <string.h>

enum { TABLES_MAX = 16 };

struct kept {
    char name[256];
    uint8_t *bytes;
    size_t length;
};

struct kept_tables {
    struct kept table[TABLES_MAX];
    unsigned count;
};

static inline enum pz_status kept_load(void *context, const char *name, const uint8_t **bytes, size_t *length,
                                       struct pz_error *error)
{
    struct kept_tables *tables = context;
    for (unsigned i = 0; i < tables->count; i++) {
        if (strcmp(tables->table[i].name, name) == 0) {
            *bytes = tables->table[i].bytes;
            *length = tables->table[i].length;
            return PZ_OK;
        }
    }
    return pz_fail(error, PZ_NO_TABLE, "no %s", name);
}

static inline void kept_release(void *context, const uint8_t *bytes)
{
    (void)context;
    (void)bytes;
}

static inline enum pz_status kept_save(void *context, const char *name, const uint8_t *bytes, size_t length,
                                       struct pz_error *error)
{
    struct kept_tables *tables = context;
    struct kept *kept = &tables->table[tables->count];
    if (tables->count == TABLES_MAX)
        return pz_fail(error, PZ_STORAGE_FULL, "no more than %d tables", TABLES_MAX);
    kept->bytes = memory_map(length, MEMORY_HUGE_PAGES);
    if (kept->bytes == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to keep a table");
    (void)snprintf(kept->name, sizeof kept->name, "%s", name);
    memcpy(kept->bytes, bytes, length);
    kept->length = length;
    tables->count++;
    return PZ_OK;
}

#endif
