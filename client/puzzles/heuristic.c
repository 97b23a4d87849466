/* SPDX-License-Identifier: MIT */
/* The subcommand heuristic: the value of each lower bound for a board. */
#include "client/session/command.h"
#include "client/show/table.h"

static enum exit_code run_heuristic(struct session *session, const struct arguments *arguments)
{
    static const struct table_column columns[] = {{"heuristic", "heuristic"}, {"at_least", "at least"}, {0}};
    struct text request = {0};
    struct text out = {0};
    struct records bounds;
    compose_begin(&request, "HEURISTIC");
    compose_word(&request, arguments->words[0]);
    compose_word(&request, arguments->words[1]);
    command_pairs(&request, arguments);
    enum exit_code code = session_list(session, &request, &bounds);
    text_free(&request);
    if (code != EXIT_FOUND)
        return code;
    if (session->json) {
        json_t *object = json_of_list(&bounds.head, "heuristics", bounds.records, bounds.count);
        code = json_write(object, session->terminal->out) ? EXIT_FOUND : EXIT_TROUBLE;
    } else {
        table_draw(bounds.records, bounds.count, columns, session->terminal, &out);
        (void)fputs(text_string(&out), session->terminal->out);
    }
    text_free(&out);
    if (code == EXIT_FOUND && bounds.count == 0)
        code = EXIT_NO_ANSWER;
    records_clear(&bounds);
    return code;
}

const struct command command_heuristic = {
    .name = "heuristic",
    .verb = VERB_HEURISTIC,
    .words = "PUZZLE BOARD",
    .summary = "Tell what each lower bound says of a board",
    .help = "Sliding puzzles: Manhattan distance, linear conflict, walking distance, and every stored set of "
            "pattern\n"
            "databases ('pdb' makes more). Other puzzles: their own bound, if they have one.\n",
    .example = "  $ puzzlectl heuristic 3x3 867254301\n"
               "  heuristic         at least\n"
               "  manhattan               21\n",
    .least = 2,
    .most = 2,
    .run = run_heuristic,
};
