/* SPDX-License-Identifier: MIT */
#include "client/show/picture.h"

#include "client/session/terminal.h"
#include "client/show/svg_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. Boards whose pieces are not known are drawn in letters of one width. */
enum {
    CELL = 40,
    WIDEST = 320,
    LETTER = 9,
    LINE = 18,
    CAPTION = 24,
    CAPTION_LETTER = 8, /* a little more than most are wide */
    SPACE = 20,
    ACROSS = 8
};

struct size {
    unsigned width, height;
};

/* Returns the pixels of a cell: fewer on a wide board. 0 if the pieces are not known. */
static double cell_pixels(const struct play_frame *frame, double *columns, double *rows)
{
    if (frame->pieces == NULL || !pieces_measure(frame->pieces, columns, rows))
        return 0;
    return *columns * CELL <= WIDEST ? CELL : WIDEST / *columns;
}

static struct size frame_size(const struct play_frame *frame)
{
    double columns = 0;
    double rows = 0;
    const double cell = cell_pixels(frame, &columns, &rows);
    if (cell > 0)
        return (struct size){(unsigned)lround(columns * cell), (unsigned)lround(rows * cell)};
    struct size size = {0, 0};
    for (const char *row = frame->drawing; *row != '\0';) {
        size_t length = strcspn(row, "\n");
        char *copy = strndup(row, length);
        unsigned wide = copy != NULL ? terminal_columns(copy) * LETTER : 0;
        free(copy);
        size.width = wide > size.width ? wide : size.width;
        size.height += LINE;
        row += length + (row[length] == '\n');
    }
    return size;
}

static struct size largest(const struct frames *frames)
{
    struct size most = {100, LINE};
    for (size_t i = 0; i < frames->count; i++) {
        struct size size = frame_size(&frames->frames[i]);
        const unsigned caption = terminal_columns(frames->frames[i].caption) * CAPTION_LETTER;
        size.width = caption > size.width ? caption : size.width;
        most.width = size.width > most.width ? size.width : most.width;
        most.height = size.height > most.height ? size.height : most.height;
    }
    return most;
}

static void add_rows(const char *drawing, struct text *out)
{
    unsigned y = LINE - 4;
    for (const char *row = drawing; *row != '\0'; y += LINE) {
        size_t length = strcspn(row, "\n");
        text_format(out, "<text y=\"%u\" class=\"d\" xml:space=\"preserve\">", y);
        svg_escape(row, length, out);
        text_add(out, "</text>");
        row += length + (row[length] == '\n');
    }
}

static void add_frame(const struct play_frame *frame, struct size size, struct text *out)
{
    double columns = 0;
    double rows = 0;
    const double cell = cell_pixels(frame, &columns, &rows);
    if (cell > 0) {
        text_format(out, "<g transform=\"scale(%.5g)\">", cell / PIECES_CELL);
        pieces_svg(frame->pieces, out);
        text_add(out, "</g>");
    } else {
        add_rows(frame->drawing, out);
    }
    text_format(out, "<text x=\"0\" y=\"%u\" class=\"c\">", size.height + CAPTION - 7);
    svg_escape(frame->caption, strlen(frame->caption), out);
    text_add(out, "</text>");
}

/* Of what stands around the pieces. */
static const char style[] =
    "text{font-family:sans-serif}.d{font:15px monospace;fill:#222}.c{font-size:14px;fill:#555}"
    ".h{font:bold 16px sans-serif;fill:#222}\n";

void picture_svg(const struct frames *frames, const char *title, struct text *out)
{
    struct size size = largest(frames);
    unsigned across = frames->count < ACROSS ? (unsigned)frames->count : ACROSS;
    unsigned down = across > 0 ? ((unsigned)frames->count + across - 1) / across : 0;
    unsigned cell_width = size.width + SPACE;
    unsigned cell_height = size.height + CAPTION + SPACE;
    text_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\">\n"
        "<style>%s%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
        "<text x=\"%d\" y=\"26\" class=\"h\">",
        across * cell_width + SPACE, down * cell_height + 50, across * cell_width + SPACE,
        down * cell_height + 50, style, pieces_style(), SPACE);
    svg_escape(title, strlen(title), out);
    text_add(out, "</text>\n");
    for (size_t i = 0; i < frames->count; i++) {
        text_format(out, "<g transform=\"translate(%u,%u)\">", SPACE + (unsigned)(i % across) * cell_width,
                    50 + (unsigned)(i / across) * cell_height);
        add_frame(&frames->frames[i], size, out);
        text_add(out, "</g>\n");
    }
    text_add(out, "</svg>\n");
}

