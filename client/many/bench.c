/* SPDX-License-Identifier: MIT */
/* The subcommand bench: solves published boards again and compares with the published lengths. */
#include "client/jobs/follow.h"
#include "client/jobs/progress.h"
#include "client/session/command.h"
#include "client/session/shipped.h"
#include "client/show/number.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

/* A file of instances: comma-separated fields; column numbers begin with 0, -1 for none. */
struct bench_table {
    const char *name, *file, *puzzle, *goal;
    int id, board, moves, nodes;
};

static const struct bench_table tables[] = {
    {"korf15", "korf15.csv", "4x4", "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15", 0, 1, 3, 4},
    {"korf24", "korf24.csv", "5x5", "0,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24", 0, 1,
     3, 4},
    {"korf24-all", "korf24_boards.csv", "5x5",
     "0,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24", 0, 1, -1, 2},
    {"hardest15", "hardest15.csv", "4x4", NULL, -1, 0, 1, 4},
};
enum { TABLES = sizeof tables / sizeof *tables };

struct bench {
    struct session *session;
    const struct arguments *arguments;
    const struct bench_table *table;
    struct list_progress progress;
    size_t count, done, wrong;
    double seconds, expanded, generated;
};

/* ---- instances ---- */

/* Returns a field of a line that strsep has cut, "" if there is none. */
static const char *row_field(char *const *fields, size_t count, int number)
{
    return number >= 0 && (size_t)number < count ? fields[number] : "";
}

static FILE *open_table(struct session *session, const struct arguments *arguments, const char *file)
{
    char path[PATH_MAX];
    const char *directory = arguments_option(arguments, "data");
    if (directory != NULL)
        (void)snprintf(path, sizeof path, "%s/%s", directory, file);
    else
        (void)shipped_path("puzzlectl", "tests/data", file, path);
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        char text[PATH_MAX + 64];
        (void)snprintf(text, sizeof text, "cannot read %s: --data names the directory of the instances",
                       path);
        (void)session_fail(session, EXIT_USAGE, "usage", text);
    }
    return stream;
}

/* Reads on to the next instance. */
static bool next_bench_line(FILE *stream, char line[LINE])
{
    while (fgets(line, LINE, stream) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line >= '0' && *line <= '9')
            return true;
    }
    return false;
}

static size_t count_instances(FILE *stream)
{
    char line[LINE];
    size_t count = 0;
    while (next_bench_line(stream, line))
        count++;
    rewind(stream);
    return count;
}

/* ---- output ---- */

static void print_titles(const struct bench *bench)
{
    FILE *out = bench->session->terminal->out;
    if (bench->session->csv)
        (void)fputs("id,board,published_moves,moves,expanded,generated,seconds,published_nodes\n", out);
    else if (!bench->session->json)
        (void)fprintf(out, "%5s %9s %5s %15s %15s %10s %17s\n", "id", "published", "moves", "expanded",
                      "generated", "time", "published nodes");
}

static void print_bench_row(const struct bench *bench, const char *id, const char *board, const char *moves,
                            const char *nodes, const struct reply *result)
{
    FILE *out = bench->session->terminal->out;
    char number[3][NUMBER_TEXT_MAX];
    char time[NUMBER_TEXT_MAX];
    double seconds = 0;
    const char *found = reply_is(result, "solvable", "yes") ? reply_text(result, "moves") : "-";
    if (bench->session->csv) {
        (void)fprintf(out, "%s,%s,%s,%s,%s,%s,%s,%s\n", id, board, moves, found,
                      reply_text(result, "expanded"), reply_text(result, "generated"),
                      reply_text(result, "seconds"), nodes);
        return;
    }
    (void)reply_real(result, "seconds", &seconds);
    (void)fprintf(out, "%5s %9s %5s %15s %15s %10s %17s\n", id, moves, found,
                  number_grouped(number[0], strtoll(reply_text(result, "expanded"), NULL, 10)),
                  number_grouped(number[1], strtoll(reply_text(result, "generated"), NULL, 10)),
                  number_seconds(time, seconds), number_grouped(number[2], strtoll(nodes, NULL, 10)));
}

static void print_mean(const struct bench *bench)
{
    char number[2][NUMBER_TEXT_MAX];
    char time[NUMBER_TEXT_MAX];
    double count = (double)bench->done;
    if (bench->session->csv || bench->session->json || bench->done == 0)
        return;
    (void)fprintf(bench->session->terminal->out, "%5s %9s %5s %15s %15s %10s\n", "mean", "", "",
                  number_grouped(number[0], (int64_t)(bench->expanded / count)),
                  number_grouped(number[1], (int64_t)(bench->generated / count)),
                  number_seconds(time, bench->seconds / count));
}

/* ---- the run ---- */

