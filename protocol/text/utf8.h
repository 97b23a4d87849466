/* SPDX-License-Identifier: MIT */
/* UTF-8 as RFC 3629 defines it: shortest form, no surrogates, at most U+10FFFF. */
#ifndef PROTOCOL_UTF8_H
#define PROTOCOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the bytes of the character that starts here (left >= 1), or 0 if it is invalid. */
size_t utf8_length(const char *bytes, size_t left);
/* Returns true for well-formed text without control characters, ends of lines and marks that turn the
 * direction of writing; else *at is the first wrong byte. */
bool utf8_is_clean(const char *bytes, size_t length, size_t *at);

/* Replaces every byte that such text may not have by a question mark. */
void utf8_scrub(char *bytes, size_t length);

#endif
