/* SPDX-License-Identifier: MIT */
/* Sockets that the service manager made before the daemon started (socket activation). Loop thread. */
#ifndef DAEMON_ACTIVATION_H
#define DAEMON_ACTIVATION_H

#include "daemon/settings/config.h"

/* Logs, in one line, the settings that have no effect because the socket unit decided otherwise. */
void activation_report(const struct config *config);

/* Returns true if one of the sockets listens on this address (ADDRESS:PORT). */
bool activation_listens_on(const char *address);

/* Answers every client that waits at one of the sockets with this error, and disconnects it. Called if the
 * daemon cannot start: a connection left waiting would make the service manager start it again at once. */
void activation_refuse(const struct pz_error *error);

#endif
