/* SPDX-License-Identifier: MIT */
/* Why a request gets no answer: a code of the protocol or of docs/web.md, and a text for a person. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include <stdbool.h>

struct refusal {
    const char *code;
    char text[480];
    const char *allow; /* of bad-method: what would be right; else NULL */
};

/* Fills *refusal and returns false, so that `return refuse(…)` reads well. */
__attribute__((format(printf, 3, 4))) bool refuse(struct refusal *refusal, const char *code,
                                                  const char *format, ...);
/* Returns the HTTP status of a code; 500 for an unknown one. */
unsigned code_status(const char *code);
/* Returns true for one of our codes if the same request may succeed later. */
bool code_retry(const char *code);

#endif
