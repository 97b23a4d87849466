/* SPDX-License-Identifier: MIT */
#include "protocol/text/boards.h"

#include "protocol/text/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TILE_SIGNS "0123456789xX_.#"

void boards_begin(struct boards *boards, const char *puzzle)
{
    static const struct {
        const char *name;
        enum board_kind kind;
    } names[] = {{"sokoban", ROWS_OF_LEVELS}, {"klotski", ROWS_OF_LETTERS}, {"linkup", ROWS_OF_LETTERS},
                 {"rushhour", ROWS_OF_CARS},  {"pancake", ROWS_NONE},       {"topspin", ROWS_NONE},
                 {"hanoi", ROWS_NONE},        {"jugs", ROWS_NONE},          {"slide", ROWS_OF_TILES}};
    const bool bare = *puzzle == '\0' || *puzzle == '-' || isdigit((unsigned char)*puzzle) != 0;
    const size_t length = strcspn(puzzle, ":");
    *boards = (struct boards){.block.kind = bare ? ROWS_OF_TILES : ROWS_NONE};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) != length || strncasecmp(puzzle, names[i].name, length) != 0)
            continue;
        boards->block.kind = names[i].kind;
        boards->remarks = names[i].kind == ROWS_NONE;
    }
    if (boards->block.kind == ROWS_OF_TILES)
        (void)board_rows_size(puzzle[length] == ':' ? puzzle + length + 1 : puzzle, &boards->block.height,
                              &boards->block.columns);
}

void boards_clear(struct boards *boards)
{
    lines_clear(&boards->lines);
    text_free(&boards->block.rows);
    text_free(&boards->block.title);
    text_free(&boards->block.goal);
    text_free(&boards->block.wrong);
    text_free(&boards->remark);
    free(boards->kept);
}

void board_text_clear(struct board_text *text)
{
    free(text->board);
    free(text->title);
    free(text->goal);
    free(text->wrong);
    free(text->place);
    *text = (struct board_text){0};
}

/* ---- kinds of lines ---- */

/* BAD: it can be no row, but belongs to the block. SIZE: of the next board. WHOLE: a board by itself. */
enum line_kind { LINE_BLANK, LINE_ROW, LINE_BAD, LINE_REMARK, LINE_SIZE, LINE_GOAL, LINE_WHOLE };

/* Returns true for what no puzzle has at the beginning of a row. */
static bool begins_remark(const char *line)
{
    return *line == ';' || *line == '\'' || strncmp(line, "::", 2) == 0 || strncmp(line, "//", 2) == 0;
}

