/* SPDX-License-Identifier: MIT */
/* Tasks of `puzzled` that start no daemon: --backup, --restore. Progress goes to stderr on a terminal. */
#ifndef DAEMON_MAINTENANCE_H
#define DAEMON_MAINTENANCE_H

#include "daemon/settings/config.h"

/* Copies the database of the configured state directory to a new file, also while a daemon uses it. */
enum pz_status maintenance_backup(const struct config *config, const char *file, struct pz_error *error);
/* Replaces that database by a checked copy of the file. No daemon may be using it. */
enum pz_status maintenance_restore(const struct config *config, const char *file, struct pz_error *error);

#endif
