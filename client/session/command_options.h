/* SPDX-License-Identifier: MIT */
/* Options by table: a command's own rows, and a row for each key that its verb takes, from the vocabulary.
 * Parser, help text, completion and "did you mean" all use the same table. key=value on the command line goes
 * to the daemon unchanged, so that keys that only one puzzle knows (metric=, border=, from=) need no option
 * here. */
#ifndef COMMAND_OPTIONS_H
#define COMMAND_OPTIONS_H

#include "protocol/reply.h"
#include "protocol/vocabulary.h"
#include "puzzled/space.h"

enum { OPTION_ROWS_MAX = 48, OPTION_WORDS_MAX = 64, OPTION_PAIRS_MAX = 32 };

struct option_row {
    const char *name; /* without --; NULL ends a table */
    char letter;      /* of the short form, 0 for none */
    const char
        *value; /* the name of the value in the help, or all its words: "dot|graphml"; NULL for a flag */
    const char *help;
    const struct key_row *key; /* the request key for it; NULL for an option of puzzlectl's own */
};

struct option_table {
    struct option_row rows[OPTION_ROWS_MAX];
    unsigned count;
};

/* Adds rows up to one without a name; NULL adds none. */
void option_table_add(struct option_table *table, const struct option_row *rows);
#define KEY_BIT(key) (UINT64_C(1) << (key))
_Static_assert(KEYS_TAKEN <= 64, "each key has a bit");

/* Adds a row for each key that the verb takes, but those of a set of KEY_BIT; none for VERB_COUNT. */
void option_table_keys(struct option_table *table, enum verb verb, uint64_t without);
/* Returns the row of a name without --; NULL if there is none. */
const struct option_row *option_table_find(const struct option_table *table, const char *name);

/* Calls take for each word of an option whose row has them all, until take returns false. A word lives as
 * long as the call. */
void option_words(const struct option_row *row, bool (*take)(void *context, const char *word), void *context);

/* All strings are in argv or in puzzle. */
struct arguments {
    const char *words[OPTION_WORDS_MAX]; /* words that are neither option nor key=value */
    char puzzle[PZ_SIZE_MAX];            /* words[0] if it was translated or inferred */
    size_t word_count;
    struct field pairs[OPTION_PAIRS_MAX]; /* for the request, in order */
    size_t pair_count;
    struct {
        const struct option_row *row;
        const char *value;  /* "" for a flag */
    } own[OPTION_ROWS_MAX]; /* options without a key */
    size_t own_count;
    int next; /* the first argument not yet read, with stop_at_word */
};

/* Adds argv[1] … to *arguments; table must outlive them. stop_at_word: ends before the first word that is not
 * an option. Returns false with the reason if an option is not known or lacks its value, or if there are too
 * many. */
bool options_parse(int argc, char **argv, const struct option_table *table, bool stop_at_word,
                   struct arguments *arguments, struct pz_error *error);

/* Returns the last value given for an option of puzzlectl's own; "" for a flag that is set; NULL if it was
 * not given. */
const char *arguments_option(const struct arguments *arguments, const char *name);
/* Returns the value of a pair, NULL if there is none. */
const char *arguments_pair(const struct arguments *arguments, const char *key);

/* Writes one line per row. */
void options_help(const struct option_table *table, FILE *out);

#endif
