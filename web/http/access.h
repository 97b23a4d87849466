/* SPDX-License-Identifier: MIT */
/* Decides who may ask. A page from elsewhere in the same browser must neither start jobs nor read answers,
 * even if it has made its own name resolve to this machine. So Host must be an IP address, localhost, or that
 * of an --origin. Origin, if the browser sends it, must be the page's own. Sec-Fetch-Site, if the browser
 * sends it, must not be that of another page. A POST must be JSON with "X-Puzzled: 1", which a browser lets
 * no other page send without asking us first. With --public, a GET of the API may come from every page. */
#ifndef ACCESS_H
#define ACCESS_H

#include "web/api/route.h"
#include "web/http/settings.h"
#include "web/http/web_limits.h"

#include <jansson.h>
#include <microhttpd.h>

/* The headers that access control checks; NULL for a missing one. */
struct access_headers {
    const char *host, *origin, *fetch_site, *content_type, *marker;
};

/* Refuses what two programs on the way may read in two ways. */
bool access_unambiguous(struct MHD_Connection *connection, struct refusal *refusal);
/* Reads the headers of a request, which live as long as it. */
void access_headers_read(struct MHD_Connection *connection, struct access_headers *headers);
/* Returns true if a Host header, NULL for none, names this server. */
bool access_host(const struct settings *settings, const char *host, struct refusal *refusal);
bool access_allowed(const struct settings *settings, const struct route *route,
                    const struct access_headers *headers, struct refusal *refusal);

/* ---- a class (--class TIME,MEMORY) ---- */

/* Everybody may search within the limits and stop or forget what they began, and nobody forgets, pins or
 * stops anything else. Visitors are those of web_limits.h. */

#define VISITOR_COOKIE "puzzled-visitor"
enum { VISITOR_NAME_MAX = 9, VISITOR_COOKIE_MAX = 33 }; /* 128 bits in hexadecimal digits, with its end */

/* Returns the visitor who asks: the one of the cookie, or else the one of the address. */
struct visitor visitor_who(const struct settings *settings, struct limits *limits, const char *cookie,
                           struct visitor client);
/* Writes the value of a new visitor's cookie; "" if none is needed, or there is no randomness. */
void visitor_cookie(const struct settings *settings, const char *cookie, char out[VISITOR_COOKIE_MAX]);
/* Writes the name by which others know the visitor, which stands in the jobs' requests; "" without a class.
 */
void visitor_name(const struct settings *settings, struct visitor visitor, char out[VISITOR_NAME_MAX]);
/* Returns true if the visitor may ask this, of that job (its number as text). */
bool visitor_may(const struct settings *settings, const struct route *route, const char *job,
                 struct visitor visitor, struct refusal *refusal);
/* Puts the limits and the visitor into the arguments of a search. A limit that is wanted and smaller stays;
 * an unreadable one is left to the daemon's refusal. */
bool visitor_limit(const struct settings *settings, json_t *arguments, struct visitor visitor,
                   struct refusal *refusal);
/* Notes a job that the visitor has made: the last eight are its own. */
void visitor_began(struct visitor visitor, int64_t job);

#endif
