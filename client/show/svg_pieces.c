/* SPDX-License-Identifier: MIT */
#include "client/show/svg_pieces.h"

#include "client/session/terminal.h"
#include "client/show/drawn_pieces.h"
#include "pieces_style.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As in web/page/js/board/picture.js. */
static const double gap = 0.4, frame = 1.2, line = 2.6;
enum { WIDE_TEXT = 2 };

/* The rows of web/page/js/board/shapes.js. */
static const struct svg_look {
    const char *word, *style, *lines;
} looks[] = {PIECES_LOOKS};
static const struct svg_name {
    const char *word, *english, *chinese;
} names[] = {PIECES_NAMES};

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

bool pieces_measure(const char *pieces, double *columns, double *rows)
{
    if (!pieces_size(&pieces, columns, rows))
        return false;
    *columns += 2 * frame / PIECES_CELL;
    *rows += 2 * frame / PIECES_CELL;
    return true;
}

static void add_rect(double x, double y, double width, double height, double round, struct text *out)
{
    text_format(out,
                "<rect class=\"shape\" x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\" rx=\"%.5g\"/>", x,
                y, width, fmax(0, height), round);
}

/* Covers the gap between two cells of one piece. Returns false where they are no neighbours. */
static bool add_bridge(const struct piece_rectangle *one, const struct piece_rectangle *two, struct text *out)
{
    const bool cells = fabs(one->width * one->height - 1) + fabs(two->width * two->height - 1) < 0.01;
    const bool right = fabs(two->x - one->x - 1) + fabs(two->y - one->y) < 0.01;
    const bool below = fabs(two->y - one->y - 1) + fabs(two->x - one->x) < 0.01;
    if (!cells || (!right && !below))
        return false;
    add_rect(one->x * PIECES_CELL + (right ? PIECES_CELL / 2.0 : gap),
             one->y * PIECES_CELL + (right ? gap : PIECES_CELL / 2.0), PIECES_CELL - (right ? 0 : 2 * gap),
             PIECES_CELL - (right ? 2 * gap : 0), 0, out);
    return true;
}

/* Adds lines within a rectangle. A car that stands has its length from top to bottom. */
static void svg_add_lines(const struct svg_look *look, const struct piece_rectangle *one, struct text *out)
{
    const bool stands = strcmp(look->word, "car") == 0 && one->height > one->width;
    text_format(out, "<path class=\"%s\" d=\"", look->style);
    for (char *at = (char *)look->lines; *at != '\0';) {
        if (*at == ' ' || isalpha((unsigned char)*at) != 0) {
            text_char(out, *at++);
            continue;
        }
        const double first = strtod(at, &at);
        const double second = strtod(at, &at);
        text_format(out, "%.5g %.5g",
                    one->x * PIECES_CELL + gap +
                        (stands ? second : first) * fmax(0, one->width * PIECES_CELL - 2 * gap),
                    one->y * PIECES_CELL + gap +
                        (stands ? first : second) * fmax(0, one->height * PIECES_CELL - 2 * gap));
    }
    text_add(out, "\"/>");
}

/* Returns true if the kind has a shape of its own: it is no rectangle. */
static bool is_shaped(const struct piece *piece)
{
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (strcmp(looks[i].style, "shape") == 0 && piece_is(piece, looks[i].word))
            return true;
    return false;
}

static void add_rects(const struct piece *piece, struct text *out)
{
    for (size_t i = 0; i < piece->count; i++) {
        const struct piece_rectangle *one = &piece->rectangles[i];
        add_rect(one->x * PIECES_CELL + gap, one->y * PIECES_CELL + gap, one->width * PIECES_CELL - 2 * gap,
                 one->height * PIECES_CELL - 2 * gap, 1, out);
        unsigned bridges =
            0; /* to the right and below; a hostile server may repeat a cell thousands of times */
        for (size_t j = 0; j < piece->count && bridges < 2; j++)
            bridges += add_bridge(one, &piece->rectangles[j], out);
    }
}

/* ---- what stands on a piece ---- */

static void svg_add_word(double x, double y, const char *style, const char *word, size_t length,
                         struct text *out)
{
    text_format(out, "<text x=\"%.5g\" y=\"%.5g\" dy=\".35em\"%s>", x, y, style);
    svg_escape(word, length, out);
    text_add(out, "</text>");
}

