/* SPDX-License-Identifier: MIT */
/* Subcommands that submit a job: explore, solve, pdb. */
#include "client/jobs/follow.h"
#include "client/jobs/job_result.h"
#include "client/many/batch.h"
#include "client/session/command.h"
#include "client/show/drawing.h"
#include "client/show/number.h"
#include "client/show/sliding.h"
#include "client/show/text_table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Prints the job's number, for users who do not wait. */
static enum exit_code print_submitted(struct session *session, const struct reply *reply)
{
    if (session->json)
        return session_json(session, json_of_reply(reply));
    (void)fprintf(session->terminal->out, "job %s %s%s\n", reply_text(reply, "job"),
                  reply_text(reply, "state"), reply_is(reply, "cached", "yes") ? ", asked before" : "");
    return EXIT_FOUND;
}

/* Submits, waits unless told not to, and prints the result. */
static enum exit_code submit(struct session *session, struct text *request, const struct arguments *arguments)
{
    struct reply reply;
    char state[32] = "";
    long long job = 0;
    enum exit_code code = session_ask(session, request, &reply);
    if (code != EXIT_FOUND)
        return code;
    if (session->terminal->submitted != NULL)
        *session->terminal->submitted = strtoll(reply_text(&reply, "job"), NULL, 10);
    const char *remark = reply_is(&reply, "cached", "yes") ? "answered before" : NULL;
    bool ended = result_is_end(reply_text(&reply, "state"));
    if (arguments_option(arguments, "detach") != NULL)
        code = print_submitted(session, &reply);
    else
        code = command_job(session, reply_text(&reply, "job"), NULL, &job);
    reply_clear(&reply);
    if (job == 0)
        return code;
    if (!ended)
        code = follow_job(session, job, false, state);
    return code == EXIT_FOUND ? result_print(session, job, arguments, ended ? remark : NULL) : code;
}

/* Says what would suffice where planes=auto finds neither the memory nor the scratch space. */
static void add_remedy(const struct reply *reply, struct text *out)
{
    char memory[NUMBER_TEXT_MAX];
    char disk[NUMBER_TEXT_MAX];
    double value = 0.0;
    double room = 0.0;
    double most = 0.0;
    if (!reply_is(reply, "planes", "none"))
        return;
    if (reply_real(reply, "disk_memory_bytes", &value) && reply_real(reply, "disk_bytes", &room)) {
        text_format(out, "not here: %s of memory and %s of scratch space would suffice",
                    number_bytes(memory, value), number_bytes(disk, room));
        if (reply_real(reply, "disk_least_memory_bytes", &value) &&
            reply_real(reply, "disk_most_bytes", &most) && most > room)
            text_format(out, ", or %s and %s", number_bytes(memory, value), number_bytes(disk, most));
        text_add(out, "\n");
    } else if (reply_real(reply, "bytes", &value))
        text_format(out, "not here: %s of memory would suffice\n", number_bytes(memory, value));
}

static enum exit_code print_estimate(struct session *session, const struct reply *reply)
{
    static const struct table_column columns[] = {
        {"engine", "engine"},
        {"states", "states"},
        {"bytes", "memory"},
        {"levels_only_bytes", "memory with keep=levels"},
        {"table_bytes", "table in the database"},
        {"passes", "passes"},
        {"coded_bytes", "memory with planes=coded"},
        {"disk_memory_bytes", "memory with planes=disk"},
        {"disk_bytes", "scratch space with planes=disk"},
        {"disk_least_memory_bytes", "the least memory with it"},
        {"disk_most_bytes", "scratch space then"},
        {"disk_written_bytes", "written to it"},
        {"disk_read_bytes", "read from it"},
        {"memory_seconds", "time with planes=memory"},
        {"coded_seconds", "time with planes=coded"},
        {"disk_seconds", "time with planes=disk"},
        {"planes", "planes=auto takes here"},
        {0},
    };
    struct text out = {0};
    if (session->json)
        return session_json(session, json_of_reply(reply));
    table_block(reply, columns, 0, &out);
    add_remedy(reply, &out);
    (void)fputs(text_string(&out), session->terminal->out);
    text_free(&out);
    return EXIT_FOUND;
}

static enum exit_code run_explore(struct session *session, const struct arguments *arguments)
{
    struct text *request = command_request(session, "EXPLORE", arguments->words[0], arguments);
    struct reply reply;
    if (arguments_pair(arguments, "estimate") == NULL)
        return submit(session, request, arguments);
    enum exit_code code = session_ask(session, request, &reply);
    if (code == EXIT_FOUND)
        code = print_estimate(session, &reply);
    reply_clear(&reply);
    return code;
}

#define TIME_TO_ESTIMATE "20s" /* some iterations of a 24-puzzle are done within it */

/* Has the databases of a sliding puzzle built before a search is measured: that is done once, and no part of
 * the search. */
