/* SPDX-License-Identifier: MIT */
#include "client/show/frames.h"

#include "client/session/command.h"
#include "client/show/sliding.h"
#include "protocol/limits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DRAWING_MAX = 4096 };

void frames_free(struct frames *frames)
{
    for (size_t i = 0; i < frames->count; i++) {
        free(frames->frames[i].caption);
        free(frames->frames[i].board);
        free(frames->frames[i].drawing);
        free(frames->frames[i].pieces);
        free(frames->frames[i].move);
        free(frames->frames[i].solution);
    }
    free(frames->frames);
    *frames = (struct frames){0};
}

static bool frames_grow(struct frames *frames)
{
    assert(frames->count <= frames->room);
    if (frames->count < frames->room)
        return true;
    const size_t room = frames->room == 0 ? 16 : 2 * frames->room;
    struct play_frame *wider = reallocarray(frames->frames, room, sizeof *wider);
    if (wider == NULL)
        return false;
    frames->frames = wider;
    frames->room = room;
    return true;
}

bool frames_of_rows(const char *rows, char separator, struct frames *frames)
{
    struct text drawing = {0};
    if (!frames_grow(frames))
        return false;
    for (const char *c = rows; *c != '\0'; c++)
        text_char(&drawing, (char)(*c == separator ? '\n' : *c));
    text_char(&drawing, '\n');
    struct play_frame *frame = &frames->frames[frames->count++];
    *frame = (struct play_frame){.caption = strdup(""), .board = strdup(""), .drawing = text_take(&drawing)};
    return frame->caption != NULL && frame->board != NULL && frame->drawing != NULL;
}

/* Returns what people call a move. */
static const char *name_of_move(const char *puzzle, const char *move)
{
    struct grid grid;
    enum direction direction = DIRECTION_UP;
    const char *name =
        sliding_grid(puzzle, &grid) && strlen(move) == 1 ? sliding_direction(*move, &direction) : NULL;
    return name != NULL ? name : move;
}

static bool take_frame(struct frames *frames, const char *puzzle, const struct reply *record)
{
    char caption[128] = "start";
    if (reply_get(record, "move") != NULL)
        (void)snprintf(caption, sizeof caption, "%s %.100s", reply_text(record, "frame"),
                       name_of_move(puzzle, reply_text(record, "move")));
    if (!frames_of_rows(reply_text(record, "drawing"), '|', frames))
        return false;
    struct play_frame *frame = &frames->frames[frames->count - 1];
    free(frame->caption);
    free(frame->board);
    frame->caption = strdup(caption);
    frame->board = strdup(reply_text(record, "board"));
    if (reply_get(record, "pieces") != NULL)
        frame->pieces = strdup(reply_text(record, "pieces"));
    if (reply_get(record, "move") != NULL)
        frame->move = strdup(reply_text(record, "move"));
    return frame->caption != NULL && frame->board != NULL;
}

static enum exit_code frames_no_memory(struct session *session)
{
    return session_fail(session, EXIT_TROUBLE, "memory", "no memory for drawings");
}

/* Returns true for a key that a drawing depends on: the goal, and one that only the puzzle knows, which may
 * change its moves. */
static bool is_drawn(const struct session *session, const struct pz_key *pair)
{
    return strcasecmp(pair->key, "goal") == 0 || (key_taken(VERB_SOLVE, pair->key) == KEYS_TAKEN &&
                                                  key_taken(session->verb, pair->key) == KEYS_TAKEN);
}

enum exit_code frames_of_path(struct session *session, const char *puzzle, const char *start,
                              const char *path, const struct arguments *pairs, struct frames *frames)
{
    struct text *request = session_request(session, "DRAW", puzzle);
    struct records records;
    const size_t first = frames->count;
    compose_word(request, start);
    for (size_t i = 0; pairs != NULL && i < pairs->pair_count; i++)
        if (is_drawn(session, &pairs->pairs[i]))
            text_key(request, pairs->pairs[i].key, pairs->pairs[i].value);
    if (*path != '\0')
        text_key(request, "path", path);
    if (frames_pictured(pairs))
        text_add(request, " pieces=yes");
    const bool fits = request->length <= PROTOCOL_LINE_MAX;
    enum exit_code code = fits ? session_try_list(session, request, &records) : EXIT_REFUSED;
    if (!fits)
        (void)snprintf(session->refusal, sizeof session->refusal, "the path is longer than a request");
    frames->refused |= code == EXIT_REFUSED;
    if (code == EXIT_REFUSED)
        return EXIT_FOUND;
    if (code != EXIT_FOUND)
        return code;
    for (size_t i = 0; i < records.count && code == EXIT_FOUND; i++)
        if (!take_frame(frames, puzzle, &records.records[i]))
            code = frames_no_memory(session);
    records_clear(&records);
    return code == EXIT_FOUND && !frames_name(frames, first) ? frames_no_memory(session) : code;
}

