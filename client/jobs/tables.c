/* SPDX-License-Identifier: MIT */
/* Subcommands about the store: tables, pin, unpin, fsck. */
#include "client/jobs/job_pages.h"
#include "client/session/command.h"
#include "client/show/number.h"
#include "client/show/text_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct table_column table_columns[] = {
    {"table", "table"},       {"kind", "kind"},
    {"complete", "complete"}, {"depth", "depth"},
    {"states", "states"},     {"bytes", "bytes"},
    {"job", "job"},           {"pinned", "pinned"},
    {"used_ms", "last used"}, {0},
};

/* Writes the number of entries of each value, "1 2 4 …", one per line; without them what is known. */
static void print_histogram(struct session *session, const struct reply *table)
{
    char number[NUMBER_TEXT_MAX];
    const char *at = reply_text(table, "entries");
    if (*at == '\0') {
        table_print(session, table, 1, table_columns);
        return;
    }
    if (session->csv)
        (void)fputs("value,entries\n", session->terminal->out);
    else
        (void)fprintf(session->terminal->out, "%s\nvalue         entries\n", reply_text(table, "table"));
    for (unsigned value = 0; *at != '\0'; value++) {
        char *end = NULL;
        const int64_t entries = strtoll(at, &end, 10);
        if (end == at) /* no number: the list would never end */
            return;
        if (session->csv)
            (void)fprintf(session->terminal->out, "%u,%" PRId64 "\n", value, entries);
        else
            (void)fprintf(session->terminal->out, "%5u %15s\n", value, number_grouped(number, entries));
        at = end + strspn(end, " ");
    }
}

/* Returns true for a table of a puzzle: "slide:3x3" has "slide:3x3 root=…". */
static bool is_table_of(const char *name, const char *puzzle)
{
    const size_t length = strlen(puzzle);
    return strncmp(name, puzzle, length) == 0 && name[length] == ' ';
}

/* Returns the name of a job's puzzle in full, as those of tables have it, to be freed; NULL without it. */
static char *puzzle_of_job(struct session *session, long long job)
{
    struct reply status = {0};
    char *puzzle = NULL;
    if (session_ask(session, session_request_job(session, "STATUS", job), &status) == EXIT_FOUND)
        puzzle = strdup(reply_text(&status, "puzzle"));
    reply_clear(&status);
    return puzzle;
}

/* Lists the tables of a puzzle, none for the whole name of a table. */
static enum exit_code find_tables(struct session *session, const char *puzzle, struct records *tables)
{
    long long job = 0;
    size_t kept = 0;
    *tables = (struct records){0};
    if (strstr(puzzle, " root=") != NULL || strncmp(puzzle, "pdb:", 4) == 0)
        return EXIT_FOUND;
    enum exit_code code = pages_find(session, puzzle, "explore", NULL, &job);
    if (code != EXIT_FOUND)
        return code;
    char *full = job != 0 ? puzzle_of_job(session, job) : NULL;
    code = session_list(session, session_request(session, "TABLES", NULL), tables);
    for (size_t i = 0; i < tables->count; i++) {
        const char *name = reply_text(&tables->records[i], "table");
        const bool bare = strncmp(name, "slide:", 6) == 0 && strncmp(puzzle, "slide", 5) != 0;
        if (is_table_of(name + (bare ? 6 : 0), puzzle) || (full != NULL && is_table_of(name, full)))
            tables->records[kept++] = tables->records[i];
        else
            reply_clear(&tables->records[i]);
    }
    if (kept < tables->count)
        records_recount(tables, kept);
    free(full);
    return code;
}

/* Has the entries of each table counted. */
static enum exit_code count_entries(struct session *session, struct records *tables)
{
    enum exit_code code = EXIT_FOUND;
    for (size_t i = 0; i < tables->count && code == EXIT_FOUND; i++) {
        struct text *request = session_request(session, "TABLES", NULL);
        struct records counted;
        text_key(request, "table", reply_text(&tables->records[i], "table"));
        text_key(request, "histogram", "yes");
        code = session_list(session, request, &counted);
        if (code == EXIT_FOUND && counted.count > 0) {
            const struct reply before = tables->records[i];
            tables->records[i] = counted.records[0];
            counted.records[0] = before;
        }
        records_clear(&counted);
    }
    return code;
}

static enum exit_code print_tables(struct session *session, const struct records *tables, bool counted)
{
    if (session->csv && counted && (tables->count != 1 || reply_get(&tables->records[0], "entries") == NULL))
        return command_usage(session, "--histogram with --csv is for one table that can be counted: "
                                      "'puzzlectl tables' lists their names");
    if (!session->json && reply_get(&tables->head, "unreadable") != NULL)
        (void)fprintf(
            session->terminal->err,
            "%s left out as damaged: 'puzzlectl fsck' names it; to explore or build it again replaces "
            "it\n",
            reply_text(&tables->head, "unreadable"));
    else if (tables->count == 0 && !session->json && !session->quiet)
        (void)fputs("nothing is stored yet: puzzlectl explore 3x3 makes a first table\n",
                    session->terminal->err);
    if (session->json || !counted)
        return table_print_list(session, tables, "tables", table_columns);
    for (size_t i = 0; i < tables->count; i++)
        print_histogram(session, &tables->records[i]);
    return EXIT_FOUND;
}

static enum exit_code run_tables(struct session *session, const struct arguments *arguments)
{
    const char *word = arguments->word_count > 0 ? arguments->words[0] : NULL;
    const bool counted = arguments_pair(arguments, "histogram") != NULL;
    struct records tables = {0};
    enum exit_code code = word != NULL ? find_tables(session, word, &tables) : EXIT_FOUND;
    if (code == EXIT_FOUND && tables.count > 0 && counted) {
        code = count_entries(session, &tables);
    } else if (code == EXIT_FOUND && tables.count == 0) { /* one by its name, or all */
        struct text *request = session_request(session, "TABLES", NULL);
        records_clear(&tables);
        text_key(request, "table", word);
        command_pairs(request, arguments);
        code = session_list(session, request, &tables);
    }
    if (code == EXIT_FOUND)
        code = print_tables(session, &tables, counted);
    records_clear(&tables);
    return code;
}

