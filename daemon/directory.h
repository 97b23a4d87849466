/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_DIRECTORY_H
#define DAEMON_DIRECTORY_H

#include "puzzled/status.h"

#include <stdbool.h>

/* Makes a directory; one that is there stays as it is. Those above it that are missing are made only if above
 * is set: where somebody chose the place, a missing one is most likely a disk that is not mounted. */
enum pz_status directory_make(const char *path, unsigned mode, bool above, struct pz_error *error);
/* Refuses a directory that belongs to somebody else, and what is no directory. */
enum pz_status directory_is_own(const char *path, struct pz_error *error);

#endif
