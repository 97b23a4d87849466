/* SPDX-License-Identifier: MIT */
/* EXPORT: every distance of a sliding puzzle, in the order of board/pack.h. */
#include "board/pack.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"
#include "space/registry.h"
#include "space/slide/slide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_VALUES = 4096 };

/* A reply that is written in pieces. */
struct export_reply {
    struct pz_space *space;
    struct ranking_cursor cursor;
    uint64_t count;         /* of all boards */
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
    uint64_t goal[PZ_STATE_MAX / 8];
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
    export->space->puzzle->goal(export->space, goal);
    slide_board(export->space, goal, &board);
    ranking_begin(&export->cursor, grid, &board, 0);
    export->count = row * grid->cells;
    export->memo_bytes = row;
    return PZ_OK;
}

/* Takes memory for the memo. Without it the export is only slower. */
static void remember(struct export_reply *export, struct budget *exports)
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

/* Writes records until the piece is full. */
static enum pz_status write_export_piece(struct lookup_worker *worker, struct export_reply *export,
                                         struct text *out, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    answers_begin(lookup_worker_answers(worker));
    while (status == PZ_OK && export->cursor.number < export->count && out->length < REPLY_PIECE)
        status = write_record(worker, export, out, error);
    answers_end(lookup_worker_answers(worker));
    return status;
}

/* Writes the head of the reply; *begun will write the rest. */
static enum pz_status begin_export(struct lookup_worker *worker, const struct request *request,
                                   struct text *out, struct export_reply **begun, struct pz_error *error)
{
    struct ranking_cursor first;
    uint8_t distance = 0;
    char goal[BOARD_TEXT_MAX];
    struct export_reply *export = calloc(1, sizeof *export);
    if (export == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for an export");
    enum pz_status status = export_open(export, request, error);
    first = export->cursor;
    if (status == PZ_OK) /* is there a table? */
        status =
            answer_boards(lookup_worker_answers(worker), export->space, &first, NULL, 1, &distance, error);
    if (status != PZ_OK) {
        export_free(export);
        return status;
    }
    remember(export, lookup_worker_exports(worker));
    *begun = export;
    reply_list(out, request->tag, (export->count + RECORD_VALUES - 1) / RECORD_VALUES);
    text_format(out, " states=%" PRIu64, export->count);
    (void)board_format(slide_grid(export->space), &export->cursor.goal, goal);
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
