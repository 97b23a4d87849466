/* SPDX-License-Identifier: MIT */
/*
 * The subcommand verify: solutions of others. DRAW makes each move, so a path is valid if the daemon can make
 * it and the last board is solved; SOLVE reports how long a shortest one is, or what a cheapest one costs.
 */
#include "client/jobs/follow.h"
#include "client/many/batch.h"
#include "client/many/board_input.h"
#include "client/session/command.h"
#include "client/show/text_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum verdict { VERDICT_OPTIMAL, VERDICT_LONG, VERDICT_VALID, VERDICT_WRONG, VERDICT_UNREADABLE };

static const char *const verdicts[] = {"optimal", "too long", "valid", "wrong", "unreadable"};

/* Bytes of a path in one request: so many moves have frames, and leave room for the board. */
enum { PIECE_MAX = 900 };

/* One line of the input. */
struct claim {
    char *board;
    const char *path;
    int64_t moves, cost, optimum; /* -1 where it is not known; cost: where moves have costs */
    enum verdict verdict;
    struct text why; /* of a wrong or unreadable one */
};

/* A claim whose moves are made one by one. */
struct followed {
    char *board;
    int64_t cost; /* of the pieces of the path before */
    bool solved;
};

struct verifier {
    struct session *session;
    const struct arguments *arguments;
    bool level;      /* of Sokoban: boards begin with # and blanks */
    uint64_t claims; /* lines that are no remark */
    bool lines;      /* there were others */
    bool bad;        /* one was wrong or too long */
    bool unreadable;
};

/* Returns true for a line that begins with # and is no board with walls: those have rows, with signs of
 * boards alone where a blank follows the #, or a path behind a tab. */
static bool is_remark(const struct verifier *verifier, const char *line)
{
    const char *path = strrchr(line, ' ');
    const size_t signs = strspn(line, verifier->level ? "#@+$*. -_/|pPbBo" : "#0123456789xX_., /");
    const bool rows = line[strcspn(line, "/|")] != '\0';
    const bool board = rows && (line[1] != ' ' || (path != NULL && signs >= (size_t)(path - line)));
    return *line == '#' && strchr(line, '\t') == NULL && !board;
}

/* Parts a line at its last tab, or its last blank. A number between two tabs, as 'solve -' prints the moves,
 * is left out. The path may be empty after a tab. Returns false if there is no path. */
static bool read_claim(char *line, struct claim *claim)
{
    char *tab = strrchr(line, '\t');
    char *cut = tab != NULL ? tab : strrchr(line, ' ');
    *claim = (struct claim){.board = line, .moves = -1, .cost = -1, .optimum = -1};
    claim->verdict = VERDICT_UNREADABLE;
    if (cut == NULL || cut == line)
        return false;
    *cut = '\0';
    claim->path = cut + 1;
    char *field = tab != NULL ? strrchr(line, '\t') : NULL;
    if (field != NULL && field[1 + strspn(field + 1, "0123456789")] == '\0') {
        *field = '\0';
        field = strrchr(line, '\t');
    }
    claim->board = field != NULL ? field + 1 : line;
    return true;
}

/* Returns the length of the first piece of a path: all of it, or up to a separator. Words of puzzles without
 * separators are one letter. */
static size_t piece_length(const char *path)
{
    size_t length = strnlen(path, PIECE_MAX + 1);
    if (length <= PIECE_MAX)
        return length;
    for (length = PIECE_MAX; length > 0 && path[length - 1] != ',' && path[length - 1] != ' ';)
        length--;
    return length > 0 ? length : PIECE_MAX;
}

/* Takes over a frame of the answer to DRAW. */
static void take_claim_frame(const struct reply *frame, struct claim *claim, struct followed *followed)
{
    int64_t number = 0, cost = 0;
    free(followed->board);
    followed->board = strdup(reply_text(frame, "board"));
    followed->solved = reply_is(frame, "solved", "yes");
    claim->moves += reply_integer(frame, "frame", &number) && number > 0;
    if (reply_integer(frame, "cost", &cost))
        claim->cost = followed->cost + cost;
}

/* Returns true for a refusal of a claim; others, as of a key or a limit, are of all of them. */
static bool is_of_claim(const struct reply *refusal)
{
    return strcmp(refusal->code, "bad-board") == 0 || strncmp(refusal->text, "path=", strlen("path=")) == 0;
}

/* Notes why the daemon does not make the moves: they cannot be made, or are not read. */
static void verify_take_refusal(const struct reply *refusal, struct claim *claim)
{
    const bool impossible = strcmp(refusal->code, "bad-request") == 0;
    claim->verdict = impossible ? VERDICT_WRONG : VERDICT_UNREADABLE;
    if (claim->moves > 0)
        text_format(&claim->why, "after %" PRId64 " moves: ", claim->moves);
    text_add(&claim->why, refusal->text);
}