static enum exit_code ask(const struct bench *bench, const char *board, struct reply *result)
{
    struct text *request = session_request(bench->session, "SOLVE", bench->table->puzzle);
    text_key(request, "start", board);
    text_key(request, "goal", bench->table->goal);
    command_pairs(request, bench->arguments);
    if (arguments_pair(bench->arguments, "threads") == NULL)
        text_key(request, "threads", "1");
    text_key(request, "tool", "bench");
    return solved_ask(bench->session, request, true, result);
}

/* Adds up the figures of a result, and compares its moves with the published ones. */
static void note_result(struct bench *bench, const char *moves, const struct reply *result)
{
    double value = 0;
    bench->done++;
    bench->seconds += reply_real(result, "seconds", &value) ? value : 0;
    bench->expanded += reply_real(result, "expanded", &value) ? value : 0;
    bench->generated += reply_real(result, "generated", &value) ? value : 0;
    if (*moves != '\0' && reply_is(result, "solvable", "yes") && !reply_is(result, "moves", moves))
        bench->wrong++;
}

static enum exit_code run_line(struct bench *bench, char *line)
{
    char *fields[8];
    char number[24];
    size_t count = 0;
    struct reply result = {0};
    const struct bench_table *table = bench->table;
    for (char *rest = line; rest != NULL && count < sizeof fields / sizeof *fields;)
        fields[count++] = strsep(&rest, ",");
    (void)snprintf(number, sizeof number, "%zu", bench->done + 1);
    const char *id = table->id < 0 ? number : row_field(fields, count, table->id);
    const char *board = row_field(fields, count, table->board);
    const char *moves = row_field(fields, count, table->moves);
    enum exit_code code = ask(bench, board, &result);
    if (code == EXIT_FOUND) {
        note_result(bench, moves, &result);
        if (bench->session->json)
            code = session_json(bench->session, json_of_reply(&result));
        else
            print_bench_row(bench, id, board, moves, row_field(fields, count, table->nodes), &result);
        (void)fflush(bench->session->terminal->out);
        bench->progress.share = (double)bench->done / (double)bench->count;
        list_progress_step(&bench->progress, 1);
    }
    reply_clear(&result);
    return code;
}

static enum exit_code run_table(struct bench *bench, FILE *stream)
{
    const struct terminal *terminal = bench->session->terminal;
    char line[LINE];
    enum exit_code code = EXIT_FOUND;
    bench->count = count_instances(stream);
    print_titles(bench);
    list_progress_begin(&bench->progress, terminal, !terminal->out_tty && !bench->session->quiet, "boards");
    while (code == EXIT_FOUND && next_bench_line(stream, line))
        code = run_line(bench, line);
    list_progress_end(&bench->progress);
    print_mean(bench);
    if (bench->wrong > 0)
        (void)fprintf(bench->session->terminal->err, "%zu boards differ from the published lengths\n",
                      bench->wrong);
    return code == EXIT_FOUND && bench->wrong > 0 ? EXIT_NO_ANSWER : code;
}

static enum exit_code run_bench(struct session *session, const struct arguments *arguments)
{
    size_t number = 0;
    while (number < TABLES && strcmp(tables[number].name, arguments->words[0]) != 0)
        number++;
    if (number == TABLES)
        return command_usage(session, "bench knows korf15, korf24, korf24-all and hardest15");
    struct bench bench = {.session = session, .arguments = arguments, .table = &tables[number]};
    FILE *stream = open_table(session, arguments, bench.table->file);
    if (stream == NULL)
        return EXIT_USAGE;
    enum exit_code code = run_table(&bench, stream);
    (void)fclose(stream);
    return code;
}

static const struct option_row bench_options[] = {
    LIST_OPTIONS("a line a board, between commas"),
    {"data", 0, "DIR", "where the instances are (default: as installed)", NULL},
    {0},
};

const struct command command_bench = {
    .name = "bench",
    .verb = VERB_SOLVE,
    .without = KEY_BIT(KEY_ROOT) | KEY_BIT(KEY_START) | KEY_BIT(KEY_GOAL) | KEY_BIT(KEY_ALL) |
               KEY_BIT(KEY_COUNT) | KEY_BIT(KEY_TOOL),
    .takes = {"korf15|korf24|korf24-all|hardest15", 1, 1, 0},
    .summary = "Solve published boards again, and hold them against what was published",
    .help =
        "korf15: Korf's hundred 15-puzzles; korf24: seven of Korf and Felner's 24-puzzles, korf24-all: all "
        "fifty\n"
        "(days); hardest15: boards of 70 to 80 moves. One thread unless --threads says otherwise.\n",
    .example = "  $ puzzlectl bench korf15 --csv > korf15.csv\n"
               "  $ puzzlectl bench korf15 --partition manhattan --order ULRD --cache no   # Korf's counts, "
               "less one\n",
    .options = bench_options,
    .run = run_bench,
};
