/* SPDX-License-Identifier: MIT */
/* Subcommands that stored explorations answer at once: distance, path, sample, deepest. */
#include "client/many/batch.h"
#include "client/session/command.h"
#include "client/session/session.h"
#include "client/show/drawing.h"
#include "protocol/limits.h"
#include "protocol/text/quantity.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* After so many replies in a row without a new board a level counts as exhausted. */
enum { IN_VAIN = 20 };

/* Sets *count to the number of boards that the arguments ask for, 1 or more. Returns PZ_BAD_REQUEST for
 * anything else. */
static enum pz_status sample_count(const struct arguments *arguments, uint64_t *count, struct pz_error *error)
{
    const char *text = arguments_pair(arguments, "count");
    *count = 1;
    if (text == NULL || quantity_count(text, 1, UINT32_MAX, count, error) == PZ_OK)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "--count: '%.40s' is not a whole number from 1 on", text);
}

static int compare_boards(const void *a, const void *b)
{
    return strcmp(a, b);
}

static enum exit_code ask_sample(struct session *session, const struct arguments *arguments, uint64_t seed,
                                 struct records *records)
{
    struct text *request = session_request(session, "SAMPLE", arguments->words[0]);
    if (arguments->word_count > 1)
        text_key(request, "depth", arguments->words[1]);
    for (size_t i = 0; i < arguments->pair_count; i++)
        if (strcasecmp(arguments->pairs[i].key, "count") != 0 &&
            strcasecmp(arguments->pairs[i].key, "seed") != 0)
            text_key(request, arguments->pairs[i].key, arguments->pairs[i].value);
    text_format(request, " count=%d seed=%" PRIu64, PROTOCOL_SAMPLE_MAX, seed);
    return session_list(session, request, records);
}

/* Moves the records whose boards are not in the set to *all. Returns how many, -1 without memory. */
static int sample_take_new(struct records *records, void **set, uint64_t count, struct records *all)
{
    int taken = 0;
    const size_t bytes = (all->count + records->count + 1) * sizeof *all->records;
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): all->records is what the last call of realloc returned */
    struct reply *room = realloc(all->records, bytes);
    if (room == NULL)
        return -1;
    all->records = room;
    for (size_t i = 0; i < records->count && all->count < count; i++) {
        const char *board = reply_text(&records->records[i], "board");
        const char *const *entry = tsearch(board, set, compare_boards);
        if (entry == NULL)
            return -1;
        if (*entry != board)
            continue; /* it was there */
        all->records[all->count++] = records->records[i];
        records->records[i] = (struct reply){0};
        taken++;
    }
    return taken;
}

static void keep_boards(void *board)
{
    (void)board; /* the reply owns it */
}

/* Asks with one seed after the other until there are enough different boards, or hardly any new one comes.
 * Boards repeat with their seed. On EXIT_FOUND the caller clears *boards. */
static enum exit_code sample_many(struct session *session, const struct arguments *arguments,
                                  struct records *boards)
{
    uint64_t seed = 0;
    uint64_t count = 0;
    struct pz_error error;
    void *set = NULL;
    const char *given = arguments_pair(arguments, "seed");
    enum exit_code code = EXIT_FOUND;
    *boards = (struct records){0};
    if (sample_count(arguments, &count, &error) != PZ_OK)
        return command_usage(session, error.text);
    if (given != NULL && quantity_count(given, 0, UINT64_MAX, &seed, &error) != PZ_OK)
        return command_usage(session, error.text);
    bool more = true;
    for (unsigned in_vain = 0; more && code == EXIT_FOUND && boards->count < count && in_vain < IN_VAIN;
         seed++) {
        struct records records;
        code = ask_sample(session, arguments, seed, &records);
        if (code != EXIT_FOUND)
            break;
        int taken = sample_take_new(&records, &set, count, boards);
        more = taken >= 0 && records.count == PROTOCOL_SAMPLE_MAX; /* else that was the whole level */
        in_vain = taken == 0 ? in_vain + 1 : 0;
        if (taken < 0)
            code = session_fail(session, EXIT_TROUBLE, "memory", "no memory for the boards");
        reply_clear(&boards->head);
        boards->head = records.head;
        records.head = (struct reply){0};
        records_clear(&records);
    }
    tdestroy(set, keep_boards);
    records_recount(boards, boards->count);
    if (code != EXIT_FOUND)
        records_clear(boards);
    return code;
}

static enum exit_code exit_of_answer(const struct reply *reply)
{
    return reply_is(reply, "solvable", "yes") ? EXIT_FOUND : EXIT_NO_ANSWER;
}

