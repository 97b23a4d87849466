/* SPDX-License-Identifier: MIT */
/*
 * The words of a line, of requests and replies alike: parted by spaces; what stands in double quotes may hold
 * spaces, and \" and \\ mean the character itself there. A word that reads key=… has a key, unless it begins
 * with a quote.
 */
#ifndef PROTOCOL_LEXER_H
#define PROTOCOL_LEXER_H

#include <stdbool.h>
#include <stddef.h>

struct lexer {
    const char *at, *end; /* what is left of the line */
    char *out;            /* where words go: end - at + 1 bytes, which may be the line itself */
};

struct word {
    char *key;   /* as written; NULL when the word has none */
    char *value; /* the whole word without a key */
};

enum lexed { LEXED_WORD, LEXED_END, LEXED_OPEN_QUOTE };

/* Reads the next word; the strings lie in what out pointed to. */
enum lexed lexer_next(struct lexer *lexer, struct word *word);
/* Reads the next word as one without a key, whatever it looks like. */
enum lexed lexer_plain(struct lexer *lexer, char **value);

#endif