static void add_svg_text(const struct piece *piece, struct text *out)
{
    char *text = strndup(piece->text, piece->text_length);
    const bool wide = text != NULL && terminal_columns(text) > WIDE_TEXT;
    const struct piece_rectangle *first = &piece->rectangles[0];
    free(text);
    svg_add_word((first->x + first->width / 2) * PIECES_CELL, (first->y + first->height / 2) * PIECES_CELL,
                 wide ? " class=\"long\"" : "", piece->text, piece->text_length, out);
}

/* Adds who a piece is, in the language of the one who looks at it: each English word on a line of its own. */
static void add_name(const struct piece *piece, struct text *out)
{
    const struct svg_name *name = names;
    while (name < names + sizeof names / sizeof *names && !piece_is(piece, name->word))
        name++;
    if (name == names + sizeof names / sizeof *names)
        return;
    const double x = (piece->rectangles[0].x + piece->rectangles[0].width / 2) * PIECES_CELL;
    const double y = (piece->rectangles[0].y + piece->rectangles[0].height / 2) * PIECES_CELL;
    const size_t first = strcspn(name->english, " ");
    const bool two = name->english[first] == ' ';
    text_add(out, "<switch>");
    svg_add_word(x, y, " class=\"caption han\" systemLanguage=\"zh, zh-CN, zh-TW, zh-HK, zh-Hans, zh-Hant\"",
                 name->chinese, strlen(name->chinese), out);
    text_add(out, "<g>");
    svg_add_word(x, y - (two ? line / 2 : 0), " class=\"caption\"", name->english, first, out);
    if (two)
        svg_add_word(x, y + line / 2, " class=\"caption\"", name->english + first + 1,
                     strlen(name->english + first + 1), out);
    text_add(out, "</g></switch>");
}

static void add_piece(const struct piece *piece, struct text *out)
{
    text_add(out, "<g class=\"piece ");
    for (const char *c = piece->kind; c < piece->kind + piece->kind_length; c++)
        svg_escape(*c == '-' ? " " : c, 1, out);
    text_add(out, "\">");
    if (!is_shaped(piece))
        add_rects(piece, out);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        for (size_t j = 0; piece_is(piece, looks[i].word) && j < piece->count; j++)
            svg_add_lines(&looks[i], &piece->rectangles[j], out);
    if (piece->text_length > 0)
        add_svg_text(piece, out);
    add_name(piece, out);
    if (piece_is_block(piece))
        svg_add_word(piece->rectangles[0].x * PIECES_CELL + 2.2, piece->rectangles[0].y * PIECES_CELL + 2.4,
                     " class=\"tag\"", piece->id, piece->id_length, out);
    text_add(out, "</g>");
}

/* ---- the frame ---- */

/* Opens the frame at a line of cells along an edge, and points out of it. */
static void add_gate(const struct piece_rectangle *gate, struct text *out)
{
    const bool across = gate->width > 0;
    const double width = across ? gate->width * PIECES_CELL : frame;
    const double height = across ? frame : gate->height * PIECES_CELL;
    const double x = across || gate->x > 0 ? gate->x * PIECES_CELL : -frame;
    const double y = !across || gate->y > 0 ? gate->y * PIECES_CELL : -frame;
    const int turn = across ? (gate->y > 0 ? 90 : -90) : gate->x > 0 ? 0 : 180;
    text_format(out, "<rect class=\"gate\" x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\"/>", x, y,
                width, height);
    text_format(out,
                "<path class=\"sign\" d=\"M-.5-1.6L.6 0L-.5 1.6z\" "
                "transform=\"translate(%.5g %.5g) rotate(%d)\"/>",
                x + width / 2, y + height / 2, turn);
}

void pieces_svg(const char *pieces, struct text *out)
{
    double columns = 0, rows = 0;
    struct piece piece;
    bool gated = false;
    if (!pieces_size(&pieces, &columns, &rows))
        return;
    const double width = columns * PIECES_CELL, height = rows * PIECES_CELL;
    text_format(out,
                "<rect class=\"frame\" width=\"%.5g\" height=\"%.5g\" rx=\"1.5\"/>"
                "<g transform=\"translate(%.5g %.5g)\"><rect class=\"ground\" width=\"%.5g\" "
                "height=\"%.5g\"/>",
                width + 2 * frame, height + 2 * frame, frame, frame, width, height);
    while ((pieces = piece_next(pieces, &piece)) != NULL) {
        if (piece_is(&piece, "gate"))
            add_gate(&piece.rectangles[0], out);
        else if (!gated || !piece_is(&piece, "exit"))
            add_piece(&piece, out);
        gated |= piece_is(&piece, "gate");
        free(piece.rectangles);
    }
    free(piece.rectangles);
    text_add(out, "</g>");
}
