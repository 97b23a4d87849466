/* SPDX-License-Identifier: MIT */
/* Boards are written in every form that people give them, by a generator, and read back. */
#include "plain_search.h"

#include "base/random.h"
#include "protocol/text/boards.h"

#include <ctype.h>

enum { VARIANTS = 1000, TEXT_MAX = 256, SIDE = 9, BOARDS = 3 };

/* A board as rows of characters. */
struct page {
    unsigned rows, columns;
    char cell[SIDE][SIDE + 1];
};

struct writer {
    struct random random;
    struct text out;
    const char *line_end;
    const char *puzzle, *key, *value;
    char board[BOARDS][TEXT_MAX]; /* that the text is to have */
    unsigned count;
};

static unsigned below(struct writer *writer, unsigned bound)
{
    return (unsigned)random_below(&writer->random, bound);
}

static const char *any(struct writer *writer, const char *const *words, unsigned count)
{
    return words[below(writer, count)];
}

static void end_line(struct writer *writer)
{
    static const char *const blanks[] = {"", "", " ", "  "};
    text_add(&writer->out, any(writer, blanks, 4));
    text_add(&writer->out, writer->line_end);
}

static void begin_text(struct writer *writer)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    text_clear(&writer->out);
    writer->count = 0;
    writer->line_end = any(writer, ends, 3);
    text_add(&writer->out, below(writer, 3) == 0 ? "\xEF\xBB\xBF" : "");
}

static void write_line(struct writer *writer, const char *words)
{
    text_add(&writer->out, words);
    end_line(writer);
}

/* A name is no title where it may be a row. */
static void write_remark(struct writer *writer, bool named)
{
    static const char *const remarks[] = {"; 12 Corridor",
                                          "A line of words, no board.",
                                          "Title: One",
                                          "; Author: me",
                                          ":: nothing",
                                          "'Quoted'",
                                          "//",
                                          "Daisy"};
    write_line(writer, any(writer, remarks, named ? 8 : 7));
    if (below(writer, 2) == 0)
        end_line(writer);
}

/* ---- reading back ---- */

/* Prints a board as its space does, without the floor on the left of a level. */
static void print_board(const struct writer *writer, const char *board, const char *goal, char *out)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    uint64_t state[PZ_STATE_MAX / 8];
    if (plain_try_open(&space, writer->puzzle, board, goal, writer->key, writer->value, &error) != PZ_OK)
        fail_msg("%s: %s: %s\nof\n%s", writer->puzzle, board, error.text, writer->out.data);
    parse_state(space, board, state);
    (void)space->puzzle->print(space, state, out);
    space_close(space);
    const size_t indent = strspn(out, "-");
    for (char *row = out; indent > 0 && row != NULL; row = strchr(row, '/')) {
        row += *row == '/';
        memmove(row, row + indent, strlen(row + indent) + 1);
    }
}

static void feed_some(struct writer *writer, struct boards *reader, size_t *at)
{
    const size_t left = writer->out.length - *at, most = 1 + below(writer, 40);
    if (left == 0)
        lines_end(&reader->lines);
    else
        lines_feed(&reader->lines, writer->out.data + *at, left < most ? left : most);
    *at += left < most ? left : most;
}

/* Reads what was written, in pieces of any length: it has the writer's boards, each with the goal if there is
 * one. */
static void check_text(struct writer *writer, const char *goal)
{
    struct boards reader;
    struct board_text board;
    char wanted[PZ_TEXT_MAX], got[PZ_TEXT_MAX];
    size_t at = 0;
    unsigned found = 0;
    enum lines_answer answer;
    boards_begin(&reader, writer->puzzle);
    while ((answer = boards_next(&reader, &board)) != LINES_END) {
        if (answer == LINES_NOT_YET) {
            feed_some(writer, &reader, &at);
            continue;
        }
        if (answer != LINES_LINE || board.wrong != NULL || found == writer->count)
            fail_msg("%s: board %u: %s %s\nof\n%s", writer->puzzle, found,
                     answer == LINES_LINE && board.wrong != NULL ? board.wrong : "", reader.lines.failure,
                     writer->out.data);
        if ((board.goal != NULL) != (goal != NULL) || (goal != NULL && strcmp(board.goal, goal) != 0))
            fail_msg("the goal is not read of\n%s", writer->out.data);
        print_board(writer, writer->board[found], board.goal, wanted);
        print_board(writer, board.board, board.goal, got);
        if (strcmp(wanted, got) != 0)
            fail_msg("%s: '%s' is read as '%s': %s, not %s\nof\n%s", writer->puzzle, writer->board[found],
                     board.board, got, wanted, writer->out.data);
        found++;
        board_text_clear(&board);
    }
    if (found != writer->count)
        fail_msg("%s: %u boards, not %u, are in\n%s", writer->puzzle, found, writer->count, writer->out.data);
    boards_clear(&reader);
}

