/* SPDX-License-Identifier: MIT */
/*
 * Options by table: a command's own rows, and a row for each key that its verb takes, which the vocabulary
 * has. Parser, help text, completion and "did you mean" all go by the same table. What is written key=value
 * on the command line is passed on to the daemon as it stands, so that keys that only one puzzle knows
 * (metric=, border=, from=) need no option here.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "protocol/reply.h"
#include "protocol/vocabulary.h"
#include "puzzled/space.h"

enum { OPTION_ROWS_MAX = 48, OPTION_WORDS_MAX = 64, OPTION_PAIRS_MAX = 32 };

struct option_row {
    const char *name;  /* without --; NULL ends a table */
    char letter;       /* of the short form, 0 for none */
    const char *value; /* what the value is called in the help; NULL for a flag */
    const char *help;
    const struct key_row *key; /* the request key it becomes; NULL when it is puzzlectl's own */
};

struct option_table {
    struct option_row rows[OPTION_ROWS_MAX];
    unsigned count;
};

/* Adds rows that end with one without a name; NULL for none. */
void option_table_add(struct option_table *table, const struct option_row *rows);
/* Adds a row for each key that the verb takes; none for VERB_COUNT. */
void option_table_keys(struct option_table *table, enum verb verb);
/* The row of a name without --; NULL when there is none. */
const struct option_row *option_table_find(const struct option_table *table, const char *name);

/* Everything points into argv, or to puzzle. */
struct arguments {
    const char *words[OPTION_WORDS_MAX]; /* what is no option and no key=value */
    char puzzle[PZ_SIZE_MAX];            /* words[0] where it was translated or inferred */
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
 * Adds to *arguments what argv[1] … holds; table must outlive them. stop_at_word: ends before the first word
 * that is no option. False with the reason when an option is not known, lacks its value, or there is too much
 * of anything.
 */
bool options_parse(int argc, char **argv, const struct option_table *table, bool stop_at_word,
                   struct arguments *arguments, struct pz_error *error);

/* The last value given for an option of puzzlectl's own; "" for a flag that is set; NULL when it is not. */
const char *arguments_option(const struct arguments *arguments, const char *name);
/* The value of a pair, NULL when there is none. */
const char *arguments_pair(const struct arguments *arguments, const char *key);

/* Writes one line a row. */
void options_help(const struct option_table *table, FILE *out);

#endif
