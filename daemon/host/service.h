/* SPDX-License-Identifier: MIT */
/*
 * Messages to the service manager, and what the daemon gets from it. Without systemd, at build time or at
 * run time, every function does nothing. Loop thread.
 */
#ifndef DAEMON_SERVICE_H
#define DAEMON_SERVICE_H

#include <stdbool.h>

void service_ready(const char *status);
void service_stopping(void);
/* RELOADING=1; service_ready ends it. */
void service_reloading(void);
void service_status(const char *status);
/* Asks the manager for so many seconds more before its timeout. */
void service_extend_timeout(double seconds);
/* Returns how often to call service_watchdog, in seconds; 0 if nobody watches. */
double service_watchdog_interval(void);
void service_watchdog(void);

/* Returns how many listening sockets socket activation handed over; *first is their first descriptor. */
int service_sockets(int *first);

/* Returns true if stderr is a pipe into the journal, which understands <N> before a line. Any thread. */
bool service_reads_stderr(void);

#endif
