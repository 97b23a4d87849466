/* SPDX-License-Identifier: MIT */
/* Reading what people type: full-width characters, names of puzzles in Chinese, a board without its puzzle.
 */
#ifndef INFER_H
#define INFER_H

#include "protocol/text.h"

enum { INFER_SIZE_MAX = 32 };

/* Returns the size of a sliding board whose text leaves no doubt of it: "[[4,1,2],[5,0,3]]",
 * "8,6,7/2,5,4/3,0,1", "867254301" (a square). False for anything else. */
bool infer_size(const char *board, char size[INFER_SIZE_MAX]);

/* Replaces full-width digits, letters and punctuation by the usual ones. Never longer, so in place. */
void infer_narrow(char *text);

/* The name of a puzzle that is written in Chinese, with what follows it: 华容道 → klotski; NULL for any other
 * text. The rest of the text begins at *rest. */
const char *infer_name(const char *text, const char **rest);

#endif
