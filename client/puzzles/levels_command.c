/* SPDX-License-Identifier: MIT */
/* The subcommand levels: the number of states at each distance. */
#include "client/session/command.h"
#include "client/show/chart.h"
#include "client/show/drawing.h"
#include "client/show/text_table.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

static bool draws_blocks(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Returns a malloc'd array; NULL without memory. */
static struct level *levels_of(const struct records *records)
{
    struct level *levels = calloc(records->count + 1, sizeof *levels);
    for (size_t i = 0; i < records->count && levels != NULL; i++) {
        (void)reply_integer(&records->records[i], "level", &levels[i].number);
        (void)reply_integer(&records->records[i], "states", &levels[i].states);
    }
    return levels;
}

/* ---- formats ---- */

static void add_plain(const struct records *records, const struct chart *chart, struct text *out)
{
    (void)chart;
    for (size_t i = 0; i < records->count; i++) {
        const struct reply *record = &records->records[i];
        text_format(out, "%s\t%s", reply_text(record, "level"), reply_text(record, "states"));
        if (reply_get(record, "example") != NULL)
            text_format(out, "\t%s", reply_text(record, "example"));
        text_char(out, '\n');
    }
}

static void add_levels_csv(const struct records *records, const struct chart *chart, struct text *out)
{
    (void)chart;
    bool examples = records->count > 0 && reply_get(&records->records[0], "example") != NULL;
    text_format(out, "level,states%s\n", examples ? ",example" : "");
    for (size_t i = 0; i < records->count; i++) {
        const struct reply *record = &records->records[i];
        text_format(out, "%s,%s", reply_text(record, "level"), reply_text(record, "states"));
        if (examples) /* boards have commas */
            text_format(out, ",\"%s\"", reply_text(record, "example"));
        text_char(out, '\n');
    }
}

static void add_md(const struct records *records, const struct chart *chart, struct text *out)
{
    (void)chart;
    text_add(out, "| level | states |\n| ---: | ---: |\n");
    for (size_t i = 0; i < records->count; i++) {
        text_format(out, "| %s | ", reply_text(&records->records[i], "level"));
        table_value(&records->records[i], "states", out);
        text_add(out, " |\n");
    }
}

static void add_svg(const struct records *records, const struct chart *chart, struct text *out)
{
    struct level *levels = levels_of(records);
    if (levels != NULL)
        chart_svg(levels, records->count, chart, out);
    out->failed |= levels == NULL;
    free(levels);
}

static void add_level_bars(const struct records *records, const struct chart *chart, struct text *out)
{
    struct level *levels = levels_of(records);
    if (levels != NULL)
        histogram_draw(levels, records->count, chart->width, !draws_blocks(), out);
    out->failed |= levels == NULL;
    free(levels);
}

static const struct option_row levels_options[] = {
    {"format", 'f', "text|plain|csv|md|json|svg|png",
     "text has bars, plain has tabs, svg is a chart with axes, png the same by rsvg-convert", NULL},
    {"csv", 0, NULL, "as --format csv", NULL},
    {"plain", 0, NULL, "as --format plain", NULL},
    {"log", 0, NULL, "of an svg or png chart: a logarithmic scale", NULL},
    {0},
};

typedef void add_format(const struct records *records, const struct chart *chart, struct text *out);

/* In the order of the option's words. */
static add_format *const formats[] = {add_level_bars,  add_plain, add_levels_csv, add_md,
                                      NULL /* json */, add_svg,   add_svg};
enum { FORMAT_PNG = 6 };

/* Returns the format's word, plain with examples: they would not fit beside bars. */
static const char *levels_format(const struct session *session, const struct arguments *arguments)
{
    const char *word = arguments_option(arguments, "format");
    bool plain =
        arguments_option(arguments, "plain") != NULL || arguments_pair(arguments, "examples") != NULL;
    if (word == NULL && session->csv)
        return "csv";
    return word != NULL ? word : plain ? "plain" : "text";
}

static enum exit_code print_levels(struct session *session, const struct arguments *arguments, int format,
                                   const struct records *records)
{
    enum exit_code code = EXIT_FOUND;
    struct text out = {0};
    const bool costs = reply_is(&records->head, "unit", "cost");
    const struct chart chart = {.title = arguments->words[0],
                                .width = session->terminal->width,
                                .log = arguments_option(arguments, "log") != NULL,
                                .costs = costs};
    if (session->json)
        return session_json_list(session, records, "levels");
    formats[format](records, &chart, &out);
    if (format == FORMAT_PNG)
        code = png_write(session, &out, NULL);
    else
        (void)fputs(text_string(&out), session->terminal->out);
    if (!session->quiet && *command_origin(&records->head) != '\0')
        (void)fprintf(session->terminal->err, "(%s%s)\n", costs ? "cost" : "moves",
                      command_origin(&records->head));
    bool failed = out.failed;
    text_free(&out);
    return failed ? EXIT_TROUBLE : code;
}

static enum exit_code command_levels_run(struct session *session, const struct arguments *arguments)
{
    struct records records;
    long long job = 0;
    int choice = command_choice(session, levels_options, levels_format(session, arguments));
    if (choice < 0)
        return EXIT_USAGE;
    if (arguments_option(arguments, "log") != NULL && formats[choice] != add_svg)
        return command_usage(session, "--log is for --format svg and png");
    session->json |= formats[choice] == NULL;
    enum exit_code code = command_job(session, arguments->words[0], "explore", &job);
    if (code != EXIT_FOUND)
        return code;
    struct text *request = session_request_job(session, "LEVELS", job);
    command_pairs(request, arguments);
    code = session_list(session, request, &records);
    if (code != EXIT_FOUND)
        return code;
    code = print_levels(session, arguments, choice, &records);
    if (code == EXIT_FOUND && records.count == 0)
        code = EXIT_NO_ANSWER;
    records_clear(&records);
    return code;
}

const struct command command_levels = {
    .name = "levels",
    .verb = VERB_LEVELS,
    .takes = {"JOB|PUZZLE", 1, 1, WORD_JOB | WORD_PUZZLE},
    .summary = "Draw how many states there are at each distance",
    .help = "Also while the job runs, as far as it is. The bars are scaled to the width of the terminal.\n",
    .example = "  $ puzzlectl levels 1\n"
               "    0       1  #\n"
               "    1       2  #\n"
               "    2       4  #\n"
               "  $ puzzlectl levels 1 --plain | sort -k2 -n | tail -1\n"
               "  24\t24047\n"
               "  $ puzzlectl levels 3x3 --format svg > levels.svg\n",
    .options = levels_options,
    .run = command_levels_run,
};