/* Returns true for "Author: me": a word, a colon, and more. */
static bool has_key(const char *line)
{
    const size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    return word > 1 && line[word] == ':';
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

/* For Klotski, link-up and Rush Hour: whether a line is a row is known when the whole block is. */
static enum line_kind kind_of_letters(const struct boards *boards, char *line)
{
    const char *word = line + strspn(line, " ");
    const bool cars = boards->block.kind == ROWS_OF_CARS;
    if (begins_remark(word) || has_key(word) || board_rows_is_comment(word))
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

/* Rows and columns of the block that is read, or the next: as its size line or the puzzle has them; 0 if it
 * is not known. */
static unsigned height_of(const struct boards *boards)
{
    return boards->size_rows != 0 ? boards->size_rows : boards->block.height;
}

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
    const unsigned cells = boards->block.height * boards->block.columns;
    const bool open = boards->block.count > 0;
    if (strpbrk(line, "/[") != NULL || (cells > 0 && tiles == cells))
        return LINE_WHOLE;
    return open || (tiles > 1 && 2 * tiles <= cells && strpbrk(line, ", ") != NULL) ? LINE_BAD : LINE_WHOLE;
}

static enum line_kind kind_of_tiles(struct boards *boards, char *line)
{
    unsigned rows = 0, wide = 0;
    if (strncasecmp(line, "goal", 4) == 0 && line[4] != '\0' && strchr(":= ", line[4]) != NULL)
        return LINE_GOAL;
    cut_remark(boards, line);
    if (*line == '\0' || begins_remark(line))
        return LINE_REMARK;
    if (boards->block.count == 0 && board_rows_size(line, &rows, &wide)) {
        boards->size_rows = rows;
        boards->size_columns = wide;
        const bool fits =
            boards->block.height == 0 || (boards->block.height == rows && boards->block.columns == wide);
        return fits ? LINE_SIZE : LINE_BAD;
    }
    const unsigned tiles = tiles_in(line), columns = row_width(boards);
    if (columns == 0)
        return tiles > 1 && strpbrk(line, ", ") != NULL ? LINE_ROW : LINE_WHOLE;
    if (tiles != columns)
        return kind_of_odd_tiles(boards, line, tiles);
    return boards->block.count > 0 || height_of(boards) > 1 ? LINE_ROW : LINE_WHOLE;
}

static enum line_kind kind_of(struct boards *boards, char *line)
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

/* ---- remarks ---- */

static void set_text(struct text *text, const char *words)
{
    text_cut(text, 0);
    text_add(text, words);
}

/* Returns true for "rrRRdddL…", which some collections have behind a level. */
static bool is_solution(const char *line)
{
    const size_t moves = strspn(line, "lurdLURD");
    return moves > 9 && line[moves] == '\0';
}

/* Takes a line that is not a row: the title of the block before it, or a remark on the next. */
static void take_remark(struct boards *boards, const char *line)
{
    static const char title[] = "Title:";
    const bool colons = strncmp(line, "::", 2) == 0;
    line += strspn(line, "; \t'");
    if (strncasecmp(line, title, strlen(title)) == 0) {
        line += strlen(title);
        set_text(boards->closed ? &boards->block.title : &boards->remark, line + strspn(line, " \t"));
    } else if (*line != '\0' && !colons && !has_key(line) && !is_solution(line)) {
        set_text(&boards->remark, line);
    }
}

static void take_goal(struct boards *boards, const char *line)
{
    line += strcspn(line, ":= ");
    set_text(&boards->block.goal, line + strspn(line, ":= \t"));
}

/* ---- blocks ---- */

static void add_row(struct boards *boards, const char *line, bool bad)
{
    if (boards->block.count == BOARD_ROWS_MAX) {
        if (boards->block.wrong.length == 0)
            text_format(&boards->block.wrong, "line %u: no board has more than %d rows", boards->lines.number,
                        BOARD_ROWS_MAX);
        return;
    }
    if (boards->block.count == 0) {
        set_text(&boards->block.title, text_string(&boards->remark));
        set_text(&boards->remark, "");
    }
    if (bad && boards->block.wrong.length == 0)
        board_rows_tell(&boards->block, boards->lines.number, line);
    boards->block.walled |= strchr(line, '#') != NULL;
    boards->block.line[boards->block.count++] = boards->lines.number;
    text_append(&boards->block.rows, line, strlen(line) + 1);
}

static void forget_block(struct boards *boards)
{
    text_cut(&boards->block.rows, 0);
    text_cut(&boards->block.wrong, 0);
    text_cut(&boards->block.goal, 0);
    boards->block.count = boards->size_rows = boards->size_columns = 0;
    boards->closed = boards->block.walled = false;
}

static char *text_copy(const struct text *text)
{
    return strdup(text_string(text));
}

/* Hands out the finished block. Returns false if it was only a title, or a line between others. */
static bool give_block(struct boards *boards, struct board_text *out, enum lines_answer *answer)
{
    const bool titled = boards->block.kind != ROWS_OF_TILES;
    struct text board = {0};
    if (!board_rows_join(&boards->block, &board)) {
        take_remark(boards, text_string(&boards->block.rows));
        forget_block(boards);
        text_free(&board);
        return false;
    }
    *out =
        (struct board_text){.board = text_take(&board),
                            .title = titled ? text_copy(&boards->block.title) : NULL,
                            .goal = boards->block.goal.length > 0 ? text_copy(&boards->block.goal) : NULL,
                            .wrong = boards->block.wrong.length > 0 ? text_copy(&boards->block.wrong) : NULL,
                            .line = boards->block.line[0]};
    const bool failed = out->board == NULL || (titled && out->title == NULL) || boards->block.rows.failed ||
                        boards->block.title.failed || boards->block.wrong.failed || boards->block.goal.failed;
    forget_block(boards);
    boards->given = boards->lines.number;
    *answer = failed ? LINES_NO_MEMORY : LINES_LINE;
    return true;
}

/* Hands out a line that is a board; takes it over. */
static enum lines_answer give_line(struct boards *boards, char *line, struct board_text *out)
{
    const bool titled =
        boards->remark.length > 0 && boards->block.kind != ROWS_OF_TILES && boards->block.kind != ROWS_NONE;
    *out = (struct board_text){.title = titled ? text_copy(&boards->remark) : NULL,
                               .goal = boards->block.goal.length > 0 ? text_copy(&boards->block.goal) : NULL,
                               .line = boards->lines.number};
    out->board = line;
    const bool failed = (titled && out->title == NULL) || boards->remark.failed;
    set_text(&boards->remark, "");
    forget_block(boards);
    boards->given = boards->lines.number;
    return failed ? LINES_NO_MEMORY : LINES_LINE;
}

/* Takes over a line. Returns true if that completes a board or fails; *out and *answer have the result. */
static bool take_line(struct boards *boards, char *line, struct board_text *out, enum lines_answer *answer)
{
    const bool tiles = boards->block.kind == ROWS_OF_TILES;
    const enum line_kind kind = kind_of(boards, line);
    const bool row = kind == LINE_ROW || kind == LINE_BAD;
    if (boards->block.count > 0 && (kind == LINE_WHOLE || (row && boards->closed))) {
        boards->kept = line;
        return give_block(boards, out, answer);
    }
    if (kind == LINE_WHOLE) {
        *answer = give_line(boards, line, out);
        return true;
    }
    if (kind == LINE_GOAL && boards->block.count == 0 && boards->given + 1 == boards->lines.number) {
        text_format(&boards->block.wrong, "line %u: a goal stands before its board", boards->lines.number);
        add_row(boards, line, true);
        free(line);
        return give_block(boards, out, answer);
    }
    if (row)
        add_row(boards, line, kind == LINE_BAD);
    else if (kind == LINE_GOAL)
        take_goal(boards, line);
    else if (kind == LINE_BLANK || (kind == LINE_REMARK && !tiles))
        boards->closed = boards->block.count > 0;
    if (kind == LINE_REMARK)
        take_remark(boards, line);
    free(line);
    const bool full = boards->block.count == height_of(boards) && boards->block.wrong.length == 0;
    const bool whole = boards->block.count > 0 && tiles && (full || boards->closed);
    return whole && give_block(boards, out, answer);
}

/* Cuts the blanks at the end of a line, and at its beginning where they are no cells; a tab goes to the next
 * eighth column. */
static char *tidy_line(const struct boards *boards, const char *line)
{
    struct text tidy = {0};
    const bool indented = boards->block.kind != ROWS_OF_TILES && boards->block.kind != ROWS_NONE;
    const char *from = line;
    if (!indented)
        from += strspn(from, " \t");
    text_add(&tidy, "");
    for (; *from != '\0'; from++) {
        const size_t cells = *from == '\t' ? 8 - tidy.length % 8 : 1;
        for (size_t i = 0; i < cells; i++)
            text_char(&tidy, (char)(*from == '\t' ? ' ' : *from));
    }
    while (tidy.length > 0 && tidy.data[tidy.length - 1] == ' ')
        text_cut(&tidy, tidy.length - 1);
    return text_take(&tidy);
}

static enum lines_answer next_board(struct boards *boards, struct board_text *out)
{
    enum lines_answer answer = LINES_LINE;
    for (;;) {
        char *line = boards->kept;
        boards->kept = NULL;
        if (line == NULL) {
            answer = lines_next(&boards->lines, &line);
            if (answer == LINES_END && boards->block.count > 0 && give_block(boards, out, &answer))
                return answer;
            if (answer != LINES_LINE)
                return answer;
            infer_narrow(line);
            const char *left = boards->lines.tagged ? board_rows_of_slc(line) : line;
            char *tidy = left != NULL ? tidy_line(boards, left) : NULL;
            free(line);
            line = tidy;
            if (left == NULL)
                continue;
            if (line == NULL)
                return LINES_NO_MEMORY;
            boards->has_words |= *line != '\0';
        }
        if (take_line(boards, line, out, &answer))
            return answer;
    }
}

enum lines_answer boards_next(struct boards *boards, struct board_text *out)
{
    *out = (struct board_text){0};
    const enum lines_answer answer = next_board(boards, out);
    boards->has_board |= answer == LINES_LINE;
    if (answer != LINES_END || boards->has_board || !boards->has_words)
        return answer;
    boards->none = true;
    (void)snprintf(boards->lines.failure, sizeof boards->lines.failure, "there is no board in the input");
    return LINES_FAILED;
}

bool boards_one(const char *puzzle, const char *text, struct text *board, struct text *wrong)
{
    struct boards boards;
    struct board_text first, second;
    boards_begin(&boards, puzzle);
    lines_feed(&boards.lines, text, strlen(text));
    lines_end(&boards.lines);
    const enum lines_answer answer = boards_next(&boards, &first);
    if (answer == LINES_LINE && first.wrong != NULL)
        text_add(wrong, first.wrong);
    else if (answer == LINES_LINE && boards_next(&boards, &second) == LINES_LINE)
        text_format(wrong, "line %u: one board is wanted, and here is another", second.line);
    else if (answer == LINES_LINE)
        text_add(board, first.board);
    else
        text_add(wrong,
                 boards.none || answer == LINES_FAILED ? boards.lines.failure : "there is no board in it");
    if (answer == LINES_LINE && first.wrong == NULL && wrong->length > 0)
        board_text_clear(&second);
    if (answer == LINES_LINE)
        board_text_clear(&first);
    boards_clear(&boards);
    return wrong->length == 0 && !wrong->failed && !board->failed;
}
