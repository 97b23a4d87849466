/* SPDX-License-Identifier: MIT */
#include "client/many/collection.h"

#include "client/session/infer.h"
#include "client/show/sliding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Returns true for sliding puzzles, whose boards may be blocks of rows of numbers. */
static bool is_sliding(const char *puzzle)
{
    return *puzzle == '\0' || (*puzzle >= '0' && *puzzle <= '9') || *puzzle == '-' ||
           strncmp(puzzle, "slide", 5) == 0;
}

void collection_begin(struct collection *collection, int fd, const char *puzzle)
{
    struct grid grid;
    *collection = (struct collection){.lines = {.fd = fd}, .rows = ROWS_OF_TILES};
    if (strncmp(puzzle, "sokoban", 7) == 0)
        collection->rows = ROWS_OF_LEVELS;
    if (strncmp(puzzle, "klotski", 7) == 0 || strncmp(puzzle, "linkup", 6) == 0)
        collection->rows = ROWS_OF_LETTERS;
    if (collection->rows == ROWS_OF_TILES && !is_sliding(puzzle))
        collection->rows = ROWS_NONE;
    collection->lines.indented = collection->rows == ROWS_OF_LEVELS;
    if (sliding_grid(puzzle, &grid)) {
        collection->height = grid.rows;
        collection->columns = grid.columns;
    }
}

void collection_clear(struct collection *collection)
{
    lines_clear(&collection->lines);
    text_free(&collection->block);
    text_free(&collection->title);
    text_free(&collection->remark);
    free(collection->kept);
}

/* ---- kinds of lines ---- */

/* Counts the words between blanks and commas. A word of digits alone is a row without separators. */
static unsigned tiles_in(const char *line)
{
    unsigned count = 0;
    size_t length = strlen(line);
    if (length > 1 && strspn(line, "0123456789xX_.#") == length)
        return (unsigned)length;
    for (const char *at = line; *at != '\0'; count++) {
        size_t tile = strspn(at, "0123456789xX_.#");
        if (tile == 0)
            return 0;
        at += tile;
        at += strspn(at, ", \t");
    }
    return count;
}

enum line_kind { LINE_BLANK, LINE_ROW, LINE_REMARK, LINE_WHOLE /* a board by itself */ };

/* For Sokoban: a row is a line that has a wall, and only a level's characters. */
static enum line_kind kind_of_level(const char *line)
{
    size_t level = strspn(line, "#@+$*. -_/|");
    if (line[level] != '\0' || strchr(line, '#') == NULL)
        return LINE_REMARK;
    return strpbrk(line, "/|") != NULL ? LINE_WHOLE : LINE_ROW;
}

/* For Klotski and link-up: a row is one word. */
static enum line_kind kind_of_letters(const char *line)
{
    if (strpbrk(line, " ;:\t") != NULL)
        return LINE_REMARK;
    return strchr(line, '/') != NULL ? LINE_WHOLE : LINE_ROW;
}

static enum line_kind kind_of_tiles(const struct collection *collection, const char *line)
{
    char size[INFER_SIZE_MAX];
    unsigned tiles = tiles_in(line);
    if (collection->columns != 0)
        return tiles == collection->columns && collection->height > 1 ? LINE_ROW : LINE_WHOLE;
    return tiles > 1 && strpbrk(line, ", ") != NULL && !infer_size(line, size) ? LINE_ROW : LINE_WHOLE;
}

static enum line_kind kind_of(const struct collection *collection, const char *line)
{
    if (*line == '\0')
        return LINE_BLANK;
    switch (collection->rows) {
    case ROWS_OF_LEVELS:
        return kind_of_level(line);
    case ROWS_OF_LETTERS:
        return kind_of_letters(line);
    case ROWS_NONE:
        return LINE_WHOLE;
    case ROWS_OF_TILES:
        break;
    }
    return kind_of_tiles(collection, line);
}

/* ---- remarks ---- */

static void set(struct text *text, const char *words)
{
    text_cut(text, 0);
    text_add(text, words);
}

/* Takes a line that is not a row: the title of the block before it, or a remark on the next. */
static void take_remark(struct collection *collection, const char *line)
{
    static const char title[] = "Title:";
    line += strspn(line, "; \t");
    if (strncasecmp(line, title, strlen(title)) == 0) {
        line += strlen(title);
        set(collection->closed ? &collection->title : &collection->remark, line + strspn(line, " \t"));
    } else if (*line != '\0' && strncmp(line, "::", 2) != 0) {
        set(&collection->remark, line);
    }
}

/* ---- blocks ---- */

static void add_row(struct collection *collection, const char *line)
{
    if (collection->count++ == 0) {
        set(&collection->title, text_string(&collection->remark));
        set(&collection->remark, "");
    } else {
        text_char(&collection->block, '/');
    }
    for (; *line != '\0'; line++) {
        bool floor = *line == ' ' && collection->rows == ROWS_OF_LEVELS;
        text_append(&collection->block, floor ? "-" : line, 1);
    }
}

/* Hands out the finished block. */
static enum lines_answer give_block(struct collection *collection, struct collection_board *out)
{
    const bool titled = collection->rows != ROWS_OF_TILES;
    out->board = strdup(text_string(&collection->block));
    out->title = titled ? strdup(text_string(&collection->title)) : NULL;
    bool failed = out->board == NULL || (titled && out->title == NULL) || collection->block.failed ||
                  collection->title.failed;
    text_cut(&collection->block, 0);
    collection->count = 0;
    collection->closed = false;
    return failed ? LINES_NO_MEMORY : LINES_LINE;
}

/* Takes over a line. Returns true if that completes a board or fails; *out and *answer have the result. */
static bool collection_take_line(struct collection *collection, char *line, struct collection_board *out,
                                 enum lines_answer *answer)
{
    enum line_kind kind = kind_of(collection, line);
    if (collection->count > 0 && (kind == LINE_WHOLE || (kind == LINE_ROW && collection->closed))) {
        collection->kept = line;
        *answer = give_block(collection, out);
        return true;
    }
    if (kind == LINE_WHOLE) {
        out->board = line;
        return true;
    }
    if (kind == LINE_ROW)
        add_row(collection, line);
    else
        collection->closed = collection->count > 0;
    if (kind == LINE_REMARK)
        take_remark(collection, line);
    free(line);
    bool whole = collection->count > 0 && (collection->count == collection->height ||
                                           (collection->closed && collection->rows == ROWS_OF_TILES));
    if (whole)
        *answer = give_block(collection, out);
    return whole;
}

static enum lines_answer next_board(struct collection *collection, bool wait, struct collection_board *out)
{
    enum lines_answer answer = LINES_LINE;
    for (;;) {
        char *line = collection->kept;
        collection->kept = NULL;
        if (line == NULL)
            answer = lines_next(&collection->lines, wait, &line);
        if (answer == LINES_END && collection->count > 0)
            return give_block(collection, out);
        if (answer != LINES_LINE)
            return answer;
        infer_narrow(line);
        collection->has_words |= *line != '\0';
        if (collection_take_line(collection, line, out, &answer))
            return answer;
    }
}

enum lines_answer collection_next(struct collection *collection, bool wait, struct collection_board *out)
{
    *out = (struct collection_board){0};
    const enum lines_answer answer = next_board(collection, wait, out);
    collection->has_board |= answer == LINES_LINE;
    if (answer != LINES_END || collection->has_board || !collection->has_words)
        return answer;
    collection->lines.failure = ENODATA;
    return LINES_FAILED;
}
