/* SPDX-License-Identifier: MIT */
/* UTF-8 as RFC 3629 defines it: shortest form, no surrogates, at most U+10FFFF. */
#ifndef PROTOCOL_UTF8_H
#define PROTOCOL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the bytes of the character that starts here (left >= 1), or 0 if it is invalid. */
size_t utf8_length(const char *bytes, size_t left);
/* Returns true for a character that steers whoever shows it: U+0000 … U+001F, U+007F … U+009F, ends of lines
 * and paragraphs (U+2028, U+2029), and marks that turn the direction of writing (U+061C, U+200E, U+200F,
 * U+202A … U+202E, U+2066 … U+2069). The bytes are well-formed. */
bool utf8_is_control(const char *bytes);
/* Returns true for well-formed text without control characters; else *at is the first wrong byte. */
bool utf8_is_clean(const char *bytes, size_t length, size_t *at);

/* Replaces every byte that such text may not have by a question mark. */
void utf8_scrub(char *bytes, size_t length);

#endif
