/* SPDX-License-Identifier: MIT */
/* HTTP answers, all with the headers that keep the page to itself. */
#ifndef RESPOND_H
#define RESPOND_H

#include "web/http/pages.h"

#include <microhttpd.h>

/* Answers with JSON, which is freed with the answer; NULL means no memory. */
enum MHD_Result respond_json(struct MHD_Connection *connection, unsigned status, char *text);
/* Answers with an error, in the form of the API. */
enum MHD_Result respond_refusal(struct MHD_Connection *connection, const struct refusal *refusal);
/* Answers with a file of the page, or 304 if the browser has it. */
enum MHD_Result respond_page(struct MHD_Connection *connection, const struct page *page);
/* Answers with a stream of events, read block by block. */
enum MHD_Result respond_stream(struct MHD_Connection *connection, MHD_ContentReaderCallback read,
                               void *argument);

#endif
