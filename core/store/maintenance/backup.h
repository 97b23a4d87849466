/* SPDX-License-Identifier: MIT */
/*
 * Backup and restore of a whole database, by a process of its own: LMDB lets any process of the machine read
 * while the daemon owns the database. So the daemon, which is confined to its directory, never writes to a
 * path that a client names, and its loop copies nothing.
 */
#ifndef STORE_BACKUP_H
#define STORE_BACKUP_H

#include "puzzled/status.h"

#include <stdint.h>

enum backup_phase { BACKUP_COPY, BACKUP_CHECK };

struct backup_calls {
    /* Called now and then; done and total are bytes. Total is an upper bound. */
    void (*progress)(void *context, enum backup_phase phase, uint64_t done, uint64_t total);
    /* Called for each fault of the copy. */
    void (*fault)(void *context, const char *text);
    void *context;
};

struct backup_result {
    uint64_t bytes;  /* of the copy */
    uint64_t values; /* that were checked in it */
};

/* Writes a consistent copy without free pages to a new file, and checks all of it. The file appears under its
 * name only when it is whole and sound. PZ_STORAGE if the check finds a fault. */
enum pz_status store_backup(const char *directory, const char *file, const struct backup_calls *calls,
                            struct backup_result *result, struct pz_error *error);
/* Replaces the directory's database by a copy of the file, with the directory's owner and mode 0600. The
 * copy is checked first; until then the old database stays. PZ_BUSY while a daemon owns the directory,
 * PZ_UNSUPPORTED for a newer format, PZ_STORAGE for a damaged file. */
enum pz_status store_restore(const char *file, const char *directory, const struct backup_calls *calls,
                             struct backup_result *result, struct pz_error *error);

#endif
