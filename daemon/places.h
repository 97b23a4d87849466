/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_PLACES_H
#define DAEMON_PLACES_H

#include "config.h"

/* Under a service manager, checks that this process may write to all configured directories. Returns
 * PZ_BAD_REQUEST if the service's unit forbids one or it belongs to somebody else; the text names the setting
 * and what allows it. Elsewhere returns PZ_OK: who checks a file need not be the user that the daemon runs
 * as. Makes nothing. */
enum pz_status places_check(const struct config *config, struct pz_error *error);

#endif
