/* SPDX-License-Identifier: MIT */
#include "client/session/command.h"

#include <string.h>

static const struct {
    const char *heading;
    const struct command *command;
} commands[] = {
#define COMMAND(heading, name) {heading, &command_##name},
#include "client/session/commands.inc"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct command_alias {
    const char *name;
    const struct command *command;
    const char *option; /* which it stands for; NULL for none */
} aliases[] = {
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

void command_options(const struct command *command, struct option_table *table)
{
    table->count = 0;
    if (command != NULL) {
        option_table_add(table, command->options);
        option_table_keys(table, command->verb, command->without);
    } else {
        option_table_add(table, first_options);
    }
    option_table_add(table, daemon_options);
    option_table_add(table, common_options);
}

const struct command *command_at(unsigned number)
{
    return number < COMMANDS ? commands[number].command : NULL;
}

const char *command_name(unsigned number)
{
    return number < COMMANDS              ? commands[number].command->name
           : number < COMMANDS + ALIASES  ? aliases[number - COMMANDS].name
           : number == COMMANDS + ALIASES ? "help"
                                          : NULL;
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

/* Writes "wait --events", what an alias stands for, and an end. */
static void alias_meaning(const struct command_alias *alias, const char *end, FILE *out)
{
    (void)fprintf(out, "%s%s%s%s", alias->command->name, alias->option != NULL ? " --" : "",
                  alias->option != NULL ? alias->option : "", end);
}

void command_help(const struct command *command, FILE *out)
{
    struct option_table options;
    (void)fprintf(out, "Usage: puzzlectl %s %s%s[OPTION]...\n\n%s.\n", command->name, command->takes.text,
                  *command->takes.text == '\0' ? "" : " ", command->summary);
    if (command->help != NULL)
        (void)fprintf(out, "\n%s", command->help);
    for (unsigned i = 0; i < ALIASES; i++) {
        if (aliases[i].command != command)
            continue;
        (void)fprintf(out, "\n'%s' is short for '", aliases[i].name);
        alias_meaning(&aliases[i], "'.\n", out);
    }
    (void)fputs("\nOptions:\n", out);
    command_options(command, &options);
    options_help(&options, out);
    (void)fprintf(out, "\nExample:\n%s", command->example);
}

void commands_help(FILE *out)
{
    struct option_table options;
    (void)fputs("Usage: puzzlectl [OPTION]... COMMAND [ARGUMENT]... [KEY=VALUE]...\n\n"
                "Asks puzzled, the daemon that explores puzzles and keeps every answer. Alone on a terminal: "
                "a prompt.\n\n"
                "A puzzle alone shows what is known of it, a board alone is solved: puzzlectl 3x3, puzzlectl "
                "867254301\n",
                out);
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (commands[i].heading != NULL)
            (void)fprintf(out, "\n%s:\n", commands[i].heading);
        (void)fprintf(out, "  %-12s %s\n", commands[i].command->name, commands[i].command->summary);
    }
    (void)fputs("\nShort for:\n", out);
    for (unsigned i = 0; i < ALIASES; i++) {
        (void)fprintf(out, "  %-12s ", aliases[i].name);
        alias_meaning(&aliases[i], "\n", out);
    }
    (void)fputs("\nOptions:\n", out);
    command_options(NULL, &options);
    options_help(&options, out);
    (void)fputs(
        "\nExit status: 0 answered, 1 there is no answer (unsolvable, not reached), 2 usage, 3 no daemon,\n"
        "4 the daemon refused, 5 the job failed, stopped or was cancelled, 6 the job goes on, 7 trouble "
        "here.\n"
        "\n'puzzlectl COMMAND --help' has an example for each.\n",
        out);
}
