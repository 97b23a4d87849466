/* SPDX-License-Identifier: MIT */
#include "client/jobs/job_result.h"

#include "client/show/drawing.h"
#include "client/show/number.h"
#include "client/show/text_table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_WIDTH = 10 };

bool result_is_end(const char *state)
{
    static const char *const ends[] = {"done", "stopped", "failed", "cancelled"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(state, ends[i]) == 0)
            return true;
    return false;
}

enum exit_code result_exit(const struct reply *reply)
{
    const char *state = reply_text(reply, "state");
    if (!result_is_end(state))
        return EXIT_DETACHED;
    if (strcmp(state, "done") != 0)
        return EXIT_ENDED;
    const char *solvable = reply_get(reply, "solvable");
    return solvable == NULL || strcmp(solvable, "yes") == 0 ? EXIT_FOUND : EXIT_NO_ANSWER;
}

/* Returns the puzzle's name, or the layout's, which says more than its letters. */
static const char *name_of(const struct reply *reply)
{
    return reply_text(reply, reply_get(reply, "layout") != NULL ? "layout" : "puzzle");
}

void result_show_layout(struct reply *job)
{
    for (size_t i = 0; i < job->count && reply_get(job, "layout") != NULL; i++)
        if (strcmp(job->fields[i].key, "puzzle") == 0)
            job->fields[i].value = reply_text(job, "layout");
}

char *result_metric(const char *puzzle)
{
    static const char option[] = ",metric:";
    static const char *const own[][2] = {
        {"slide", "single"}, {"sokoban", "push"}, {"klotski", "move"}, {"rushhour", "move"}};
    const size_t name = strcspn(puzzle, ":");
    for (const char *at = strchr(puzzle, ','); at != NULL; at = strchr(at + 1, ','))
        if (strncmp(at, option, strlen(option)) == 0)
            return strndup(at + strlen(option), strcspn(at + strlen(option), ","));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strncmp(own[i][0], puzzle, name) == 0 && own[i][0][name] == '\0')
            return strdup(own[i][1]);
    return strdup(isdigit((unsigned char)*puzzle) != 0 ? own[0][1] : "");
}

/* Returns what the puzzle's metric counts: moves, or pushes of Sokoban, or steps of Klotski. */
static const char *counted_by(const struct reply *reply)
{
    static const char *const words[][3] = {{"push", "push", "pushes"}, {"step", "step", "steps"}};
    const unsigned many = !reply_is(reply, "moves", "1");
    char *metric = result_metric(reply_text(reply, "puzzle"));
    const char *counted = many ? "moves" : "move";
    for (size_t i = 0; i < sizeof words / sizeof *words && metric != NULL; i++)
        if (strcmp(metric, words[i][0]) == 0)
            counted = words[i][1 + many];
    free(metric);
    return counted;
}

/* Explains an answer: nothing was left to search, a table, or a rule of the puzzle, which the daemon reports.
 */
static void explain(const struct reply *reply, struct text *out)
{
    char number[NUMBER_TEXT_MAX];
    int64_t expanded = 0;
    const bool searched = reply_integer(reply, "expanded", &expanded) && expanded > 0;
    const char *puzzle = reply_text(reply, "puzzle");
    const char *turns = strstr(puzzle, ",turns:");
    if (reply_is(reply, "reason", "different-tiles"))
        text_add(out, ": the two tiles differ");
    else if (reply_get(reply, "rule") != NULL)
        text_format(out, ": %s", reply_text(reply, "rule"));
    else if (strncmp(puzzle, "linkup:", strlen("linkup:")) == 0)
        text_format(out, ": no line joins the two tiles with turns=%ld",
                    turns != NULL ? strtol(turns + strlen(",turns:"), NULL, 10) : 2L);
    else if (reply_is(reply, "method", "table"))
        text_add(out, ": in the stored table of all states none leads from here to the goal");
    else if (searched && reply_is(reply, "method", "bidirectional"))
        text_format(out,
                    ": the searches from both ends met nowhere; they expanded all of one end's states, %s "
                    "of both together",
                    number_grouped(number, expanded));
    else if (searched)
        text_format(out, ": all %s states that can be reached from it were searched",
                    number_grouped(number, expanded));
}

/* Writes the paths of solve --all --count, which are separated by spaces, one per line. */
static void add_paths(const char *paths, struct text *out)
{
    for (const char *at = paths; *at != '\0';) {
        size_t length = strcspn(at, " ");
        text_format(out, "  %.*s\n", (int)length, at);
        at += length + (at[length] != '\0');
    }
}