/* Notes a board that the text is to have. */
static void note_page(struct writer *writer, const struct page *page)
{
    char *out = writer->board[writer->count++];
    *out = '\0';
    for (unsigned row = 0; row < page->rows; row++)
        (void)sprintf(out + strlen(out), "%s%s", row > 0 ? "/" : "", page->cell[row]);
}

/* Writes rows, with blanks between the cells or without; cells that are '.' as `empty`. */
static void write_rows(struct writer *writer, const struct page *page, char empty, bool spaced,
                       const char *indent)
{
    for (unsigned row = 0; row < page->rows; row++) {
        text_add(&writer->out, indent);
        for (unsigned column = 0; column < page->columns; column++) {
            text_add(&writer->out, spaced && column > 0 ? " " : "");
            text_char(&writer->out, (char)(page->cell[row][column] == '.' ? empty : page->cell[row][column]));
        }
        end_line(writer);
    }
}

static void clear_page(struct writer *writer, struct page *page, unsigned least, unsigned most, char sign)
{
    *page = (struct page){
        least + below(writer, most - least + 1), least + below(writer, most - least + 1), {{0}}};
    for (unsigned row = 0; row < page->rows; row++)
        memset(page->cell[row], sign, page->columns);
}

static void check_all(const char *puzzle, const char *key, const char *value,
                      void (*write)(struct writer *writer))
{
    struct writer writer = {.puzzle = puzzle, .key = key, .value = value};
    writer.random.state = 50;
    for (unsigned i = 0; i < VARIANTS; i++) {
        begin_text(&writer);
        write(&writer);
    }
    text_free(&writer.out);
}

/* ---- Sokoban ---- */

static void put_anywhere(struct writer *writer, struct page *page, char free_sign, char sign)
{
    for (;;) {
        char *cell = &page->cell[1 + below(writer, page->rows - 2)][1 + below(writer, page->columns - 2)];
        if (*cell != free_sign)
            continue;
        *cell = sign;
        return;
    }
}

static void make_level(struct writer *writer, struct page *page)
{
    clear_page(writer, page, 5, SIDE, '-');
    for (unsigned row = 0; row < page->rows; row++) {
        if (row == 0 || row + 1 == page->rows)
            memset(page->cell[row], '#', page->columns);
        page->cell[row][0] = page->cell[row][page->columns - 1] = '#';
    }
    const bool crossed = below(writer, 2) == 0;
    for (unsigned boxes = 1 + below(writer, 2); boxes > 0; boxes--) {
        put_anywhere(writer, page, '-', '$');
        put_anywhere(writer, page, '-', boxes == 1 && crossed ? '+' : '.');
    }
    put_anywhere(writer, page, '-', '*');
    if (!crossed)
        put_anywhere(writer, page, '-', '@');
}

/* Writes a row, or in runs: 3#2-#. */
static void write_level_row(struct writer *writer, const char *row, const char *signs, bool runs)
{
    const size_t half = strlen(row) / 2;
    if (runs && row[2 * half] == '\0' && strncmp(row, row + half, half) == 0) {
        char part[SIDE + 1] = {0};
        (void)snprintf(part, sizeof part, "%.*s", (int)half, row);
        text_add(&writer->out, "2(");
        write_level_row(writer, part, signs, true);
        text_add(&writer->out, ")");
        return;
    }
    while (*row != '\0') {
        unsigned times = 1;
        while (runs && row[times] == *row)
            times++;
        if (times > 1)
            text_format(&writer->out, "%u", times);
        text_char(&writer->out, signs[strchr("#-@+$*.", *row) - "#-@+$*."]);
        row += times;
    }
}

