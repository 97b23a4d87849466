/* SPDX-License-Identifier: MIT */
#include "client/session/command.h"

#include "client/jobs/job_pages.h"

#include "protocol/text/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In the order in which a new user needs them. A heading stands with the first of its group. */
/* clang-format off */
static const struct {
    const char *heading;
    const struct command *command;
} commands[] = {
    {"Explore and solve", &command_explore},
    {NULL, &command_solve},
    {NULL, &command_play},
    {NULL, &command_about},
    {NULL, &command_puzzles},
    {"Ask what is known", &command_distance},
    {NULL, &command_path},
    {NULL, &command_sample},
    {NULL, &command_deepest},
    {NULL, &command_parts},
    {NULL, &command_levels},
    {NULL, &command_graph},
    {NULL, &command_export},
    {"Measure and compare", &command_heuristic},
    {NULL, &command_grade},
    {NULL, &command_verify},
    {NULL, &command_compare},
    {NULL, &command_bench},
    {NULL, &command_figures},
    {NULL, &command_random},
    {"Jobs", &command_jobs},
    {NULL, &command_wait},
    {NULL, &command_result},
    {NULL, &command_cancel},
    {NULL, &command_forget},
    {"Tables and definitions", &command_tables},
    {NULL, &command_pdb},
    {NULL, &command_pin},
    {NULL, &command_unpin},
    {NULL, &command_fsck},
    {NULL, &command_define},
    {NULL, &command_undefine},
    {NULL, &command_definitions},
    {"The daemon", &command_version},
    {NULL, &command_stats},
};
/* clang-format on */
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct command_alias aliases[] = {
    {"watch", &command_wait, "events"},
    {"status", &command_result, "status"},
    {"prune", &command_forget, NULL},
    {"ping", &command_version, "ping"},
};
enum { ALIASES = sizeof aliases / sizeof aliases[0] };

static const struct option_row daemon_options[] = {
    {"socket", 's', "PATH", "the daemon's Unix socket", NULL},
    {"host", 'H', "HOST:PORT", "the daemon's TCP address", NULL},
    {0},
};

static const struct option_row common_options[] = {
    {"json", 'j', NULL, "answer in JSON, a value a line", NULL},
    {"quiet", 'q', NULL, "no progress line, no remarks", NULL},
    {"help", 'h', NULL, "this text", NULL},
    {0},
};

static const struct option_row first_options[] = {
    {"version", 'V', NULL, "the version of puzzlectl", NULL},
    {0},
};

const struct option_row list_options[] = {
    LIST_OPTIONS("columns between commas, with the keys of the protocol as titles"),
    {0},
};

void command_options(const struct command *command, struct option_table *table)
{
    table->count = 0;
    if (command != NULL) {
        option_table_add(table, command->options);
        option_table_keys(table, command->verb, command->without);
    } else {
        option_table_add(table, first_options);
    }
    if (command == NULL || !command->alone)
        option_table_add(table, daemon_options);
    option_table_add(table, common_options);
}

const struct command *command_at(unsigned number)
{
    return number < COMMANDS ? commands[number].command : NULL;
}

const char *command_heading(unsigned number)
{
    return number < COMMANDS ? commands[number].heading : NULL;
}

const struct command_alias *command_alias_at(unsigned number)
{
    return number < ALIASES ? &aliases[number] : NULL;
}

const struct command *command_find(const char *name)
{
    for (unsigned i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].command->name, name) == 0)
            return commands[i].command;
    for (unsigned i = 0; i < ALIASES; i++)
        if (strcmp(aliases[i].name, name) == 0)
            return aliases[i].command;
    return NULL;
}

const char *command_alias_option(const char *name)
{
    for (unsigned i = 0; i < ALIASES; i++)
        if (strcmp(aliases[i].name, name) == 0)
            return aliases[i].option;
    return NULL;
}

void command_help(const struct command *command, FILE *out)
{
    struct option_table options;
    (void)fprintf(out, "Usage: puzzlectl %s %s%s[OPTION]...\n\n%s.\n", command->name, command->words,
                  *command->words == '\0' ? "" : " ", command->summary);
    if (command->help != NULL)
        (void)fprintf(out, "\n%s", command->help);
    for (unsigned i = 0; i < ALIASES; i++)
        if (aliases[i].command == command)
            (void)fprintf(out, "\n'%s' is short for '%s%s%s'.\n", aliases[i].name, command->name,
                          aliases[i].option != NULL ? " --" : "",
                          aliases[i].option != NULL ? aliases[i].option : "");
    (void)fputs("\nOptions:\n", out);
    command_options(command, &options);
    options_help(&options, out);
    (void)fprintf(out, "\nExample:\n%s", command->example);
}

enum exit_code command_usage(struct session *session, const char *text)
{
    return session_fail(session, EXIT_USAGE, "usage", text);
}

enum exit_code command_job(struct session *session, const char *text, const char *kind, long long *job)
{
    char *end = NULL;
    struct text why = {0};
    struct text hint = {0};
    errno = 0;
    *job = strtoll(text, &end, 10);
    if (errno == 0 && end != text && *end == '\0' && *job > 0)
        return EXIT_FOUND;
    *job = 0;
    bool is_number = *text == '\0' || text[strspn(text, "-0123456789")] == '\0';
    enum exit_code code = is_number ? EXIT_FOUND : pages_find(session, text, kind, &hint, job);
    if (code == EXIT_FOUND && *job == 0) {
        text_format(&why, "'%s' is no job's number", text);
        if (!is_number)
            text_format(&why, ", and no %s is of such a puzzle", kind == NULL ? "job" : "exploration");
        text_format(&why, "; 'puzzlectl jobs' lists them%s", text_string(&hint));
        code = command_usage(session, text_string(&why));
    }
    text_free(&hint);
    text_free(&why);
    return code;
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
        text_format(&text, "--%s: '%s' is none of %s", row->name, word, text_string(&choice.known));
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

const char *command_origin(const struct reply *reply)
{
    return reply_is(reply, "to", "goal")     ? " from the nearest goal"
           : reply_is(reply, "from", "root") ? " from the root"
                                             : "";
}
