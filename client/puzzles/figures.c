/* SPDX-License-Identifier: MIT */
/* The subcommand figures: of a whole state space. */
#include "client/jobs/follow.h"
#include "client/jobs/job_result.h"
#include "client/session/command.h"
#include "client/show/number.h"
#include "client/show/text_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* RESULT and LEVELS of an exploration that has counted its edges. */
struct study {
    struct reply result;
    struct records levels;
    int64_t *states, *edges; /* of each level */
    double total;            /* of the states that have a distance */
    double branching;        /* their moves, on average */
    double mean, deviation;  /* of the distance */
    size_t median, widest;   /* levels */
};

static void study_clear(struct study *study)
{
    reply_clear(&study->result);
    records_clear(&study->levels);
    free(study->states);
    free(study->edges);
}

static void study_compute(struct study *study)
{
    const size_t count = study->levels.count;
    const char *edges = reply_text(&study->result, "edges_by_level");
    double sum = 0, squares = 0, below = 0, moves = 0;
    for (size_t level = 0; level < count; level++) {
        char *end = NULL;
        (void)reply_integer(&study->levels.records[level], "states", &study->states[level]);
        study->edges[level] = strtoll(edges, &end, 10);
        edges = end;
        moves += (double)study->edges[level];
        const double states = (double)study->states[level];
        study->total += states;
        sum += states * (double)level;
        squares += states * (double)level * (double)level;
        if (study->states[level] > study->states[study->widest])
            study->widest = level;
    }
    study->branching = moves / study->total;
    study->mean = sum / study->total;
    study->deviation = sqrt(fmax(squares / study->total - study->mean * study->mean, 0));
    while (study->median < count && below + (double)study->states[study->median] < study->total / 2)
        below += (double)study->states[study->median++];
}

/* Writes the numbers of states_by_moves, one a line. */
static void add_moves(const char *numbers, struct text *out)
{
    char number[NUMBER_TEXT_MAX];
    text_add(out, "\nmoves          states\n");
    for (unsigned moves = 0; *numbers != '\0'; moves++) {
        char *end = NULL;
        const int64_t states = strtoll(numbers, &end, 10);
        if (end == numbers)
            return;
        if (states > 0)
            text_format(out, "%5u  %14s\n", moves, number_grouped(number, states));
        numbers = end;
    }
}

static void add_text(const struct study *study, struct text *out)
{
    static const struct table_column columns[] = {
        {"states", "states"}, {"edges", "edges"}, {"depth", "depth"}, {"dead", "dead"}, {0}};
    char number[NUMBER_TEXT_MAX], other[NUMBER_TEXT_MAX];
    text_format(out, "%s  job %s  distances %s\n", reply_text(&study->result, "puzzle"),
                reply_text(&study->result, "job"),
                reply_is(&study->result, "to", "goal") ? "to the nearest goal" : "from the root");
    table_block(&study->result, columns, 10, out);
    text_format(out, "mean        %.3f, standard deviation %.3f\n", study->mean, study->deviation);
    text_format(out, "median      %zu\n", study->median);
    text_format(out, "widest      %zu, %s states\n", study->widest,
                number_grouped(number, study->states[study->widest]));
    text_format(out, "branching   %.4f\n", study->branching);
    add_moves(reply_text(&study->result, "states_by_moves"), out);
    text_add(out, "\nlevel          states           edges  branching\n");
    for (size_t level = 0; level < study->levels.count; level++)
        text_format(out, "%5zu  %14s  %14s  %9.4f\n", level, number_grouped(number, study->states[level]),
                    number_grouped(other, study->edges[level]),
                    (double)study->edges[level] / (double)study->states[level]);
}

static void add_csv(const struct study *study, struct text *out)
{
    text_add(out, "level,states,edges\n");
    for (size_t level = 0; level < study->levels.count; level++)
        text_format(out, "%zu,%" PRId64 ",%" PRId64 "\n", level, study->states[level], study->edges[level]);
}

