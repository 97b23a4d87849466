/* SPDX-License-Identifier: MIT */
/* One request, from its first header to the last byte of its answer. */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include "web/http/server_internal.h"

struct http_exchange;

/* libmicrohttpd's handlers; closure is the server. */
enum MHD_Result exchange_handle(void *closure, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_size, void **place);
void exchange_completed(void *closure, struct MHD_Connection *connection, void **place,
                        enum MHD_RequestTerminationCode why);
/* Resumes a waiting request, so that its connection can be closed when the server ends. */
void exchange_abandon(struct http_exchange *exchange);

#endif
