/* SPDX-License-Identifier: MIT */
/* Every printed name reads back as itself: puzzles, positions, goals, moves, tables, of each space. */
#include "names.h"

enum { ROUNDS = 300, TEXT_MAX = 512 };

static struct random dice = {1};

static unsigned below(unsigned bound)
{
    return (unsigned)random_below(&dice, bound);
}

static bool one_in(unsigned chances)
{
    return below(chances) == 0;
}

/* Opens a question and checks its names. Returns false if it was refused. */
static bool try_names(const char *puzzle, const char *start, const char *goal, const char *key,
                      const char *value)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    if (plain_try_open(&space, puzzle, start, goal, key, value, &error) != PZ_OK)
        return false;
    names_check(space, &dice);
    space_close(space);
    return true;
}

static void append(char *text, const char *format, unsigned long number)
{
    size_t length = strlen(text);
    char word[32];
    (void)snprintf(word, sizeof word, "%lu", number);
    for (const char *c = format; *c != '\0' && length + sizeof word < TEXT_MAX; c++) {
        if (*c == '%')
            length += (size_t)snprintf(text + length, TEXT_MAX - length, "%s", word);
        else
            text[length++] = *c;
    }
    text[length] = '\0';
}

/* ---- slide ---- */

/* Writes a random order of the given tiles, '#' for 99. */
static void shuffle_board(unsigned *tiles, unsigned rows, unsigned columns, char text[TEXT_MAX])
{
    text[0] = '\0';
    for (unsigned i = rows * columns; i-- > 1;) {
        unsigned j = below(i + 1);
        unsigned tile = tiles[i];
        tiles[i] = tiles[j];
        tiles[j] = tile;
    }
    for (unsigned i = 0; i < rows * columns; i++)
        append(text,
               i == 0             ? tiles[i] == 99 ? "#" : "%"
               : i % columns == 0 ? tiles[i] == 99 ? "/#" : "/%"
               : tiles[i] == 99   ? ",#"
                                  : ",%",
               tiles[i]);
}

TEST(sliding_puzzles_read_back)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned tiles[42];
        char goal[TEXT_MAX];
        unsigned rows = 1 + below(6);
        unsigned columns = 2 + below(6);
        bool variant = one_in(2);
        if (rows * columns > 42)
            continue;
        for (unsigned i = 0; i < rows * columns; i++)
            tiles[i] = i > 0 && variant && one_in(4) ? (one_in(2) ? 99 : 1 + below(i)) : i;
        shuffle_board(tiles, rows, columns, goal);
        assert_true(try_names(text_of("slide:%ux%u", rows, columns), NULL, goal, NULL, NULL));
    }
}

/* ---- klotski ---- */

/* Fills a board with blocks of one to five cells, some of its cells empty or walls. */
static unsigned random_blocks(unsigned rows, unsigned columns, char text[TEXT_MAX])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    char cells[64];
    unsigned blocks = 0;
    size_t length = 0;
    memset(cells, '@', sizeof cells);
    for (unsigned i = 0; i < rows * columns; i++) {
        unsigned cell = below(rows * columns);
        if (cells[cell] != '@' || one_in(4) || blocks + 2 >= sizeof letters)
            continue;
        char letter = '#';
        if (!one_in(12))
            letter = letters[blocks++];
        cells[cell] = letter;
        for (unsigned grow = below(5); grow > 0; grow--) {
            const int steps[4] = {-(int)columns, (int)columns, -1, 1};
            unsigned direction = below(4);
            int next = (int)cell + steps[direction];
            bool turns_row = direction >= 2 && next / (int)columns != (int)cell / (int)columns;
            if (next < 0 || next >= (int)(rows * columns) || turns_row || cells[next] != '@')
                continue;
            cells[next] = letter;
            cell = (unsigned)next;
        }
    }
    for (unsigned i = 0; i < rows * columns; i++) {
        if (i > 0 && i % columns == 0)
            text[length++] = '/';
        text[length++] = cells[i];
    }
    text[length] = '\0';
    return blocks;
}

