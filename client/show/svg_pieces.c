/* SPDX-License-Identifier: MIT */
#include "client/show/svg_pieces.h"

#include "client/session/terminal.h"
#include "pieces_style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As in web/page/js/board/picture.js. */
static const double gap = 0.4;
enum { WIDE_TEXT = 2 };

struct svg_rectangle {
    double x, y, width, height; /* cells */
};

struct svg_piece {
    const char *kind, *text; /* not NUL-terminated */
    size_t kind_length, text_length;
    struct svg_rectangle *rectangles; /* malloc'd */
    size_t count;
};

void svg_escape(const char *text, size_t length, struct text *out)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '<')
            text_add(out, "&lt;");
        else if (text[i] == '>')
            text_add(out, "&gt;");
        else if (text[i] == '&')
            text_add(out, "&amp;");
        else if (text[i] == '"')
            text_add(out, "&quot;");
        else
            text_char(out, text[i]);
    }
}

const char *pieces_style(void)
{
    return PIECES_STYLE;
}

bool pieces_size(const char **pieces, double *columns, double *rows)
{
    char *end = NULL;
    *columns = strtod(*pieces, &end);
    if (*end != 'x')
        return false;
    *rows = strtod(end + 1, &end);
    *pieces = end;
    return *columns > 0 && *columns < 1000 && *rows > 0 && *rows < 1000;
}

/* Reads "x,y" or "x,y,width,height" and returns what follows; NULL if there is neither. */
static const char *read_rectangle(const char *text, struct svg_rectangle *out)
{
    double number[4] = {0, 0, 1, 1};
    unsigned count = 0;
    do {
        char *end = NULL;
        if (count == 4)
            return NULL;
        number[count++] = strtod(text, &end);
        if (end == text)
            return NULL;
        text = end;
    } while (*text++ == ',');
    *out = (struct svg_rectangle){number[0], number[1], number[2], number[3]};
    return count % 2 == 0 ? text - 1 : NULL;
}

/* Reads "x,y,width,height;…" and returns what follows; NULL if the text is malformed, or without memory. */
static const char *read_rectangles(const char *at, struct svg_piece *out)
{
    size_t room = 0;
    for (const char *next = at;; next++) {
        if (out->count == room) {
            struct svg_rectangle *grown = realloc(out->rectangles, (room = 2 * room + 4) * sizeof *grown);
            if (grown == NULL)
                return NULL;
            out->rectangles = grown;
        }
        next = read_rectangle(next, &out->rectangles[out->count++]);
        if (next == NULL || *next != ';')
            return next;
    }
}

/* Reads "kind:id:rectangle;…:text". Returns what follows; NULL if the text is malformed. */
static const char *read_piece(const char *word, struct svg_piece *out)
{
    const char *end = word + strcspn(word, " ");
    *out = (struct svg_piece){.kind = word, .kind_length = strcspn(word, ": ")};
    const char *id = word + out->kind_length;
    if (*id != ':')
        return NULL;
    const char *at = id + 1 + strcspn(id + 1, ": ");
    if (*at != ':')
        return NULL;
    at = read_rectangles(at + 1, out);
    if (at == NULL || (at < end && *at != ':'))
        return NULL;
    out->text = at < end ? at + 1 : end;
    out->text_length = (size_t)(end - out->text);
    return end;
}

static void add_rect(double x, double y, double width, double height, double round, struct text *out)
{
    text_format(out,
                "<rect class=\"shape\" x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\" rx=\"%.5g\"/>", x,
                y, width, fmax(0, height), round);
}

/* Covers the gap between two cells of one piece. */
static void add_bridge(const struct svg_rectangle *one, const struct svg_rectangle *two, struct text *out)
{
    const bool cells = fabs(one->width * one->height - 1) + fabs(two->width * two->height - 1) < 0.01;
    const bool right = fabs(two->x - one->x - 1) + fabs(two->y - one->y) < 0.01;
    const bool below = fabs(two->y - one->y - 1) + fabs(two->x - one->x) < 0.01;
    if (!cells || (!right && !below))
        return;
    add_rect(one->x * PIECES_CELL + (right ? PIECES_CELL / 2.0 : gap),
             one->y * PIECES_CELL + (right ? gap : PIECES_CELL / 2.0), PIECES_CELL - (right ? 0 : 2 * gap),
             PIECES_CELL - (right ? 2 * gap : 0), 0, out);
}

