/* SPDX-License-Identifier: MIT */
/*
 * The subcommand verify: solutions of others. DRAW makes each move, so a path is valid if the daemon can make
 * it and the last board is solved (GRAPH says so); SOLVE tells how long a shortest one is.
 */
#include "client/jobs/solved.h"
#include "client/many/batch.h"
#include "client/many/lines.h"
#include "client/session/command.h"
#include "client/show/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum verdict { VERDICT_OPTIMAL, VERDICT_LONG, VERDICT_VALID, VERDICT_WRONG };

static const char *const verdicts[] = {"optimal", "too long", "valid", "wrong"};

/* One line of the input. */
struct claim {
    const char *board, *path;
    int64_t moves, optimum; /* -1 where it is not known */
    enum verdict verdict;
    struct text why; /* of a wrong one */
};

struct verifier {
    struct session *session;
    const struct arguments *arguments;
    bool csv;
    bool bad; /* one was wrong or too long */
};

/* Parts a line at its last tab, or its last blank. A number between two tabs, as 'solve -' prints the moves,
 * is left out. Returns false if there is no path. */
static bool read_claim(char *line, struct claim *claim)
{
    char *tab = strrchr(line, '\t');
    char *cut = tab != NULL ? tab : strrchr(line, ' ');
    *claim = (struct claim){.board = line, .moves = -1, .optimum = -1, .verdict = VERDICT_WRONG};
    if (cut == NULL || cut == line)
        return false;
    *cut = '\0';
    claim->path = cut + 1;
    for (char *field = NULL; tab != NULL && (field = strrchr(line, '\t')) != NULL; *field = '\0')
        if (field[1 + strspn(field + 1, "0123456789")] != '\0') {
            claim->board = field + 1;
            break;
        }
    return true;
}

/* Begins a request about the puzzle and a board, with its goal and the puzzle's own keys. */
static void begin_request(const struct verifier *verifier, const char *verb, struct text *request)
{
    compose_begin(request, verb);
    compose_word(request, verifier->arguments->words[0]);
}

/* Makes the moves. *last becomes a copy of the last board; NULL, with the reason in claim->why, if a move
 * cannot be made. */
static enum exit_code make_moves(const struct verifier *verifier, struct claim *claim, char **last)
{
    struct text request = {0};
    struct reply reply = {0};
    begin_request(verifier, "DRAW", &request);
    compose_word(&request, claim->board);
    text_key(&request, "path", claim->path);
    text_add(&request, verifier->session->keys);
    enum exit_code code = session_send(verifier->session, &request);
    text_free(&request);
    *last = NULL;
    for (claim->moves = -2; code == EXIT_FOUND; claim->moves++) {
        code = session_read(verifier->session, &reply);
        const enum reply_kind kind = code == EXIT_FOUND ? reply.kind : REPLY_END;
        if (kind == REPLY_RECORD) {
            free(*last);
            *last = strdup(reply_text(&reply, "board"));
        } else if (kind == REPLY_ERR) {
            text_add(&claim->why, reply.text);
        }
        reply_clear(&reply);
        if (kind == REPLY_ERR || kind == REPLY_END)
            break;
    }
    claim->moves = *last != NULL ? claim->moves : -1;
    return code;
}

/* Finds whether a board is solved. */
static enum exit_code check_goal(const struct verifier *verifier, const char *board, struct claim *claim)
{
    struct text request = {0};
    struct records nodes;
    begin_request(verifier, "GRAPH", &request);
    text_key(&request, "root", board);
    text_key(&request, "depth", "0");
    text_add(&request, verifier->session->keys);
    enum exit_code code = session_list(verifier->session, &request, &nodes);
    text_free(&request);
    if (code != EXIT_FOUND)
        return code;
    if (nodes.count == 0 || !reply_is(&nodes.records[0], "solved", "yes"))
        text_format(&claim->why, "it ends at %s, which is no goal", board);
    records_clear(&nodes);
    return EXIT_FOUND;
}

/* Finds the length of a shortest solution. */
static enum exit_code find_optimum(const struct verifier *verifier, struct claim *claim)
{
    struct text request = {0};
    struct reply result;
    begin_request(verifier, "SOLVE", &request);
    text_key(&request, "start", claim->board);
    command_pairs(&request, verifier->arguments);
    text_key(&request, "tool", "verify");
    enum exit_code code = finished_ask(verifier->session, &request, &result);
    text_free(&request);
    if (code == EXIT_FOUND && reply_is(&result, "solvable", "yes"))
        (void)reply_integer(&result, "moves", &claim->optimum);
    reply_clear(&result);
    claim->verdict = claim->optimum < 0              ? VERDICT_VALID
                     : claim->moves > claim->optimum ? VERDICT_LONG
                                                     : VERDICT_OPTIMAL;
    return code == EXIT_REFUSED ? EXIT_FOUND : code;
}

static enum exit_code judge(const struct verifier *verifier, struct claim *claim)
{
    char *last = NULL;
    enum exit_code code = make_moves(verifier, claim, &last);
    if (code == EXIT_FOUND && last != NULL)
        code = check_goal(verifier, last, claim);
    if (code == EXIT_FOUND && last != NULL && claim->why.length == 0)
        code = find_optimum(verifier, claim);
    free(last);
    return code;
}

