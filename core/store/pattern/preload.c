/* SPDX-License-Identifier: MIT */
#include "store/pattern/patterns.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/priority.h"
#include "store/table/table.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { DATABASES_MAX = 64, LATELY_MS = 24 * 60 * 60 * 1000 };

struct stored_database {
    char *name; /* owned */
    uint64_t bytes, used_ms;
};

struct preload {
    struct store *store;
    struct patterns *patterns;
    uint64_t bytes; /* at most */
    struct control control;
    pthread_t thread;
    struct stored_database database[DATABASES_MAX];
    unsigned count;
};

static bool note_lately_used(void *context, const struct table_record *table)
{
    struct preload *preload = context;
    if (strncmp(table->name, "pdb:", 4) != 0 || table->used_ms + LATELY_MS < clock_wall_ms())
        return true;
    char *name = strdup(table->name);
    if (name == NULL || preload->count == DATABASES_MAX) {
        free(name);
        return false;
    }
    preload->database[preload->count++] =
        (struct stored_database){.name = name, .bytes = table->table_bytes, .used_ms = table->used_ms};
    return true;
}

/* The latest used first. */
static int by_latest_use(const void *a, const void *b)
{
    const struct stored_database *one = a, *other = b;
    return (one->used_ms < other->used_ms) - (one->used_ms > other->used_ms);
}

/* Loads the databases of the list for which there is room, and leaves them unused. */
static void preload_listed(struct preload *preload)
{
    struct patterns_access access;
    patterns_access_init(&access, preload->patterns, 0, &preload->control);
    access.ahead = true;
    const struct pattern_archive *archive = &access.archive;
    const double began = clock_seconds();
    uint64_t loaded = 0;
    for (unsigned i = 0; i < preload->count && !control_stopped(&preload->control); i++) {
        const char *name = preload->database[i].name;
        const uint8_t *bytes;
        size_t length;
        if (patterns_bytes(preload->patterns) + preload->database[i].bytes > preload->bytes)
            continue;
        if (archive->load(archive->context, name, &bytes, &length, NULL) != PZ_OK)
            continue; /* the search that wants it will say why */
        loaded += length;
        archive->release(archive->context, bytes);
    }
    if (loaded > 0)
        log_event(LOG_LEVEL_INFO, 0, "event=databases-loaded bytes=%" PRIu64 " seconds=%.3f", loaded,
                  clock_seconds() - began);
}

static void *preload_all(void *context)
{
    struct preload *preload = context;
    priority_lower();
    (void)store_tables(preload->store, note_lately_used, preload, NULL, NULL);
    qsort(preload->database, preload->count, sizeof preload->database[0], by_latest_use);
    if (preload->count > 0)
        store_reserve_numbers(preload->store);
    preload_listed(preload);
    return NULL;
}

struct preload *preload_start(struct store *store, struct patterns *patterns, uint64_t bytes)
{
    struct preload *preload = calloc(1, sizeof *preload);
    if (preload == NULL)
        return NULL;
    preload->store = store;
    preload->patterns = patterns;
    preload->bytes = bytes;
    if (pthread_create(&preload->thread, NULL, preload_all, preload) == 0)
        return preload;
    free(preload);
    return NULL;
}

void preload_stop(struct preload *preload)
{
    if (preload == NULL)
        return;
    atomic_store_explicit(&preload->control.stop, true, memory_order_relaxed);
    (void)pthread_join(preload->thread, NULL);
    for (unsigned i = 0; i < preload->count; i++)
        free(preload->database[i].name);
    free(preload);
}
