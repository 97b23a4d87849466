/* SPDX-License-Identifier: MIT */
/* The store as a whole: opening, closing, and how full it is. */
#include "store/store.h"

#include "store/engine/store_internal.h"
#include "store/table/table.h"

#include <stdlib.h>
#include <sys/statvfs.h>

/* Reads how large the file and the databases are. LMDB looks into the map for either, which only a
 * transaction keeps in its place. */
static enum pz_status read_sizes(struct store *store, struct store_stats *stats, struct pz_error *error)
{
    const uint64_t page_bytes = store->environment.page_bytes;
    MDB_txn *txn;
    MDB_envinfo info = {0};
    MDB_stat stat[DATABASE_COUNT] = {{0}};
    enum pz_status status = environment_read(&store->environment, &txn, error);
    if (status != PZ_OK)
        return status;
    int code = mdb_env_info(store->environment.env, &info);
    for (unsigned i = 0; i < DATABASE_COUNT && code == 0; i++) {
        code = mdb_stat(txn, store->environment.databases[i], &stat[i]);
        stats->bytes_used +=
            page_bytes * (stat[i].ms_branch_pages + stat[i].ms_leaf_pages + stat[i].ms_overflow_pages);
    }
    environment_read_end(&store->environment, txn);
    stats->bytes_file = (info.me_last_pgno + 1) * page_bytes;
    stats->jobs = stat[DATABASE_JOBS].ms_entries;
    return code == 0 ? PZ_OK : store_fault(error, code, "measuring the database");
}

static void store_free(struct store *store)
{
    job_numbers_close(store);
    writer_stop(store->writer);
    operation_free(atomic_load_explicit(&store->spare, memory_order_relaxed));
    checks_free_all(store);
    environment_close(&store->environment);
    (void)pthread_mutex_destroy(&store->change);
    (void)pthread_mutex_destroy(&store->checks_lock);
    free(store);
}

enum pz_status store_open(const char *directory, const struct store_options *options, struct store **out,
                          struct pz_error *error)
{
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the store");
    (void)pthread_mutex_init(&store->change, NULL);
    (void)pthread_mutex_init(&store->checks_lock, NULL);
    enum pz_status status = environment_open(&store->environment, directory, options, error);
    if (status == PZ_OK && !options->read_only)
        status = writer_start(&store->environment, &store->writer, error);
    if (status == PZ_OK) {
        struct operation *spare = operation_new(OPERATION_SMALL);
        atomic_store_explicit(&store->spare, spare, memory_order_relaxed);
        status = spare != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for the store");
    }
    if (status == PZ_OK)
        status = job_numbers_read(store, error);
    if (status == PZ_OK)
        status = table_recover(store, error);
    if (status == PZ_OK)
        *out = store;
    else
        store_free(store);
    return status;
}

void store_close(struct store *store)
{
    if (store != NULL)
        store_free(store);
}

enum pz_status store_flush(struct store *store, struct pz_error *error)
{
    struct operation *operation = operation_new(OPERATION_SMALL);
    if (operation == NULL)
        operation = atomic_exchange_explicit(&store->spare, NULL, memory_order_relaxed);
    return writer_submit_and_wait(store->writer, operation, error);
}

static bool count_table(void *context, const struct table_record *table)
{
    (void)table;
    ++*(uint64_t *)context;
    return true;
}

/* Returns the bytes that can still be written: free pages, the pages of removed tables, and the disk's free
 * space, within the limit. */
static uint64_t room(const struct store *store, const struct store_stats *stats, uint64_t garbage)
{
    struct statvfs disk;
    const uint64_t used = stats->bytes_used > garbage ? stats->bytes_used - garbage : 0;
    uint64_t room = stats->bytes_file > used ? stats->bytes_file - used : 0;
    if (statvfs(store->environment.directory, &disk) == 0)
        room += (uint64_t)disk.f_bavail * disk.f_frsize;
    if (stats->bytes_limit == 0)
        return room;
    uint64_t left = stats->bytes_limit > used ? stats->bytes_limit - used : 0;
    return room < left ? room : left;
}

enum pz_status store_stats(struct store *store, struct store_stats *stats, struct pz_error *error)
{
    *stats = (struct store_stats){.bytes_limit = store->environment.size_limit};
    const enum pz_status status = read_sizes(store, stats, error);
    const struct writer_figures figures = writer_figures(store->writer);
    stats->commits = figures.commits;
    stats->bytes_room = room(store, stats, figures.garbage_bytes);
    return status == PZ_OK ? store_tables(store, count_table, &stats->tables, NULL, error) : status;
}
