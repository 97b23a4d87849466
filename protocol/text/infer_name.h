/* SPDX-License-Identifier: MIT */
/* Puzzles as people write them: full-width characters, Chinese names. */
#ifndef INFER_NAME_H
#define INFER_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces full-width digits, letters and punctuation, and the × of 3×4, by the usual ones. Works in place,
 * since the text never gets longer. */
void infer_narrow(char *text);

/* Returns the name of a puzzle that is written in Chinese (华容道, 華容道 → klotski), NULL for any other
 * text. *rest is the text after it. */
const char *infer_name(const char *text, const char **rest);

/* Writes a puzzle's text as the spaces read it: 华容道：横刀立马 as klotski:横刀立马, 3×4 as 3x4. Returns
 * false if it stands so already, does not fit in room bytes, or there is no memory. */
bool infer_puzzle_name(const char *text, char *out, size_t room);

#endif
