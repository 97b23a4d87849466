/* SPDX-License-Identifier: MIT */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Seconds of a clock that never jumps; only differences mean anything. */
double clock_seconds(void);

/* Milliseconds since 1970, for records that people read. May jump; never used to measure. */
uint64_t clock_wall_ms(void);

#endif
