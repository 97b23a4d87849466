/* SPDX-License-Identifier: MIT */
/* EXPORT: every distance of a sliding puzzle, in the order of board/pack.h, or of a puzzle that numbers its
 * states, in that order. */
#include "board/pack.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"
#include "space/registry.h"
#include "space/slide/slide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* RECORD_BOARDS: values of a record that has the boards, too. NUMBER_FAR: a distance of two bytes that is not
 * known. */
enum { RECORD_VALUES = 4096, RECORD_BOARDS = 64, NUMBER_FAR = 0xFFFF };

/* A reply that is written in pieces. */
struct export_reply {
    struct pz_space *space;
    struct ranking_cursor cursor; /* of a sliding puzzle; of others only its number */
    bool numbered, boards;
    uint64_t count;         /* of all boards */
    uint64_t table;         /* answer.table; 0 before the first piece */
    struct budget *exports; /* that the memo is taken from */
    uint8_t *memo;          /* NULL for none */
    uint64_t memo_bytes;
};

static void export_free(void *context)
{
    struct export_reply *export = context;
    if (export == NULL)
        return;
    if (export->memo != NULL)
        budget_give(export->exports, export->memo_bytes);
    free(export->memo);
    space_close(export->space);
    free(export);
}

static enum pz_status export_open(struct export_reply *export, const struct request *request,
                                  struct pz_error *error)
{
    struct board board;
    const struct pz_setup setup = request_setup(request, NULL);
    enum pz_status status = space_open(request->argument[0], &setup, &export->space, error);
    if (status != PZ_OK)
        return status;
    const struct grid *grid = slide_permutation(export->space);
    uint64_t row = grid != NULL ? ranking_row(grid) : 0;
    const struct pz_puzzle *puzzle = export->space->puzzle;
    if (grid == NULL && puzzle->count != NULL && (export->count = puzzle->count(export->space)) > 0) {
        export->numbered = true;
        export->boards = request_number(request, KEY_BOARDS, 0) != 0;
        return PZ_OK;
    }
    if (row == 0)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "EXPORT is for plain sliding puzzles with two rows and columns or more, and up to %d "
                       "cells, and for puzzles that number their states",
                       RANKING_CELLS_MAX);
    slide_goal_board(export->space, &board);
    ranking_begin(&export->cursor, grid, &board, 0);
    export->count = row * grid->cells;
    export->memo_bytes = row;
    return PZ_OK;
}

/* Takes memory for the memo. Without it the export is only slower. */
static void export_remember(struct export_reply *export, struct budget *exports)
{
    if (!budget_take(exports, export->memo_bytes))
        return;
    export->exports = exports;
    export->memo = malloc(export->memo_bytes);
    if (export->memo == NULL)
        budget_give(exports, export->memo_bytes);
    else
        memset(export->memo, ANSWER_FAR, export->memo_bytes);
}

/* Finds the distance of a state by its number. */
static enum pz_status number_distance(struct lookup_worker *worker, const struct export_reply *export,
                                      uint64_t number, uint64_t *state, uint32_t *distance,
                                      struct pz_error *error)
{
    struct answer answer;
    export->space->puzzle->unrank(export->space, number, state);
    const enum pz_status status = answer_distance(lookup_worker_answers(worker), export->space,
                                                  ANSWER_FROM_EITHER, state, false, &answer, error);
    *distance = answer.solvable == PZ_YES && answer.moves < NUMBER_FAR ? (uint32_t)answer.moves : NUMBER_FAR;
    return status;
}

/* Writes one record of a puzzle that numbers its states: four hexadecimal digits a state, and its board. */
static enum pz_status write_numbered(struct lookup_worker *worker, struct export_reply *export,
                                     struct text *out, struct pz_error *error)
{
    const uint64_t left = export->count - export->cursor.number;
    const unsigned most = export->boards ? RECORD_BOARDS : RECORD_VALUES;
    uint64_t state[PZ_STATE_MAX / 8];
    uint32_t distance = NUMBER_FAR;
    char board[PZ_TEXT_MAX];
    struct text boards = {0};
    text_add(out, "distances=");
    for (uint64_t i = 0; i < left && i < most; i++) {
        const enum pz_status status =
            number_distance(worker, export, export->cursor.number++, state, &distance, error);
        if (status != PZ_OK && status != PZ_NO_TABLE) { /* a number that no state has is not there */
            text_free(&boards);
            return status;
        }
        text_format(out, "%04" PRIx32, distance);
        if (!export->boards)
            continue;
        (void)export->space->puzzle->print(export->space, state, board);
        text_format(&boards, "%s%s", boards.length > 0 ? " " : "", board);
    }
    if (export->boards)
        text_key(out, "boards", text_string(&boards));
    out->failed |= boards.failed;
    text_free(&boards);
    reply_line_end(out);
    return PZ_OK;
}

