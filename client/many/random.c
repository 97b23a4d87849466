/* SPDX-License-Identifier: MIT */
/* The subcommand random: boards of a sliding puzzle without any table. */
#include "client/session/command.h"
#include "client/show/sliding.h"
#include "protocol/text/quantity.h"

#include <time.h>

/* Reads the whole number of an option. */
static bool read_option(const struct arguments *arguments, const char *name, uint64_t least, uint64_t most,
                        uint64_t *out, struct pz_error *error)
{
    const char *value = arguments_option(arguments, name);
    struct pz_error own;
    if (value == NULL || quantity_count(value, least, most, out, &own) == PZ_OK)
        return true;
    (void)pz_fail(error, PZ_BAD_REQUEST, "--%s: %s", name, own.text);
    return false;
}

static enum exit_code run_random(struct session *session, const struct arguments *arguments)
{
    struct grid grid;
    struct board board;
    struct pz_error error;
    char line[BOARD_TEXT_MAX];
    uint64_t count = 1;
    uint64_t seed = (uint64_t)time(NULL);
    json_t *boards = NULL;
    if (!sliding_tiles(arguments->words[0], &grid) || grid.rows < 2 || grid.columns < 2)
        return command_usage(session, "random makes boards of sliding puzzles with two rows and columns or "
                                      "more, and up to 42 cells");
    if (!read_option(arguments, "count", 1, 10000000, &count, &error) ||
        !read_option(arguments, "seed", 0, UINT64_MAX, &seed, &error))
        return command_usage(session, error.text);
    const bool quoted = arguments_option(arguments, "csv") != NULL;
    if (session->json)
        boards = json_array();
    else if (quoted)
        (void)fputs("board\n", session->terminal->out);
    for (uint64_t i = 0; i < count; i++) {
        sliding_random(&grid, &seed, &board);
        (void)board_format(&grid, &board, line);
        if (boards != NULL)
            (void)json_array_append_new(boards, json_pack("{s:s}", "board", line));
        else
            (void)fprintf(session->terminal->out, quoted ? "\"%s\"\n" : "%s\n", line);
    }
    if (boards == NULL)
        return EXIT_FOUND;
    return json_write(json_pack("{s:I, s:o}", "count", (json_int_t)count, "boards", boards),
                      session->terminal->out)
               ? EXIT_FOUND
               : EXIT_TROUBLE;
}

static const struct option_row random_options[] = {
    LIST_OPTIONS("a title, and the boards in quotes"),
    {"count", 'n', "N", "how many boards (default 1)", NULL},
    {"seed", 0, "N", "the same seed gives the same boards (default: another each second)", NULL},
    {0},
};

const struct command command_random = {
    .name = "random",
    .words = "PUZZLE",
    .summary = "Make random solvable boards of a sliding puzzle",
    .help = "Every board from which the usual goal can be reached is equally likely. No daemon is asked.\n",
    .example = "  $ puzzlectl random 4x4 --count 100 --seed 1 | puzzlectl solve 4x4 -\n",
    .options = random_options,
    .verb = VERB_COUNT,
    .alone = true,
    .least = 1,
    .most = 1,
    .run = run_random,
};
