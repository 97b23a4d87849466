/* SPDX-License-Identifier: MIT */
#include "client/many/each_board.h"

#include "client/many/batch.h"
#include "client/many/list_progress.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum exit_code each_board(struct session *session, int fd, const char *puzzle, board_visitor *visit,
                          void *context)
{
    const struct terminal *terminal = session->terminal;
    struct collection input;
    struct collection_board board;
    struct list_progress progress;
    enum exit_code code = EXIT_FOUND;
    enum lines_answer answer = LINES_LINE;
    struct stat about;
    const double size = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? (double)about.st_size : 0;
    if (fd == fileno(terminal->in))
        batch_invite(session);
    collection_begin(&input, fd, puzzle);
    list_progress_begin(&progress, terminal, !terminal->out_tty && !session->quiet, "boards");
    while (code == EXIT_FOUND && (answer = collection_next(&input, true, &board)) == LINES_LINE) {
        code = visit(context, board.board, board.title);
        free(board.board);
        free(board.title);
        const off_t at = size > 0 ? lseek(fd, 0, SEEK_CUR) : 0;
        const size_t unread = input.lines.in.length - input.lines.used;
        progress.share = at > 0 ? ((double)at - (double)unread) / size : 0;
        list_progress_step(&progress, 1);
    }
    list_progress_end(&progress);
    if (code == EXIT_FOUND && answer != LINES_END)
        code = batch_input_failed(session, &input);
    collection_clear(&input);
    return code;
}