/* Writes one record: two hexadecimal digits a board. */
static enum pz_status write_record(struct lookup_worker *worker, struct export_reply *export,
                                   struct text *out, struct pz_error *error)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t distances[RECORD_VALUES];
    char values[2 * RECORD_VALUES + 1];
    const uint64_t left = export->count - export->cursor.number;
    const size_t count = left < RECORD_VALUES ? (size_t)left : RECORD_VALUES;
    enum pz_status status = answer_boards(lookup_worker_answers(worker), export->space, &export->cursor,
                                          export->memo, count, distances, error);
    if (status != PZ_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        values[2 * i] = digits[distances[i] >> 4];
        values[2 * i + 1] = digits[distances[i] & 15u];
    }
    values[2 * count] = '\0';
    text_add(out, "distances=");
    text_add(out, values);
    reply_line_end(out);
    return PZ_OK;
}

/* Fails if no table answers for the state where an exploration begins, or another one than before. */
static enum pz_status export_find_table(struct lookup_worker *worker, struct export_reply *export,
                                        struct pz_error *error)
{
    uint64_t root[PZ_STATE_MAX / 8];
    struct answer answer;
    enum pz_status status = export->space->puzzle->root(export->space, root, error);
    if (status == PZ_OK)
        status = answer_distance(lookup_worker_answers(worker), export->space, ANSWER_FROM_EITHER, root,
                                 false, &answer, error);
    if (status != PZ_OK)
        return status;
    if (export->table != 0 && export->table != answer.table)
        return pz_fail(error, PZ_NO_TABLE, "the table was replaced while it was read");
    export->table = answer.table;
    return PZ_OK;
}

/* Fails if no table answers, or if it has costs that two bytes do not hold. */
static enum pz_status export_check_table(struct lookup_worker *worker, struct export_reply *export,
                                         struct pz_error *error)
{
    struct answer_states last;
    enum pz_status status = export_find_table(worker, export, error);
    if (status == PZ_OK)
        status =
            answer_deepest(lookup_worker_answers(worker), export->space, ANSWER_FROM_EITHER, 0, &last, error);
    if (status != PZ_OK)
        return status;
    free(last.states);
    return last.depth < NUMBER_FAR ? PZ_OK
                                   : pz_fail(error, PZ_TOO_LARGE,
                                             "costs up to %" PRIu32 ": EXPORT has two bytes for each, "
                                             "up to %d",
                                             last.depth, NUMBER_FAR - 1);
}

/* Writes records until the piece is full. */
static enum pz_status write_export_piece(struct lookup_worker *worker, struct export_reply *export,
                                         struct text *out, struct pz_error *error)
{
    answers_begin(lookup_worker_answers(worker));
    /* Without its table each state would look like a number that no state has. */
    enum pz_status status = export_find_table(worker, export, error);
    while (status == PZ_OK && export->cursor.number < export->count && out->length < REPLY_PIECE)
        status = export->numbered ? write_numbered(worker, export, out, error)
                                  : write_record(worker, export, out, error);
    answers_end(lookup_worker_answers(worker));
    return status;
}

/* Writes the head of the reply; *begun will write the rest. */
static enum pz_status begin_export(struct lookup_worker *worker, const struct request *request,
                                   struct text *out, struct export_reply **begun, struct pz_error *error)
{
    char goal[BOARD_TEXT_MAX];
    struct export_reply *export = calloc(1, sizeof *export);
    if (export == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for an export");
    enum pz_status status = export_open(export, request, error);
    if (status == PZ_OK)
        status = (export->numbered ? export_check_table : export_find_table)(worker, export, error);
    if (status != PZ_OK) {
        export_free(export);
        return status;
    }
    *begun = export;
    const unsigned most = export->boards ? RECORD_BOARDS : RECORD_VALUES;
    reply_list(out, request->tag, (export->count + most - 1) / most);
    text_format(out, " states=%" PRIu64, export->count);
    if (export->numbered) {
        text_add(out, " bytes=2");
        reply_line_end(out);
        return PZ_OK;
    }
    export_remember(export, lookup_worker_replies(worker));
    (void)board_format(slide_permutation(export->space), &export->cursor.goal, goal);
    text_key(out, "goal", goal);
    reply_line_end(out);
    return PZ_OK;
}

enum pz_status command_export(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error)
{
    struct reply_rest *rest = lookup_worker_rest(worker);
    struct export_reply *export = rest->state;
    if (export == NULL) {
        enum pz_status status = begin_export(worker, request, out, &export, error);
        if (status != PZ_OK || export == NULL)
            return status;
        *rest = (struct reply_rest){export, export_free};
    }
    enum pz_status status = write_export_piece(worker, export, out, error);
    if (status == PZ_OK && export->cursor.number == export->count) {
        reply_list_end(out);
        reply_rest_free(rest);
    }
    return status;
}