static void print_answer(struct session *session, const struct reply *reply)
{
    FILE *out = session->terminal->out;
    if (!session->quiet && reply_is(reply, "from", "root"))
        (void)fprintf(session->terminal->err, "(%s%s)\n", reply_get(reply, "cost") != NULL ? "cost" : "moves",
                      command_origin(reply));
    if (reply_is(reply, "solvable", "yes")) {
        (void)fputs(reply_text(reply, reply_get(reply, "cost") != NULL ? "cost" : "moves"), out);
        if (reply_get(reply, "path") != NULL)
            (void)fprintf(out, "  %s", reply_text(reply, "path"));
        (void)fputc('\n', out);
    } else if (reply_is(reply, "solvable", "no")) {
        (void)fputs("unsolvable\n", out);
    } else {
        (void)fprintf(out, "more than %s\n", reply_text(reply, "beyond"));
    }
}

/* Prints an answer, and the boards on the way if they are asked for. */
static enum exit_code show_answer(struct session *session, const struct arguments *arguments,
                                  const struct reply *reply)
{
    struct text out = {0};
    struct frames frames = {0};
    enum exit_code code = exit_of_answer(reply);
    const bool drawn = code == EXIT_FOUND && drawing_wanted(arguments);
    if (drawn)
        code = frames_of_path(session, arguments->words[0], arguments->words[1], reply_text(reply, "path"),
                              arguments, &frames);
    if (!session->json)
        print_answer(session, reply);
    else if (!drawing_reply(reply, &frames, session->terminal->out))
        code = EXIT_TROUBLE;
    text_char(&out, '\n');
    if (drawn && code == EXIT_FOUND)
        code = session->json ? drawing_files(session, arguments, &frames, arguments->words[0])
                             : drawing(session, arguments, &frames, arguments->words[0], &out);
    if (out.length > 1)
        (void)fputs(text_string(&out), session->terminal->out);
    frames_free(&frames);
    text_free(&out);
    return code;
}

static enum exit_code run_lookup(struct session *session, const struct arguments *arguments)
{
    struct reply reply;
    const bool many = strcmp(arguments->words[1], "-") == 0;
    const enum exit_code fits = board_input_check_options(session, arguments, many);
    if (fits != EXIT_FOUND)
        return fits;
    if (many)
        return batch_run(session, arguments);
    struct text *request = session_request(session, verb_row(session->verb)->word, arguments->words[0]);
    compose_word(request, arguments->words[1]);
    command_pairs(request, arguments);
    enum exit_code code = session_ask(session, request, &reply);
    if (code == EXIT_FOUND)
        code = show_answer(session, arguments, &reply);
    reply_clear(&reply);
    return code;
}

/* Prints the boards, or their drawings, and writes the files that are asked for; with --json only these. */
static enum exit_code print_boards(struct session *session, const struct arguments *arguments,
                                   const struct records *boards)
{
    struct text out = {0};
    struct frames frames = {0};
    enum exit_code code = EXIT_FOUND;
    const bool show = drawing_wanted(arguments);
    const bool drawn =
        arguments_option(arguments, "show") != NULL || arguments_option(arguments, "frames") != NULL;
    text_add(&out, session->csv ? "board\n" : "");
    for (size_t i = 0; i < boards->count && code == EXIT_FOUND; i++) {
        const char *board = reply_text(&boards->records[i], "board");
        if (show)
            code = frames_of_board(session, arguments->words[0], board, arguments, &frames);
        if (!drawn || frames.count == 0)
            text_format(&out, session->csv ? "\"%s\"\n" : "%s\n", board);
    }
    if (code == EXIT_FOUND)
        code = session->json ? drawing_files(session, arguments, &frames, arguments->words[0])
                             : drawing(session, arguments, &frames, arguments->words[0], &out);
    if (!session->json)
        (void)fputs(text_string(&out), session->terminal->out);
    frames_free(&frames);
    text_free(&out);
    return code;
}

/* Reports how many boards there are, and from where their distance counts. */
static void remark_distance(FILE *err, const struct records *boards, bool dead)
{
    const char *total = reply_get(&boards->head, "total");
    const char *depth = reply_text(&boards->head, "depth");
    const bool costs = reply_is(&boards->head, "unit", "cost");
    if (dead)
        (void)fprintf(err, "(%zu of %s boards from which no goal can be reached)\n", boards->count, total);
    else if (total != NULL)
        (void)fprintf(err,
                      costs ? "(%zu of %s boards at a cost of %s%s)\n" : "(%zu of %s boards at %s moves%s)\n",
                      boards->count, total, depth, command_origin(&boards->head));
    else if (reply_is(&boards->head, "from", "root"))
        (void)fprintf(err, costs ? "(at a cost of %s%s)\n" : "(at %s moves%s)\n", depth,
                      command_origin(&boards->head));
}

/* Writes remarks to the error stream: another program may read the list of boards. */
static void remark_boards(const struct session *session, const struct arguments *arguments,
                          const struct records *boards)
{
    FILE *err = session->terminal->err;
    if (session->quiet)
        return;
    if (reply_is(&boards->head, "uniform", "no"))
        (void)fputs("(not every board of this level was equally likely)\n", err);
    remark_distance(err, boards,
                    arguments_pair(arguments, "dead") != NULL && reply_get(&boards->head, "total") != NULL);
    if (reply_is(&boards->head, "complete", "no"))
        (void)fputs("(the exploration was bounded: there are boards farther away)\n", err);
}

