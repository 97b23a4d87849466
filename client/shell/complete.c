/* SPDX-License-Identifier: MIT */
#include "client/shell/complete.h"

#include "client/session/command.h"

#include <string.h>

struct completion {
    const struct terminal *terminal;
    const char *begun; /* of the word */
    void (*found)(void *context, const char *word);
    void *context;
};

static void offer(const struct completion *completion, const char *word)
{
    if (strncmp(word, completion->begun, strlen(completion->begun)) == 0)
        completion->found(completion->context, word);
}

static bool offer_value(void *context, const char *word)
{
    offer(context, word);
    return true;
}

static void offer_options(const struct completion *completion, const struct option_table *options)
{
    char name[64];
    for (unsigned i = 0; i < options->count; i++) {
        (void)snprintf(name, sizeof name, "--%s", options->rows[i].name);
        offer(completion, name);
    }
}

/* Offers the values of a key in the records of a list. */
static void offer_list(const struct completion *completion, struct session *session, const char *verb,
                       const char *argument, const char *key)
{
    struct records records;
    if (session_list(session, session_request(session, verb, argument), &records) != EXIT_FOUND)
        return;
    for (size_t i = 0; i < records.count; i++)
        offer(completion, reply_text(&records.records[i], key));
    records_clear(&records);
}

static void offer_puzzles(const struct completion *completion, struct session *session)
{
    static const char *const sizes[] = {"2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "3x3",
                                        "3x4", "3x5", "4x4", "4x5", "5x5", "6x6"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        offer(completion, sizes[i]);
    if (strncmp(completion->begun, "klotski:", 8) == 0) /* sixty names that are rarely wanted */
        offer_list(completion, session, "PUZZLES", "klotski", "layout");
    else
        offer_list(completion, session, "PUZZLES", NULL, "example");
}

/* Asks the daemon for the possible arguments of a command. Offers nothing if it does not answer. */
static void offer_arguments(const struct completion *completion, const struct command *command,
                            const struct arguments *arguments)
{
    struct terminal silent = *completion->terminal;
    struct session session = {.terminal = &silent, .quiet = true};
    struct pz_error error;
    const unsigned kinds = command->takes.kinds;
    silent.err = fopen("/dev/null", "we");
    if (silent.err != NULL && command_prepare(&session, arguments, &error)) {
        session.json = false;
        if (strcmp(command->name, "puzzles") == 0)
            offer_list(completion, &session, "PUZZLES", NULL, "puzzle");
        else if ((kinds & WORD_PUZZLE) != 0)
            offer_puzzles(completion, &session);
        if ((kinds & WORD_DEFINITION) != 0)
            offer_list(completion, &session, "DEFINITIONS", NULL, "name");
        if ((kinds & WORD_JOB) != 0)
            offer_list(completion, &session, "JOBS", NULL, "job");
        if ((kinds & WORD_TABLE) != 0)
            offer_list(completion, &session, "TABLES", NULL, "table");
        session_close(&session);
    }
    if (silent.err != NULL)
        (void)fclose(silent.err);
}

/* Returns the option whose value follows a word; NULL if none does. */
static const struct option_row *wants_value(const struct option_table *options, const char *word)
{
    for (unsigned i = 0; i < options->count; i++) {
        const struct option_row *row = &options->rows[i];
        bool is_letter = word[0] == '-' && word[1] != '\0' && word[1] == row->letter && word[2] == '\0';
        bool is_name = strncmp(word, "--", 2) == 0 && strcmp(word + 2, row->name) == 0;
        if (row->value != NULL && (is_letter || is_name))
            return row;
    }
    return NULL;
}

void complete(const struct terminal *terminal, int count, char **words,
              void (*found)(void *context, const char *word), void *context)
{
    struct completion completion = {terminal, count > 0 ? words[count - 1] : "", found, context};
    struct option_table tables[2]; /* before the command, and of the command */
    const struct option_table *options = &tables[0];
    struct arguments arguments = {0};
    const struct command *command = NULL;
    const struct option_row *value = NULL;
    command_options(NULL, &tables[0]);
    for (int i = 0; i < count - 1; i++) {
        if (value != NULL && value->key == NULL && arguments.own_count < OPTION_ROWS_MAX) {
            arguments.own[arguments.own_count].row = value;
            arguments.own[arguments.own_count++].value = words[i];
        }
        value = value != NULL ? NULL : wants_value(options, words[i]);
        if (value == NULL && command == NULL && (command = command_find(words[i])) != NULL) {
            command_options(command, &tables[1]);
            options = &tables[1];
        }
    }
    if (value != NULL) {
        for (unsigned i = 0; value->key != NULL && i < value->key->word_count; i++)
            offer(&completion, value->key->words[i]);
        if (value->key == NULL)
            option_words(value, offer_value, &completion);
    } else if (completion.begun[0] == '-') {
        offer_options(&completion, options);
    } else if (command == NULL) {
        for (unsigned i = 0; command_name(i) != NULL; i++)
            offer(&completion, command_name(i));
    } else {
        offer_arguments(&completion, command, &arguments);
    }
}

static void print_word(void *context, const char *word)
{
    (void)fprintf(context, "%s\n", word);
}

enum exit_code complete_print(const struct terminal *terminal, int count, char **words)
{
    complete(terminal, count, words, print_word, terminal->out);
    return EXIT_FOUND;
}