/* Corners of a sticker's shape within its rectangle, whose side is 1. As in web/page/js/board/picture.js. */
struct svg_form {
    const char *name;
    unsigned corners;
    double corner[4][2];
};

/* Returns the form that a kind ends with, "sticker-white-up"; NULL for a rectangle. */
static const struct svg_form *form_of(const struct svg_piece *piece)
{
    static const struct svg_form forms[] = {
        {"-up", 3, {{0.5, 0}, {1, 1}, {0, 1}}},
        {"-down", 3, {{0, 0}, {1, 0}, {0.5, 1}}},
        {"-left", 3, {{1, 0}, {1, 1}, {0, 0.5}}},
        {"-right", 3, {{0, 0}, {1, 0.5}, {0, 1}}},
        {"-diamond", 4, {{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}}},
        {"-upperleft", 3, {{0, 0}, {1, 0}, {0, 1}}},
        {"-upperright", 3, {{0, 0}, {1, 0}, {1, 1}}},
        {"-lowerleft", 3, {{0, 0}, {1, 1}, {0, 1}}},
        {"-lowerright", 3, {{1, 0}, {1, 1}, {0, 1}}},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t length = strlen(forms[i].name);
        if (piece->kind_length > length &&
            memcmp(piece->kind + piece->kind_length - length, forms[i].name, length) == 0)
            return &forms[i];
    }
    return NULL;
}

static void add_form(const struct svg_form *form, const struct svg_rectangle *one, struct text *out)
{
    text_add(out, "<polygon class=\"shape\" points=\"");
    for (unsigned i = 0; i < form->corners; i++)
        text_format(out, "%s%.5g,%.5g", i > 0 ? " " : "",
                    one->x * PIECES_CELL + gap + form->corner[i][0] * (one->width * PIECES_CELL - 2 * gap),
                    one->y * PIECES_CELL + gap + form->corner[i][1] * (one->height * PIECES_CELL - 2 * gap));
    text_add(out, "\"/>");
}

static bool is_round(const struct svg_piece *piece)
{
    return (piece->kind_length == 6 && memcmp(piece->kind, "player", 6) == 0) ||
           (piece->kind_length == 5 && memcmp(piece->kind, "token", 5) == 0);
}

static void add_svg_text(const struct svg_piece *piece, struct text *out)
{
    char *text = strndup(piece->text, piece->text_length);
    const bool wide = text != NULL && terminal_columns(text) > WIDE_TEXT;
    const struct svg_rectangle *first = &piece->rectangles[0];
    free(text);
    text_format(out, "<text x=\"%.5g\" y=\"%.5g\"%s>", (first->x + first->width / 2) * PIECES_CELL,
                (first->y + first->height / 2) * PIECES_CELL, wide ? " class=\"long\"" : "");
    svg_escape(piece->text, piece->text_length, out);
    text_add(out, "</text>");
}

static void add_piece(const struct svg_piece *piece, struct text *out)
{
    const struct svg_form *form = form_of(piece);
    text_add(out, "<g class=\"piece ");
    for (const char *c = piece->kind; c < piece->kind + piece->kind_length; c++)
        svg_escape(*c == '-' ? " " : c, 1, out);
    text_add(out, "\">");
    for (size_t i = 0; i < piece->count; i++) {
        const struct svg_rectangle *one = &piece->rectangles[i];
        if (form != NULL) {
            add_form(form, one, out);
            continue;
        }
        add_rect(one->x * PIECES_CELL + gap, one->y * PIECES_CELL + gap, one->width * PIECES_CELL - 2 * gap,
                 one->height * PIECES_CELL - 2 * gap, is_round(piece) ? PIECES_CELL / 2.0 : 1, out);
        for (size_t j = 0; j < piece->count; j++)
            add_bridge(one, &piece->rectangles[j], out);
    }
    if (piece->text_length > 0)
        add_svg_text(piece, out);
    text_add(out, "</g>");
}

void pieces_svg(const char *pieces, struct text *out)
{
    double columns = 0;
    double rows = 0;
    if (!pieces_size(&pieces, &columns, &rows))
        return;
    text_format(out, "<rect class=\"ground\" width=\"%.5g\" height=\"%.5g\"/>", columns * PIECES_CELL,
                rows * PIECES_CELL);
    while (pieces != NULL && *pieces == ' ') {
        struct svg_piece piece;
        pieces = read_piece(pieces + 1, &piece);
        if (pieces != NULL)
            add_piece(&piece, out);
        free(piece.rectangles);
    }
}