static void add_number(json_t *object, const char *name, int64_t number)
{
    if (number >= 0)
        (void)json_object_set_new(object, name, json_integer((json_int_t)number));
}

static bool print_json(const struct claim *claim, FILE *out)
{
    json_t *object = json_pack("{s:s, s:s}", "board", claim->board, "verdict", verdicts[claim->verdict]);
    add_number(object, "moves", claim->moves);
    add_number(object, "optimum", claim->optimum);
    if (claim->why.length > 0)
        (void)json_object_set_new(object, "text", json_string(claim->why.data));
    return json_write(object, out);
}

static bool print_claim(const struct verifier *verifier, const struct claim *claim)
{
    FILE *out = verifier->session->terminal->out;
    char moves[24] = "", optimum[24] = "";
    if (verifier->session->json)
        return print_json(claim, out);
    if (claim->moves >= 0)
        (void)snprintf(moves, sizeof moves, "%" PRId64, claim->moves);
    if (claim->optimum >= 0)
        (void)snprintf(optimum, sizeof optimum, "%" PRId64, claim->optimum);
    if (verifier->csv) {
        csv_quoted(claim->board, out);
        (void)fprintf(out, ",%s,%s,%s,", moves, optimum, verdicts[claim->verdict]);
        csv_quoted(text_string(&claim->why), out);
        return fputc('\n', out) != EOF;
    }
    (void)fprintf(out, "%s\t%s\t%s", claim->board, moves, verdicts[claim->verdict]);
    if (claim->verdict == VERDICT_LONG)
        (void)fprintf(out, " by %" PRId64, claim->moves - claim->optimum);
    if (claim->why.length > 0)
        (void)fprintf(out, ": %s", claim->why.data);
    return fputc('\n', out) != EOF;
}

static enum exit_code verify_line(struct verifier *verifier, char *line)
{
    struct claim claim;
    enum exit_code code = EXIT_FOUND;
    if (*line == '\0' || *line == '#')
        return EXIT_FOUND;
    if (read_claim(line, &claim))
        code = judge(verifier, &claim);
    else
        text_add(&claim.why, "no path: a line is a board, a tab or a blank, and its moves");
    verifier->bad = verifier->bad || claim.verdict == VERDICT_WRONG || claim.verdict == VERDICT_LONG;
    if (code == EXIT_FOUND && !print_claim(verifier, &claim))
        code = EXIT_TROUBLE;
    text_free(&claim.why);
    return code;
}

static enum exit_code verify_all(struct verifier *verifier, int fd)
{
    struct lines lines = {.fd = fd};
    enum exit_code code = EXIT_FOUND;
    enum lines_answer answer = LINES_LINE;
    char *line = NULL;
    if (verifier->csv && !verifier->session->json)
        (void)fputs("board,moves,optimum,verdict,text\n", verifier->session->terminal->out);
    while (code == EXIT_FOUND && (answer = lines_next(&lines, true, &line)) == LINES_LINE) {
        code = verify_line(verifier, line);
        free(line);
        (void)fflush(verifier->session->terminal->out);
    }
    if (code == EXIT_FOUND && answer != LINES_END)
        code = session_fail(verifier->session, EXIT_TROUBLE, "input", "the solutions cannot be read");
    lines_clear(&lines);
    return code;
}

static enum exit_code run_verify(struct session *session, const struct arguments *arguments)
{
    struct verifier verifier = {
        .session = session, .arguments = arguments, .csv = arguments_option(arguments, "csv") != NULL};
    const char *file = arguments->words[1];
    const bool from_input = strcmp(file, "-") == 0;
    const int fd = from_input ? fileno(session->terminal->in) : open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        struct pz_error error;
        (void)pz_fail(&error, PZ_BAD_REQUEST, "%s: %s", file,
                      strerror(errno)); /* NOLINT(concurrency-mt-unsafe): one thread */
        return command_usage(session, error.text);
    }
    if (from_input)
        batch_invite(session);
    enum exit_code code = verify_all(&verifier, fd);
    if (!from_input)
        (void)close(fd);
    return code == EXIT_FOUND && verifier.bad ? EXIT_NO_ANSWER : code;
}

static const struct option_row verify_options[] = {
    LIST_OPTIONS("columns between commas: board, moves, optimum, verdict, text"),
    {0},
};

const struct command command_verify = {
    .name = "verify",
    .verb = VERB_PDB,
    .without = KEY_BIT(KEY_PARTITION) | KEY_BIT(KEY_TOOL),
    .words = "PUZZLE FILE|-",
    .summary = "Check solutions of others: valid, and optimal or by how much too long",
    .help = "A line is a board, a tab or a blank, and its moves, as 'path' and 'solve -' print them. The "
            "exit status "
            "is 1 if a\n"
            "solution is wrong or too long.\n",
    .example = "  $ puzzlectl verify 3x3 solutions.txt\n"
               "  123456708  1  optimal\n"
               "  123456708  3  too long by 2\n"
               "  123456708     wrong: path=: move 1, 'D', cannot be made\n",
    .options = verify_options,
    .least = 2,
    .most = 2,
    .run = run_verify,
};
