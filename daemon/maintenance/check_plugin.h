/* SPDX-License-Identifier: MIT */
/* puzzled --check-plugin: loads and checks a plugin in a child process, so that a fault of it breaks nothing
 * else.
 */
#ifndef DAEMON_CHECK_PLUGIN_H
#define DAEMON_CHECK_PLUGIN_H

/* Prints what the plugin does wrong. size: what follows the colon of its puzzle; NULL for that of its
 * example. Returns the exit status: 0 if nothing was found. */
int check_plugin(const char *file, const char *size);

#endif
