/* SPDX-License-Identifier: MIT */
/* Builds a request line of words and key=value, quoted where they must be: text_key() adds a pair. */
#ifndef PROTOCOL_COMPOSE_H
#define PROTOCOL_COMPOSE_H

#include "protocol/text.h"
#include "puzzled/status.h"

void compose_begin(struct text *request, const char *verb);
void compose_word(struct text *request, const char *word);
void compose_number(struct text *request, long long number);
/* Ends the line with its LF. False, with the reason, when the daemon could not take it: too long, or with a
 * control byte in it (which could otherwise smuggle in a second request). */
bool compose_end(struct text *request, struct pz_error *error);

#endif
