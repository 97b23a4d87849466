/* SPDX-License-Identifier: MIT */
/*
 * A text that grows. Zeroed memory is an empty text. When memory runs out the text stays as it was and
 * remembers the failure, so that only the end of a chain of calls asks.
 */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* NUL-ended when not NULL */
    size_t length, capacity;
    bool failed;
};

void text_free(struct text *text);
/* Empties it, keeps its memory, forgets a failure. */
void text_clear(struct text *text);
void text_append(struct text *text, const char *bytes, size_t length);
void text_add(struct text *text, const char *string);
void text_char(struct text *text, char c);
/* Appends another text, also an empty one; its failure is this one's, too. */
void text_join(struct text *text, const struct text *other);
__attribute__((format(printf, 2, 3))) void text_format(struct text *text, const char *format, ...);
/* The value in quotes, as the protocol writes them. */
void text_quoted(struct text *text, const char *value);
/* " key=value", the value in quotes where the protocol asks for them. NULL adds nothing. */
void text_key(struct text *text, const char *key, const char *value);
/* Drops the first length bytes; the text has so many. */
void text_drop(struct text *text, size_t length);
/* The text as a string, "" when nothing was added. */
const char *text_string(const struct text *text);
/* Hands the string over to the caller, who frees it; NULL after a failure. The text is empty then. */
char *text_take(struct text *text);

#endif
