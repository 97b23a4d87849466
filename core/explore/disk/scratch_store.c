/* SPDX-License-Identifier: MIT */
#include "explore/disk/scratch_store.h"

#include "base/own_files.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
/* Hashes in the widest registers of this processor, where the library has that. */
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

/* ---- the directory ---- */

enum pz_status scratch_store_open(struct scratch_store *store, const char *directory, uint64_t disk,
                                  unsigned threads, struct pz_error *error)
{
    *store = (struct scratch_store){.directory = -1, .limit = disk > 0 ? disk : UINT64_MAX};
    enum pz_status status = own_directory_open(directory, 0, &store->directory, error);
    if (status == PZ_OK && threads > 0)
        status = disk_queue_new(threads, &store->queue, error);
    if (status != PZ_OK)
        scratch_store_close(store);
    return status;
}

void scratch_store_stop(struct scratch_store *store)
{
    disk_queue_free(store->queue);
    store->queue = NULL;
}

void scratch_store_close(struct scratch_store *store)
{
    scratch_store_stop(store);
    if (store->directory >= 0)
        (void)close(store->directory);
    store->directory = -1;
}

static bool has_ending(const char *name, const char endings[2][8])
{
    const char *ending = strrchr(name, '.');
    return ending != NULL && (strcmp(ending, endings[0]) == 0 || strcmp(ending, endings[1]) == 0);
}

enum pz_status scratch_store_each(struct scratch_store *store, const char endings[2][8],
                                  int (*visit)(struct scratch_store *, const char *name, void *context),
                                  void *context, struct pz_error *error)
{
    const int copy = openat(store->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;
    if (entries == NULL)
        return scratch_failed(store, errno, "read the directory", error);
    const struct dirent *entry;
    int failure = 0;
    while (failure == 0 && (entry = readdir(entries)) != NULL)
        failure = has_ending(entry->d_name, endings) ? visit(store, entry->d_name, context) : 0;
    (void)closedir(entries);
    return failure == 0 ? PZ_OK : scratch_failed(store, failure, "find the files of an earlier run", error);
}

int scratch_remove(struct scratch_store *store, const char *name, void *context)
{
    (void)context;
    return unlinkat(store->directory, name, 0) == 0 ? 0 : errno;
}

int scratch_file(const struct scratch_store *store, const char *name, int flags, bool past)
{
    assert(store->directory >= 0);
    flags |= O_RDWR;
    const int file = own_file_open(store->directory, name, flags | (past ? O_DIRECT : 0));
    return past && file < 0 && errno == EINVAL ? own_file_open(store->directory, name, flags) : file;
}

/* ---- room and failures ---- */

int scratch_take(struct scratch_store *store, uint64_t bytes)
{
    const uint64_t live = atomic_fetch_add_explicit(&store->live, bytes, memory_order_relaxed) + bytes;
    uint64_t peak = atomic_load_explicit(&store->peak, memory_order_relaxed);
    if (live > store->limit)
        return EDQUOT;
    while (live > peak && !atomic_compare_exchange_weak_explicit(&store->peak, &peak, live,
                                                                 memory_order_relaxed, memory_order_relaxed))
        ;
    return 0;
}

void scratch_give(struct scratch_store *store, uint64_t bytes)
{
    const uint64_t live = atomic_fetch_sub_explicit(&store->live, bytes, memory_order_relaxed);
    assert(live >= bytes);
    (void)live;
}

int scratch_note(struct scratch_store *store, int failure)
{
    int none = 0;
    if (failure != 0)
        (void)atomic_compare_exchange_strong_explicit(&store->failure, &none, failure, memory_order_relaxed,
                                                      memory_order_relaxed);
    return failure;
}

enum pz_status scratch_failed(const struct scratch_store *store, int failure, const char *what,
                              struct pz_error *error)
{
    assert(failure != 0);
    if (failure == ENOMEM)
        return pz_fail(error, PZ_MEMORY, "scratch space: no memory to %s", what);
    if (failure == EDQUOT && store->limit < UINT64_MAX)
        return pz_fail(error, PZ_STORAGE_FULL, "scratch space: %" PRIu64 " bytes are not enough",
                       store->limit);
    enum pz_status status = failure == ENOSPC || failure == EDQUOT ? PZ_STORAGE_FULL : PZ_STORAGE;
    return pz_fail(error, status, "scratch space: cannot %s: %s", what, strerrordesc_np(failure));
}

uint64_t disk_hash(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}
