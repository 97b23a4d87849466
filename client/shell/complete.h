/* SPDX-License-Identifier: MIT */
/* The possible next words of a command line: for the shells' completion (puzzlectl --complete WORD…, the last
 * word being what is typed so far) and for puzzlectl's own prompt. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "client/session/exits.h"
#include "client/session/terminal.h"

#include <stddef.h>

/* Calls found for every word that may stand last. words are those after "puzzlectl". Puzzles and jobs come
 * from the daemon; without a daemon there are none. */
void complete(const struct terminal *terminal, int count, char **words,
              void (*found)(void *context, const char *word), void *context);
/* Prints them, one per line. */
enum exit_code complete_print(const struct terminal *terminal, int count, char **words);

#endif