/* Levels in one of the letters, in rows, in rows that end with a bar, in one line, or as tags. */
static void levels_of_one_text(struct writer *writer)
{
    static const char *const signs[] = {"#-@+$*.", "# @+$*.", "#_pPbB.", "# pPbBo", "#-@%BX."};
    static const char *const indents[] = {"", "", "  ", "\t"};
    const bool tags = below(writer, 5) == 0;
    text_add(&writer->out, tags ? "<?xml version=\"1.0\"?>\n<Levels><Title>All</Title>\n" : "");
    for (unsigned left = 1 + below(writer, BOARDS); left > 0; left--) {
        struct page page;
        const char *letters = any(writer, signs, 5), *indent = any(writer, indents, 4);
        const bool line = !tags && below(writer, 3) == 0, bar = !tags && below(writer, 3) == 0;
        make_level(writer, &page);
        note_page(writer, &page);
        if (!tags && below(writer, 2) == 0)
            write_remark(writer, true);
        text_add(&writer->out, tags ? "<Level Id=\"a #\">" : "");
        for (unsigned row = 0; row < page.rows; row++) {
            text_add(&writer->out, tags ? "<L>" : line ? "" : indent);
            write_level_row(writer, page.cell[row], letters, line);
            const char *wrapped = below(writer, 9) == 0 ? writer->line_end : "";
            text_add(&writer->out, tags ? "</L>" : line ? "|" : bar ? "|\n" : writer->line_end);
            text_add(&writer->out, line && row + 1 < page.rows ? wrapped : "");
        }
        text_add(&writer->out, tags ? "</Level>" : "");
        end_line(writer);
    }
    check_text(writer, NULL);
}

TEST(levels_are_read_back)
{
    check_all("sokoban", NULL, NULL, levels_of_one_text);
}

/* ---- boards of letters ---- */

/* Puts pieces of up to 2x2 cells, or of one line, on an empty board; the letter `first` is the first. */
static void put_pieces(struct writer *writer, struct page *page, const char *letters, bool lanes)
{
    for (unsigned tries = 2 * page->rows * page->columns; tries > 0 && *letters != '\0'; tries--) {
        unsigned high = 1 + below(writer, lanes ? 3 : 2), wide = 1 + below(writer, 2);
        if (lanes && (high > 1) == (wide > 1))
            continue;
        const unsigned row = below(writer, page->rows), column = below(writer, page->columns);
        bool free = row + high <= page->rows && column + wide <= page->columns;
        for (unsigned i = 0; free && i < high * wide; i++)
            free = page->cell[row + i / wide][column + i % wide] == '.';
        for (unsigned i = 0; free && i < high * wide; i++)
            page->cell[row + i / wide][column + i % wide] = *letters;
        letters += free;
    }
}

static void rows_of_letters(struct writer *writer, const struct page *page, const char *signs)
{
    const char empty = signs[below(writer, (unsigned)strlen(signs))];
    const bool spaced = empty != ' ' && below(writer, 3) == 0;
    note_page(writer, page);
    if (below(writer, 2) == 0)
        write_remark(writer, empty != ' ' && page->columns != 5);
    write_rows(writer, page, empty, spaced, empty != ' ' && below(writer, 4) == 0 ? "    " : "");
    end_line(writer);
}

static void blocks_of_one_text(struct writer *writer)
{
    for (unsigned left = 1 + below(writer, BOARDS); left > 0; left--) {
        struct page page;
        clear_page(writer, &page, 3, 6, '.');
        put_pieces(writer, &page, "ABCDEFGHIJKLMN", false);
        page.cell[0][0] = 'Z'; /* a corner is no blank */
        page.cell[1][0] = 'y';
        page.cell[page.rows - 1][page.columns - 1] = '.';
        for (unsigned row = 0; row < page.rows; row++)
            page.cell[row][page.columns - 1] = (char)(row == 0 ? '.' : 'a' + (int)row);
        rows_of_letters(writer, &page, "@._*-0");
    }
    check_text(writer, NULL);
}

TEST(blocks_are_read_back)
{
    check_all("klotski", NULL, NULL, blocks_of_one_text);
}

