/* SPDX-License-Identifier: MIT */
/* Decides who may ask. A page from elsewhere in the same browser must neither start jobs nor read answers,
 * even if it has made its own name resolve to this machine. So Host must be an IP address, localhost, or that
 * of an --origin. Origin, if the browser sends it, must be the page's own. Sec-Fetch-Site, if the browser
 * sends it, must not be that of another page. A POST must be JSON with "X-Puzzled: 1", which a browser lets
 * no other page send without asking us first. With --public, a GET of the API may come from every page. */
#ifndef GATE_H
#define GATE_H

#include "web/api/route.h"
#include "web/http/settings.h"

#include <microhttpd.h>

/* The headers that the gate checks; NULL for a missing one. */
struct gate_headers {
    const char *host, *origin, *fetch_site, *content_type, *marker;
};

/* Refuses what two programs on the way may read in two ways. */
bool gate_unambiguous(struct MHD_Connection *connection, struct refusal *refusal);
/* Reads the headers of a request, which live as long as it. */
void gate_headers_read(struct MHD_Connection *connection, struct gate_headers *headers);
/* Returns true if a Host header, NULL for none, names this server. */
bool gate_host(const struct settings *settings, const char *host, struct refusal *refusal);
bool gate_open(const struct settings *settings, const struct route *route, const struct gate_headers *headers,
               struct refusal *refusal);

#endif