static enum exit_code list_boards(struct session *session, const struct arguments *arguments,
                                  struct records *boards)
{
    struct text *request = session_request(session, verb_row(session->verb)->word, arguments->words[0]);
    if (arguments->word_count > 1)
        text_key(request, "depth", arguments->words[1]);
    command_pairs(request, arguments);
    return session_list(session, request, boards);
}

/* Asks for boards and prints them. With `many` it asks for more boards of a level than one reply has. */
static enum exit_code ask_boards(struct session *session, const struct arguments *arguments, bool many)
{
    struct records boards;
    enum exit_code code =
        many ? sample_many(session, arguments, &boards) : list_boards(session, arguments, &boards);
    if (code != EXIT_FOUND)
        return code;
    if (boards.count == 0) {
        code = EXIT_NO_ANSWER;
        if (!session->json && !session->quiet)
            (void)fprintf(session->terminal->err, "no board there; how many are where: puzzlectl levels %s\n",
                          arguments->words[0]);
    }
    if (session->json && session_json_list(session, &boards, "boards") != EXIT_FOUND)
        code = EXIT_TROUBLE;
    enum exit_code printed = print_boards(session, arguments, &boards);
    code = printed != EXIT_FOUND ? printed : code;
    if (!session->json)
        remark_boards(session, arguments, &boards);
    records_clear(&boards);
    return code;
}

static enum exit_code run_sample(struct session *session, const struct arguments *arguments)
{
    if (arguments->word_count < 2 && arguments_pair(arguments, "depth") == NULL)
        return command_usage(session, "sample needs a depth: puzzlectl sample 3x3 20");
    uint64_t count = 0;
    struct pz_error error = {0};
    if (sample_count(arguments, &count, &error) != PZ_OK)
        return command_usage(session, error.text);
    return ask_boards(session, arguments, count > PROTOCOL_SAMPLE_MAX);
}

static enum exit_code run_deepest(struct session *session, const struct arguments *arguments)
{
    return ask_boards(session, arguments, false);
}

static const struct option_row path_options[] = {
    SCRAMBLE_OPTIONS,
    BATCH_OPTIONS,
    DRAWING_OPTIONS,
    {0},
};
static const struct option_row sample_options[] = {
    LIST_OPTIONS("a title, and the boards in quotes"),
    DRAWING_OPTIONS,
    {0},
};

static const struct option_row distance_options[] = {
    SCRAMBLE_OPTIONS,
    BATCH_OPTIONS,
    {0},
};

const struct command command_distance = {
    .name = "distance",
    .options = distance_options,
    .verb = VERB_DISTANCE,
    .takes = {"PUZZLE START|-", 2, 2, WORD_PUZZLE | WORD_START},
    .summary = "Tell how many moves a board is from the nearest goal",
    .help = "Answered from stored explorations, without a search. With - the boards come from standard "
            "input, one a\n"
            "line; answers come out in the same order, one a line: board and moves with a tab between.\n"
            "Puzzles with many goals need a table of them: puzzlectl explore klotski:classic from=goals\n",
    .example = "  $ puzzlectl distance 3x3 867254301\n"
               "  31\n"
               "  $ puzzlectl sample 3x3 20 -n 1000 | puzzlectl distance 3x3 -\n",
    .run = run_lookup,
};

const struct command command_path = {
    .name = "path",
    .verb = VERB_PATH,
    .takes = {"PUZZLE START|-", 2, 2, WORD_PUZZLE | WORD_START},
    .summary = "Tell a shortest way from a board to the goal",
    .help =
        "Each letter is the way the blank goes. With - as for 'distance', and the path behind another tab.\n",
    .example = "  $ puzzlectl path 2x3 4,1,2/5,0,3\n"
               "  5  LURRD\n",
    .options = path_options,
    .run = run_lookup,
};

const struct command command_sample = {
    .name = "sample",
    .verb = VERB_SAMPLE,
    .takes = {"PUZZLE [DEPTH]", 1, 2, WORD_PUZZLE},
    .summary = "Draw boards that are exactly so many moves from the goal, or from the root",
    .help = "More than 1,000 are asked for with one seed after the other; a board never comes twice.\n",
    .example = "  $ puzzlectl sample 3x3 31 --count 2 --show\n"
               "  $ puzzlectl sample 3x3 20 --count 5000 --seed 1 > boards.txt\n",
    .options = sample_options,
    .run = run_sample,
};

const struct command command_deepest = {
    .name = "deepest",
    .verb = VERB_DEEPEST,
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "List the boards that are farthest from the goal, or from the root",
    .example = "  $ puzzlectl deepest 3x3\n"
               "  8,6,7/2,5,4/3,0,1\n"
               "  6,4,7/8,5,0/3,2,1\n"
               "  (2 of 2 boards at 31 moves from the nearest goal)\n",
    .options = sample_options,
    .run = run_deepest,
};
