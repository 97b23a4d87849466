/* SPDX-License-Identifier: MIT */
/* GET /metrics for Prometheus, on a port or a Unix socket of its own. Loop thread. */
#ifndef DAEMON_METRICS_HTTP_H
#define DAEMON_METRICS_HTTP_H

#include "daemon/server_state.h"

struct metrics_http;

/* Listens where [daemon] metrics-listen says. */
enum pz_status metrics_http_new(struct server *server, struct metrics_http **out, struct pz_error *error);
void metrics_http_free(struct metrics_http *http); /* NULL is fine */

#endif
