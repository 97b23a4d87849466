/* SPDX-License-Identifier: MIT */
/*
 * Who may ask. A page elsewhere that runs in the same browser must neither start jobs nor read answers, also
 * where it has made its own name resolve to this machine: Host is an IP address, localhost, or that of an
 * --origin; Origin, where the browser sends it, is the page's own; Sec-Fetch-Site, where the browser sends
 * it, is not that of another page; a POST is JSON and has "X-Puzzled: 1", which a browser lets no other page
 * send without asking us first.
 */
#ifndef GATE_H
#define GATE_H

#include "route.h"
#include "settings.h"

/* The headers that the gate looks at; NULL for one that is not there. */
struct gate_headers {
    const char *host, *origin, *fetch_site, *content_type, *marker;
};

bool gate_open(const struct settings *settings, const struct route *route, const struct gate_headers *headers,
               struct refusal *refusal);

#endif