bool frames_pictured(const struct arguments *arguments)
{
    return arguments != NULL &&
           (arguments_option(arguments, "svg") != NULL || arguments_option(arguments, "png") != NULL ||
            arguments_option(arguments, "html") != NULL);
}

enum exit_code frames_of_board(struct session *session, const char *puzzle, const char *board,
                               const struct arguments *pairs, struct frames *frames)
{
    size_t before = frames->count;
    enum exit_code code = frames_of_path(session, puzzle, board, "", pairs, frames);
    for (size_t i = before; i < frames->count; i++)
        *frames->frames[i].caption = '\0';
    return code;
}

/* ---- on the terminal ---- */

enum { GAP = 4 };

static unsigned line_columns(const char *line, size_t length)
{
    char copy[DRAWING_MAX];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)length, line);
    return terminal_columns(copy);
}

/* Finds a row of a drawing. Returns its length, 0 beyond the last row. */
static size_t frame_row(const char *drawing, unsigned row, const char **begin)
{
    for (; row > 0 && *drawing != '\0'; row--) {
        drawing += strcspn(drawing, "\n");
        drawing += *drawing == '\n';
    }
    *begin = drawing;
    return strcspn(drawing, "\n");
}

struct measure {
    unsigned columns, rows;
};

static struct measure frames_measure(const struct frames *frames)
{
    struct measure most = {10, 0};
    for (size_t i = 0; i < frames->count; i++) {
        const struct play_frame *frame = &frames->frames[i];
        unsigned columns = terminal_columns(frame->caption);
        unsigned rows = 0;
        const char *row = NULL;
        for (size_t length = frame_row(frame->drawing, 0, &row); *row != '\0'; rows++) {
            unsigned wide = line_columns(row, length);
            columns = wide > columns ? wide : columns;
            row += length + (row[length] == '\n');
            length = strcspn(row, "\n");
        }
        most.columns = columns > most.columns ? columns : most.columns;
        most.rows = rows > most.rows ? rows : most.rows;
    }
    return most;
}

/* Writes one line across the drawings of a row of frames; line 0 has the captions. */
static void draw_line(const struct play_frame *frames, size_t count, unsigned line, unsigned cell,
                      struct text *out)
{
    unsigned gap = 0;
    for (size_t i = 0; i < count; i++) {
        const char *row = frames[i].caption;
        size_t length = line > 0 ? frame_row(frames[i].drawing, line - 1, &row) : strlen(row);
        while (length > 0 && row[length - 1] == ' ')
            length--;
        for (; gap > 0 && length > 0; gap--)
            text_char(out, ' ');
        text_append(out, row, length);
        gap += cell - line_columns(row, length);
    }
}

void frames_draw(const struct frames *frames, unsigned width, struct text *out)
{
    struct measure size = frames_measure(frames);
    unsigned cell = size.columns + GAP;
    size_t across = width / cell > 0 ? width / cell : 1;
    for (size_t first = 0; first < frames->count; first += across) {
        size_t count = frames->count - first < across ? frames->count - first : across;
        for (unsigned line = 0; line <= size.rows; line++) {
            size_t before = out->length;
            draw_line(frames->frames + first, count, line, cell, out);
            if (out->length > before || line > 0)
                text_char(out, '\n');
        }
        text_char(out, '\n');
    }
}

void frames_list(const struct frames *frames, struct text *out)
{
    for (size_t i = 0; i < frames->count; i++)
        text_format(out, "%s\n%s\n", frames->frames[i].caption, frames->frames[i].drawing);
}
