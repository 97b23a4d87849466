/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_PLUGINS_H
#define DAEMON_PLUGINS_H

#include "daemon/settings/config.h"

/* Loads the plugins that the configuration names, before other threads start. A refused plugin is left out,
 * and the log says why. A directory that is not safe is an error. */
enum pz_status plugins_of_config(const struct config *config, struct pz_error *error);

#endif
