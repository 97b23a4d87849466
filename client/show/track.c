/* SPDX-License-Identifier: MIT */
/* The names of pieces along a path. Equal blocks may exchange their letters from one board of DRAW to the
 * next; here each keeps the one that it has on the first board, and moves name it: "J↓←", and of tiles "8→".
 */
#include "client/show/drawn_pieces.h"
#include "client/show/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRACKED_CELLS = 64 };

/* Which block of the first board stands in each cell: its "kind:id" there. */
struct track {
    unsigned columns, rows;
    struct {
        const char *name; /* NULL: none */
        size_t length;
    } at[TRACKED_CELLS];
};

static bool covers(const struct piece *piece, unsigned column, unsigned row)
{
    for (size_t i = 0; i < piece->count; i++) {
        const double right = column - piece->rectangles[i].x, down = row - piece->rectangles[i].y;
        if (right >= 0 && down >= 0 && right < piece->rectangles[i].width &&
            down < piece->rectangles[i].height)
            return true;
    }
    return false;
}

static bool track_begin(const char *pieces, struct track *track)
{
    double columns = 0, rows = 0;
    struct piece piece;
    bool blocks = false;
    *track = (struct track){0};
    if (!pieces_size(&pieces, &columns, &rows))
        return false;
    track->columns = (unsigned)lround(columns);
    track->rows = (unsigned)lround(rows);
    if (track->columns * track->rows > TRACKED_CELLS)
        return false;
    for (; (pieces = piece_next(pieces, &piece)) != NULL; free(piece.rectangles))
        for (unsigned cell = 0; piece_is_block(&piece) && cell < track->columns * track->rows; cell++) {
            if (!covers(&piece, cell % track->columns, cell / track->columns))
                continue;
            track->at[cell].name = piece.kind;
            track->at[cell].length = piece.kind_length + 1 + piece.id_length;
            blocks = true;
        }
    free(piece.rectangles);
    return blocks;
}

/* Moves what stands in a cell by one cell. Returns its cell then; TRACKED_CELLS if it cannot go there. */
static unsigned track_step(struct track *track, unsigned from, int right, int down)
{
    const struct track before = *track;
    const unsigned cells = track->columns * track->rows;
    const char *name = before.at[from].name;
    for (unsigned cell = 0; cell < cells; cell++)
        if (before.at[cell].name == name)
            track->at[cell].name = NULL;
    for (unsigned cell = 0; cell < cells; cell++) {
        const int column = (int)(cell % track->columns) + right, row = (int)(cell / track->columns) + down;
        if (before.at[cell].name != name)
            continue;
        if (column < 0 || row < 0 || column >= (int)track->columns || row >= (int)track->rows)
            return TRACKED_CELLS;
        track->at[(unsigned)row * track->columns + (unsigned)column] = before.at[cell];
    }
    return from + (unsigned)(down * (int)track->columns + right);
}

/* Makes a move "3.1:DL" and writes what people call it, "J↓←". Returns false if it is written otherwise. */
static bool track_move(struct track *track, const char *move, struct text *name)
{
    static const struct {
        char letter;
        const char *arrow;
        int right, down;
    } ways[] = {{'U', "↑", 0, -1}, {'D', "↓", 0, 1}, {'L', "←", -1, 0}, {'R', "→", 1, 0}};
    char *end = NULL;
    const unsigned long row = strtoul(move, &end, 10);
    const unsigned long column = *end == '.' ? strtoul(end + 1, &end, 10) : track->columns;
    if (*end != ':' || column >= track->columns || row >= track->rows)
        return false;
    unsigned cell = (unsigned)(row * track->columns + column);
    if (track->at[cell].name == NULL)
        return false;
    text_char(name, track->at[cell].name[track->at[cell].length - 1]);
    for (const char *letter = end + 1; *letter != '\0' && cell < TRACKED_CELLS; letter++)
        for (unsigned i = 0; i < 4; i++)
            if (*letter == ways[i].letter) {
                text_add(name, ways[i].arrow);
                cell = track_step(track, cell, ways[i].right, ways[i].down);
                break;
            }
    return cell < TRACKED_CELLS;
}

