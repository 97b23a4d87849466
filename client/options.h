/* SPDX-License-Identifier: MIT */
/*
 * Options by table: from the same rows come the parser, the help text and the request's keys. What is written
 * key=value on the command line is passed on to the daemon as it stands, so that keys that only one puzzle
 * knows (metric=, border=, from=) need no option here.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "protocol/reply.h"

enum { OPTION_ROWS_MAX = 24, OPTION_WORDS_MAX = 64, OPTION_PAIRS_MAX = 32 };

struct option_row {
    const char *name;  /* without --; NULL ends a table */
    char letter;       /* of the short form, 0 for none */
    const char *value; /* what the value is called in the help; NULL for a flag */
    const char *key;   /* the request key it becomes; NULL when it is puzzlectl's own */
    const char *help;
};

/* Everything points into argv. */
struct arguments {
    const char *words[OPTION_WORDS_MAX]; /* what is no option and no key=value */
    size_t word_count;
    struct field pairs[OPTION_PAIRS_MAX]; /* for the request, in order */
    size_t pair_count;
    struct {
        const struct option_row *row;
        const char *value;  /* "" for a flag */
    } own[OPTION_ROWS_MAX]; /* options without a key */
    size_t own_count;
    int next; /* the first argument not looked at, with stop_at_word */
};

/*
 * Adds to *arguments what argv[1] … holds. stop_at_word: ends before the first word that is no option. False
 * with the reason when an option is not known, lacks its value, or there is too much of anything.
 */
bool options_parse(int argc, char **argv, const struct option_row *common, const struct option_row *rows,
                   bool stop_at_word, struct arguments *arguments, struct pz_error *error);

/* The last value given for an option of puzzlectl's own; "" for a flag that is set; NULL when it is not. */
const char *arguments_option(const struct arguments *arguments, const char *name);
/* The value of a pair, NULL when there is none. */
const char *arguments_pair(const struct arguments *arguments, const char *key);

/* Writes one line a row. */
void options_help(const struct option_row *rows, FILE *out);

#endif
