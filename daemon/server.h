/* SPDX-License-Identifier: MIT */
/* The daemon as a whole: how it starts, reloads and stops. Loop thread. */
#ifndef DAEMON_SERVER_H
#define DAEMON_SERVER_H

#include "daemon/server_state.h"

/* Runs the daemon until a signal stops it. Takes the configuration over, also on failure. */
enum pz_status server_run(struct server *server, struct pz_error *error);

#endif
