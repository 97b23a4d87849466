/* SPDX-License-Identifier: MIT */
/* Replies as JSON, one value per line. The type of a field follows from its key, never from the look of its
 * value, so that a script may rely on it. docs/json.md lists the types. Keys that are not in the list are
 * strings. */
#ifndef PROTOCOL_JSON_H
#define PROTOCOL_JSON_H

#include "protocol/reply.h"
#include "protocol/text/text.h"

#include <jansson.h>

/* Returns a new object with the reply's fields; NULL without memory. */
json_t *json_of_reply(const struct reply *reply);
/* Returns a list reply: the fields of its first line, and its records as an array under a name. */
json_t *json_of_list(const struct reply *head, const char *name, const struct reply *records, size_t count);
/* Writes the value and a LF, and releases the value. Returns false if it cannot be written (or value is
 * NULL). */
bool json_write(json_t *value, FILE *out);
/* {"error": {"code": …, "retry": …, "text": …}} */
json_t *json_of_error(const char *code, bool retry, const char *text);
/* Returns the object of an ERR line, with its fields beside code, retry and text. */
json_t *json_of_refusal(const struct reply *reply);

#endif