static void cars_of_one_text(struct writer *writer)
{
    for (unsigned left = 1 + below(writer, BOARDS); left > 0; left--) {
        struct page page;
        clear_page(writer, &page, 4, 8, '.');
        memcpy(page.cell[1], "AA", 2);
        put_pieces(writer, &page, "BCDEFGHIJKLM", true);
        note_page(writer, &page);
        const unsigned form = below(writer, 4);
        const char leaver = "AXxA"[form];
        if (below(writer, 2) == 0)
            write_remark(writer, page.columns != 5);
        for (unsigned i = 0; i < page.rows * page.columns; i++) {
            char *cell = &page.cell[i / page.columns][i % page.columns];
            *cell = (char)(*cell == 'A'                ? leaver
                           : form == 2                 ? tolower(*cell)
                           : form == 3 && *cell == '.' ? 'o'
                                                       : *cell);
        }
        if (form != 3 || page.rows != page.columns) {
            write_rows(writer, &page, '.', below(writer, 3) == 0, "");
        } else {
            text_add(&writer->out, below(writer, 2) == 0 ? "58 " : "");
            const bool numbers = writer->out.length > 0 && writer->out.data[writer->out.length - 1] == ' ';
            for (unsigned row = 0; row < page.rows; row++)
                text_add(&writer->out, page.cell[row]);
            text_add(&writer->out, numbers ? " 9192" : "");
        }
        end_line(writer);
        text_add(&writer->out, writer->line_end);
    }
    check_text(writer, NULL);
}

TEST(cars_are_read_back)
{
    check_all("rushhour", NULL, NULL, cars_of_one_text);
}

static void pairs_of_one_text(struct writer *writer)
{
    for (unsigned left = 1 + below(writer, BOARDS); left > 0; left--) {
        struct page page;
        clear_page(writer, &page, 3, SIDE, '.');
        for (unsigned i = 0; i < page.rows * page.columns; i++)
            page.cell[i / page.columns][i % page.columns] = "ABC12."[below(writer, 6)];
        for (unsigned row = 0; row < page.rows; row++)
            page.cell[row][0] = page.cell[row][page.columns - 1] = 'A';
        page.cell[1][1] = page.cell[0][1] = 'A';
        page.cell[2][1] = '.';
        rows_of_letters(writer, &page, ".-_@0 ");
    }
    check_text(writer, NULL);
}

TEST(pairs_are_read_back)
{
    check_all("linkup:,from:0:0,to:1:0", NULL, NULL, pairs_of_one_text);
}

/* ---- numbers ---- */

static void shuffle(struct writer *writer, unsigned *numbers, unsigned count, unsigned first)
{
    for (unsigned i = 0; i < count; i++) {
        const unsigned j = below(writer, i + 1);
        numbers[i] = numbers[j];
        numbers[j] = i + first;
    }
}

static void tiles_of_one_text(struct writer *writer)
{
    static const char *const between[] = {" ", ",", ", ", "\t", "   "};
    static const char *const behind[] = {"", "", " # words", "  #1 2 3", " #"};
    unsigned tiles[9];
    const char *goal = below(writer, 3) == 0 ? "1,2,3/8,0,4/7,6,5" : NULL;
    const unsigned boards = goal != NULL ? 1 : 1 + below(writer, BOARDS);
    for (unsigned left = boards; left > 0; left--) {
        char *board = writer->board[writer->count++];
        shuffle(writer, tiles, 9, 0);
        write_line(writer, below(writer, 2) == 0 ? "# This puzzle is a remark" : "");
        if (below(writer, 2) == 0)
            write_line(writer, below(writer, 2) == 0 ? "3" : "3 # size");
        const bool behind_rows = below(writer, 2) == 0;
        if (goal != NULL && !behind_rows)
            text_format(&writer->out, "goal: %s\n", goal);
        const char *comma = any(writer, between, 5);
        for (unsigned i = 0; i < 9; i++) {
            board += sprintf(board, "%s%u", i == 0 ? "" : i % 3 == 0 ? "/" : ",", tiles[i]);
            text_format(&writer->out, "%s%u", i % 3 == 0 ? "" : comma, tiles[i]);
            if (i % 3 == 2)
                write_line(writer, any(writer, behind, 5));
        }
        if (goal != NULL && behind_rows)
            text_format(&writer->out, "goal: %s%s", goal, writer->line_end);
    }
    check_text(writer, goal);
}

TEST(tiles_are_read_back)
{
    check_all("3x3", NULL, NULL, tiles_of_one_text);
}