/* The keys of RESULT, and what follows from the levels. */
static json_t *study_json(const struct study *study)
{
    json_t *object = json_of_reply(&study->result);
    json_t *levels = json_array();
    for (size_t level = 0; level < study->levels.count; level++)
        (void)json_array_append_new(levels, json_pack("{s:I,s:I,s:I}", "level", (json_int_t)level, "states",
                                                      (json_int_t)study->states[level], "edges",
                                                      (json_int_t)study->edges[level]));
    (void)json_object_set_new(object, "mean", json_real(study->mean));
    (void)json_object_set_new(object, "deviation", json_real(study->deviation));
    (void)json_object_set_new(object, "median", json_integer((json_int_t)study->median));
    (void)json_object_set_new(object, "branching", json_real(study->branching));
    (void)json_object_set_new(object, "levels", levels);
    return object;
}

static enum exit_code print_study(struct session *session, const struct study *study)
{
    struct text out = {0};
    if (session->json)
        return session_json(session, study_json(study));
    if (session->csv)
        add_csv(study, &out);
    else
        add_text(study, &out);
    (void)fputs(text_string(&out), session->terminal->out);
    const bool failed = out.failed;
    text_free(&out);
    return failed ? EXIT_TROUBLE : EXIT_FOUND;
}

/* Asks for the levels of the job whose result is there. */
static enum exit_code figures_read_levels(struct session *session, struct study *study)
{
    struct text *request = session_request(session, "LEVELS", reply_text(&study->result, "job"));
    enum exit_code code = session_list(session, request, &study->levels);
    study->states = calloc(study->levels.count + 1, sizeof *study->states);
    study->edges = calloc(study->levels.count + 1, sizeof *study->edges);
    if (code == EXIT_FOUND && (study->states == NULL || study->edges == NULL))
        code = session_fail(session, EXIT_TROUBLE, "memory", "no memory for the levels");
    return code;
}

static enum exit_code run_figures(struct session *session, const struct arguments *arguments)
{
    struct text *request = command_request(session, "EXPLORE", arguments->words[0], arguments);
    struct study study = {0};
    if (arguments_pair(arguments, "edges") == NULL)
        text_key(request, "edges", "yes");
    enum exit_code code = finished_ask(session, request, &study.result);
    if (code == EXIT_REFUSED)
        code = session_refused(session, &study.result);
    else if (code == EXIT_FOUND && reply_get(&study.result, "edges_by_level") == NULL)
        code = result_print_reply(session, &study.result, arguments, NULL);
    else if (code == EXIT_FOUND && (code = figures_read_levels(session, &study)) == EXIT_FOUND) {
        study_compute(&study);
        if (!session->json)
            result_show_layout(&study.result);
        code = print_study(session, &study);
        code = code == EXIT_FOUND ? result_exit(&study.result) : code;
    }
    study_clear(&study);
    return code;
}

static const struct option_row figures_options[] = {
    LIST_OPTIONS("level, states and edges between commas"),
    {0},
};

const struct command command_figures = {
    .name = "figures",
    .verb = VERB_EXPLORE,
    .without = KEY_BIT(KEY_START) | KEY_BIT(KEY_KEEP) | KEY_BIT(KEY_PLANES) | KEY_BIT(KEY_DISK) |
               KEY_BIT(KEY_EDGES) | KEY_BIT(KEY_PARTS) | KEY_BIT(KEY_ESTIMATE) | KEY_BIT(KEY_CLUSTER),
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "Print the figures of a whole state space, as for a paper",
    .help = "States and moves, in all and by distance, and how many states have how many moves. Explores it\n"
            "with edges=yes where that was not done before. Every move counts, also the one back.\n",
    .example = "  $ puzzlectl figures 3x3\n"
               "  slide:3x3  job 1  distances from the root\n"
               "  states      181,440\n"
               "  edges       483,840\n"
               "  depth       31\n"
               "  mean        21.972, standard deviation 3.367\n",
    .options = figures_options,
    .run = run_figures,
};