/* Says what the next bounds of an iterative deepening may take, as its last iterations grew. */
static void add_forecast(const struct reply *reply, struct text *out)
{
    enum { BOUNDS = 5 };
    char nodes_text[NUMBER_TEXT_MAX];
    char seconds_text[NUMBER_TEXT_MAX];
    double nodes = 0;
    double previous = 0;
    double generated = 0;
    double seconds = 0;
    int64_t bound = 0;
    if (!reply_real(reply, "previous_generated", &previous) ||
        !reply_real(reply, "bound_generated", &nodes) || !reply_real(reply, "generated", &generated) ||
        !reply_real(reply, "seconds", &seconds) || !reply_integer(reply, "at_least", &bound) ||
        generated <= 0 || previous <= 0)
        return;
    const double growth = nodes / previous;
    text_format(out, "the last bound took %.1f times as many nodes as the one before; at this rate\n",
                growth);
    for (unsigned i = 0; i < BOUNDS; i++, bound += 2) {
        nodes *= growth;
        text_format(out, "  all of %" PRId64 " moves  some %s nodes, %s\n", bound,
                    number_count(nodes_text, nodes),
                    number_seconds(seconds_text, nodes / generated * seconds));
    }
}

/* Says which limit a search met, and which lower bound it has proven. */
static void add_proven(const struct reply *reply, struct text *out)
{
    char number[NUMBER_TEXT_MAX];
    double limit = 0;
    text_add(out, "not solved");
    if (reply_is(reply, "reason", "time") && reply_real(reply, "time_limit", &limit))
        text_format(out, " within %g s", limit);
    else if (reply_is(reply, "reason", "memory") && reply_real(reply, "memory_limit", &limit))
        text_format(out, " within %s", number_bytes(number, limit));
    text_format(out, reply_is(reply, "unit", "cost") ? "; at a cost of at least %s\n" : "; at least %s %s\n",
                reply_text(reply, "at_least"), counted_by(reply));
    add_forecast(reply, out);
}

static void add_solution(const struct reply *reply, const struct terminal *terminal, struct text *out)
{
    if (reply_is(reply, "solvable", "yes") && reply_get(reply, "turns") != NULL) {
        text_format(out, "joined  %s\n", reply_text(reply, "path"));
    } else if (reply_is(reply, "solvable", "yes")) {
        text_format(out, "%s%s%s %s", terminal_paint(terminal, PAINT_BOLD), reply_text(reply, "moves"),
                    terminal_plain(terminal), counted_by(reply));
        if (reply_get(reply, "cost") != NULL)
            text_format(out, ", cost %s", reply_text(reply, "cost"));
        const char *paths = reply_text(reply, "paths");
        if (*paths == '\0' && *reply_text(reply, "path") != '\0')
            text_format(out, "  %s", reply_text(reply, "path"));
        text_char(out, '\n');
        if (*paths == '\0' && *reply_text(reply, "lurd") != '\0' &&
            !reply_is(reply, "lurd", reply_text(reply, "path")))
            text_format(out, "with its walks  %s\n", reply_text(reply, "lurd"));
        if (reply_get(reply, "bound") != NULL)
            text_format(
                out, "at most %s times the least %s, which is %s or more\n", reply_text(reply, "bound"),
                reply_get(reply, "cost") != NULL ? "cost" : "number of moves", reply_text(reply, "at_least"));
        add_paths(paths, out);
    } else if (reply_is(reply, "solvable", "no")) {
        text_format(out, "%sunsolvable%s", terminal_paint(terminal, PAINT_BAD), terminal_plain(terminal));
        explain(reply, out);
        text_char(out, '\n');
    } else if (reply_is(reply, "solvable", "unknown")) {
        if (reply_get(reply, "at_least") != NULL)
            add_proven(reply, out);
        else
            text_format(out, "not within %s moves\n", reply_text(reply, "beyond"));
    }
}

static void add_rate(const struct reply *reply, struct text *out)
{
    char number[NUMBER_TEXT_MAX];
    double states = 0.0;
    double seconds = 0.0;
    if (reply_real(reply, "states", &states) && reply_real(reply, "seconds", &seconds) && states > 0.0 &&
        seconds > 0.0)
        text_format(out, "%-*s  %s/s\n", TITLE_WIDTH, "rate", number_count(number, states / seconds));
}

/* The keys of RESULT in the order of reading; docs/protocol.md has every key. The first COLUMNS_OF_LIMITS are
 * of searches that limits may end. */
enum { COLUMNS_OF_LIMITS = 2 };
static const struct table_column columns[] = {
    {"complete", "complete"},
    {"reason", "limited by"},
    {"solutions", "solutions"},
    {"overflow", "or more"},
    {"other_moves", "other metric"},
    {"rating", "rating, 0 to 100"},
    {"difficulty", "difficulty"},
    {"branching", "branching"},
    {"wrong_turns", "wrong turns"},
    {"dead_turns", "dead turns"},
    {"counterintuitive", "counterintuitive"},
    {"positions", "positions"},
    {"piece_count", "pieces"},
    {"must_move", "must move"},
    {"box_changes", "box changes"},
    {"decomposition", "decomposition"},
    {"states", "states"},
    {"all_by_level", "all states of levels"},
    {"depth", "depth"},
    {"dead", "dead"},
    {"reversible", "reversible"},
    {"turns", "turns"},
    {"cells", "cells"},
    {"leaves", "car that leaves"},
    {"method", "method"},
    {"engine", "engine"},
    {"partition", "partition"},
    {"optimal", "optimal"},
    {"ranks", "ranks"},
    {"threads", "threads"},
    {"expanded", "expanded"},
    {"generated", "generated"},
    {"peak_bytes", "memory"},
    {"tables", "databases"},
    {"bytes", "bytes"},
    {"built_bytes", "built now"},
    {"seconds", "searched"},
    {"store_seconds", "stored"},
    {"count_seconds", "counted"},
    {"waited_seconds", "waited for databases"},
    {"error", "error"},
    {"text", "why"},
    {0},
};

