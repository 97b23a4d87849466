/* SPDX-License-Identifier: MIT */
/* The directories and places that the settings name: are they there, and may this process use them. */
#ifndef DAEMON_PLACES_H
#define DAEMON_PLACES_H

#include "daemon/settings/config.h"
#include "puzzled/status.h"

#include <limits.h>
#include <stdbool.h>

/* Checks that there is a plugin directory where one is configured. Under a service manager, checks too that
 * this process may write to all configured directories. Returns PZ_BAD_REQUEST if one does not exist, the
 * service's unit forbids it or it belongs to somebody else; the text names the setting and what allows it.
 * Elsewhere rights are not checked, because the user who checks a file need not be the daemon's user.
 * Creates nothing. */
enum pz_status places_check(const struct config *config, struct pz_error *error);
/* Checks, without a start, what a start would refuse of those directories: no directory, nothing above one
 * that is to be made, one that others may write to; under a service manager one of another user, too. */
enum pz_status places_check_start(const struct config *config, struct pz_error *error);
/* Makes the state directory if it is missing; for the default one, missing directories above it, too. An
 * error names the default, which is not in the file, and says how to choose another directory. */
enum pz_status places_make_state(const struct config *config, struct pz_error *error);
/* Refuses a state directory of another user, or one that others may write to: a daemon's start. */
enum pz_status places_own_state(const struct config *config, struct pz_error *error);

enum { PLACE_TEXT = PATH_MAX * 2 + 64 };
/* Writes where a directory lies, or will: on which disk, by its mount point, and how much is free there.
 * Tells an empty mount point from its disk. */
void place_write(const char *directory, char out[PLACE_TEXT]);

/* Makes a directory; an existing one stays as it is. Missing directories above it are made only if above is
 * set: in a place that somebody chose, a missing one is most likely a disk that is not mounted. */
enum pz_status directory_make(const char *path, unsigned mode, bool above, struct pz_error *error);

#endif
