/* SPDX-License-Identifier: MIT */
/* Tasks of `puzzled` that start no daemon: --backup and --restore, whose progress goes to stderr on a
 * terminal; --dump and --import, which bring single jobs to another machine. */
#ifndef DAEMON_MAINTENANCE_H
#define DAEMON_MAINTENANCE_H

#include "daemon/settings/config.h"

#include <stddef.h>

/* Copies the database of the configured state directory to a new file, also while a daemon uses it; or
 * replaces it by a checked copy of the file, while none does. */
enum pz_status maintenance_copy(const struct config *config, const char *file, bool restores,
                                struct pz_error *error);

/* Removes from a state directory that this process owns what a restore or an import left that was killed. */
void maintenance_sweep(const char *directory);

/* Writes ended jobs, with levels and tables, to a new file; also while a daemon uses the database. */
enum pz_status transfer_dump(const struct config *config, const char *file, const uint64_t *jobs,
                             size_t count, struct pz_error *error);
/* Adds the jobs of such a file under new numbers. No daemon may be using the database. The whole file, with
 * the contents of its tables, is checked first in a database of its own. */
enum pz_status transfer_import(const struct config *config, const char *file, struct pz_error *error);

#endif
