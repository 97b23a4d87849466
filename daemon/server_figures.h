/* SPDX-License-Identifier: MIT */
/* The figures of the daemon as a whole, for STATS and METRICS. Loop thread. */
#ifndef DAEMON_SERVER_FIGURES_H
#define DAEMON_SERVER_FIGURES_H

#include "daemon/server_state.h"
#include "protocol/text/text.h"

/* Appends the fields of STATS, " key=value". */
void server_stats(struct server *server, struct text *out);
/* Appends the whole text of METRICS. */
void server_metrics(struct server *server, struct text *out);

#endif