static enum exit_code set_pin(struct session *session, const char *verb, const char *table)
{
    struct reply reply;
    enum exit_code code = session_ask(session, session_request(session, verb, table), &reply);
    if (code == EXIT_FOUND && session->json)
        code = session_json(session, json_of_reply(&reply));
    else if (code == EXIT_FOUND)
        (void)fprintf(session->terminal->out, "%s %s\n", table,
                      reply_is(&reply, "pinned", "no") ? "may be evicted again" : "stays");
    reply_clear(&reply);
    return code;
}

/* Pins or unpins a table, or every table of a puzzle. */
static enum exit_code set_pins(struct session *session, const char *verb, const struct arguments *arguments)
{
    const char *word = arguments->words[0];
    struct records tables;
    enum exit_code code = find_tables(session, word, &tables);
    for (size_t i = 0; i < tables.count && code == EXIT_FOUND; i++)
        code = set_pin(session, verb, reply_text(&tables.records[i], "table"));
    if (code == EXIT_FOUND && tables.count == 0) {
        code = set_pin(session, verb, word); /* fails: there is no such table */
        if (code == EXIT_REFUSED && !session->json)
            (void)fputs("  'puzzlectl tables' lists what is stored\n", session->terminal->err);
    }
    records_clear(&tables);
    return code;
}

static enum exit_code run_pin(struct session *session, const struct arguments *arguments)
{
    return set_pins(session, "PIN", arguments);
}

static enum exit_code run_unpin(struct session *session, const struct arguments *arguments)
{
    return set_pins(session, "UNPIN", arguments);
}

/* Prints the list of faults; an empty one is the good answer. */
static void print_faults(struct session *session, const struct records *faults)
{
    char values[NUMBER_TEXT_MAX];
    char size[NUMBER_TEXT_MAX];
    FILE *out = session->terminal->out;
    int64_t count = 0;
    double bytes = 0.0;
    for (size_t i = 0; i < faults->count; i++)
        (void)fprintf(out, "%s\n", reply_text(&faults->records[i], "text"));
    (void)reply_integer(&faults->head, "values", &count);
    (void)reply_real(&faults->head, "bytes", &bytes);
    (void)fprintf(out, "%s: %s values checked, %s\n", faults->count == 0 ? "all is well" : "damaged",
                  number_grouped(values, count), number_bytes(size, bytes));
}

static enum exit_code run_fsck(struct session *session, const struct arguments *arguments)
{
    static const struct table_column columns[] = {{"text", "text"}, {0}};
    struct records records;
    (void)arguments;
    enum exit_code code = session_list(session, session_request(session, "FSCK", NULL), &records);
    if (code != EXIT_FOUND)
        return code;
    if (session->json || session->csv)
        code = table_print_list(session, &records, "damaged", columns);
    else
        print_faults(session, &records);
    if (code == EXIT_FOUND && records.count > 0)
        code = EXIT_NO_ANSWER;
    records_clear(&records);
    return code;
}

const struct command command_tables = {
    .name = "tables",
    .verb = VERB_TABLES,
    .takes = {"[TABLE|PUZZLE]", 0, 1, WORD_TABLE | WORD_PUZZLE},
    .summary = "List the stored explorations and pattern databases",
    .options = list_options,
    .help =
        "Of one table, --histogram counts how many entries have each value: for an exploration the states at "
        "each\n"
        "distance, for a pattern database its histogram.\n",
    .example =
        "  $ puzzlectl tables\n"
        "  table                             kind   complete  depth   states  bytes  job  pinned  last used\n"
        "  slide:3x3 root=1,2,3/4,5,6/7,8,0  dense  yes          31  181,440  40.0K    1  no      "
        "2026-11-21 03:10:42\n"
        "  $ puzzlectl tables 3x3 --histogram\n",
    .run = run_tables,
};

const struct command command_pin = {
    .name = "pin",
    .verb = VERB_COUNT,
    .takes = {"TABLE|PUZZLE", 1, 1, WORD_TABLE | WORD_PUZZLE},
    .summary = "Keep a table when room for others is needed",
    .help = "Of a puzzle: every table that is stored of it.\n",
    .example = "  $ puzzlectl pin 3x3\n"
               "  slide:3x3 root=1,2,3/4,5,6/7,8,0 stays\n",
    .run = run_pin,
};

const struct command command_unpin = {
    .name = "unpin",
    .verb = VERB_COUNT,
    .takes = {"TABLE|PUZZLE", 1, 1, WORD_TABLE | WORD_PUZZLE},
    .summary = "Let a pinned table go when room is needed",
    .help = "Of a puzzle: every table that is stored of it.\n",
    .example = "  $ puzzlectl unpin 3x3\n"
               "  slide:3x3 root=1,2,3/4,5,6/7,8,0 may be evicted again\n",
    .run = run_unpin,
};

const struct command command_fsck = {
    .name = "fsck",
    .verb = VERB_COUNT,
    .takes = {"", 0, 0, 0},
    .summary = "Check every checksum in the database",
    .options = list_options,
    .help = "Lists what is damaged, and then ends with status 1. What is damaged is never answered from and "
            "can be made\n"
            "again: forget its job and submit it again.\n",
    .example = "  $ puzzlectl fsck\n"
               "  all is well: 1,204 values checked, 40.0K\n",
    .run = run_fsck,
};