static const char script[] =
    "const f=document.querySelectorAll('svg'),s=document.querySelector('input');let timer=0;"
    "function show(n){n=Math.max(0,Math.min(f.length-1,n));f.forEach((e,i)=>e.style.display=i===n?'':'none');"
    "s.value=n}"
    "function stop(){clearInterval(timer);timer=0}"
    "function play(){if(timer)return stop();if(+s.value===f.length-1)show(0);"
    "timer=setInterval(()=>{+s.value<f.length-1?show(+s.value+1):stop()},500)}"
    "s.max=f.length-1;s.oninput=()=>{stop();show(+s.value)};"
    "document.querySelector('button').onclick=play;"
    "document.onkeydown=e=>{if(e.key===' '){e.preventDefault();play()}"
    "else if(e.key==='ArrowRight'){e.preventDefault();stop();show(+s.value+1)}"
    "else if(e.key==='ArrowLeft'){e.preventDefault();stop();show(+s.value-1)}};show(0)";

static void html_begin(const char *title, const char *more_style, struct text *out)
{
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                  "<meta name=\"viewport\" content=\"width=device-width\"><title>");
    svg_escape(title, strlen(title), out);
    text_format(out, "</title>\n<style>body{font-family:sans-serif}%s%s%s</style></head>\n<body><h1>", style,
                pieces_style(), more_style);
    svg_escape(title, strlen(title), out);
    text_add(out, "</h1>\n");
}

void picture_html(const struct frames *frames, const char *title, struct text *out)
{
    struct size size = largest(frames);
    html_begin(title, "body{text-align:center}", out);
    for (size_t i = 0; i < frames->count; i++) {
        text_format(out, "<svg viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\"%s>", size.width,
                    size.height + CAPTION, size.width * 2, (size.height + CAPTION) * 2,
                    i > 0 ? " style=\"display:none\"" : "");
        add_frame(&frames->frames[i], size, out);
        text_add(out, "</svg>\n");
    }
    text_add(out, "<p><button>play</button> <input type=\"range\" min=\"0\" value=\"0\"></p>\n"
                  "<p>space plays, the arrows step</p>\n<script>");
    text_add(out, script);
    text_add(out, "</script></body></html>\n");
}

/* Three boards in a row, on A4 and Letter; none is cut at a page's end, and colours are printed. */
static const char sheet_style[] =
    "@page{margin:12mm}h1{font-size:16px}ol{padding:0 0 0 1.5em}"
    ".boards{padding:0;list-style:none;display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:24px}"
    ".boards li{break-inside:avoid}.boards svg{width:100%;height:auto;max-height:300px}"
    "svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}.solutions{break-before:page}"
    ".solutions li{margin-bottom:6px;overflow-wrap:anywhere}";

void picture_sheet(const struct frames *frames, const char *title, struct text *out)
{
    const struct size size = largest(frames);
    html_begin(title, sheet_style, out);
    text_add(out, "<ol class=\"boards\">\n");
    for (size_t i = 0; i < frames->count; i++) {
        text_format(out, "<li><svg viewBox=\"0 0 %u %u\">", size.width, size.height + CAPTION);
        add_frame(&frames->frames[i], size, out);
        text_add(out, "</svg></li>\n");
    }
    text_add(out, "</ol>\n<section class=\"solutions\"><h1>Solutions</h1><ol>\n");
    for (size_t i = 0; i < frames->count; i++) {
        const char *solution = frames->frames[i].solution;
        text_add(out, "<li>");
        svg_escape(solution != NULL ? solution : "", solution != NULL ? strlen(solution) : 0, out);
        text_add(out, "</li>\n");
    }
    text_add(out, "</ol></section></body></html>\n");
}
