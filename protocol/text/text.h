/* SPDX-License-Identifier: MIT */
/* A growing text. Zeroed memory is an empty text. When memory runs out, the text stays as it was and
 * remembers the failure, so that only the end of a chain of calls must check. */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* NUL-terminated if not NULL */
    size_t length, capacity;
    bool failed;
};

void text_free(struct text *text);
/* Empties the text, keeps its memory, forgets a failure. */
void text_clear(struct text *text);
void text_append(struct text *text, const char *bytes, size_t length);
void text_add(struct text *text, const char *string);
void text_char(struct text *text, char c);
/* Appends another text, which may be empty. The other's failure becomes this one's. */
void text_join(struct text *text, const struct text *other);
__attribute__((format(printf, 2, 3))) void text_format(struct text *text, const char *format, ...);
/* Appends the value in quotes, as the protocol writes them; line ends and tabs as blanks. */
void text_quoted(struct text *text, const char *value);
/* Appends " key=value", with quotes where the protocol needs them. NULL adds nothing. */
void text_key(struct text *text, const char *key, const char *value);
/* Drops the first length bytes; the text must have that many. */
void text_drop(struct text *text, size_t length);
/* Keeps the first length bytes only; the text must have that many. */
void text_cut(struct text *text, size_t length);
/* Returns the text as a string, "" if nothing was added. */
const char *text_string(const struct text *text);
/* Hands over the string to the caller, who frees it; NULL after a failure. The text is empty then. */
char *text_take(struct text *text);

#endif