/* Returns pieces with the names that blocks have in the track; malloc'd, NULL without memory. */
static char *track_rename(const struct track *track, const char *pieces)
{
    struct text out = {0};
    struct piece piece;
    const char *at = strchr(pieces, ' ');
    text_append(&out, pieces, at != NULL ? (size_t)(at - pieces) : strlen(pieces));
    for (const char *next = NULL; (next = piece_next(at, &piece)) != NULL;
         free(piece.rectangles), at = next) {
        const struct piece_rectangle *first = &piece.rectangles[0];
        const size_t cell = (size_t)lround(first->y * track->columns + first->x);
        const size_t length = piece.kind_length + 1 + piece.id_length;
        const bool known = piece_is_block(&piece) && cell < TRACKED_CELLS && track->at[cell].name != NULL;
        text_char(&out, ' ');
        text_append(&out, known ? track->at[cell].name : piece.kind, known ? track->at[cell].length : length);
        text_append(&out, piece.kind + length, (size_t)(next - piece.kind) - length);
    }
    free(piece.rectangles);
    return text_take(&out);
}

/* Writes "8→" if one tile has moved by one cell between two boards. */
static bool slid_name(const char *before, const char *after, struct text *name)
{
    struct piece one, two;
    unsigned moved = 0;
    before = strchr(before, ' ');
    after = strchr(after, ' ');
    for (const char *at = after; (at = piece_next(at, &two)) != NULL; free(two.rectangles)) {
        for (const char *other = before; (other = piece_next(other, &one)) != NULL; free(one.rectangles)) {
            const double right = two.rectangles[0].x - one.rectangles[0].x;
            const double down = two.rectangles[0].y - one.rectangles[0].y;
            if (!piece_is(&one, "tile") || one.id_length != two.id_length ||
                memcmp(one.id, two.id, one.id_length) != 0 || fabs(right) + fabs(down) < 0.5)
                continue;
            text_append(name, two.text, two.text_length);
            text_add(name, fabs(right) > 0.5 ? right > 0 ? "→" : "←" : down > 0 ? "↓" : "↑");
            moved++;
        }
        free(one.rectangles);
    }
    free(two.rectangles);
    return moved == 1;
}

/* Returns true if each move of tiles has a name: moves of several tiles have none. */
static bool all_slide(const struct frames *frames, size_t first)
{
    bool all = true;
    const char *before = first < frames->count ? frames->frames[first].pieces : NULL, *after;
    for (size_t i = first + 1; all && before != NULL && i < frames->count; i++, before = after) {
        struct text name = {0};
        after = frames->frames[i].pieces;
        all = after == NULL || slid_name(before, after, &name);
        text_free(&name);
    }
    return all;
}

bool frames_name(struct frames *frames, size_t first)
{
    struct track track;
    const bool blocks = frames->count > first && frames->frames[first].pieces != NULL &&
                        track_begin(frames->frames[first].pieces, &track);
    if (!blocks && !all_slide(frames, first))
        return true;
    for (size_t i = first + 1;
         i < frames->count && frames->frames[i].pieces != NULL && frames->frames[i].move != NULL; i++) {
        struct play_frame *frame = &frames->frames[i];
        struct text name = {0};
        if (blocks ? !track_move(&track, frame->move, &name)
                   : !slid_name(frame[-1].pieces, frame->pieces, &name)) {
            text_free(&name);
            return true;
        }
        char *renamed = blocks ? track_rename(&track, frame->pieces) : strdup(frame->pieces);
        free(frame->pieces);
        frame->pieces = renamed;
        free(frame->move);
        frame->move = text_take(&name);
        struct text caption = {0};
        text_format(&caption, "%zu. %s", i - first, frame->move != NULL ? frame->move : "");
        free(frame->caption);
        frame->caption = text_take(&caption);
        if (frame->pieces == NULL || frame->move == NULL || frame->caption == NULL)
            return false;
    }
    return true;
}
