/* SPDX-License-Identifier: MIT */
/* Building a request line: words and key=value, quoted where they must be. */
#ifndef REQUEST_H
#define REQUEST_H

#include "puzzled/status.h"
#include "text.h"

enum { REQUEST_MAX = 4096 /* bytes of a line, without its LF */ };

void request_begin(struct text *request, const char *verb);
void request_word(struct text *request, const char *word);
void request_number(struct text *request, long long number);
void request_pair(struct text *request, const char *key, const char *value);
/* Ends the line with its LF. False, with the reason, when the daemon could not take it: too long, or with a
 * control byte in it (which could otherwise smuggle in a second request). */
bool request_end(struct text *request, struct pz_error *error);

#endif
