/* SPDX-License-Identifier: MIT */
/* EXPORT: every distance of a sliding puzzle, in the order of board/ranking.h. */
#include "board/ranking.h"
#include "commands.h"
#include "lookup_worker.h"
#include "reply.h"
#include "space/registry.h"
#include "space/slide.h"

#include <inttypes.h>
#include <stdlib.h>

enum { RECORD_VALUES = 4096, NOT_REACHED = 0xFF };

/* A reply of which a part is written. */
struct export
{
    struct pz_space *space;
    struct board goal;
    uint64_t next, count;
};

static void export_free(void *context)
{
    struct export *export = context;
    if (export == NULL)
        return;
    space_close(export->space);
    free(export);
}

static enum pz_status export_open(struct export *export, const struct request *request,
                                  struct pz_error *error)
{
    const struct pz_setup setup = {.goal = request_text(request, KEY_GOAL),
                                   .keys = request->puzzle_key,
                                   .key_count = request->puzzle_key_count};
    enum pz_status status = space_open(request->argument[0], &setup, &export->space, error);
    if (status != PZ_OK)
        return status;
    const struct grid *grid = slide_grid(export->space);
    uint64_t row = grid != NULL && slide_is_plain(export->space) ? ranking_row(grid) : 0;
    if (row == 0)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "EXPORT is for plain sliding puzzles with two rows and columns or more, and up to %d "
                       "cells",
                       RANKING_CELLS_MAX);
    uint64_t goal[PZ_STATE_MAX / 8];
    export->space->puzzle->goal(export->space, goal);
    slide_board(export->space, goal, &export->goal);
    export->count = row * grid->cells;
    return PZ_OK;
}

/* Finds the distance of the board with a number; NOT_REACHED beyond a bounded exploration. */
static enum pz_status measure(struct lookup_worker *worker, const struct export *export, uint64_t number,
                              uint8_t *distance, struct pz_error *error)
{
    struct board board;
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    struct answer answer = {0};
    ranking_board(slide_grid(export->space), &export->goal, number, &board);
    slide_state(export->space, &board, state);
    enum pz_status status = answer_distance(lookup_worker_answers(worker), export->space, ANSWER_FROM_EITHER,
                                            state, false, &answer, error);
    *distance = answer.solvable == PZ_YES && answer.moves < NOT_REACHED ? (uint8_t)answer.moves : NOT_REACHED;
    return status;
}

/* Writes one record: two hexadecimal digits a board. */
static enum pz_status write_record(struct lookup_worker *worker, struct export *export, struct text *out,
                                   struct pz_error *error)
{
    static const char digits[] = "0123456789abcdef";
    char values[2 * RECORD_VALUES + 1];
    size_t length = 0;
    for (; export->next < export->count && length < 2 * RECORD_VALUES; export->next++) {
        uint8_t distance = 0;
        enum pz_status status = measure(worker, export, export->next, &distance, error);
        if (status != PZ_OK)
            return status;
        values[length++] = digits[distance >> 4];
        values[length++] = digits[distance & 15u];
    }
    values[length] = '\0';
    text_add(out, "distances=");
    text_add(out, values);
    reply_line_end(out);
    return PZ_OK;
}

/* Writes records until the piece is full. */
static enum pz_status write_piece(struct lookup_worker *worker, struct export *export, struct text *out,
                                  struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    answers_begin(lookup_worker_answers(worker));
    while (status == PZ_OK && export->next < export->count && out->length < REPLY_PIECE)
        status = write_record(worker, export, out, error);
    answers_end(lookup_worker_answers(worker));
    return status;
}

/* Writes the head of the reply; *begun is the rest of it. */
static enum pz_status begin(struct lookup_worker *worker, const struct request *request, struct text *out,
                            struct export **begun, struct pz_error *error)
{
    uint8_t distance = 0;
    char goal[BOARD_TEXT_MAX];
    struct export *export = calloc(1, sizeof *export);
    if (export == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for an export");
    enum pz_status status = export_open(export, request, error);
    if (status == PZ_OK)
        status = measure(worker, export, 0, &distance, error); /* is there a table? */
    if (status != PZ_OK) {
        export_free(export);
        return status;
    }
    *begun = export;
    reply_list(out, request->tag, (export->count + RECORD_VALUES - 1) / RECORD_VALUES);
    text_format(out, " states=%" PRIu64, export->count);
    (void)board_format(slide_grid(export->space), &export->goal, goal);
    text_key(out, "goal", goal);
    reply_line_end(out);
    return PZ_OK;
}

enum pz_status command_export(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error)
{
    struct reply_rest *rest = lookup_worker_rest(worker);
    struct export *export = rest->state;
    if (export == NULL) {
        enum pz_status status = begin(worker, request, out, &export, error);
        if (status != PZ_OK || export == NULL)
            return status;
        *rest = (struct reply_rest){export, export_free};
    }
    enum pz_status status = write_piece(worker, export, out, error);
    if (status == PZ_OK && export->next == export->count) {
        reply_list_end(out);
        reply_rest_free(rest);
    }
    return status;
}
