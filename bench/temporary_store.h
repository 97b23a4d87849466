/* SPDX-License-Identifier: MIT */
/* A store in a directory of its own, for the life of the program. */
#ifndef BENCH_TEMPORARY_STORE_H
#define BENCH_TEMPORARY_STORE_H

#include "measuring.h"

#include "store/store.h"

#include <unistd.h>

static struct store *store;
static struct pz_error error;
static char store_directory[512];

static inline void must(enum pz_status status)
{
    if (status != PZ_OK)
        die(&error);
}

/* Makes it on the disk that the first argument names, /var/tmp without one. */
static inline void store_begin(int argc, char **argv)
{
    const struct store_options options = {0};
    (void)snprintf(store_directory, sizeof store_directory, "%s/puzzled-bench-XXXXXX",
                   argc > 1 ? argv[1] : "/var/tmp");
    if (mkdtemp(store_directory) == NULL)
        die_of(store_directory);
    must(store_open(store_directory, &options, &store, &error));
}

/* Returns the program's exit status. */
static inline int store_end(void)
{
    static const char *const files[] = {"data.mdb", "lock.mdb", "owner"};
    char path[600];
    store_close(store);
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", store_directory, files[i]);
        (void)unlink(path);
    }
    return rmdir(store_directory) == 0 ? 0 : 1;
}

#endif
