/* SPDX-License-Identifier: MIT */
/*
 * The words that may stand next on a command line: for the shells' completion (puzzlectl --complete WORD…,
 * the last one being what was typed of it so far) and for puzzlectl's own prompt.
 */
#ifndef COMPLETE_H
#define COMPLETE_H

#include "exits.h"
#include "terminal.h"

#include <stddef.h>

/* Calls found for every word that may stand last; words are those behind "puzzlectl". Puzzles and jobs are
 * asked of the daemon; without one there are none. */
void complete(const struct terminal *terminal, int count, char **words,
              void (*found)(void *context, const char *word), void *context);
/* Prints them, one a line. */
enum exit_code complete_print(const struct terminal *terminal, int count, char **words);

#endif
