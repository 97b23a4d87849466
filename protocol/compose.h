/* SPDX-License-Identifier: MIT */
/* Builds a request line of words and key=value, with quotes where needed. text_key() adds a pair. */
#ifndef PROTOCOL_COMPOSE_H
#define PROTOCOL_COMPOSE_H

#include "protocol/text/text.h"
#include "puzzled/status.h"

void compose_begin(struct text *request, const char *verb);
void compose_word(struct text *request, const char *word);
void compose_number(struct text *request, long long number);
/* Ends the line with its LF. Returns false, with the reason, if the daemon could not take it: too long, or
 * with a control byte (which could smuggle in a second request). */
bool compose_end(struct text *request, struct pz_error *error);

#endif
