/* SPDX-License-Identifier: MIT */
/* Tasks of `puzzled` that start no daemon: --dump and --import bring single jobs to another machine. */
#ifndef DAEMON_TRANSFER_H
#define DAEMON_TRANSFER_H

#include "daemon/settings/config.h"

#include <stddef.h>

/* Writes ended jobs, with levels and tables, to a new file; also while a daemon uses the database. */
enum pz_status transfer_dump(const struct config *config, const char *file, const uint64_t *jobs,
                             size_t count, struct pz_error *error);
/* Adds the jobs of such a file under new numbers. No daemon may be using the database. The whole file, with
 * the contents of its tables, is checked first in a database of its own. */
enum pz_status transfer_import(const struct config *config, const char *file, struct pz_error *error);

#endif
