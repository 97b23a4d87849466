/* SPDX-License-Identifier: MIT */
#include "client/many/board_input.h"

#include "client/jobs/progress.h"
#include "client/session/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void board_input_begin(struct board_input *input, int fd, const char *file, const char *puzzle)
{
    struct stat about;
    *input = (struct board_input){.fd = fd, .file = file};
    boards_begin(&input->boards, puzzle);
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode))
        input->size = (double)about.st_size;
}

void board_input_clear(struct board_input *input)
{
    boards_clear(&input->boards);
}

enum lines_answer board_input_fill(struct board_input *input, bool wait)
{
    struct pollfd fd = {.fd = input->fd, .events = POLLIN};
    char bytes[16384];
    if (poll(&fd, 1, wait ? -1 : 0) == 0)
        return LINES_NOT_YET;
    const ssize_t got = read(input->fd, bytes, sizeof bytes);
    if (got < 0 && errno != EINTR && errno != EAGAIN) {
        input->failure = errno;
        return LINES_FAILED;
    }
    if (got == 0)
        lines_end(&input->boards.lines);
    else if (got > 0)
        lines_feed(&input->boards.lines, bytes, (size_t)got);
    return LINES_LINE;
}

/* Writes where a board stands, and puts the name of the file before what is wrong with it. */
static bool place_board(const struct board_input *input, struct board_text *board)
{
    const char *file = input->file != NULL ? input->file : "", *comma = input->file != NULL ? ", " : "";
    struct text place = {0}, wrong = {0};
    text_format(&place, "%s%sline %u", file, comma, board->line);
    board->place = text_take(&place);
    if (board->wrong == NULL)
        return board->place != NULL;
    text_format(&wrong, "%s%s%s", file, comma, board->wrong);
    free(board->wrong);
    board->wrong = text_take(&wrong);
    return board->place != NULL && board->wrong != NULL;
}

enum lines_answer board_input_next(struct board_input *input, bool wait, struct board_text *out)
{
    for (;;) {
        enum lines_answer answer = boards_next(&input->boards, out);
        if (answer == LINES_LINE && !place_board(input, out))
            answer = LINES_NO_MEMORY;
        if (answer != LINES_NOT_YET)
            return answer;
        answer = board_input_fill(input, wait && !input->boards.full);
        if (answer == LINES_NOT_YET && boards_give_full(&input->boards, out, &answer))
            return answer == LINES_LINE && !place_board(input, out) ? LINES_NO_MEMORY : answer;
        if (answer != LINES_LINE)
            return answer;
    }
}

void board_input_refuse(const char *code, const char *text, struct reply *answer)
{
    char line[600];
    (void)snprintf(line, sizeof line, "ERR %s fatal %s", code, text);
    (void)reply_parse(answer, line, strlen(line), NULL);
}

enum exit_code board_input_refused(struct session *session, const struct board_text *board)
{
    struct reply answer = {0};
    board_input_refuse("bad-board", board->wrong, &answer);
    const enum exit_code code = session_refused(session, &answer);
    reply_clear(&answer);
    return code;
}

void board_input_pairs(struct text *request, const struct arguments *arguments, const char *goal)
{
    command_pairs(request, arguments);
    if (arguments_pair(arguments, "goal") == NULL)
        text_key(request, "goal", goal);
}

double board_input_share(const struct board_input *input)
{
    const struct lines *lines = &input->boards.lines;
    const off_t at = input->size > 0 ? lseek(input->fd, 0, SEEK_CUR) : 0;
    return at > 0 ? ((double)at - (double)(lines->in.length - lines->used)) / input->size : 0;
}

enum exit_code board_input_failed(struct session *session, const struct board_input *input)
{
    const char *why = input->failure != 0 ? strerrordesc_np(input->failure) : input->boards.lines.failure;
    struct text words = {0};
    const bool none = input->boards.none;
    if (input->failure == 0 && *why == '\0')
        return session_fail(session, EXIT_TROUBLE, "memory", "no memory for the input");
    text_format(&words, "%s%s%s%s", input->file != NULL ? input->file : "", input->file != NULL ? ": " : "",
                none ? "" : "the boards cannot be read: ", why);
    const enum exit_code code =
        session_fail(session, none ? EXIT_USAGE : EXIT_TROUBLE, "input", text_string(&words));
    text_free(&words);
    return code;
}

enum exit_code each_board(struct session *session, int fd, const char *file, const char *puzzle,
                          board_visitor *visit, void *context)
{
    const struct terminal *terminal = session->terminal;
    struct board_input input;
    struct board_text board;
    struct list_progress progress;
    enum exit_code code = EXIT_FOUND, refused = EXIT_FOUND;
    enum lines_answer answer = LINES_LINE;
    if (fd == fileno(terminal->in))
        board_input_invite(session, "boards");
    board_input_begin(&input, fd, file, puzzle);
    list_progress_begin(&progress, terminal, !terminal->out_tty && !session->quiet, "boards");
    while (code == EXIT_FOUND && (answer = board_input_next(&input, true, &board)) == LINES_LINE) {
        session->place = board.place;
        session->board = board.board;
        code = visit(context, &board);
        session->place = session->board = NULL;
        if (code == EXIT_REFUSED) {
            refused = code;
            code = EXIT_FOUND;
        }
        board_text_clear(&board);
        progress.share = board_input_share(&input);
        list_progress_step(&progress, 1);
    }
    list_progress_end(&progress);
    if (code == EXIT_FOUND && answer != LINES_END)
        code = board_input_failed(session, &input);
    board_input_clear(&input);
    return code == EXIT_FOUND ? refused : code;
}

int board_input_open(struct session *session, const char *file, const char *hint)
{
    struct pz_error error;
    const int fd = strcmp(file, "-") == 0 ? fileno(session->terminal->in) : open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        (void)pz_fail(&error, PZ_BAD_REQUEST, "%s: %s%s", file, strerrordesc_np(errno), hint);
        (void)command_usage(session, error.text);
    }
    return fd;
}

/* ---- options ---- */

enum exit_code board_input_check_options(struct session *session, const struct arguments *arguments,
                                         bool many)
{
    static const char *const of_one[] = {"show", "frames",  "svg",    "png",
                                         "html", "caption", "detach", "estimate"};
    const char *wrong = NULL;
    struct pz_error error;
    if (!many)
        wrong = session->csv ? "csv" : arguments_option(arguments, "unordered") != NULL ? "unordered" : NULL;
    for (size_t i = 0; many && wrong == NULL && i < sizeof of_one / sizeof *of_one; i++)
        if (arguments_option(arguments, of_one[i]) != NULL)
            wrong = of_one[i];
    if (wrong == NULL)
        return EXIT_FOUND;
    (void)pz_fail(&error, PZ_BAD_REQUEST, "--%s is for %s", wrong,
                  many ? "one board, not for those of the standard input"
                       : "many boards: - reads them from the standard input");
    return command_usage(session, error.text);
}

void board_input_invite(const struct session *session, const char *things)
{
    const struct terminal *terminal = session->terminal;
    if (terminal->in_tty && terminal->err_tty && !session->quiet)
        (void)fprintf(terminal->err, "(%s, one a line; Ctrl-D ends)\n", things);
}
