/* SPDX-License-Identifier: MIT */
/* What a line of a text of boards is: a row, a board, or what stands around them. */
#include "protocol/text/boards.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define TILE_SIGNS "0123456789xX_.#"

/* Returns true for what no puzzle has at the beginning of a row. */
static bool begins_remark(const char *line)
{
    return *line == ';' || *line == '\'' || strncmp(line, "::", 2) == 0 || strncmp(line, "//", 2) == 0;
}

/* For Sokoban: a row has signs only, and a wall, if it is not one of an open block. */
static enum line_kind kind_of_level(const struct boards *boards, const char *line)
{
    const bool open = boards->block.count > 0 && !boards->closed;
    const char *wall = strchr(line, '#');
    if (begins_remark(line))
        return LINE_REMARK;
    if (board_rows_is_level(line) && wall != NULL)
        return line[strcspn(line, "/|")] != '\0' && line[strcspn(line, "/|") + 1] != '\0' ? LINE_WHOLE
                                                                                          : LINE_ROW;
    if (line[strspn(line, "@+$*. -_")] == '\0')
        return LINE_ROW;
    const bool broken = wall != NULL && (open || strchr(wall + 1, '#') != NULL);
    return broken || (open && !boards->block.walled) ? LINE_BAD : LINE_REMARK;
}

/* Returns the length of "goal" or "target", with which a line begins; 0 for none. */
static size_t goal_word(const char *line)
{
    return strncasecmp(line, "goal", 4) == 0 ? 4 : strncasecmp(line, "target", 6) == 0 ? 6 : 0;
}

/* Returns true for "goal: A:3,1" and "Target=A:3,1"; what is said in words is a remark. */
static bool is_block_goal(const char *line)
{
    const size_t word = goal_word(line);
    const char *goal = line + word + strspn(line + word, " :=\t");
    return word > 0 && goal > line + word && isalnum((unsigned char)*goal) != 0 && goal[1] == ':' &&
           isdigit((unsigned char)goal[2]) != 0;
}

/* For Klotski, link-up and Rush Hour: whether a line is a row is known when the whole block is. */
static enum line_kind kind_of_letters(const struct boards *boards, char *line)
{
    const char *word = line + strspn(line, " ");
    const bool cars = boards->block.kind == ROWS_OF_CARS;
    if (is_block_goal(word))
        return LINE_GOAL;
    if (begins_remark(word) || board_rows_has_key(word) || board_rows_is_comment(word))
        return LINE_REMARK;
    if (strchr(line, '/') != NULL || (cars && board_rows_of_fogleman(line)))
        return LINE_WHOLE;
    return cars && strchr(word, ' ') == NULL && strlen(word) > BOARD_ROWS_CARS_MAX ? LINE_WHOLE : LINE_ROW;
}

/* Counts the words between blanks and commas. A word of digits alone is a row without separators. */
static unsigned tiles_in(const char *line)
{
    unsigned count = 0;
    const size_t length = strlen(line);
    if (length > 1 && strspn(line, TILE_SIGNS) == length)
        return (unsigned)length;
    for (const char *at = line; *at != '\0'; count++) {
        const size_t tile = strspn(at, TILE_SIGNS);
        if (tile == 0)
            return 0;
        at += tile;
        at += strspn(at, ", \t");
    }
    return count;
}

unsigned boards_height(const struct boards *boards)
{
    return boards->size_rows != 0 ? boards->size_rows : boards->block.height;
}

/* As boards_height, of columns. */
static unsigned row_width(const struct boards *boards)
{
    return boards->size_columns != 0    ? boards->size_columns
           : boards->block.columns != 0 ? boards->block.columns
           : boards->block.count > 0    ? tiles_in(text_string(&boards->block.rows))
                                        : 0;
}

/* Cuts a remark off a line of tiles: behind a # that is no wall, as no tile follows it, or the row is full.
 */
