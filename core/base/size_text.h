/* SPDX-License-Identifier: MIT */
/* Sizes as people read them. */
#ifndef BASE_SIZE_TEXT_H
#define BASE_SIZE_TEXT_H

#include <stdint.h>

enum { SIZE_TEXT = 48 };
/* Returns out with a text like "12.6G": bytes in powers of 1024, as sizes are given, rounded up to one
 * decimal place. */
const char *size_text(uint64_t bytes, char out[SIZE_TEXT]);

#endif
