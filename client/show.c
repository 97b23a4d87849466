/* SPDX-License-Identifier: MIT */
#include "show.h"

#include "board/board.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWING_MAX = 4096, GAP = 4 };

/* Drawings of equal height that wait for their row to be full. */
struct sheet {
    struct text *out;
    unsigned width; /* columns of the terminal */
    unsigned cell;  /* columns of one drawing with its gap */
    unsigned rows;  /* lines of a drawing */
    unsigned across;
    unsigned used;
    struct text *lines; /* rows + 1: the captions come first */
};

static bool sheet_begin(struct sheet *sheet, const struct grid *grid, const struct terminal *terminal,
                        struct text *out)
{
    unsigned drawn = grid->columns * (grid->cells > 10 ? 3u : 2u);
    unsigned caption = 10;
    *sheet = (struct sheet){.out = out, .width = terminal->width, .rows = grid->rows};
    sheet->cell = (drawn > caption ? drawn : caption) + GAP;
    sheet->across = sheet->width / sheet->cell > 0 ? sheet->width / sheet->cell : 1;
    sheet->lines = calloc(sheet->rows + 1u, sizeof *sheet->lines);
    return sheet->lines != NULL;
}

static void sheet_flush(struct sheet *sheet)
{
    for (unsigned row = 0; row <= sheet->rows && sheet->used > 0; row++) {
        struct text *line = &sheet->lines[row];
        size_t length = line->length;
        while (length > 0 && line->data[length - 1] == ' ')
            length--;
        if (length > 0 || row > 0) {
            text_append(sheet->out, text_string(line), length);
            text_char(sheet->out, '\n');
        }
        line->length = 0;
    }
    if (sheet->used > 0)
        text_char(sheet->out, '\n');
    sheet->used = 0;
}

static void sheet_end(struct sheet *sheet)
{
    sheet_flush(sheet);
    for (unsigned row = 0; row <= sheet->rows; row++)
        text_free(&sheet->lines[row]);
    free(sheet->lines);
}

static void sheet_line(struct sheet *sheet, unsigned row, const char *bytes, size_t length, bool last)
{
    text_append(&sheet->lines[row], bytes, length);
    for (; !last && length < sheet->cell; length++)
        text_char(&sheet->lines[row], ' ');
}

static void sheet_add(struct sheet *sheet, const struct grid *grid, const struct board *board,
                      const char *caption)
{
    char drawing[DRAWING_MAX];
    (void)board_draw(grid, board, drawing, sizeof drawing);
    bool last = sheet->used + 1 == sheet->across;
    sheet_line(sheet, 0, caption, strlen(caption), last);
    const char *at = drawing;
    for (unsigned row = 1; row <= sheet->rows; row++) {
        size_t length = strcspn(at, "\n");
        sheet_line(sheet, row, at, length, last);
        at += length + (at[length] == '\n');
    }
    if (++sheet->used == sheet->across)
        sheet_flush(sheet);
}

/* The grid of "slide:3x3" or "3x3"; other puzzles have none here. */
static bool grid_of(const char *puzzle, struct grid *grid)
{
    struct pz_error ignored;
    const char *colon = strchr(puzzle, ':');
    if (colon != NULL && (size_t)(colon - puzzle) != strlen("slide"))
        return false;
    if (colon != NULL && strncasecmp(puzzle, "slide", strlen("slide")) != 0)
        return false;
    return grid_parse(grid, colon == NULL ? puzzle : colon + 1, &ignored) == PZ_OK;
}

bool show_can_draw(const char *puzzle)
{
    struct grid grid;
    return grid_of(puzzle, &grid);
}

static const char *way_of(char letter, enum direction *way)
{
    static const struct {
        const char *name;
        enum direction way;
        char letter;
    } ways[] = {{"up", DIRECTION_UP, 'U'},
                {"down", DIRECTION_DOWN, 'D'},
                {"left", DIRECTION_LEFT, 'L'},
                {"right", DIRECTION_RIGHT, 'R'}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i].letter != letter)
            continue;
        *way = ways[i].way;
        return ways[i].name;
    }
    return NULL;
}

/* False when a move cannot be made: the path is not one of this board. */
static bool draw_path(const struct grid *grid, struct board *board, const char *path, struct sheet *sheet)
{
    char caption[32];
    sheet_add(sheet, grid, board, "start");
    for (unsigned number = 1; *path != '\0'; number++, path++) {
        enum direction way = DIRECTION_UP;
        const char *name = way_of(*path, &way);
        if (name == NULL || !board_move(grid, board, way))
            return false;
        (void)snprintf(caption, sizeof caption, "%u %s", number, name);
        sheet_add(sheet, grid, board, caption);
    }
    return true;
}

/* Paths of other puzzles: words between commas, or one letter a move. */
static void list_moves(const char *path, struct text *out)
{
    bool words = strchr(path, ',') != NULL || strchr(path, ':') != NULL;
    for (unsigned number = 1; *path != '\0'; number++) {
        size_t length = words ? strcspn(path, ",") : 1;
        text_format(out, "%5u  %.*s\n", number, (int)length, path);
        path += length + (words && path[length] == ',');
    }
}

void show_path(const char *puzzle, const char *start, const char *path, const struct terminal *terminal,
               struct text *out)
{
    struct grid grid;
    struct board board;
    struct pz_error ignored;
    struct sheet sheet;
    if (!grid_of(puzzle, &grid) || board_parse_loose(&grid, start, &board, &ignored) != PZ_OK ||
        !sheet_begin(&sheet, &grid, terminal, out)) {
        list_moves(path, out);
        return;
    }
    if (!draw_path(&grid, &board, path, &sheet))
        text_add(out, "(a move that this board does not allow: the rest is not drawn)\n");
    sheet_end(&sheet);
}

void show_boards(const char *puzzle, const char *const *boards, size_t count, const struct terminal *terminal,
                 struct text *out)
{
    struct grid grid;
    struct board board;
    struct pz_error ignored;
    struct sheet sheet;
    bool drawn = grid_of(puzzle, &grid) && sheet_begin(&sheet, &grid, terminal, out);
    for (size_t i = 0; i < count; i++) {
        if (drawn && board_parse_loose(&grid, boards[i], &board, &ignored) == PZ_OK)
            sheet_add(&sheet, &grid, &board, "");
        else
            text_format(out, "%s\n", boards[i]);
    }
    if (drawn)
        sheet_end(&sheet);
}