static void cut_remark(const struct boards *boards, char *line)
{
    for (char *mark = strchr(line, '#'); mark != NULL; mark = strchr(mark + 1, '#')) {
        if (mark > line && mark[-1] != ' ' && mark[-1] != '\t')
            continue;
        const bool words = mark[1 + strspn(mark + 1, TILE_SIGNS ", \t/")] != '\0';
        *mark = '\0';
        const bool full = mark > line && tiles_in(line) == row_width(boards);
        if (words || full) {
            while (mark > line && (mark[-1] == ' ' || mark[-1] == '\t'))
                *--mark = '\0';
            return;
        }
        *mark = '#';
    }
}

/* Of a line that has not as many tiles as a row should: it is a board, or else spoils one. */
static enum line_kind kind_of_odd_tiles(const struct boards *boards, const char *line, unsigned tiles)
{
    const unsigned cells = boards_height(boards) * row_width(boards);
    const bool open = boards->block.count > 0 || boards->size_rows != 0;
    if (strpbrk(line, "/[;") != NULL || (cells > 0 && tiles == cells))
        return LINE_WHOLE;
    return open || (tiles > 1 && 2 * tiles <= cells && strpbrk(line, ", ") != NULL) ? LINE_BAD : LINE_WHOLE;
}

/* Returns true for "Author: me" and "Moves: 12"; not if a board stands behind the colon. */
static bool is_key_remark(const char *line)
{
    if (!board_rows_has_key(line))
        return false;
    const char *rest = strchr(line, ':') + 1;
    rest += strspn(rest, " \t");
    const size_t length = strlen(rest);
    const bool words = strspn(rest, TILE_SIGNS ", \t/;[]") != length;
    return words || (length < 4 && strpbrk(rest, ", \t/;") == NULL);
}

/* Returns true for so many different signs: 1x2 is a row of three cells, too, and 23x1 a board of four. */
static bool is_signs(const char *line, unsigned cells)
{
    if (cells == 0 || strlen(line) != cells)
        return false;
    while (*line != '\0' && strchr(line + 1, *line) == NULL)
        line++;
    return *line == '\0';
}

static enum line_kind kind_of_tiles(struct boards *boards, char *line)
{
    unsigned rows = 0, wide = 0;
    const size_t word = goal_word(line);
    if (word > 0 && line[word] != '\0' && strchr(word == 4 ? ":= " : ":=", line[word]) != NULL)
        return LINE_GOAL;
    cut_remark(boards, line);
    if (*line == '\0' || begins_remark(line) || is_key_remark(line))
        return LINE_REMARK;
    if (boards->block.count == 0 && (boards->block.columns != 1 || strpbrk(line, "xX") != NULL) &&
        board_rows_size(line, BOARD_ROWS_TILES, &rows, &wide)) {
        const unsigned high = boards->block.height, columns = boards->block.columns;
        const bool fits = high == 0 || (high == rows && columns == wide);
        if (fits || (!is_signs(line, columns) && !is_signs(line, high * columns))) {
            boards->size_rows = rows;
            boards->size_columns = wide;
            return fits ? LINE_SIZE : LINE_BAD;
        }
    }
    const unsigned tiles = tiles_in(line), columns = row_width(boards);
    if (columns == 0 && tiles == 0 && boards->block.count == 0 && isdigit((unsigned char)*line) != 0 &&
        strpbrk(line, ", ") != NULL && strpbrk(line, "/[;") == NULL)
        return LINE_BAD; /* a row with a wrong sign, and no board for what follows */
    if (columns == 0)
        return tiles > 1 && strpbrk(line, ", ") != NULL ? LINE_ROW : LINE_WHOLE;
    if (tiles != columns)
        return kind_of_odd_tiles(boards, line, tiles);
    return boards->block.count > 0 || boards_height(boards) > 1 ? LINE_ROW : LINE_WHOLE;
}

enum line_kind boards_line_kind(struct boards *boards, char *line)
{
    if (line[strspn(line, " ")] == '\0')
        return LINE_BLANK;
    switch (boards->block.kind) {
    case ROWS_OF_LEVELS:
        return kind_of_level(boards, line);
    case ROWS_OF_LETTERS:
    case ROWS_OF_CARS:
        return kind_of_letters(boards, line);
    case ROWS_OF_TILES:
        return kind_of_tiles(boards, line);
    case ROWS_NONE:
        break;
    }
    return boards->remarks && (*line == '#' || *line == ';') ? LINE_REMARK : LINE_WHOLE;
}
