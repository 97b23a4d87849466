/* SPDX-License-Identifier: MIT */
/* HTTP answers, all with the headers that keep the page to itself. */
#ifndef RESPOND_H
#define RESPOND_H

#include "pages.h"

#include <microhttpd.h>

/* JSON, which is freed with the answer; NULL for no memory. */
enum MHD_Result respond_json(struct MHD_Connection *connection, unsigned status, char *text);
/* An error as the API tells it. */
enum MHD_Result respond_refusal(struct MHD_Connection *connection, const struct refusal *refusal);
/* A file of the page, or 304 where the browser has it. */
enum MHD_Result respond_page(struct MHD_Connection *connection, const struct page *page);
/* A stream of events, read block by block. */
enum MHD_Result respond_stream(struct MHD_Connection *connection, MHD_ContentReaderCallback read,
                               void *argument);

#endif