static void stacks_of_one_text(struct writer *writer)
{
    unsigned stack[7];
    for (unsigned left = 1 + below(writer, BOARDS); left > 0; left--) {
        char *board = writer->board[writer->count++];
        const unsigned least = below(writer, 2);
        const char comma = " ,"[below(writer, 2)];
        shuffle(writer, stack, 7, 0);
        write_line(writer, below(writer, 2) == 0 ? "# a remark" : "");
        for (unsigned i = 0; i < 7; i++) {
            board += sprintf(board, "%s%u", i > 0 ? "," : "", stack[i] + 1);
            text_format(&writer->out, "%u", stack[i] + least);
            if (i < 6)
                text_char(&writer->out, comma);
        }
        end_line(writer);
    }
    check_text(writer, NULL);
}

TEST(stacks_are_read_back)
{
    check_all("pancake:7", NULL, NULL, stacks_of_one_text);
}

/* ---- what is not clear ---- */

/* Reads the first board of a text. */
static void read_first(const char *puzzle, const char *text, struct board_text *board)
{
    struct boards reader;
    boards_begin(&reader, puzzle);
    lines_feed(&reader.lines, text, strlen(text));
    lines_end(&reader.lines);
    assert_int_equal(boards_next(&reader, board), LINES_LINE);
    boards_clear(&reader);
}

/* Expects what is wrong with the first board of a text. */
static void expect_wrong(const char *puzzle, const char *text, const char *wrong)
{
    struct board_text board;
    read_first(puzzle, text, &board);
    assert_string_equal(board.wrong != NULL ? board.wrong : "", wrong);
    board_text_clear(&board);
}

static void expect_board(const char *puzzle, const char *text, const char *rows, const char *goal)
{
    struct board_text board;
    read_first(puzzle, text, &board);
    assert_string_equal(board.wrong != NULL ? board.wrong : "", "");
    assert_string_equal(board.board, rows);
    assert_string_equal(board.goal != NULL ? board.goal : "", goal != NULL ? goal : "");
    board_text_clear(&board);
}

TEST(a_goal_belongs_to_the_board_before_it_only_where_that_is_clear)
{
    expect_wrong("2x2", "1 2\n3 0\ngoal: 0,1/2,3\n\n1 2\n0 3\n", "");
    expect_wrong("2x2", "1 2\n3 0\ngoal: 0,1/2,3\n2\n1 2\n0 3\n", "");
    expect_wrong(
        "2x2", "1 2\n3 0\ngoal: 0,1/2,3\n1 2\n0 3\n",
        "line 4: the goal above may belong to the board before it or behind it; a blank line shows which");
    expect_wrong("2x2", "goal:\n1 2\n3 0\n", "line 1: a goal stands on one line: goal: 1,2,3/4,5,6/7,8,0");
}

TEST(a_first_line_that_may_be_a_row_is_none_of_the_title)
{
    static const char rest[] = "\n......\n.AA...\n......\n......\n......\n";
    static const char *const rows[] = {".BB..?", "\u3002BB..."};
    char text[80], wrong[100];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        (void)snprintf(text, sizeof text, "%s%s", rows[i], rest);
        (void)snprintf(wrong, sizeof wrong, "line 1: '%s' may be a title or a row; begin titles with ;",
                       rows[i]);
        expect_wrong("rushhour", text, wrong);
    }
    expect_board("klotski", "P     Q\nH A A I\nH A A I\nJ B B K\n", "P  Q/HAAI/HAAI/JBBK", NULL);
    expect_board("linkup", "A   A\nB   B\n", "A   A/B   B", NULL); /* no row shows that blanks part cells */
    expect_board("klotski", "横刀立马\nHAAI\nHAAI\nJBBK\nJNOK\nP@@Q\n", "HAAI/HAAI/JBBK/JNOK/P@@Q", NULL);
    expect_board("rushhour", "======\n......\n.AA...\n", "....../.AA...", NULL);
    expect_board("sokoban", "<3 my levels\n\n#####\n#@$.#\n#####\n", "#####/#@$.#/#####", NULL);
}

TEST(a_goal_of_a_block_is_a_goal)
{
    expect_board("klotski", "goal: A:0,0\n@@@@\n@AA@\n@AA@\n", "@@@@/@AA@/@AA@", "A:0,0");
    expect_board("rushhour", "..\nAA\nTarget: A:1,0\n", "../AA", "A:1,0");
    expect_board("klotski", "@AA\n\ngoal: A:0,0\nAA@\n", "@AA", NULL); /* it is the next one's */
    expect_board("klotski", "goal: A:0,0\n@AA\ngoal: B:0,0\n@BB\n", "@AA", "A:0,0");
    expect_board("klotski", "goal: A:0,0\nTitle One\n\n@AA\n", "@AA", "A:0,0");
    expect_wrong(
        "klotski", "@AA\ngoal: A:0,0\n@BB\n",
        "line 3: the goal above may belong to the board before it or behind it; a blank line shows which");
    expect_wrong("klotski", "goal: A:0,0\n",
                 "line 1: a goal stands before its board, or behind the last of its rows");
    expect_board("rushhour", "Goal: get out\n..\nAA\n", "../AA", NULL);
}

