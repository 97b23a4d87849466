/* SPDX-License-Identifier: MIT */
/* The words of a line, for requests and replies. Spaces separate words. Text in double quotes may contain
 * spaces; there \" and \\ mean the character itself. A word that reads key=… has a key, unless it begins with
 * a quote. */
#ifndef PROTOCOL_LEXER_H
#define PROTOCOL_LEXER_H

#include <stdbool.h>
#include <stddef.h>

struct lexer {
    const char *at, *end; /* the rest of the line */
    char *out;            /* the output: end - at + 1 bytes, which may be the line itself */
};

struct word {
    char *key;   /* as written; NULL if the word has none */
    char *value; /* the whole word if it has no key */
};

enum lexed { LEXED_WORD, LEXED_END, LEXED_OPEN_QUOTE };

/* Reads the next word. The strings are in the buffer that out pointed to. */
enum lexed lexer_next(struct lexer *lexer, struct word *word);
/* Reads the next word as one without a key, whatever it looks like. */
enum lexed lexer_plain(struct lexer *lexer, char **value);

#endif
