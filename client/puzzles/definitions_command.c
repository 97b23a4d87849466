/* SPDX-License-Identifier: MIT */
/* Subcommands about puzzles that are texts: define, undefine, definitions. */
#include "client/puzzles/define_file.h"
#include "client/session/command.h"
#include "client/show/text_table.h"

static enum exit_code run_define(struct session *session, const struct arguments *arguments)
{
    char own[DEFINE_NAME_MAX];
    struct reply reply;
    const char *path = arguments->words[0];
    const char *name = arguments_option(arguments, "name");
    if (define_file_format(path) == NULL)
        return command_usage(session, "a definition's file ends in .psvn, .tws or .def");
    define_file_name(path, own);
    enum exit_code code =
        define_file_send(session, path, name != NULL ? name : own,
                         arguments_option(arguments, "strict") != NULL ? DEFINE_STRICT : DEFINE_NEW, &reply);
    if (code != EXIT_FOUND)
        return code;
    if (session->json)
        code = session_json(session, json_of_reply(&reply));
    else
        (void)fprintf(session->terminal->out, "%s is defined%s: puzzlectl explore %s\n",
                      reply_text(&reply, "name"), reply_is(&reply, "cached", "yes") ? " already" : "",
                      reply_text(&reply, "name"));
    reply_clear(&reply);
    return code;
}

static enum exit_code run_undefine(struct session *session, const struct arguments *arguments)
{
    struct reply reply;
    enum exit_code code =
        session_ask(session, session_request(session, "UNDEFINE", arguments->words[0]), &reply);
    if (code == EXIT_FOUND && session->json)
        code = session_json(session, json_of_reply(&reply));
    else if (code == EXIT_FOUND)
        (void)fprintf(session->terminal->out, "%s is undefined; its tables are kept\n",
                      reply_text(&reply, "name"));
    reply_clear(&reply);
    return code;
}

static const struct table_column definition_columns[] = {
    {"name", "name"},    {"format", "format"}, {"bytes", "bytes"},
    {"submitter", "of"}, {"puzzle", "puzzle"}, {0},
};

static enum exit_code run_definitions(struct session *session, const struct arguments *arguments)
{
    struct records records;
    (void)arguments;
    enum exit_code code = session_list(session, session_request(session, "DEFINITIONS", NULL), &records);
    if (code != EXIT_FOUND)
        return code;
    code = table_print_list(session, &records, "definitions", definition_columns);
    records_clear(&records);
    return code;
}

static const struct option_row define_options[] = {
    {"name", 'n', "NAME", "the puzzle's name (default: the file's)", NULL},
    {"strict", 0, NULL,
     "refuse a text that there is a remark about, such as a name that may be a misspelt value", NULL},
    {0},
};

const struct command command_define = {
    .name = "define",
    .verb = VERB_COUNT,
    .takes = {"FILE", 1, 1, 0},
    .summary = "Define a puzzle by a text: a file that ends in .psvn, .tws or .def",
    .help =
        "The name is a puzzle for every command from then on. The same text under two names is one puzzle "
        "with one\nset of tables. Where a command takes a PUZZLE, a FILE does as well: it is defined on the "
        "way.\n",
    .example = "  $ puzzlectl define hanoi8.psvn\n"
               "  hanoi8 is defined: puzzlectl explore hanoi8\n",
    .options = define_options,
    .run = run_define,
};

const struct command command_undefine = {
    .name = "undefine",
    .verb = VERB_COUNT,
    .takes = {"NAME", 1, 1, WORD_DEFINITION},
    .summary = "Remove a definition of yours",
    .help = "Its tables stay until room is made: defined again, the puzzle has them again.\n",
    .example = "  $ puzzlectl undefine hanoi8\n"
               "  hanoi8 is undefined; its tables are kept\n",
    .run = run_undefine,
};

const struct command command_definitions = {
    .name = "definitions",
    .verb = VERB_COUNT,
    .takes = {"", 0, 0, 0},
    .summary = "List the puzzles that are defined by texts",
    .options = list_options,
    .example = "  $ puzzlectl definitions\n"
               "  name    format  bytes  of    puzzle\n"
               "  hanoi8  psvn     2.4K  anna  psvn:e00eb6d8e8645bc3decd4500fe09a57a\n",
    .run = run_definitions,
};
