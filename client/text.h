/* SPDX-License-Identifier: MIT */
/* A text that grows as it is written. Running out of memory is remembered and asked for once, at the end. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* NUL-ended once anything was added; NULL before */
    size_t length;
    size_t capacity;
    bool failed; /* memory ran out: data is not to be trusted */
};

void text_clear(struct text *text); /* frees; the struct may be used again */
void text_add(struct text *text, const char *bytes, size_t length);
void text_add_string(struct text *text, const char *string);
void text_add_char(struct text *text, char c);
__attribute__((format(printf, 2, 3))) void text_printf(struct text *text, const char *format, ...);
/* Drops the first bytes. */
void text_drop(struct text *text, size_t length);
/* The text as a string, "" when nothing was added. */
const char *text_string(const struct text *text);

#endif
