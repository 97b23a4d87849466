/* SPDX-License-Identifier: MIT */
/*
 * One parsed line from the daemon. Every line of protocol version 1 is one of
 *
 *   OK key=value …          ERR code retry|fatal [key=value …] text…          END
 *   EVENT key=value …       LOST n=…                            key=value …  (a record of a list)
 *
 * A value with spaces is in double quotes, where \" and \\ stand for " and \. Keys that nobody asks for are
 * kept, so that --json shows them. Any other line is refused with a reason.
 */
#ifndef PROTOCOL_REPLY_H
#define PROTOCOL_REPLY_H

#include "puzzled/status.h"

#include <stddef.h>
#include <stdint.h>

enum reply_kind { REPLY_OK, REPLY_ERR, REPLY_END, REPLY_EVENT, REPLY_LOST, REPLY_RECORD };

struct field {
    const char *key;
    const char *value;
};

/* Owns everything it points to. A zeroed one is empty and may be cleared. */
struct reply {
    enum reply_kind kind;
    bool retry;       /* ERR: the same request may succeed later */
    const char *code; /* ERR: the stable word */
    const char *text; /* ERR: for a person */
    struct field *fields;
    size_t count;
    char *storage;
};

/* Parses a line (without its LF). On failure *reply is empty and *error says what was wrong. */
bool reply_parse(struct reply *reply, const char *line, size_t length, struct pz_error *error);
void reply_clear(struct reply *reply);

/* Returns the value of a key, NULL if the reply has none. */
const char *reply_get(const struct reply *reply, const char *key);
/* Returns the value of a key, "" if the reply has none. */
const char *reply_text(const struct reply *reply, const char *key);
bool reply_is(const struct reply *reply, const char *key, const char *value);
/* Reads a whole number. Returns false if the key is missing or its value is something else. */
bool reply_integer(const struct reply *reply, const char *key, int64_t *out);
bool reply_real(const struct reply *reply, const char *key, double *out);

#endif
