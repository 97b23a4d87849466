/* SPDX-License-Identifier: MIT */
/* Options by table, for every program: parser, help and "did you mean" use the same rows. */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "puzzled/space.h"
#include "puzzled/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { OPTION_ROWS_MAX = 48, OPTION_WORDS_MAX = 64, OPTION_PAIRS_MAX = 32 };

struct key_row;

struct option_row {
    const char *name; /* without --; NULL ends a table */
    char letter;      /* of the short form, 0 for none */
    const char
        *value; /* the name of the value in the help, or all its words: "dot|graphml"; NULL for a flag */
    const char *help;          /* NULL: an option that --help leaves out */
    const struct key_row *key; /* the request key of this name; NULL for an option of the program's own */
};

struct option_table {
    struct option_row rows[OPTION_ROWS_MAX];
    unsigned count;
};

/* Adds rows up to one without a name; NULL adds none. */
void option_table_add(struct option_table *table, const struct option_row *rows);
/* Returns the row of a name without --; NULL if there is none. */
const struct option_row *option_table_find(const struct option_table *table, const char *name);

/* Calls take for each word of an option whose row has them all, until take returns false. A word lives as
 * long as the call. */
void option_words(const struct option_row *row, bool (*take)(void *context, const char *word), void *context);

/* The treatment of arguments that are no options. */
enum option_rest {
    OPTION_REST_READ, /* words and pairs, key=value */
    OPTION_REST_LEFT, /* the caller's: from `next` on, behind all options */
    OPTION_REST_STOPS /* the caller's: from the first word on, with the options behind it */
};

/* All strings are in argv or in puzzle. */
struct arguments {
    const char *words[OPTION_WORDS_MAX]; /* words that are neither option nor key=value */
    char puzzle[PZ_SIZE_MAX];            /* words[0] if it was translated or inferred */
    size_t word_count;
    struct pz_key pairs[OPTION_PAIRS_MAX]; /* for the request, in order */
    size_t pair_count;
    struct {
        const struct option_row *row;
        const char *value;  /* "" for a flag */
    } own[OPTION_ROWS_MAX]; /* options without a key */
    size_t own_count;
    int next; /* the first argument that was not read */
};

/* Adds argv[1] … to *arguments; table must outlive them. Returns false with the reason if an option is not
 * known or lacks its value, or if there are too many. */
bool options_parse(int argc, char **argv, const struct option_table *table, enum option_rest rest,
                   struct arguments *arguments, struct pz_error *error);

/* Returns the last value given for an option of the program's own; "" for a flag that is set; NULL if it was
 * not given. */
const char *arguments_option(const struct arguments *arguments, const char *name);
/* Returns the value of a pair, NULL if there is none. */
const char *arguments_pair(const struct arguments *arguments, const char *key);

/* Writes one line for a row. */
void option_help(const struct option_row *row, const char *text, FILE *out);

/* ---- programs without commands ---- */

struct program {
    const char *name, *version;
    const char *usage;                /* the words behind the name */
    const char *about;                /* what it does, ended by LF */
    const struct option_row *options; /* --help and --version are added */
    const char *more;                 /* more lines, each ended by LF; NULL for none */
    enum option_rest rest;
};

struct program_line {
    struct option_table table;
    struct arguments arguments;
};

/* Reads the command line of a program. */
bool program_read(const struct program *program, int argc, char **argv, struct program_line *line,
                  struct pz_error *error);
/* Prints what --help or --version asks for; ends the program with 1 if that cannot be written. Returns false
 * if neither was given. */
bool program_tells(const struct program *program, const struct program_line *line);
/* Reports what is wrong with a command line. */
void program_refuse(const struct program *program, const char *text);

/* Writes the directory of the running program, "" if nobody knows it. */
void program_directory(char directory[PATH_MAX]);
/* Writes the path of a program beside the running one; else its bare name, for PATH. */
void program_beside(const char *name, char path[PATH_MAX]);

#endif
