/* SPDX-License-Identifier: MIT */
/* The API as an OpenAPI document, made of the routes and the vocabulary, so that it cannot lag behind them.
 */
#ifndef OPENAPI_H
#define OPENAPI_H

/* The document's text, which the caller frees; NULL without memory. */
char *openapi_text(void);

#endif