/* Makes the moves of one piece of the path. */
static enum exit_code follow_piece(const struct verifier *verifier, const char *path, size_t length,
                                   struct claim *claim, struct followed *followed)
{
    struct text *request = session_request(verifier->session, "DRAW", verifier->arguments->words[0]);
    struct text piece = {0};
    struct reply reply = {0};
    compose_word(request, followed->board);
    text_append(&piece, path, length);
    if (length > 0)
        text_key(request, "path", text_string(&piece));
    text_add(request, verifier->session->keys);
    enum exit_code code = session_send(verifier->session, request);
    text_free(&piece);
    for (bool more = true; code == EXIT_FOUND && more;) {
        code = session_read(verifier->session, &reply);
        more = code == EXIT_FOUND && reply.kind != REPLY_ERR && reply.kind != REPLY_END;
        if (code == EXIT_FOUND && reply.kind == REPLY_RECORD)
            take_claim_frame(&reply, claim, followed);
        else if (code == EXIT_FOUND && reply.kind == REPLY_ERR && is_of_claim(&reply))
            verify_take_refusal(&reply, claim);
        else if (code == EXIT_FOUND && reply.kind == REPLY_ERR)
            code = session_refused(verifier->session, &reply);
        reply_clear(&reply);
    }
    return code;
}

/* Makes the moves, piece by piece. Notes in claim->why if one cannot be made, or the last board is no goal.
 */
static enum exit_code make_moves(const struct verifier *verifier, struct claim *claim)
{
    struct followed followed = {.board = strdup(claim->board)};
    const char *rest = claim->path;
    enum exit_code code = EXIT_FOUND;
    claim->moves = 0;
    do {
        const size_t length = piece_length(rest);
        code = followed.board != NULL ? follow_piece(verifier, rest, length, claim, &followed) : EXIT_TROUBLE;
        rest += length;
        followed.cost = claim->cost;
    } while (code == EXIT_FOUND && claim->why.length == 0 && *rest != '\0');
    if (claim->why.length > 0) {
        claim->moves = claim->cost = -1;
    } else if (!followed.solved) {
        claim->verdict = VERDICT_WRONG;
        text_format(&claim->why, "it ends at %s, which is no goal", followed.board);
    }
    free(followed.board);
    return code;
}

/* Finds the length, or the cost, of a shortest solution. A refusal of anything but the board is reported, and
 * ends the command. */
static enum exit_code find_optimum(const struct verifier *verifier, struct claim *claim)
{
    struct text *request = session_request(verifier->session, "SOLVE", verifier->arguments->words[0]);
    struct reply result;
    const int64_t length = claim->cost >= 0 ? claim->cost : claim->moves;
    text_key(request, "start", claim->board);
    command_pairs(request, verifier->arguments);
    text_key(request, "tool", "verify");
    enum exit_code code = finished_ask(verifier->session, request, &result);
    if (code == EXIT_REFUSED && result.kind == REPLY_ERR)
        code = is_of_claim(&result) ? EXIT_FOUND : session_refused(verifier->session, &result);
    if (code == EXIT_FOUND && reply_is(&result, "solvable", "yes"))
        (void)reply_integer(&result, claim->cost >= 0 ? "cost" : "moves", &claim->optimum);
    reply_clear(&result);
    claim->verdict = claim->optimum < 0        ? VERDICT_VALID
                     : length > claim->optimum ? VERDICT_LONG
                                               : VERDICT_OPTIMAL;
    return code;
}

static enum exit_code judge_solution(const struct verifier *verifier, struct claim *claim)
{
    enum exit_code code = make_moves(verifier, claim);
    if (code == EXIT_FOUND && claim->why.length == 0)
        code = find_optimum(verifier, claim);
    return code;
}

static void verify_add_number(json_t *object, const char *name, int64_t number)
{
    if (number >= 0)
        (void)json_object_set_new(object, name, json_integer((json_int_t)number));
}

static bool print_verdict_json(const struct claim *claim, FILE *out)
{
    json_t *object = json_pack("{s:s, s:s}", "board", claim->board, "verdict", verdicts[claim->verdict]);
    verify_add_number(object, "moves", claim->moves);
    verify_add_number(object, "cost", claim->cost);
    verify_add_number(object, "optimum", claim->optimum);
    if (claim->why.length > 0)
        (void)json_object_set_new(object, "text", json_string(claim->why.data));
    return json_write(object, out);
}

static bool print_claim(const struct verifier *verifier, const struct claim *claim)
{
    FILE *out = verifier->session->terminal->out;
    char moves[24] = "", optimum[24] = "";
    if (verifier->session->json)
        return print_verdict_json(claim, out);
    const int64_t length = claim->cost >= 0 ? claim->cost : claim->moves;
    if (length >= 0)
        (void)snprintf(moves, sizeof moves, "%" PRId64, length);
    if (claim->optimum >= 0)
        (void)snprintf(optimum, sizeof optimum, "%" PRId64, claim->optimum);
    if (verifier->session->csv) {
        csv_quoted(claim->board, out);
        (void)fprintf(out, ",%s,%s,%s,", moves, optimum, verdicts[claim->verdict]);
        csv_quoted(text_string(&claim->why), out);
        return fputc('\n', out) != EOF;
    }
    (void)fprintf(out, "%s\t%s\t%s", claim->board, moves, verdicts[claim->verdict]);
    if (claim->verdict == VERDICT_LONG)
        (void)fprintf(out, " by %" PRId64, length - claim->optimum);
    if (claim->why.length > 0)
        (void)fprintf(out, ": %s", claim->why.data);
    return fputc('\n', out) != EOF;
}

