/* SPDX-License-Identifier: MIT */
/* The subcommand levels: how many states at each distance. */
#include "command.h"
#include "histogram.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

static bool draws_blocks(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static bool draw_histogram(const struct records *records, const struct terminal *terminal)
{
    struct text out = {0};
    struct level *levels = calloc(records->count + 1, sizeof *levels);
    if (levels == NULL)
        return false;
    for (size_t i = 0; i < records->count; i++) {
        (void)reply_integer(&records->records[i], "level", &levels[i].number);
        (void)reply_integer(&records->records[i], "states", &levels[i].states);
    }
    histogram_draw(levels, records->count, terminal->width, !draws_blocks(), &out);
    (void)fputs(text_string(&out), terminal->out);
    bool drawn = !out.failed;
    text_free(&out);
    free(levels);
    return drawn;
}

/* Level, states and examples between tabs. */
static void print_plain(const struct records *records, FILE *out)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct reply *record = &records->records[i];
        (void)fprintf(out, "%s\t%s", reply_text(record, "level"), reply_text(record, "states"));
        if (reply_get(record, "example") != NULL)
            (void)fprintf(out, "\t%s", reply_text(record, "example"));
        (void)fputc('\n', out);
    }
}

static enum exit_code run_levels(struct session *session, const struct arguments *arguments)
{
    struct text request = {0};
    struct records records;
    long long job = 0;
    enum exit_code code = command_job(session, arguments->words[0], &job);
    if (code != EXIT_FOUND)
        return code;
    compose_begin(&request, "LEVELS");
    compose_number(&request, job);
    command_pairs(&request, arguments);
    code = session_list(session, &request, &records);
    text_free(&request);
    if (code != EXIT_FOUND)
        return code;
    bool plain =
        arguments_option(arguments, "plain") != NULL || arguments_pair(arguments, "examples") != NULL;
    bool good = true;
    if (session->json)
        good = json_write(json_of_list(&records.head, "levels", records.records, records.count),
                          session->terminal->out);
    else if (plain)
        print_plain(&records, session->terminal->out);
    else
        good = draw_histogram(&records, session->terminal);
    code = !good ? EXIT_TROUBLE : records.count == 0 ? EXIT_NO_ANSWER : EXIT_FOUND;
    records_clear(&records);
    return code;
}

static const struct option_row levels_options[] = {
    {"plain", 0, NULL, "level and states between tabs, no bars", NULL},
    {0},
};

const struct command command_levels = {
    .name = "levels",
    .verb = VERB_LEVELS,
    .words = "JOB",
    .summary = "Draw how many states there are at each distance",
    .help = "Also while the job runs, as far as it is. The bars are scaled to the width of the terminal.\n",
    .example = "  $ puzzlectl levels 1\n"
               "    0       1  #\n"
               "    1       2  #\n"
               "    2       4  #\n"
               "  $ puzzlectl levels 1 --plain | sort -k2 -n | tail -1\n"
               "  24\t24047\n",
    .options = levels_options,
    .least = 1,
    .most = 1,
    .run = run_levels,
};