TEST(no_part_of_tiles_is_a_board)
{
    expect_wrong("", "1 2 ?\n4 5 3\n1 2 0\n",
                 "line 1, column 5: '?' cannot be in a row; tiles are numbers, the blank 0, x, _ or .");
    expect_wrong("", "4\n3 4 5\n1 2 0\n4 5 3\n", "line 2: this row has not as many cells as others");
    expect_wrong("", "4x4\n\n1 2 3 4 5 6 7 8 0\n", "line 3: this row has not as many cells as others");
    expect_wrong("", "3x3\n\n1 2 3\n4 5 0\n", "line 3: 2 rows, but its size is 3x3");
    expect_board("", "Author: me\n1 2 3\n4 5 0\nTitle: One\n", "1 2 3/4 5 0", NULL);
    expect_board("3x1", "2\n1\n0\n", "2/1/0", NULL);
    expect_board("3x1", "3x1\n2\n1\n0\n", "2/1/0", NULL);
    expect_board("3x3", "1x2\n453\n786\n", "1x2/453/786", NULL);
    expect_board("2x2", "23x1\n", "23x1", NULL);
    expect_wrong("3x3", "4x4\n453\n786\n", "line 1: a board of 4x4, but the puzzle is 3x3");
    expect_board("", "1 2 3;4 5 6;7 0 8\n", "1 2 3;4 5 6;7 0 8", NULL);
    expect_board("", "Moves: 12\n1 2\n3 0\n", "1 2/3 0", NULL);
    expect_wrong("", "1 2\nrow: 5 0\n3 0\n",
                 "line 2, column 1: 'r' cannot be in a row; tiles are numbers, the blank 0, x, _ or .");
}

TEST(the_lines_of_a_comment_are_no_title_of_the_next_level)
{
    static const char *const ends[] = {"Comment-End:", "comment_end"};
    for (unsigned i = 0; i < 2; i++) {
        struct boards reader;
        struct board_text board;
        const char *text =
            text_of("; One\n####\n#@*#\n####\nComment:\nA hard one.\n%s\n\n#####\n#@$.#\n#####\n", ends[i]);
        boards_begin(&reader, "sokoban");
        lines_feed(&reader.lines, text, strlen(text));
        lines_end(&reader.lines);
        assert_int_equal(boards_next(&reader, &board), LINES_LINE);
        assert_string_equal(board.title, "One");
        board_text_clear(&board);
        assert_int_equal(boards_next(&reader, &board), LINES_LINE);
        assert_string_equal(board.title, "");
        board_text_clear(&board);
        assert_int_equal(boards_next(&reader, &board), LINES_END);
        boards_clear(&reader);
    }
}

TEST(a_size_behind_the_last_board_is_told)
{
    static const char text[] = "3\n1 2 3\n4 5 6\n7 8 0\n3x3\n";
    struct boards reader;
    struct board_text board;
    boards_begin(&reader, "3x3");
    lines_feed(&reader.lines, text, strlen(text));
    lines_end(&reader.lines);
    assert_int_equal(boards_next(&reader, &board), LINES_LINE);
    assert_null(board.wrong);
    board_text_clear(&board);
    assert_int_equal(boards_next(&reader, &board), LINES_LINE);
    assert_string_equal(board.wrong, "line 5: a size stands before its board, and none follows");
    board_text_clear(&board);
    assert_int_equal(boards_next(&reader, &board), LINES_END);
    boards_clear(&reader);
}

TEST(what_steers_a_terminal_is_a_question_mark)
{
    struct board_text board;
    read_first("3x3", "8672543\x1B[31m01\n", &board);
    assert_string_equal(board.board, "8672543?[31m01");
    board_text_clear(&board);
    read_first("sokoban", "; One\xC2\x9B\t\xE2\x80\xAE\n#####\n#@$.#\n#####\n", &board);
    assert_string_equal(board.title, "One?? ???");
    board_text_clear(&board);
}
