/* SPDX-License-Identifier: MIT */
/* Numbers as people read them. Every function returns its buffer. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>

enum { NUMBER_TEXT_MAX = 40 };

char *number_grouped(char out[NUMBER_TEXT_MAX], int64_t number); /* 239,500,800 */
char *number_bytes(char out[NUMBER_TEXT_MAX], double bytes);     /* 6.2G, in powers of 1024 */
char *number_count(char out[NUMBER_TEXT_MAX], double count);     /* 12.3M, in powers of 1000 */
char *number_seconds(char out[NUMBER_TEXT_MAX], double seconds); /* 4.1 ms, 0.26 s, 3:07, 4:09:00 */

#endif
