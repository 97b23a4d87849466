/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_PLACES_H
#define DAEMON_PLACES_H

#include "config.h"

/* Under a service manager, finds a configured directory that this process may not write to, as the service's
 * unit forbids it or it belongs to somebody else. PZ_BAD_REQUEST names the setting and what allows it.
 * Elsewhere PZ_OK: whoever checks a file need not be the user that the daemon runs as. Makes nothing. */
enum pz_status places_check(const struct config *config, struct pz_error *error);

#endif
