/* SPDX-License-Identifier: MIT */
#include "web/http/access.h"

#include "protocol/text/quantity.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

/* Removes ":8372" and the brackets of an IPv6 address. Returns false if it does not fit, or if anything else
 * follows. */
static bool bare_host(const char *host, char *out, size_t room)
{
    bool bracketed = *host == '[';
    const char *begin = host + bracketed;
    size_t length = strcspn(begin, bracketed ? "]" : ":");
    if (length == 0 || length >= room || (bracketed && begin[length] != ']'))
        return false;
    const char *rest = begin + length + bracketed;
    size_t digits = *rest == ':' ? strspn(rest + 1, "0123456789") : 0;
    if (*rest != '\0' && (*rest != ':' || digits > 5 || rest[1 + digits] != '\0'))
        return false;
    memcpy(out, begin, length);
    out[length] = '\0';
    return true;
}

static bool host_is_ours(const struct settings *settings, const char *host)
{
    char bare[256];
    unsigned char address[sizeof(struct in6_addr)];
    if (host == NULL || !bare_host(host, bare, sizeof bare))
        return false;
    if (strcasecmp(bare, "localhost") == 0 || inet_pton(AF_INET, bare, address) == 1 ||
        inet_pton(AF_INET6, bare, address) == 1)
        return true;
    for (unsigned i = 0; i < settings->origins.count; i++)
        if (strcasecmp(strstr(settings->origins.text[i], "://") + 3, host) == 0)
            return true;
    return false;
}

static bool origin_is_ours(const struct settings *settings, const char *origin, const char *host)
{
    for (unsigned i = 0; i < settings->origins.count; i++)
        if (strcasecmp(settings->origins.text[i], origin) == 0)
            return true;
    const char *named = strstr(origin, "://");
    return named != NULL && strcasecmp(named + 3, host) == 0;
}

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    size_t length = strlen(json);
    return type != NULL && strncasecmp(type, json, length) == 0 &&
           (type[length] == '\0' || type[length] == ';' || type[length] == ' ');
}

