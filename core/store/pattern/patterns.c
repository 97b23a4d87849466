/* SPDX-License-Identifier: MIT */
#include "store/pattern/patterns.h"

#include "base/budget.h"
#include "base/clock.h"
#include "store/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WAIT_NS = 20000000 }; /* between two looks at `control` while another thread loads */

/* With LMDB's page head (16 bytes) and the seal (16) a chunk fills its pages exactly. */
enum { CHUNK_BYTES = (1 << 20) - 32 };

/* One database in memory, or being loaded. */
struct pattern {
    struct pattern *next; /* the latest used first */
    uint64_t table;       /* the store's number, which changes when a database is built again */
    uint8_t *bytes;       /* NULL while it is loaded */
    size_t length;
    unsigned holders;
};

struct patterns {
    struct store *store;
    struct budget *budget;
    uint64_t keep_bytes;
    pthread_mutex_t lock;  /* guards everything below */
    pthread_cond_t loaded; /* a load has ended or failed */
    struct pattern *first;
    uint64_t bytes; /* of all */
};

static void reclaim(void *context)
{
    patterns_trim(context);
}

enum pz_status patterns_new(struct store *store, uint64_t keep_bytes, struct budget *budget,
                            struct patterns **out, struct pz_error *error)
{
    struct patterns *patterns = calloc(1, sizeof *patterns);
    if (patterns == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the pattern databases");
    patterns->store = store;
    patterns->budget = budget;
    patterns->keep_bytes = keep_bytes;
    (void)pthread_mutex_init(&patterns->lock, NULL);
    (void)pthread_cond_init(&patterns->loaded, NULL);
    if (budget != NULL) {
        budget->reclaim = reclaim;
        budget->reclaim_context = patterns;
    }
    *out = patterns;
    return PZ_OK;
}

/* ---- the list, with the lock held ---- */

/* Answers the budget if it can have the database's memory back. */
static void note_unused(struct patterns *patterns, const struct pattern *pattern, bool unused)
{
    if (patterns->budget == NULL)
        return;
    assert(unused ||
           atomic_load_explicit(&patterns->budget->reclaimable, memory_order_relaxed) >= pattern->length);
    if (unused)
        atomic_fetch_add_explicit(&patterns->budget->reclaimable, pattern->length, memory_order_relaxed);
    else
        atomic_fetch_sub_explicit(&patterns->budget->reclaimable, pattern->length, memory_order_relaxed);
}

static struct pattern *find_pattern(const struct patterns *patterns, uint64_t table)
{
    struct pattern *pattern = patterns->first;
    while (pattern != NULL && pattern->table != table)
        pattern = pattern->next;
    return pattern;
}

static void unlink_pattern(struct patterns *patterns, struct pattern *pattern)
{
    struct pattern **link = &patterns->first;
    while (*link != pattern)
        link = &(*link)->next;
    *link = pattern->next;
}

static void push_pattern(struct patterns *patterns, struct pattern *pattern)
{
    pattern->next = patterns->first;
    patterns->first = pattern;
}

static void drop_pattern(struct patterns *patterns, struct pattern *pattern)
{
    assert(pattern->length <= patterns->bytes && (pattern->bytes != NULL || pattern->length == 0));
    unlink_pattern(patterns, pattern);
    if (pattern->bytes != NULL) {
        patterns->bytes -= pattern->length;
        if (pattern->holders == 0)
            note_unused(patterns, pattern, false);
        budget_unmap(patterns->budget, pattern->bytes, pattern->length);
    }
    free(pattern);
}

/* Keeps the latest used of the unused databases, as many as fit in keep bytes. Drops the others. */
static void trim_unused(struct patterns *patterns, uint64_t keep)
{
    uint64_t unused = 0;
    for (struct pattern *pattern = patterns->first, *next; pattern != NULL; pattern = next) {
        next = pattern->next;
        if (pattern->holders > 0)
            continue;
        unused += pattern->length;
        if (unused > keep) {
            unused -= pattern->length;
            drop_pattern(patterns, pattern);
        }
    }
}

void patterns_free(struct patterns *patterns)
{
    if (patterns == NULL)
        return;
    if (patterns->budget != NULL)
        patterns->budget->reclaim = NULL;
    assert(patterns->first == NULL || patterns->first->holders == 0); /* the latest used is the first */
    while (patterns->first != NULL)
        drop_pattern(patterns, patterns->first);
    (void)pthread_cond_destroy(&patterns->loaded);
    (void)pthread_mutex_destroy(&patterns->lock);
    free(patterns);
}

void patterns_trim(struct patterns *patterns)
{
    (void)pthread_mutex_lock(&patterns->lock);
    trim_unused(patterns, 0);
    (void)pthread_mutex_unlock(&patterns->lock);
}

uint64_t patterns_bytes(struct patterns *patterns)
{
    (void)pthread_mutex_lock(&patterns->lock);
    uint64_t bytes = patterns->bytes;
    (void)pthread_mutex_unlock(&patterns->lock);
    return bytes;
}

/* ---- loading ---- */

static enum pz_status cancelled(const struct patterns_access *access, struct pz_error *error)
{
    if (access->control == NULL || !control_stopped(access->control))
        return PZ_OK;
    return pz_fail(error, PZ_CANCELLED, "the search was cancelled");
}

/* The bytes of a database that is loaded. */
struct pattern_copy {
    const struct patterns_access *access;
    uint8_t *bytes;
};

static enum pz_status copy_chunk(void *context, const struct table_chunk *chunk, struct pz_error *error)
{
    const struct pattern_copy *copy = context;
    const enum pz_status status = cancelled(copy->access, error);
    if (status == PZ_OK)
        memcpy(copy->bytes + chunk->at, chunk->bytes, chunk->length);
    return status;
}

static enum pz_status copy_out(const struct patterns_access *access, const char *name, uint64_t table,
                               uint8_t **bytes, size_t *length, struct pz_error *error)
{
    struct patterns *patterns = access->patterns;
    struct table_view *view;
    enum pz_status status = table_view_peek(patterns->store, name, &view, error);
    if (status != PZ_OK)
        return status;
    *length = (size_t)table_view_record(view)->table_bytes;
    *bytes = NULL;
    if (table_view_record(view)->id != table || table_view_record(view)->kind != TABLE_PATTERN)
        status = pz_fail(error, PZ_NO_TABLE, "%.300s was replaced while it was loaded", name);
    else if (*length == 0) /* a thread that waits for it would see no bytes and go on waiting */
        status = pz_fail(error, PZ_STORAGE, "%.300s is empty", name);
    else if ((*bytes = budget_map(patterns->budget, *length)) == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for the %zu bytes of %.300s", *length, name);
    struct pattern_copy copy = {access, *bytes};
    if (status == PZ_OK)
        status = table_view_chunks(view, *length, copy_chunk, &copy, error);
    table_view_close(view);
    if (status != PZ_OK)
        budget_unmap(patterns->budget, *bytes, *length);
    return status;
}

static void hold(struct patterns *patterns, struct pattern *pattern)
{
    assert(pattern->bytes != NULL && pattern->length > 0);
    if (pattern->holders++ == 0)
        note_unused(patterns, pattern, false);
    unlink_pattern(patterns, pattern);
    push_pattern(patterns, pattern);
}

/* Holds and returns a database in memory. Waits while another thread loads it. Returns NULL if no thread
 * loads it, or if this search must end. */
static struct pattern *hold_loaded(const struct patterns_access *access, uint64_t table)
{
    struct patterns *patterns = access->patterns;
    struct pattern *pattern = find_pattern(patterns, table);
    while (pattern != NULL && pattern->bytes == NULL) {
        if (cancelled(access, NULL) != PZ_OK)
            return NULL;
        clock_wait(&patterns->loaded, &patterns->lock, WAIT_NS);
        pattern = find_pattern(patterns, table);
    }
    if (pattern != NULL)
        hold(patterns, pattern);
    return pattern;
}

/* Adds an entry that makes other threads wait for this load. */
static struct pattern *announce(struct patterns *patterns, uint64_t table)
{
    struct pattern *pattern = calloc(1, sizeof *pattern);
    if (pattern != NULL) {
        pattern->table = table;
        pattern->holders = 1;
        push_pattern(patterns, pattern);
    }
    return pattern;
}

static enum pz_status load_announced(const struct patterns_access *access, const char *name,
                                     struct pattern *pattern, struct pz_error *error)
{
    struct patterns *patterns = access->patterns;
    uint8_t *bytes;
    size_t length;
    enum pz_status status = copy_out(access, name, pattern->table, &bytes, &length, error);
    (void)pthread_mutex_lock(&patterns->lock);
    if (status == PZ_OK) {
        pattern->bytes = bytes;
        pattern->length = length;
        patterns->bytes += length;
    } else {
        drop_pattern(patterns, pattern);
    }
    (void)pthread_cond_broadcast(&patterns->loaded);
    (void)pthread_mutex_unlock(&patterns->lock);
    return status;
}

/* Notes the use of a database: evictions and loads at a start depend on it. */
static void note_database_use(const struct patterns_access *access, const char *name)
{
    struct table_view *view;
    if (!access->ahead && table_view_open(access->patterns->store, name, &view, NULL) == PZ_OK)
        table_view_close(view);
}

static enum pz_status archive_load(void *context, const char *name, const uint8_t **bytes, size_t *length,
                                   struct pz_error *error)
{
    const struct patterns_access *access = context;
    struct patterns *patterns = access->patterns;
    struct table_record table;
    enum pz_status status = store_table_find(patterns->store, name, &table, error);
    if (status != PZ_OK)
        return status;
    (void)pthread_mutex_lock(&patterns->lock);
    struct pattern *pattern = hold_loaded(access, table.id);
    status = pattern == NULL ? cancelled(access, error) : PZ_OK;
    struct pattern *mine = pattern == NULL && status == PZ_OK ? announce(patterns, table.id) : NULL;
    pattern = mine != NULL ? mine : pattern;
    (void)pthread_mutex_unlock(&patterns->lock);
    if (status != PZ_OK)
        return status;
    if (pattern == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to load %.300s", name);
    if (mine != NULL)
        status = load_announced(access, name, mine, error);
    if (status != PZ_OK)
        return status;
    note_database_use(access, name);
    *bytes = pattern->bytes;
    *length = pattern->length;
    return PZ_OK;
}

/* Loads nothing: holds a database that is in memory. */
static enum pz_status archive_hold(void *context, const char *name, const uint8_t **bytes, size_t *length,
                                   struct pz_error *error)
{
    const struct patterns_access *access = context;
    struct patterns *patterns = access->patterns;
    struct table_record table;
    enum pz_status status = store_table_find(patterns->store, name, &table, error);
    (void)pthread_mutex_lock(&patterns->lock);
    struct pattern *pattern = status == PZ_OK ? find_pattern(patterns, table.id) : NULL;
    const bool loaded = pattern != NULL && pattern->bytes != NULL;
    if (loaded) {
        hold(patterns, pattern);
        *bytes = pattern->bytes;
        *length = pattern->length;
    }
    (void)pthread_mutex_unlock(&patterns->lock);
    if (loaded)
        note_database_use(access, name);
    return loaded ? PZ_OK : pz_fail(error, PZ_CANCELLED, "%.300s is not in memory", name);
}

static void archive_release(void *context, const uint8_t *bytes)
{
    struct patterns *patterns = ((struct patterns_access *)context)->patterns;
    (void)pthread_mutex_lock(&patterns->lock);
    struct pattern *pattern = patterns->first;
    while (pattern != NULL && pattern->bytes != bytes)
        pattern = pattern->next;
    assert(pattern == NULL || pattern->holders > 0);
    if (pattern != NULL && --pattern->holders == 0) {
        note_unused(patterns, pattern, true);
        trim_unused(patterns, patterns->keep_bytes);
    }
    (void)pthread_mutex_unlock(&patterns->lock);
}

static enum pz_status save_pattern(const struct patterns_access *access, const char *name,
                                   const uint8_t *bytes, size_t length, struct pz_error *error)
{
    struct table_record about = {.job = access->job,
                                 .kind = TABLE_PATTERN,
                                 .complete = true,
                                 .table_bytes = length,
                                 .chunk_bytes = CHUNK_BYTES};
    if (length == 0 || strlen(name) >= sizeof about.name)
        return pz_fail(error, PZ_INTERNAL, "a pattern database of %zu bytes with a name of %zu", length,
                       strlen(name));
    memcpy(about.name, name, strlen(name) + 1);
    struct table_writer *writer;
    enum pz_status status = table_writer_new(access->patterns->store, &about, &writer, error);
    if (status != PZ_OK)
        return status;
    uint64_t number = 0;
    for (size_t at = 0; at < length && status == PZ_OK; at += CHUNK_BYTES, number++) {
        size_t chunk = length - at < CHUNK_BYTES ? length - at : CHUNK_BYTES;
        /* A daemon that stops keeps the database. */
        status = access->control != NULL && control_keeps(access->control) ? PZ_OK : cancelled(access, error);
        if (status == PZ_OK)
            status = table_writer_chunk(writer, number, bytes + at, chunk, error);
    }
    about.states = length;
    if (status == PZ_OK)
        return table_writer_finish(writer, &about, error);
    table_writer_abort(writer);
    return status;
}

static enum pz_status archive_save(void *context, const char *name, const uint8_t *bytes, size_t length,
                                   struct pz_error *error)
{
    struct patterns_access *access = context;
    struct pz_error why = {0};
    enum pz_status status = access->room != NULL ? access->room(access->room_context, length, &why) : PZ_OK;
    if (status == PZ_OK)
        status = save_pattern(access, name, bytes, length, &why);
    if (status != PZ_OK && error != NULL)
        *error = why;
    if (status != PZ_OK && access->saved == PZ_OK) {
        access->saved = status;
        access->error = why;
    }
    return status;
}

void patterns_access_init(struct patterns_access *access, struct patterns *patterns, uint64_t job,
                          const struct control *control)
{
    assert(patterns != NULL);
    *access = (struct patterns_access){
        .patterns = patterns,
        .job = job,
        .control = control,
        .archive = {
            .context = access, .load = archive_load, .release = archive_release, .save = archive_save}};
}

void patterns_access_in_memory(struct patterns_access *access, struct patterns *patterns,
                               const struct control *control)
{
    patterns_access_init(access, patterns, 0, control);
    access->archive.load = archive_hold;
}
