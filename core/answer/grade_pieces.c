/* SPDX-License-Identifier: MIT */
/* Pieces that must move: the board is solved once more for each piece, with the piece as wall. */
#include "answer/board_grade.h"
#include "space/registry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Turns the piece of the cell at `at` to wall. Returns false if that cell has no piece, or one of which an
 * earlier cell was tried. Sets *stays to false if it is clear that the piece cannot stay. */
static bool fix_piece(bool boxes, char *board, size_t at, bool *stays)
{
    const char piece = board[at];
    *stays = true;
    if (boxes) {
        *stays = piece == '*'; /* as many goals as boxes: every goal gets one */
        board[at] = '#';
        return piece == '*' || piece == '$';
    }
    if (!isalnum((unsigned char)piece) || memchr(board, piece, at) != NULL)
        return false;
    for (size_t i = at; board[i] != '\0'; i++)
        if (board[i] == piece)
            board[i] = '#';
    return true;
}

/* Solves the board with the wall. Without the piece that the goal names there is no such puzzle, and so no
 * solution. */
static enum pz_status try_without(const struct grade_question *question, const char *puzzle,
                                  const char *board, struct control *control, enum pz_answer *solvable,
                                  struct pz_error *error)
{
    const struct pz_setup setup = {.start = board};
    struct pz_space *space = NULL;
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    int64_t moves = -1;
    enum pz_status status = space_open(puzzle, &setup, &space, error);
    if (status == PZ_OK)
        status = space->puzzle->parse(space, board, start, error);
    *solvable = PZ_NO;
    if (status == PZ_OK)
        status = grade_solve(question->request, space, start, control, solvable, &moves, error);
    else if (status != PZ_MEMORY)
        status = PZ_OK;
    space_close(space);
    return status;
}

enum pz_status grade_pieces(const struct grade_question *question, struct control *control, struct grade *out,
                            struct pz_error *error)
{
    const struct pz_space *space = question->request->space;
    const char *options = strstr(space->size, ",metric:");
    char start[PZ_TEXT_MAX];
    enum pz_status status = PZ_OK;
    bool known = true;
    int64_t must_move = 0;
    if (grade_other_metric(space) == NULL || options == NULL)
        return PZ_OK;
    out->pieces = 0;
    (void)space->puzzle->print(space, question->request->start, start);
    for (size_t at = 0; start[at] != '\0' && status == PZ_OK; at++) {
        char board[PZ_TEXT_MAX];
        char puzzle[PZ_TEXT_MAX + PZ_SIZE_MAX + 64];
        bool stays = true;
        memcpy(board, start, sizeof board);
        if (!fix_piece(strcmp(space->puzzle->name, "sokoban") == 0, board, at, &stays))
            continue;
        enum pz_answer solvable = PZ_NO;
        (void)snprintf(puzzle, sizeof puzzle, "%s:%s%s", space->puzzle->name, board, options);
        if (stays && question->solved->moves > 0 && known)
            status = try_without(question, puzzle, board, control, &solvable, error);
        known &= solvable != PZ_UNKNOWN;
        must_move += solvable == PZ_NO;
        out->pieces++;
    }
    if (status == PZ_OK && known)
        out->must_move = question->solved->moves > 0 ? must_move : 0; /* no piece of a solved board must */
    return status;
}
