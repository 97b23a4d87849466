/* SPDX-License-Identifier: MIT */
/* "Did you mean": finds the word that is most like what was written. */
#ifndef PROTOCOL_NEAREST_H
#define PROTOCOL_NEAREST_H

#include "protocol/text/text.h"

#include <stdbool.h>
#include <stddef.h>

struct nearest {
    const char *written;
    const char *best; /* NULL while no offered word was similar */
    unsigned errors;  /* letters left out, added, changed or swapped between written and best */
};

/* Considers one more word; case does not count. Begin with {.written = …}. */
void nearest_offer(struct nearest *nearest, const char *word);
/* Appends "; did you mean 'best'?" if there is a best one. */
void nearest_say(const struct nearest *nearest, struct text *out);

/* Puzzles as people write them: full-width characters, Chinese names. */

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