TEST(block_puzzles_read_back)
{
    unsigned opened = 0;
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        char board[TEXT_MAX];
        char goal[TEXT_MAX] = "";
        unsigned rows = 1 + below(6);
        unsigned columns = 2 + below(6);
        unsigned blocks = random_blocks(rows, columns, board);
        for (unsigned wishes = below(4); wishes > 0 && blocks > 0; wishes--) {
            size_t length = strlen(goal);
            char letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[below(blocks)];
            (void)snprintf(goal + length, sizeof goal - length, "%s%c:%u,%u", length > 0 ? "+" : "", letter,
                           below(rows), below(columns));
        }
        const char *metric = one_in(2) ? "step" : "move";
        opened += try_names("klotski", board, *goal != '\0' ? goal : NULL, "metric", metric);
    }
    assert_true(opened > ROUNDS);
}

TEST(a_board_of_one_row_reads_back)
{
    assert_true(try_names("klotski", "AAA@", "A:0,1", "metric", "move"));
    assert_true(try_names("klotski:AAA@,metric:move,goal:A:0:1", NULL, NULL, NULL, NULL));
    plain_assert_refused(PZ_BAD_PUZZLE, "no layout is named 'nobody'; PUZZLES klotski lists them",
                         "klotski:nobody", NULL, NULL, NULL, NULL);
    /* A word in small letters is a name with a slip in it. A board of such letters may still be a start. */
    plain_assert_refused(PZ_BAD_PUZZLE, "no layout is named 'foo'", "klotski:foo", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_PUZZLE, "did you mean hengdaolima?", "klotski:heng", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_PUZZLE, "did you mean 横刀立马?", "klotski:横刀", NULL, NULL, NULL, NULL);
    assert_true(try_names("klotski", "foo", "f:0,0", "metric", "move"));
    assert_true(try_names("klotski:fo@", NULL, "f:0,0", "metric", "move"));
}

/* ---- jugs ---- */

TEST(jugs_read_back)
{
    unsigned opened = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        char puzzle[TEXT_MAX] = "jugs:";
        char start[TEXT_MAX] = "";
        char goal[TEXT_MAX] = "";
        unsigned count = 1 + below(8);
        for (unsigned i = 0; i < count; i++) {
            unsigned capacity = 1 + below(one_in(3) ? 1000000000 : 20);
            append(puzzle, i > 0 ? ",%" : "%", capacity);
            append(start, i > 0 ? ",%" : "%", one_in(2) ? 0 : below(capacity + 1));
            if (one_in(3))
                append(goal, i > 0 ? ",_" : "_", 0);
            else
                append(goal, i > 0 ? ",%" : "%", below(capacity + 2));
        }
        if (one_in(3)) {
            goal[0] = '\0';
            append(goal, one_in(2) ? "%" : "sum:%", below(40));
        }
        opened += try_names(puzzle, one_in(4) ? NULL : start, one_in(4) ? NULL : goal, "tap",
                            one_in(2) ? "yes" : "no");
    }
    assert_true(opened > ROUNDS / 2);
    assert_true(try_names("jugs:1,13", "0,0", NULL, "tap", "no"));
}

/* ---- sokoban ---- */

TEST(levels_read_back)
{
    struct test_rows rows;
    test_rows_open(&rows, "sokoban.csv", "name,boxes,level,");
    while (test_rows_next(&rows, 5)) {
        assert_true(try_names("sokoban", rows.field[2], NULL, "metric", "push"));
        assert_true(try_names("sokoban", rows.field[2], NULL, "metric", "move"));
    }
    test_rows_close(&rows, 13);
    /* Floor and a box on a goal outside the walls, and a first row without anything. */
    assert_true(try_names("sokoban", "/ ##### -*/_#@$.# /-#####", NULL, "metric", "push"));
}

/* ---- link-up ---- */

TEST(links_read_back)
{
    unsigned opened = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        char board[TEXT_MAX];
        unsigned rows = 1 + below(6);
        unsigned columns = 2 + below(6);
        size_t length = 0;
        for (unsigned i = 0; i < rows * columns; i++) {
            if (i > 0 && i % columns == 0)
                board[length++] = '/';
            board[length++] = "AAb1.._-@"[below(9)];
        }
        board[length] = '\0';
        opened += try_names(text_of("linkup:%s,from:%u:%u,to:%u:%u,border:%s", board, below(rows),
                                    below(columns), below(rows), below(columns), one_in(2) ? "yes" : "no"),
                            NULL, NULL, one_in(2) ? "turns" : NULL, "3");
    }
    assert_true(opened > ROUNDS / 10);
}