static void add_result(const struct reply *reply, const struct terminal *terminal, const char *remark,
                       struct text *out)
{
    const char *state = reply_text(reply, "state");
    bool bad = strcmp(state, "done") != 0;
    text_format(out, "%s  job %s %s%s%s%s%s\n", name_of(reply), reply_text(reply, "job"),
                bad ? terminal_paint(terminal, PAINT_BAD) : terminal_paint(terminal, PAINT_GOOD), state,
                terminal_plain(terminal), remark == NULL ? "" : ", ", remark == NULL ? "" : remark);
    add_solution(reply, terminal, out);
    /* What a puzzle decides by itself is not limited: its reason is part of the answer. */
    table_block(reply, reply_is(reply, "method", "direct") ? columns + COLUMNS_OF_LIMITS : columns,
                TITLE_WIDTH, out);
    if (!reply_is(reply, "kind", "solve"))
        add_rate(reply, out);
}

/* Makes the boards on the way of a solution, if they were asked for and can be drawn. */
static enum exit_code make_frames(struct session *session, const struct reply *reply,
                                  const struct arguments *arguments, struct frames *frames)
{
    if (!drawing_wanted(arguments) || !reply_is(reply, "solvable", "yes"))
        return EXIT_FOUND;
    if (reply_get(reply, "drawing") != NULL && !frames_pictured(arguments))
        return frames_of_rows(reply_text(reply, "drawing"), '/', frames) ? EXIT_FOUND : EXIT_TROUBLE;
    if (*reply_text(reply, "start") == '\0')
        return EXIT_FOUND;
    return frames_of_path(session, reply_text(reply, "puzzle"), reply_text(reply, "start"),
                          reply_text(reply, "path"), arguments, frames);
}

/* Lists a path move by move if its boards cannot be drawn. */
static void list_moves(const char *path, struct text *out)
{
    bool words = strchr(path, ',') != NULL || strchr(path, ':') != NULL;
    for (unsigned number = 1; *path != '\0'; number++) {
        size_t length = words ? strcspn(path, ",") : 1;
        text_format(out, "%5u  %.*s\n", number, (int)length, path);
        path += length + (words && path[length] == ',');
    }
}

/* Draws the frames and writes the files; with --json only the files. */
static enum exit_code print_frames(struct session *session, const struct reply *reply,
                                   const struct arguments *arguments, const struct frames *frames)
{
    struct text out = {0};
    struct text title = {0};
    enum exit_code code;
    text_format(&title, "%s: %s %s", name_of(reply), reply_text(reply, "moves"), counted_by(reply));
    if (session->json) {
        code = drawing_files(session, arguments, frames, text_string(&title));
    } else {
        text_char(&out, '\n');
        if (frames->count == 0)
            list_moves(reply_text(reply, "path"), &out);
        code = drawing(session, arguments, frames, text_string(&title), &out);
    }
    if (out.length > 1)
        (void)fputs(text_string(&out), session->terminal->out);
    text_free(&title);
    text_free(&out);
    return code;
}

enum exit_code result_print_reply(struct session *session, const struct reply *reply,
                                  const struct arguments *arguments, const char *remark)
{
    struct text out = {0};
    struct frames frames = {0};
    enum exit_code code = result_exit(reply);
    enum exit_code drawn = make_frames(session, reply, arguments, &frames);
    if (drawn == EXIT_FOUND && session->json && !drawing_reply(reply, &frames, session->terminal->out))
        drawn = EXIT_TROUBLE;
    if (drawn == EXIT_FOUND && !session->json) {
        add_result(reply, session->terminal, remark, &out);
        (void)fputs(text_string(&out), session->terminal->out);
    }
    if (drawn == EXIT_FOUND && drawing_wanted(arguments) && reply_is(reply, "solvable", "yes"))
        drawn = print_frames(session, reply, arguments, &frames);
    bool failed = out.failed;
    text_free(&out);
    frames_free(&frames);
    return drawn != EXIT_FOUND ? drawn : failed ? EXIT_TROUBLE : code;
}

enum exit_code result_print(struct session *session, long long job, const struct arguments *arguments,
                            const char *remark)
{
    struct reply reply;
    enum exit_code code = session_ask(session, session_request_job(session, "RESULT", job), &reply);
    if (code == EXIT_FOUND)
        code = result_print_reply(session, &reply, arguments, remark);
    reply_clear(&reply);
    return code;
}
