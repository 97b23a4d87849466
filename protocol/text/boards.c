/* SPDX-License-Identifier: MIT */
#include "protocol/text/boards.h"

#include "protocol/text/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void boards_begin(struct boards *boards, const char *puzzle)
{
    static const struct {
        const char *name;
        enum board_kind kind;
    } names[] = {{"sokoban", ROWS_OF_LEVELS}, {"klotski", ROWS_OF_LETTERS}, {"linkup", ROWS_OF_LETTERS},
                 {"rushhour", ROWS_OF_CARS},  {"pancake", ROWS_NONE},       {"topspin", ROWS_NONE},
                 {"hanoi", ROWS_NONE},        {"jugs", ROWS_NONE},          {"slide", ROWS_OF_TILES}};
    char inferred[1088]; /* as long as names of puzzles are */
    if (infer_puzzle_name(puzzle, inferred, sizeof inferred))
        puzzle = inferred;
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
        (void)board_rows_size(puzzle[length] == ':' ? puzzle + length + 1 : puzzle, BOARD_ROWS_TILES,
                              &boards->block.height, &boards->block.columns);
}

void boards_clear(struct boards *boards)
{
    lines_clear(&boards->lines);
    text_free(&boards->block.rows);
    text_free(&boards->block.title);
    text_free(&boards->block.goal);
    text_free(&boards->block.wrong);
    text_free(&boards->remark);
    text_free(&boards->level);
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

/* ---- remarks ---- */

static void set_text(struct text *text, const char *words)
{
    text_cut(text, 0);
    text_add(text, words);
}

/* Returns true for "rrRRdddL…", which some collections have behind a level. */
static bool boards_is_solution(const char *line)
{
    const size_t moves = strspn(line, "lurdLURD");
    return moves > 9 && line[moves] == '\0';
}

/* Returns true for "Comment-End:" and "Comment_end": what stands above is of a comment behind a level. */
static bool ends_comment(const char *line)
{
    return strncasecmp(line, "comment", 7) == 0 && (line[7] == '-' || line[7] == '_') &&
           strncasecmp(line + 8, "end", 3) == 0;
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
    } else if (ends_comment(line)) {
        set_text(&boards->remark, "");
    } else if (*line != '\0' && !colons && !board_rows_has_key(line) && !boards_is_solution(line)) {
        set_text(&boards->remark, line);
    }
}

static void boards_take_goal(struct boards *boards, const char *line)
{
    line += strspn(line, " ");
    line += strcspn(line, ":= ");
    set_text(&boards->block.goal, line + strspn(line, ":= \t"));
}

#define NO_BOARD_OF_GOAL "a goal stands before its board, or behind the last of its rows"

/* ---- blocks ---- */

static void boards_add_row(struct boards *boards, const char *line, bool bad)
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
    boards->closed = boards->full = boards->goal_behind = boards->block.walled = false;
}

static char *text_copy(const struct text *text)
{
    return strdup(text_string(text));
}

