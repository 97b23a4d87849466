/* SPDX-License-Identifier: MIT */
/* A subcommand: its row in commands.inc, from which dispatch, help and completion come. */
#ifndef COMMAND_H
#define COMMAND_H

#include "client/session/session.h"
#include "protocol/text/option_table.h"
#include "protocol/vocabulary.h"

/* Says what a word after a command's name may be. */
enum { WORD_JOB = 1, WORD_TABLE = 2, WORD_PUZZLE = 4, WORD_DEFINITION = 8, WORD_BOARD = 16, WORD_START = 32 };

struct command_words {
    const char *text; /* for people */
    unsigned least, most;
    unsigned kinds; /* WORD_ bits */
};

struct command {
    const char *name;
    struct command_words takes;       /* {"PUZZLE [FILE|-]", 1, 2, WORD_PUZZLE} */
    const char *summary;              /* one line */
    const char *help;                 /* more lines, each ended by LF; NULL for none */
    const char *example;              /* a worked example with its output */
    const struct option_row *options; /* its own, NULL for none */
    enum verb verb;                   /* its keys are options, too; VERB_COUNT for none, */
    uint64_t without;                 /* but these (KEY_BIT), which would do nothing here */
    bool takes_pairs;                 /* without a verb: passes on the keys that only puzzles know */
    enum exit_code (*run)(struct session *session, const struct arguments *arguments);
};

/* Returns true if the first word is a puzzle, and must be there. */
static inline bool command_of_puzzle(const struct command *command)
{
    return (command->takes.kinds & (WORD_JOB | WORD_TABLE | WORD_PUZZLE)) == WORD_PUZZLE &&
           command->takes.least > 0;
}

/* Returns the command with this number, NULL beyond the last. */
const struct command *command_at(unsigned number);
/* Returns the name with this number, of a command, an alias or help; NULL beyond the last. */
const char *command_name(unsigned number);
/* Returns NULL if there is none of that name, or other name. */
const struct command *command_find(const char *name);
/* Returns the option of its own that a name stands for; NULL for none. */
const char *command_alias_option(const char *name);
void command_help(const struct command *command, FILE *out);
/* Writes the help of the whole program. */
void commands_help(FILE *out);

/* Fills in the options of a command and those that every command has; for NULL those before any command. */
void command_options(const struct command *command, struct option_table *table);

#define COMMAND(heading, name) extern const struct command command_##name;
#include "client/session/commands.inc"
#undef COMMAND

/* Reads the options that every command has: where the daemon is, --json, --quiet. */
bool command_prepare(struct session *session, const struct arguments *arguments, struct pz_error *error);

/* The option rows of a command that prints a list: session->csv and json. */
#define LIST_FORMATS "text|csv|json"
#define LIST_OPTIONS(help)                                                                                   \
    {"csv", 0, NULL, help, NULL},                                                                            \
    {                                                                                                        \
        "format", 'f', LIST_FORMATS, "text is for people, csv as --csv, json as --json", NULL                \
    }
/* The rows of a command that takes a board: what they say becomes its last word. */
#define SCRAMBLE_OPTIONS                                                                                     \
    {"scramble", 0, "MOVES", "of a .tws puzzle, instead of a board: the moves done to the solved one",       \
     NULL},                                                                                                  \
    {                                                                                                        \
        "random", 0, NULL, "a random board: of a sliding puzzle, or 100 random moves of a .tws puzzle", NULL \
    }
/* Those of a list whose columns are keys of the protocol. */
extern const struct option_row list_options[];

/* In client/jobs/job_pages.c. Reads a job's number, or finds the latest job of a puzzle: any, or with
 * "explore" an exploration. Reports a usage error if there is none. */
enum exit_code command_job(struct session *session, const char *text, const char *kind, long long *job);
/* Returns the place of a word among those of an option ("dot|graphml"), in any case; -1 after a usage error
 * that lists them. */
int command_choice(struct session *session, const struct option_row *row, const char *word);
/* Begins a request with a word, unless that is NULL, and every pair. */
struct text *command_request(struct session *session, const char *verb, const char *word,
                             const struct arguments *arguments);
/* Adds every pair to a request. */
void command_pairs(struct text *request, const struct arguments *arguments);
/* Returns where the distances of a reply count from: " from the nearest goal", " from the root", or "" if it
 * does not say. */
const char *command_origin(const struct reply *reply);
/* Reports a usage error. */
enum exit_code command_usage(struct session *session, const char *text);

/* The options of a command: its own rows, and a row for each key that its verb takes, from the vocabulary.
 * key=value on the command line goes to the daemon unchanged, so that keys that only one puzzle knows
 * (metric=, border=, from=) need no option here. */

#define KEY_BIT(key) (UINT64_C(1) << (key))
_Static_assert(KEYS_TAKEN <= 64, "each key has a bit");

/* Adds a row for each key that the verb takes, but those of a set of KEY_BIT; none for VERB_COUNT. */
void option_table_keys(struct option_table *table, enum verb verb, uint64_t without);
/* Writes one line per row. */
void options_help(const struct option_table *table, FILE *out);

#endif
