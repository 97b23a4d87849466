/* SPDX-License-Identifier: MIT */
/* The subcommand parts: the connected components of a space, page by page. */
#include "client/session/command.h"
#include "client/show/text_table.h"

/* The daemon counts states and components in 32 bits. */
static const int64_t PARTS_MOST = UINT32_MAX;

/* Asks for the components behind the first `after`. */
static enum exit_code ask_page(struct session *session, const struct arguments *arguments, long long after,
                               struct records *page)
{
    struct text *request = command_request(session, "PARTS", arguments->words[0], arguments);
    if (arguments_pair(arguments, "after") == NULL)
        text_format(request, " after=%lld", after);
    return session_list(session, request, page);
}

static bool print_page(const struct session *session, const struct records *page)
{
    FILE *out = session->terminal->out;
    const char *format = session->csv ? "%s,%s,%s,\"%s\"\n" : "%6s  %9s  %5s  %s\n";
    bool written = true;
    for (size_t i = 0; i < page->count && written; i++) {
        const struct reply *part = &page->records[i];
        if (session->json)
            written = json_write(json_of_reply(part), out);
        else
            written = fprintf(out, format, reply_text(part, "part"), reply_text(part, "states"),
                              reply_text(part, "depth"), reply_text(part, "board")) > 0;
    }
    return written;
}

/* Fails unless the page goes on where the one before ended, and no further than the total that the first one
 * reported: else a server could send pages for ever. */
static enum exit_code check_page(struct session *session, const struct records *page, long long after,
                                 int64_t *total)
{
    int64_t number = 0;
    int64_t part = 0;
    bool good = reply_integer(&page->head, "total", &number) && number <= PARTS_MOST;
    if (after == 0)
        *total = number;
    good = good && number == *total && (long long)page->count <= number - after;
    for (size_t i = 0; i < page->count && good; i++)
        good = reply_integer(&page->records[i], "part", &part) && part == after + (long long)i + 1;
    return good ? EXIT_FOUND
                : session_lost(session, "parts without an end: a page does not follow the one before");
}

static enum exit_code run_parts(struct session *session, const struct arguments *arguments)
{
    const bool one_page =
        arguments_pair(arguments, "limit") != NULL || arguments_pair(arguments, "after") != NULL;
    enum exit_code code = EXIT_FOUND;
    long long after = 0;
    int64_t total = 0;
    bool more = true;
    while (more && code == EXIT_FOUND) {
        struct records page;
        code = ask_page(session, arguments, after, &page);
        if (code == EXIT_FOUND && !one_page)
            code = check_page(session, &page, after, &total);
        if (code != EXIT_FOUND) {
            records_clear(&page);
            return code;
        }
        if (after == 0 && !session->json)
            (void)fputs(session->csv ? "part,states,depth,board\n" : "  part     states  depth  board\n",
                        session->terminal->out);
        if (!print_page(session, &page))
            code = EXIT_TROUBLE;
        after += (long long)page.count;
        more = !one_page && page.count > 0 && after < total;
        records_clear(&page);
    }
    return code;
}

static const struct option_row parts_options[] = {
    LIST_OPTIONS("part, states, depth and board between commas"),
    {0},
};

const struct command command_parts = {
    .name = "parts",
    .verb = VERB_PARTS,
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "List the connected components of a space, each with its hardest board",
    .help =
        "After 'explore PUZZLE --from goals --parts', for puzzles with a ranking function. The largest part "
        "comes\nfirst. A part without a goal has no depth.\n",
    .example = "  $ puzzlectl explore klotski:family --from goals --parts\n"
               "  $ puzzlectl parts klotski:family --csv > parts.csv\n",
    .options = parts_options,
    .run = run_parts,
};
