/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_DIRECTORY_H
#define DAEMON_DIRECTORY_H

#include "puzzled/status.h"

#include <stdbool.h>

/* Makes a directory; an existing one stays as it is. Missing directories above it are made only if above is
 * set: in a place that somebody chose, a missing one is most likely a disk that is not mounted. */
enum pz_status directory_make(const char *path, unsigned mode, bool above, struct pz_error *error);

#endif
