/* SPDX-License-Identifier: MIT */
#include "web/http/respond.h"

#include "web/api/json_answer.h"
#include "web/http/access.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_BLOCK = 4096 };

/* Allow nothing from elsewhere, no inline code, no sniffing of types. blob: is what
 * the page itself makes: a visitor's own picture on the tiles, a board as a file. */
static const struct {
    const char *name, *value;
} guards[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
};

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors";

/* The policy with the sites that may show the page in a frame. Written by respond_frames alone. */
static char whole_policy[sizeof policy + ORIGINS_MAX * (ORIGIN_LENGTH_MAX + 1)];

void respond_frames(const struct origins *frames)
{
    size_t length = (size_t)snprintf(whole_policy, sizeof whole_policy, "%s%s", policy,
                                     frames->count == 0 ? " 'none'" : "");
    for (unsigned i = 0; i < frames->count; i++)
        length +=
            (size_t)snprintf(whole_policy + length, sizeof whole_policy - length, " %s", frames->text[i]);
}

/* Adds a header with a value; without a response or a value, none. */
static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (response != NULL && value != NULL && *value != '\0')
        (void)MHD_add_response_header(response, name, value);
}

/* Queues the response and releases it. */
static enum MHD_Result send_off(struct MHD_Connection *connection, unsigned status,
                                struct MHD_Response *response, const char *type, const char *cache,
                                bool to_all)
{
    if (response == NULL)
        return MHD_NO;
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++)
        add_header(response, guards[i].name, guards[i].value);
    add_header(response, "Cross-Origin-Resource-Policy", to_all ? "cross-origin" : "same-origin");
    add_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, to_all ? "*" : NULL);
    add_header(response, "Content-Security-Policy", whole_policy);
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, cache);
    enum MHD_Result queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

/* Returns true if the client has the answer with this tag, or any one with "*". */
static bool has_already(struct MHD_Connection *connection, const char *tag)
{
    const char *known =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
    return known != NULL && (strcmp(known, "*") == 0 || strstr(known, tag) != NULL);
}

enum MHD_Result respond_json(struct MHD_Connection *connection, unsigned status, char *text,
                             const struct respond_more *more)
{
    static char no_memory[] = "{\"error\":{\"code\":\"memory\",\"retry\":true,\"text\":\"no memory\"}}\n";
    char tag[PAGE_TAG] = "";
    char keep[48];
    char location[32] = "";
    if (text != NULL && more->lasts && status == 200)
        page_tag(text, strlen(text), tag);
    const bool known = *tag != '\0' && has_already(connection, tag);
    struct MHD_Response *response =
        text == NULL ? MHD_create_response_from_buffer(strlen(no_memory), no_memory, MHD_RESPMEM_PERSISTENT)
                     : MHD_create_response_from_buffer(known ? 0 : strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (response == NULL)
        free(text);
    (void)snprintf(keep, sizeof keep, "public, max-age=%d", RESPOND_LASTING_SECONDS);
    if (more->job > 0)
        (void)snprintf(location, sizeof location, "jobs/%" PRId64, more->job);
    add_header(response, MHD_HTTP_HEADER_ALLOW, more->allow);
    add_header(response, MHD_HTTP_HEADER_LOCATION, location);
    add_header(response, MHD_HTTP_HEADER_ETAG, tag);
    return send_off(connection,
                    text == NULL ? 503
                    : known      ? 304
                                 : status,
                    response, "application/json", *tag != '\0' ? keep : "no-store", more->to_all);
}

enum MHD_Result respond_refusal(struct MHD_Connection *connection, const struct refusal *refusal, bool to_all)
{
    const struct respond_more more = {.allow = refusal->allow, .to_all = to_all};
    struct json_answer answer = {0};
    answer_fail(&answer, refusal);
    return respond_json(connection, answer.status, answer_text(&answer), &more);
}

enum MHD_Result respond_page(struct MHD_Connection *connection, const struct page *page, const char *visitor)
{
    char cookie[160];
    const bool fresh = has_already(connection, page->tag);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(fresh ? 0 : page->length, page->bytes, MHD_RESPMEM_PERSISTENT);
    add_header(response, MHD_HTTP_HEADER_ETAG, page->tag);
    (void)snprintf(cookie, sizeof cookie, VISITOR_COOKIE "=%s; Path=/; HttpOnly; SameSite=Lax", visitor);
    add_header(response, MHD_HTTP_HEADER_SET_COOKIE, *visitor != '\0' ? cookie : NULL);
    return send_off(connection, fresh ? 304 : 200, response, page->type, "no-cache", false);
}

enum MHD_Result respond_stream(struct MHD_Connection *connection, MHD_ContentReaderCallback read,
                               void *argument, bool to_all)
{
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read, argument, NULL);
    /* Tells proxies not to buffer the answer: that would delay the events. */
    add_header(response, "X-Accel-Buffering", "no");
    return send_off(connection, 200, response, "text/event-stream", "no-store", to_all);
}
