/* SPDX-License-Identifier: MIT */
/* The figures of the daemon as a whole: for STATS, for METRICS, and for GET /metrics of Prometheus, on a port
 * or a Unix socket of its own. Loop thread. */
#ifndef DAEMON_SERVER_FIGURES_H
#define DAEMON_SERVER_FIGURES_H

#include "daemon/server_state.h"
#include "protocol/text/text.h"

/* Appends the fields of STATS, " key=value". */
void server_stats(struct server *server, struct text *out);
/* Appends the whole text of METRICS. */
void server_metrics(struct server *server, struct text *out);

struct metrics_http;

/* Listens where [daemon] metrics-listen says. */
enum pz_status metrics_http_new(struct server *server, struct metrics_http **out, struct pz_error *error);
void metrics_http_free(struct metrics_http *http); /* NULL is fine */

#endif