static enum MHD_Result count_header(void *closure, enum MHD_ValueKind kind, const char *key,
                                    const char *value)
{
    unsigned *counts = closure;
    (void)kind;
    (void)value;
    counts[0] += strcasecmp(key, MHD_HTTP_HEADER_HOST) == 0;
    counts[1] += strcasecmp(key, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0;
    counts[2] += strcasecmp(key, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0;
    return MHD_YES;
}

bool access_unambiguous(struct MHD_Connection *connection, struct refusal *refusal)
{
    static const char *const names[] = {"Host", "Content-Length", "Transfer-Encoding"};
    unsigned counts[3] = {0};
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, counts);
    for (unsigned i = 0; i < 3; i++)
        if (counts[i] > 1)
            return refuse(refusal, "bad-request", "the header %s comes twice", names[i]);
    return counts[1] + counts[2] <= 1 ||
           refuse(refusal, "bad-request", "Content-Length and Transfer-Encoding: give one of them");
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

void access_headers_read(struct MHD_Connection *connection, struct access_headers *headers)
{
    *headers = (struct access_headers){.host = header(connection, "Host"),
                                       .origin = header(connection, "Origin"),
                                       .fetch_site = header(connection, "Sec-Fetch-Site"),
                                       .content_type = header(connection, "Content-Type"),
                                       .marker = header(connection, "X-Puzzled")};
}

bool access_host(const struct settings *settings, const char *host, struct refusal *refusal)
{
    return host_is_ours(settings, host) ||
           refuse(refusal, "denied", "the host \"%.80s\" is not ours: --origin names it",
                  host == NULL ? "" : host);
}

/* Returns true if no page of another origin asks. */
static bool access_same_origin(const struct settings *settings, const struct access_headers *headers,
                               struct refusal *refusal)
{
    if (headers->origin != NULL && !origin_is_ours(settings, headers->origin, headers->host))
        return refuse(refusal, "denied", "a page of another origin, %.80s: --origin names ours",
                      headers->origin);
    if (headers->fetch_site != NULL && strcmp(headers->fetch_site, "same-origin") != 0 &&
        strcmp(headers->fetch_site, "none") != 0)
        return refuse(refusal, "denied", "a page of another site asks");
    return true;
}

bool access_allowed(const struct settings *settings, const struct route *route,
                    const struct access_headers *headers, struct refusal *refusal)
{
    const bool posts = strcmp(route->method, "POST") == 0;
    if (!access_host(settings, headers->host, refusal))
        return false;
    if ((posts || !settings->open_to_all) && !access_same_origin(settings, headers, refusal))
        return false;
    if (!posts)
        return true;
    if (!is_json(headers->content_type))
        return refuse(refusal, "bad-type", "a POST wants Content-Type: application/json");
    if (headers->marker == NULL || strcmp(headers->marker, "1") != 0)
        return refuse(refusal, "denied", "a POST wants the header X-Puzzled: 1");
    if (settings->read_only && route->changes)
        return refuse(refusal, "denied", "this page only shows what is there: it runs with --read-only");
    return true;
}

/* ---- a class ---- */

static bool is_for_class(const struct settings *settings)
{
    return settings->class_time[0] != '\0';
}

/* Returns true if we may have given this cookie; NULL for none. */
static bool is_cookie(const char *cookie)
{
    return cookie != NULL && strlen(cookie) == VISITOR_COOKIE_MAX - 1 &&
           strspn(cookie, "0123456789abcdef") == VISITOR_COOKIE_MAX - 1;
}

struct visitor visitor_who(const struct settings *settings, struct limits *limits, const char *cookie,
                           struct visitor client)
{
    return is_for_class(settings) && is_cookie(cookie) ? limits_visitor(limits, cookie) : client;
}

void visitor_cookie(const struct settings *settings, const char *cookie, char out[VISITOR_COOKIE_MAX])
{
    uint64_t random[2];
    *out = '\0';
    if (is_for_class(settings) && !is_cookie(cookie) &&
        getrandom(random, sizeof random, 0) == (ssize_t)sizeof random)
        (void)snprintf(out, VISITOR_COOKIE_MAX, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
}

void visitor_name(const struct settings *settings, struct visitor visitor, char out[VISITOR_NAME_MAX])
{
    *out = '\0';
    if (is_for_class(settings))
        (void)snprintf(out, VISITOR_NAME_MAX, "%08" PRIx32, (uint32_t)visitor.id);
}

static bool owns(struct visitor visitor, int64_t job)
{
    for (unsigned i = 0; i < LIMITS_JOBS; i++)
        if (visitor.slot->jobs[i].job == job && visitor.slot->jobs[i].visitor == visitor.id)
            return job != 0;
    return false;
}

bool visitor_may(const struct settings *settings, const struct route *route, const char *job,
                 struct visitor visitor, struct refusal *refusal)
{
    if (!is_for_class(settings) || !route->changes || route_submits(route))
        return true;
    if ((route->verb == VERB_CANCEL || route->verb == VERB_FORGET) && owns(visitor, strtoll(job, NULL, 10)))
        return true;
    return refuse(
        refusal, "denied",
        "this page is for a class: you can stop and forget the searches that you began, and no more");
}

/* Replaces a value that is missing, no text, or greater than the limit. */
static bool put_limit(json_t *arguments, const char *key, const char *limit, bool is_greater)
{
    const json_t *given = json_object_get(arguments, key);
    return (json_is_string(given) && !is_greater) ||
           json_object_set_new(arguments, key, json_string(limit)) == 0;
}

bool visitor_limit(const struct settings *settings, json_t *arguments, struct visitor visitor,
                   struct refusal *refusal)
{
    struct pz_error error;
    double seconds = 0;
    double most_seconds = 0;
    uint64_t bytes = 0;
    uint64_t most_bytes = 0;
    char name[VISITOR_NAME_MAX];
    visitor_name(settings, visitor, name);
    (void)json_object_del(arguments, "visitor"); /* ours comes last, where a long request is not cut */
    const char *time = json_string_value(json_object_get(arguments, "time"));
    const char *memory = json_string_value(json_object_get(arguments, "memory"));
    if (!is_for_class(settings))
        return true;
    (void)json_object_del(arguments, "priority"); /* else one would go before all others */
    (void)quantity_seconds(settings->class_time, &most_seconds, &error);
    (void)quantity_bytes(settings->class_memory, &most_bytes, &error);
    const bool longer = time != NULL && quantity_seconds(time, &seconds, &error) == PZ_OK &&
                        (seconds > most_seconds || seconds <= 0); /* 0 is no limit to the daemon */
    const bool larger =
        memory != NULL && quantity_bytes(memory, &bytes, &error) == PZ_OK && bytes > most_bytes;
    return (put_limit(arguments, "time", settings->class_time, longer) &&
            put_limit(arguments, "memory", settings->class_memory, larger) &&
            json_object_set_new(arguments, "visitor", json_string(name)) == 0) ||
           refuse(refusal, "memory", "no memory for the limits of a search");
}

void visitor_began(struct visitor visitor, int64_t job)
{
    struct limits_slot *slot = visitor.slot;
    slot->jobs[slot->next_job].job = job;
    slot->jobs[slot->next_job].visitor = visitor.id;
    slot->next_job = (slot->next_job + 1) % LIMITS_JOBS;
}
