/* SPDX-License-Identifier: MIT */
/*
 * The listening sockets: those handed over by the service manager, or else the Unix socket of the
 * configuration; and TCP where the configuration asks for it. Loop thread.
 */
#ifndef DAEMON_LISTENERS_H
#define DAEMON_LISTENERS_H

#include "daemon/settings/config.h"

struct event_base;
struct listeners;

/* Takes each accepted, non-blocking socket. */
struct listeners_handler {
    void *context;
    void (*accepted)(void *context, int socket);
};

/* Listens. Refuses a Unix socket on which another process answers (PZ_BUSY); removes a dead one. */
enum pz_status listeners_new(struct event_base *base, const struct config *config,
                             const struct listeners_handler *handler, struct listeners **out,
                             struct pz_error *error);
/* Listens at the place of metrics-listen: an address (ADDRESS:PORT) or the path of a Unix socket. */
enum pz_status listeners_new_for_metrics(struct event_base *base, const struct config *config,
                                         const struct listeners_handler *handler, struct listeners **out,
                                         struct pz_error *error);
/* Fails, with the setting, if this process may not make sockets for the addresses of listen and
 * metrics-listen, as within a unit that forbids TCP, if something else than a socket is in the place of one,
 * or if both would have one place. Listens nowhere. An address that systemd's socket unit opens needs no
 * setting. */
enum pz_status listeners_check(const struct config *config, struct pz_error *error);
/* Stops listening and removes the Unix socket that was made here. NULL is fine. */
void listeners_free(struct listeners *listeners);
/* Returns the path of the Unix socket, which may have been handed over; "none" if there is none. */
const char *listeners_path(const struct listeners *listeners);
/* Returns the port of the TCP listener, which the system may have chosen; 0 if there is none. */
unsigned listeners_port(const struct listeners *listeners);

#endif
