/* SPDX-License-Identifier: MIT */
#include "web/http/respond.h"

#include "web/api/answer.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM_BLOCK = 4096 };

/* Allows nothing from elsewhere, no inline code, no frame around the page, no sniffing of types. */
static const struct {
    const char *name, *value;
} guards[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
};

/* Queues the response and releases it. */
static enum MHD_Result send_off(struct MHD_Connection *connection, unsigned status,
                                struct MHD_Response *response, const char *type, const char *cache)
{
    if (response == NULL)
        return MHD_NO;
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++)
        (void)MHD_add_response_header(response, guards[i].name, guards[i].value);
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, cache);
    enum MHD_Result queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

enum MHD_Result respond_json(struct MHD_Connection *connection, unsigned status, char *text)
{
    static char no_memory[] = "{\"error\":{\"code\":\"memory\",\"retry\":true,\"text\":\"no memory\"}}\n";
    struct MHD_Response *response =
        text == NULL ? MHD_create_response_from_buffer(strlen(no_memory), no_memory, MHD_RESPMEM_PERSISTENT)
                     : MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (response == NULL)
        free(text);
    return send_off(connection, text == NULL ? 503 : status, response, "application/json", "no-store");
}

enum MHD_Result respond_refusal(struct MHD_Connection *connection, const struct refusal *refusal)
{
    struct answer answer = {0};
    answer_fail(&answer, refusal);
    return respond_json(connection, answer.status, answer_text(&answer));
}

enum MHD_Result respond_page(struct MHD_Connection *connection, const struct page *page)
{
    const char *known =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
    bool fresh = known != NULL && strcmp(known, page->tag) == 0;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(fresh ? 0 : page->length, page->bytes, MHD_RESPMEM_PERSISTENT);
    if (response != NULL)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, page->tag);
    return send_off(connection, fresh ? 304 : 200, response, page->type, "no-cache");
}

enum MHD_Result respond_stream(struct MHD_Connection *connection, MHD_ContentReaderCallback read,
                               void *argument)
{
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read, argument, NULL);
    /* Tells proxies not to buffer the answer: that would delay the events. */
    if (response != NULL)
        (void)MHD_add_response_header(response, "X-Accel-Buffering", "no");
    return send_off(connection, 200, response, "text/event-stream", "no-store");
}
