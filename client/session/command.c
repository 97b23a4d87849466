/* SPDX-License-Identifier: MIT */
#include "client/session/command.h"

#include "client/session/suggest.h"
#include "protocol/text/nearest.h"
#include "protocol/text/text.h"

#include <strings.h>

bool command_prepare(struct session *session, const struct arguments *arguments, struct pz_error *error)
{
    const char *socket = arguments_option(arguments, "socket");
    const char *host = arguments_option(arguments, "host");
    session->json = arguments_option(arguments, "json") != NULL;
    session->suggest = suggest;
    session->quiet = arguments_option(arguments, "quiet") != NULL;
    if (socket != NULL && host != NULL) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "--socket or --host, not both");
        return false;
    }
    if (socket != NULL)
        return address_socket(&session->address, socket, error);
    if (host != NULL)
        return address_host(&session->address, host, error);
    return address_default(&session->address, error);
}

const struct option_row list_options[] = {
    LIST_OPTIONS("columns between commas, with the keys of the protocol as titles"),
    {0},
};

enum exit_code command_usage(struct session *session, const char *text)
{
    return session_fail(session, EXIT_USAGE, "usage", text);
}

/* A word that is looked for among those of an option. */
struct command_choice {
    struct nearest nearest;
    char best[16]; /* nearest's: words do not outlive the call */
    struct text known;
    int place; /* -1 before the first */
    bool found;
};

static bool compare_commands(void *context, const char *word)
{
    struct command_choice *choice = context;
    nearest_offer(&choice->nearest, word);
    if (choice->nearest.best == word) {
        (void)snprintf(choice->best, sizeof choice->best, "%s", word);
        choice->nearest.best = choice->best;
    }
    text_format(&choice->known, "%s%s", choice->place < 0 ? "" : ", ", word);
    choice->place++;
    choice->found = strcasecmp(choice->nearest.written, word) == 0;
    return !choice->found;
}

int command_choice(struct session *session, const struct option_row *row, const char *word)
{
    struct command_choice choice = {.nearest = {.written = word}, .place = -1};
    option_words(row, compare_commands, &choice);
    if (!choice.found) {
        struct text text = {0};
        text_format(&text, "--%s: '%s' is not one of %s", row->name, word, text_string(&choice.known));
        nearest_say(&choice.nearest, &text);
        (void)command_usage(session, text_string(&text));
        text_free(&text);
    }
    text_free(&choice.known);
    return choice.found ? choice.place : -1;
}

void command_pairs(struct text *request, const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->pair_count; i++)
        text_key(request, arguments->pairs[i].key, arguments->pairs[i].value);
}

struct text *command_request(struct session *session, const char *verb, const char *word,
                             const struct arguments *arguments)
{
    struct text *request = session_request(session, verb, word);
    command_pairs(request, arguments);
    return request;
}

const char *command_origin(const struct reply *reply)
{
    return reply_is(reply, "to", "goal")     ? " from the nearest goal"
           : reply_is(reply, "from", "root") ? " from the root"
                                             : "";
}

void option_table_keys(struct option_table *table, enum verb verb, uint64_t without)
{
    for (unsigned i = 0; i < KEYS_TAKEN && table->count < OPTION_ROWS_MAX; i++) {
        const struct key_row *key = key_row(i);
        if (verb == VERB_COUNT || (key->taken & VERB_BIT(verb)) == 0 || (without & KEY_BIT(i)) != 0)
            continue;
        const char *value = key_is_flag(key) ? NULL : key_value_name(key);
        table->rows[table->count++] =
            (struct option_row){key->word, key->letter, value, key_help(key, verb), key};
    }
}

void options_help(const struct option_table *table, FILE *out)
{
    for (unsigned i = 0; i < table->count; i++) {
        const struct option_row *row = &table->rows[i];
        struct text help = {0};
        text_add(&help, row->help);
        if (row->key != NULL && row->key->type == VALUE_WORD) {
            text_add(&help, ": ");
            key_words(row->key, ", ", &help);
        }
        option_help(row, text_string(&help), out);
        text_free(&help);
    }
}
