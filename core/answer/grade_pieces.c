/* SPDX-License-Identifier: MIT */
/* Pieces that must move: the board is solved once more for each piece, with the piece as wall. */
#include "answer/board_grade.h"
#include "space/klotski/klotski.h"
#include "space/registry.h"
#include "space/slide/slide.h"
#include "space/sokoban/sokoban.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Returns true if a cell of a printed level has a box that nobody gets to. */
static bool is_decoration(const struct pz_space *space, const char *board, size_t at)
{
    const struct sokoban_level *level = &sokoban_of(space)->level;
    size_t row = 0, first = 0;
    for (size_t i = 0; i < at; i++)
        if (board[i] == '/') {
            row++;
            first = i + 1;
        }
    assert(row < level->rows && at - first < level->columns);
    return level->at[row * level->columns + at - first] == '*';
}

/* Returns true if the cell at `at` of a printed board belongs to a piece. */
static bool is_piece(const struct pz_space *space, const char *board, size_t at)
{
    const char cell = board[at];
    if (strcmp(space->puzzle->name, sokoban_puzzle.name) == 0)
        return cell == '$' || (cell == '*' && !is_decoration(space, board, at));
    if (strcmp(space->puzzle->name, rushhour_puzzle.name) == 0) /* o is an empty cell, x a wall */
        return isupper((unsigned char)cell) || isdigit((unsigned char)cell);
    return isalnum((unsigned char)cell) || cell == '[';
}

/* Turns the piece of the cell at `at` to wall. Returns false if that cell has no piece, or one of which an
 * earlier cell was tried. */
static bool fix_piece(const struct pz_space *space, char *board, size_t at)
{
    const bool box = strcmp(space->puzzle->name, sokoban_puzzle.name) == 0;
    const char piece = board[at];
    if (!is_piece(space, board, at) || (!box && memchr(board, piece, at) != NULL))
        return false;
    board[at] = '#';
    for (size_t i = at; board[i] != '\0' && !box; i++)
        if (board[i] == piece)
            board[i] = '#';
    return true;
}

/* Writes the keys of the puzzle without a piece. Returns false if the goal wants the piece elsewhere. Of as
 * many goals as boxes every one gets a box; a block that a goal names may be there already. */
static bool keys_without(const struct pz_space *space, const void *start, char piece, char keys[PZ_TEXT_MAX])
{
    char goal[PZ_TEXT_MAX];
    if (strcmp(space->puzzle->name, sokoban_puzzle.name) == 0) {
        const bool pushes = sokoban_of(space)->pushes;
        (void)snprintf(keys, PZ_TEXT_MAX, ",metric:%s", pushes ? "push" : "move");
        return piece == '*';
    }
    const struct klotski *klotski = klotski_of(space);
    for (unsigned i = 0; i < klotski->goals; i++)
        if (klotski_goal_letter(klotski, i) == piece &&
            klotski_get(klotski, start, klotski->goal[i].cell) != klotski->goal[i].kind + 1u)
            return false;
    (void)klotski_print_goal(klotski, piece, goal);
    (void)snprintf(keys, PZ_TEXT_MAX, ",metric:%s,goal:%.256s", klotski->steps ? "step" : "move", goal);
    return true;
}

/* Solves the board with the wall. A level that is refused then has a box or a goal out of reach, and so no
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
    char start[PZ_TEXT_MAX];
    enum pz_status status = PZ_OK;
    bool known = true;
    int64_t must_move = 0;
    if (grade_other_metric(space) == NULL || slide_permutation(space) != NULL)
        return PZ_OK;
    out->pieces = 0;
    (void)space->puzzle->print(space, question->request->start, start);
    for (size_t at = 0; start[at] != '\0' && status == PZ_OK; at++) {
        char board[PZ_TEXT_MAX];
        char keys[PZ_TEXT_MAX];
        char puzzle[2 * PZ_TEXT_MAX + 64];
        memcpy(board, start, sizeof board);
        if (!fix_piece(space, board, at))
            continue;
        enum pz_answer solvable = PZ_NO;
        const bool stays = keys_without(space, question->request->start, start[at], keys);
        (void)snprintf(puzzle, sizeof puzzle, "%s:%s%s", space->puzzle->name, board, keys);
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