/* Hands out the finished block. Returns false if it was only a title, or a line between others. */
static bool give_block(struct boards *boards, struct board_text *out, enum lines_answer *answer)
{
    const bool titled = boards->block.kind != ROWS_OF_TILES;
    struct text board = {0}, goal = boards->block.goal;
    if (boards->size_rows > boards->block.count && boards->block.wrong.length == 0)
        text_format(&boards->block.wrong, "line %u: %u rows, but its size is %ux%u", boards->block.line[0],
                    boards->block.count, boards->size_rows, boards->size_columns);
    if (!board_rows_join(&boards->block, &board)) {
        take_remark(boards, text_string(&boards->block.rows));
        boards->block.goal = (struct text){0}; /* it is the next board's */
        forget_block(boards);
        boards->block.goal = goal;
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
static enum lines_answer boards_give_line(struct boards *boards, char *line, struct board_text *out)
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

/* Hands out an error in place of a board: a goal or a size that is of none. */
static bool refuse_line(struct boards *boards, char *line, const char *why, struct board_text *out,
                        enum lines_answer *answer)
{
    text_format(&boards->block.wrong, "line %u: %s", boards->lines.number, why);
    boards_add_row(boards, line, true);
    free(line);
    return give_block(boards, out, answer);
}

static void tell_doubtful_goal(struct boards *boards)
{
    text_format(&boards->block.wrong,
                "line %u: the goal above may belong to the board before it or behind it; a blank line shows "
                "which",
                boards->lines.number);
}

/* Takes over the line behind a full block: its goal, or what ends it. */
static bool end_full(struct boards *boards, enum line_kind kind, char *line, struct board_text *out,
                     enum lines_answer *answer)
{
    const bool goal = kind == LINE_GOAL && boards->block.goal.length == 0;
    if (goal)
        boards_take_goal(boards, line);
    if (goal && boards->block.goal.length > 0) {
        boards->goal_behind = true;
        free(line);
        return false;
    }
    if (boards->goal_behind && (kind == LINE_ROW || kind == LINE_WHOLE))
        tell_doubtful_goal(boards);
    boards->kept = line;
    return give_block(boards, out, answer);
}

static bool boards_give_level(struct boards *boards, struct board_text *out, enum lines_answer *answer)
{
    const unsigned line = boards->level_line;
    char *level = text_take(&boards->level);
    *answer = level != NULL ? boards_give_line(boards, level, out) : LINES_NO_MEMORY;
    out->line = line;
    return true;
}

/* Returns true if the block is rows of a level that goes on in a line with several: each ends with a bar, and
 * one player is there at most. */
static bool boards_go_on(const struct boards *boards, const char *line)
{
    const char *row = text_string(&boards->block.rows);
    bool barred = !boards->closed && boards->block.wrong.length == 0;
    unsigned players = board_rows_players(line);
    for (unsigned i = 0; i < boards->block.count && barred; i++, row += strlen(row) + 1) {
        barred = row[strlen(row) - 1] == '|';
        players += board_rows_players(row);
    }
    return barred && players <= 1;
}

/* Begins a level in one line, with the rows before it that belong to it. */
static void boards_begin_level(struct boards *boards)
{
    const char *row = text_string(&boards->block.rows);
    boards->level_line = boards->block.count > 0 ? boards->block.line[0] : boards->lines.number;
    if (boards->block.count > 0)
        set_text(&boards->remark, text_string(&boards->block.title));
    for (unsigned i = 0; i < boards->block.count; i++, row += strlen(row) + 1)
        text_add(&boards->level, row);
    forget_block(boards);
}

/* Takes over a level in one line, which goes on in the next ones until it has a player and ends with a wall;
 * or the line behind one that did not end so. */
static bool take_level(struct boards *boards, enum line_kind kind, char *line, struct board_text *out,
                       enum lines_answer *answer)
{
    const bool part = kind == LINE_WHOLE || kind == LINE_ROW;
    if (boards->level.length > 0 &&
        (!part || board_rows_players(text_string(&boards->level)) + board_rows_players(line) > 1)) {
        boards->kept = line;
        return boards_give_level(boards, out, answer);
    }
    if (boards->level.length == 0)
        boards_begin_level(boards);
    text_add(&boards->level, line);
    free(line);
    return board_rows_is_closed(text_string(&boards->level)) && boards_give_level(boards, out, answer);
}

/* Takes over a line. Returns true if that completes a board or fails; *out and *answer have the result. */
static bool boards_take_line(struct boards *boards, char *line, struct board_text *out,
                             enum lines_answer *answer)
{
    const bool tiles = boards->block.kind == ROWS_OF_TILES;
    const enum line_kind kind = boards_line_kind(boards, line);
    const bool row = kind == LINE_ROW || kind == LINE_BAD;
    if (boards->full)
        return end_full(boards, kind, line, out, answer);
    if (boards->block.count > 0 &&
        (row                 ? boards->closed
         : kind == LINE_GOAL ? boards->closed || boards->block.goal.length > 0
                             : kind == LINE_WHOLE && !boards_go_on(boards, line))) {
        if (boards->goal_behind)
            tell_doubtful_goal(boards);
        boards->kept = line;
        return give_block(boards, out, answer);
    }
    if (boards->block.kind == ROWS_OF_LEVELS && (kind == LINE_WHOLE || boards->level.length > 0))
        return take_level(boards, kind, line, out, answer);
    if (kind == LINE_WHOLE) {
        *answer = boards_give_line(boards, line, out);
        return true;
    }
    const bool behind =
        boards->given > 0 && boards->block.count == 0 && boards->given + 1 == boards->lines.number;
    if (kind == LINE_GOAL && behind)
        return refuse_line(boards, line, NO_BOARD_OF_GOAL, out, answer);
    if (row)
        boards_add_row(boards, line, kind == LINE_BAD);
    else if (kind == LINE_GOAL)
        boards_take_goal(boards, line);
    if (kind == LINE_GOAL && !tiles && boards->block.count > 0)
        boards->closed = boards->goal_behind = true;
    if (kind == LINE_BLANK)
        boards->goal_behind = false;
    if (kind == LINE_GOAL && boards->block.goal.length == 0)
        return refuse_line(boards, line, "a goal stands on one line: goal: 1,2,3/4,5,6/7,8,0", out, answer);
    if (kind == LINE_BLANK || (kind == LINE_REMARK && !tiles))
        boards->closed = boards->block.count > 0;
    if (kind == LINE_REMARK)
        take_remark(boards, line);
    free(line);
    boards->full = tiles && boards->block.count > 0 && boards->block.count == boards_height(boards) &&
                   boards->block.wrong.length == 0;
    return tiles && boards->closed && give_block(boards, out, answer);
}

bool boards_give_full(struct boards *boards, struct board_text *out, enum lines_answer *answer)
{
    *out = (struct board_text){0};
    return boards->full && give_block(boards, out, answer);
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

/* Hands out an error for a size at the end, with no rows behind it. */
static bool refuse_size(struct boards *boards, struct board_text *out, enum lines_answer *answer)
{
    char size[32];
    (void)snprintf(size, sizeof size, "%ux%u", boards->size_rows, boards->size_columns);
    char *line = strdup(size);
    if (line == NULL) {
        *answer = LINES_NO_MEMORY;
        return true;
    }
    return refuse_line(boards, line, "a size stands before its board, and none follows", out, answer);
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
            if (answer == LINES_END && boards->level.length > 0 && boards_give_level(boards, out, &answer))
                return answer;
            if (answer == LINES_END && boards->block.goal.length > 0 &&
                refuse_line(boards, text_take(&boards->block.goal), NO_BOARD_OF_GOAL, out, &answer))
                return answer;
            if (answer == LINES_END && boards->has_board && boards->size_rows != 0 &&
                refuse_size(boards, out, &answer))
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
        if (boards_take_line(boards, line, out, &answer))
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

bool boards_one(const char *puzzle, const char *text, bool has_goal, struct text *board, struct text *wrong)
{
    struct boards boards;
    struct board_text first, second = {0};
    boards_begin(&boards, puzzle);
    lines_feed(&boards.lines, text, strlen(text));
    lines_end(&boards.lines);
    const enum lines_answer answer = boards_next(&boards, &first);
    if (answer == LINES_LINE && first.wrong != NULL)
        text_add(wrong, first.wrong);
    else if (answer == LINES_LINE && first.goal != NULL && !has_goal)
        text_add(wrong, "a goal line: give the goal as goal=BOARD");
    else if (answer == LINES_LINE && boards_next(&boards, &second) == LINES_LINE)
        text_format(wrong, "line %u: one board is wanted, and '%.60s' before it was taken for one",
                    second.line, first.board);
    else if (answer == LINES_LINE)
        text_add(board, first.board);
    else
        text_add(wrong,
                 boards.none || answer == LINES_FAILED ? boards.lines.failure : "there is no board in it");
    board_text_clear(&second);
    if (answer == LINES_LINE)
        board_text_clear(&first);
    boards_clear(&boards);
    return wrong->length == 0 && !wrong->failed && !board->failed;
}
