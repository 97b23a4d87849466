/* SPDX-License-Identifier: MIT */
/* "Did you mean": finds the word that is most like what was written. */
#ifndef PROTOCOL_NEAREST_H
#define PROTOCOL_NEAREST_H

#include "protocol/text/text.h"

struct nearest {
    const char *written;
    const char *best; /* NULL while no offered word was similar */
    unsigned errors;  /* letters left out, added, changed or swapped between written and best */
};

/* Considers one more word; case does not count. Begin with {.written = …}. */
void nearest_offer(struct nearest *nearest, const char *word);
/* Appends "; did you mean 'best'?" if there is a best one. */
void nearest_say(const struct nearest *nearest, struct text *out);

#endif
