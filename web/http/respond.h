/* SPDX-License-Identifier: MIT */
/* HTTP answers, all with the headers that keep the page to itself. */
#ifndef RESPOND_H
#define RESPOND_H

#include "web/http/settings.h"
#include "web/http/web_pages.h"

#include <microhttpd.h>
#include <stdint.h>

enum { RESPOND_LASTING_SECONDS = 24 * 3600 /* for which an answer that never changes is kept by others */ };

/* More headers of an answer. A zeroed one adds none. */
struct respond_more {
    const char *allow; /* the methods that the path takes; NULL for none */
    int64_t job;       /* the one that was made; 0 for none */
    bool to_all;       /* pages of every origin may read it */
    bool lasts;        /* never changes: it may be kept, and gets an ETag */
};

/* Lets pages of these sites show ours in a frame. Before the first answer. */
void respond_frames(const struct origins *frames);

/* Answers with JSON, which is freed with the answer; NULL means no memory. */
enum MHD_Result respond_json(struct MHD_Connection *connection, unsigned status, char *text,
                             const struct respond_more *more);
/* Answers with an error, in the form of the API. */
enum MHD_Result respond_refusal(struct MHD_Connection *connection, const struct refusal *refusal,
                                bool to_all);
/* Answers with a file of the page, or 304 if the browser has it, and with a cookie for a new visitor; "" for
 * none. */
enum MHD_Result respond_page(struct MHD_Connection *connection, const struct page *page, const char *visitor);
/* Answers with a stream of events, read block by block. */
enum MHD_Result respond_stream(struct MHD_Connection *connection, MHD_ContentReaderCallback read,
                               void *argument, bool to_all);

#endif
