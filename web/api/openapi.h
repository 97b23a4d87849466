/* SPDX-License-Identifier: MIT */
/* The API as an OpenAPI document, made from the routes and the vocabulary, so that it is always up to
 * date. */
#ifndef OPENAPI_H
#define OPENAPI_H

/* Returns the document's text, which the caller frees; NULL without memory. */
char *openapi_text(void);

#endif