static enum exit_code submit_databases(struct session *session, const struct arguments *arguments)
{
    static const char *const keys[] = {"partition", "memory", "threads", "metric"};
    struct reply result = {0};
    struct grid grid;
    const char *method = arguments_pair(arguments, "method");
    if (!sliding_grid(arguments->words[0], &grid) || arguments_pair(arguments, "wrap") != NULL ||
        (method != NULL && strcasecmp(method, "idastar") != 0))
        return EXIT_FOUND;
    struct text *request = session_request(session, "PDB", arguments->words[0]);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        text_key(request, keys[i], arguments_pair(arguments, keys[i]));
    const enum exit_code code = finished_ask(session, request, &result);
    reply_clear(&result);
    return code == EXIT_REFUSED ? EXIT_FOUND : code; /* the search says what is wrong, or does without */
}

static enum exit_code run_solve(struct session *session, const struct arguments *arguments)
{
    const bool many = arguments->word_count == 2 && strcmp(arguments->words[1], "-") == 0;
    const enum exit_code fits = board_input_check_options(session, arguments, many);
    if (fits != EXIT_FOUND)
        return fits;
    if (many)
        return batch_run(session, arguments);
    const bool estimate = arguments_option(arguments, "estimate") != NULL;
    const enum exit_code built = estimate ? submit_databases(session, arguments) : EXIT_FOUND;
    if (built != EXIT_FOUND)
        return built;
    struct text *request = session_request(session, "SOLVE", arguments->words[0]);
    if (arguments->word_count == 2)
        text_key(request, "start", arguments->words[1]);
    if (estimate && arguments_pair(arguments, "time") == NULL)
        text_key(request, "time", TIME_TO_ESTIMATE);
    command_pairs(request, arguments);
    return submit(session, request, arguments);
}

static enum exit_code run_pdb(struct session *session, const struct arguments *arguments)
{
    return submit(session, command_request(session, "PDB", arguments->words[0], arguments), arguments);
}

static const struct option_row submit_options[] = {
    {"detach", 0, NULL, "submit and leave; print the job's number", NULL},
    {0},
};

static const struct option_row solve_options[] = {
    SCRAMBLE_OPTIONS,
    BATCH_OPTIONS,
    DRAWING_OPTIONS,
    {"estimate", 0, NULL,
     "search for " TIME_TO_ESTIMATE " (or --time); if that is too short, estimate how long it may take",
     NULL},
    {"detach", 0, NULL, "submit and leave; print the job's number", NULL},
    {0},
};

const struct command command_explore = {
    .name = "explore",
    .verb = VERB_EXPLORE,
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "Explore a puzzle completely, or as deep as limits allow",
    .help = "Waits with a progress line; Ctrl-C asks whether the job is to go on. Afterwards 'distance', "
            "'path', 'sample'\n"
            "and 'deepest' answer for every board that was reached.\n",
    .example = "  $ puzzlectl explore 3x3\n"
               "  slide:3x3  job 1 done\n"
               "  complete    yes\n"
               "  states      181,440\n"
               "  depth       31\n"
               "  engine      dense\n"
               "  $ puzzlectl explore 4x4 --depth 25 --memory 4G --detach\n"
               "  job 2 queued\n",
    .options = submit_options,
    .run = run_explore,
};

const struct command command_solve = {
    .name = "solve",
    .verb = VERB_SOLVE,
    .takes = {"PUZZLE [START|-]", 1, 2, WORD_PUZZLE | WORD_START},
    .summary = "Find a shortest solution of a board",
    .help =
        "With - the boards come from standard input, a line or a block of rows each; answers come out in "
        "the same\n"
        "order, one a line: board, moves and path between tabs, the title of a level in front. Keys that a "
        "puzzle\n"
        "has of its own follow as KEY=VALUE. A board that begins with - stands behind --.\n",
    .example =
        "  $ puzzlectl solve 3x3 867254301 --show\n"
        "  $ puzzlectl solve 4x4 - < boards.txt\n"
        "  $ puzzlectl solve 5x5 14,5,9,2,18/8,23,19,12,17/15,0,10,20,4/6,11,21,1,7/24,3,16,22,13 "
        "--estimate\n"
        "  $ puzzlectl solve sokoban - --time 10s --csv < microban.xsb > answers.csv\n"
        "  $ puzzlectl solve klotski start=HAAI/HAAI/JBBK/JNOK/P@@Q metric=move\n"
        "  $ puzzlectl solve linkup start=BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC from=4,2 to=4,5 border=yes\n",
    .options = solve_options,
    .run = run_solve,
};

const struct command command_pdb = {
    .name = "pdb",
    .verb = VERB_PDB,
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "Build the pattern databases of a size ahead of need",
    .help = "'solve' builds the default ones by itself when they are missing, and keeps them. Sliding "
            "puzzles and "
            "texts\n"
            "have some; of a text the partition has the numbers of its variables, values or pieces.\n",
    .example = "  $ puzzlectl pdb 3x3\n"
               "  slide:3x3  job 3 done\n"
               "  partition   8\n"
               "  databases   1\n"
               "  bytes       44.4K\n"
               "  $ puzzlectl pdb 4x4 --partition 7-8 --detach\n"
               "  job 4 queued\n"
               "  $ puzzlectl pdb hanoi8 --partition 1-4+5-8\n",
    .options = submit_options,
    .run = run_pdb,
};
