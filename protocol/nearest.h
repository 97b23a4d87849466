/* SPDX-License-Identifier: MIT */
/* "Did you mean": of some words the one that is most like what was written. */
#ifndef PROTOCOL_NEAREST_H
#define PROTOCOL_NEAREST_H

#include "protocol/text.h"

struct nearest {
    const char *written;
    const char *best; /* NULL while nothing offered was like it */
    unsigned errors;  /* letters left out, added, changed or swapped between written and best */
};

/* Considers one more word; case does not count. Begin with {.written = …}. */
void nearest_offer(struct nearest *nearest, const char *word);
/* Appends "; did you mean 'best'?" when there is one. */
void nearest_say(const struct nearest *nearest, struct text *out);

#endif