static enum exit_code verify_line(struct verifier *verifier, char *line)
{
    struct claim claim;
    enum exit_code code = EXIT_FOUND;
    char *begin = line + (verifier->level ? 0 : strspn(line, " "));
    verifier->lines |= begin[strspn(begin, " \t")] != '\0';
    if (begin[strspn(begin, " \t")] == '\0' || is_remark(verifier, begin))
        return EXIT_FOUND;
    for (size_t length = strlen(begin); length > 0 && begin[length - 1] == ' '; length--)
        begin[length - 1] = '\0';
    verifier->claims++;
    const bool read = read_claim(begin, &claim);
    for (char *cell = claim.board; verifier->level && *cell != '\0'; cell++)
        if (*cell == ' ')
            *cell = '-';
    if (read)
        code = judge_solution(verifier, &claim);
    else
        text_add(&claim.why, "no path: a line is a board, a tab or a blank, and its moves");
    verifier->bad |= claim.verdict == VERDICT_WRONG || claim.verdict == VERDICT_LONG;
    verifier->unreadable |= claim.verdict == VERDICT_UNREADABLE;
    if (code == EXIT_FOUND && !print_claim(verifier, &claim))
        code = EXIT_TROUBLE;
    text_free(&claim.why);
    return code;
}

static enum exit_code verify_all(struct verifier *verifier, int fd, const char *file)
{
    struct board_input input;
    struct lines *lines = &input.boards.lines;
    enum exit_code code = EXIT_FOUND;
    enum lines_answer answer = LINES_LINE;
    char *line = NULL;
    if (verifier->session->csv)
        (void)fputs("board,moves,optimum,verdict,text\n", verifier->session->terminal->out);
    board_input_begin(&input, fd, file, "");
    while (code == EXIT_FOUND && (answer = lines_next(lines, &line)) != LINES_END) {
        if (answer == LINES_NOT_YET)
            answer = board_input_fill(&input, true);
        if (answer != LINES_LINE)
            break;
        if (line == NULL)
            continue;
        code = verify_line(verifier, line);
        free(line);
        (void)fflush(verifier->session->terminal->out);
    }
    if (code == EXIT_FOUND && answer != LINES_END)
        code = board_input_failed(verifier->session, &input);
    else if (code == EXIT_FOUND && verifier->claims == 0 && verifier->lines)
        code = session_fail(verifier->session, EXIT_TROUBLE, "input", "every line is a remark: no solution");
    board_input_clear(&input);
    return code;
}

static enum exit_code run_verify(struct session *session, const struct arguments *arguments)
{
    struct verifier verifier = {
        .session = session, .arguments = arguments, .level = strncmp(arguments->words[0], "sokoban", 7) == 0};
    const char *file = arguments->words[1];
    if (strncmp(arguments->words[0], "linkup", 6) == 0)
        return command_usage(session,
                             "verify: a line of link-up is one move; SOLVE finds one of the fewest turns");
    const bool from_input = strcmp(file, "-") == 0;
    const int fd = board_input_open(session, file, "");
    if (fd < 0)
        return EXIT_USAGE;
    if (from_input)
        board_input_invite(session, "solutions");
    enum exit_code code = verify_all(&verifier, fd, from_input ? NULL : file);
    if (!from_input)
        (void)close(fd);
    if (code != EXIT_FOUND)
        return code;
    return verifier.unreadable ? EXIT_REFUSED : verifier.bad ? EXIT_NO_ANSWER : EXIT_FOUND;
}

static const struct option_row verify_options[] = {
    LIST_OPTIONS("columns between commas: board, moves, optimum, verdict, text"),
    {0},
};

const struct command command_verify = {
    .name = "verify",
    .verb = VERB_PDB,
    .without = KEY_BIT(KEY_PARTITION) | KEY_BIT(KEY_TOOL),
    .takes = {"PUZZLE FILE|-", 2, 2, WORD_PUZZLE},
    .summary = "Check solutions of others: valid, and optimal or by how much too long",
    .help = "A line is a board, a tab or a blank, and its moves, as 'path' and 'solve -' print them; a "
            "solved board\n"
            "and a tab are a solution of no moves. A line that begins with # is a remark, unless it has rows "
            "(/) or a\n"
            "tab. Where moves have costs, these count. The exit status is 1 if a solution is wrong or too "
            "long, 4 if\n"
            "one cannot be read, or the daemon refuses to judge, which ends the command.\n",
    .example = "  $ puzzlectl verify 3x3 solutions.txt\n"
               "  123456708  1  optimal\n"
               "  123456708  3  too long by 2\n"
               "  123456708     wrong: path=: move 1, 'D', cannot be made\n"
               "  123456708     unreadable: path=: move 1, 'r', is not written as moves are, like 'L'\n",
    .options = verify_options,
    .run = run_verify,
};
