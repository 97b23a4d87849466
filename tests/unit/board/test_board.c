/* SPDX-License-Identifier: MIT */
#include "board_equal.h"
#include "some_board.h"

#include "board/pack.h"

/* ---- sizes ---- */

TEST(every_size_from_1x2_to_42_cells_is_a_board)
{
    for (long rows = 1; rows <= 42; rows++) {
        for (long columns = 1; columns <= 42; columns++) {
            struct grid grid;
            struct pz_error error = {0};
            long cells = rows * columns;
            enum pz_status status = grid_init(&grid, rows, columns, &error);
            if (cells >= 2 && cells <= 42) {
                assert_int_equal(status, PZ_OK);
                assert_int_equal(grid.cells, cells);
            } else {
                assert_int_equal(status, cells < 2 ? PZ_BAD_PUZZLE : PZ_TOO_LARGE);
                assert_true(strlen(error.text) > 10);
            }
        }
    }
}

TEST(a_neighbour_is_one_step_away_and_knows_the_way_back)
{
    for (long rows = 1; rows <= 6; rows++) {
        for (long columns = 2; columns <= 7; columns++) {
            struct grid grid = grid_of(rows, columns);
            unsigned links = 0;
            for (unsigned cell = 0; cell < grid.cells; cell++) {
                for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                    unsigned to = grid.neighbour[cell][d];
                    if (to == GRID_NO_CELL)
                        continue;
                    links++;
                    assert_int_equal(grid.neighbour[to][direction_inverse((enum direction)d)], cell);
                }
            }
            assert_int_equal(links, 2 * (rows * (columns - 1) + columns * (rows - 1)));
        }
    }
}

TEST(size_texts_are_read_or_refused_with_the_reason)
{
    static const struct {
        const char *text;
        enum pz_status status;
    } cases[] = {
        {"3x4", PZ_OK},
        {"3X4", PZ_OK},
        {"3×4", PZ_OK},
        {"1x2", PZ_OK},
        {"6x7", PZ_OK},
        {"42x1", PZ_OK},
        {"0x0", PZ_BAD_PUZZLE},
        {"1x1", PZ_BAD_PUZZLE},
        {"3x-1", PZ_BAD_PUZZLE},
        {"-3x3", PZ_BAD_PUZZLE},
        {"9x9", PZ_TOO_LARGE},
        {"99999999999999999999x2", PZ_TOO_LARGE},
        {"4294967299x3", PZ_TOO_LARGE},
        {"3x", PZ_BAD_PUZZLE},
        {"x3", PZ_BAD_PUZZLE},
        {"", PZ_BAD_PUZZLE},
        {"3x3x3", PZ_BAD_PUZZLE},
        {"3 x 3", PZ_BAD_PUZZLE},
        {"3x3 ", PZ_BAD_PUZZLE},
        {"three", PZ_BAD_PUZZLE},
        {"0x3", PZ_BAD_PUZZLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        struct pz_error error = {0};
        enum pz_status status = grid_parse(&grid, cases[i].text, &error);
        if (status != cases[i].status)
            fail_msg("'%s' gave %d: %s", cases[i].text, (int)status, error.text);
        if (status != PZ_OK)
            assert_int_equal(error.code, status);
    }
}

/* ---- texts ---- */

TEST(all_text_forms_of_a_board_are_read)
{
    static const char *const texts[] = {
        "8,6,7/2,5,4/3,0,1",
        "8 6 7 2 5 4 3 0 1",
        "867254301",
        "8:6:7/2:5:4/3:0:1",
        "[[8,6,7],[2,5,4],[3,0,1]]",
        "[[8, 6, 7], [2, 5, 4], [3, 0, 1]]",
        "8 6 7 2 5 4 3 x 1",
        "867/254/3_1",
        "8,6,7,2,5,4,3,.,1",
        "[8,6,7,2,5,4,3,0,1]",
        " 8 6 7\n2 5 4\n3 0 1\n",
        "867/254/301",
        "8,6,7;2,5,4;3,0,1",
    };
    struct grid grid = grid_of(3, 3);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct board board;
        struct pz_error error;
        char text[BOARD_TEXT_MAX];
        assert_ok(board_parse(&grid, texts[i], &board, &error), error);
        size_t length = board_format(&grid, &board, text);
        assert_string_equal(text, "8,6,7/2,5,4/3,0,1");
        assert_int_equal(length, strlen(text));
    }
}

/* As 15-puzzle sites write them. */
TEST(letters_are_digits_of_boards_with_more_than_ten_cells)
{
    static const struct {
        long rows, columns;
        const char *text, *same;
    } cases[] = {
        {4, 4, "FE169B4C0A73D852", "15,14,1,6/9,11,4,12/0,10,7,3/13,8,5,2"},
        {4, 4, "fe16/9b4c/xa73/d852", "15,14,1,6/9,11,4,12/0,10,7,3/13,8,5,2"},
        {3, 4, "123456789AB0", "1,2,3,4/5,6,7,8/9,10,11,0"},
        {5, 5, "123456789abcdefghijklmno.",
         "1,2,3,4,5/6,7,8,9,10/11,12,13,14,15/16,17,18,19,20/21,22,23,24,0"},
    };
    struct board board;
    struct pz_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[BOARD_TEXT_MAX];
        struct grid grid = grid_of(cases[i].rows, cases[i].columns);
        assert_ok(board_parse(&grid, cases[i].text, &board, &error), error);
        (void)board_format(&grid, &board, text);
        assert_string_equal(text, cases[i].same);
    }
    struct grid grid = grid_of(4, 4);
    assert_int_equal(board_parse(&grid, "GE169B4C0A73D852", &board, &error), PZ_BAD_BOARD);
    assert_int_equal(board_parse(&grid, "FF169B4C0A73D852", &board, &error), PZ_BAD_BOARD);
}

TEST(bad_boards_are_refused_with_what_is_wrong)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"1,2,3/4,5,6/7,8", "8 cells given, 3x3 needs 9"},
        {"1 2 3 4 5 6 7 8", "8 cells given, 3x3 needs 9"},
        {"1 2 3 4 5 6 7 8 0 9", "10 cells given, 3x3 needs 9"},
        {"12345678", "8 cells given without anything between them, 3x3 needs 9"},
        {"", "0 cells given"},
        {"1", "1 cell given, 3x3 needs 9"},
        {"boards.txt", "'boards.txt' at cell 1 is no tile"},
        {"1,a,2", "'a' at cell 2 is no tile"},
        {"\u4e00,\u4e8c", "'\u4e00' at cell 1 is no tile"},
        {"1\u4e8c\u4e09\u56db", "'\u4e8c\u4e09\u56db' at cell 2 is no tile"},
        /* no character is cut */
        {"1,\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c",
         "'\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c\u4e8c' at cell 2 "
         "is"},
        {"1,2,3/4,5,6/7,8,8", "0 blanks"},
        {"1,2,3/4,5,5/7,8,0", "tile 5 appears twice"},
        {"1,2,3/4,0,6/7,8,0", "2 blanks"},
        {"1,2,3/4,5,6/7,8,9", "0 blanks"},
        {"0,2,3/4,5,6/7,8,9", "tile 9 at cell 9"},
        {"1,2,3,4/5,6,7,8,0", "row 0 has 4 cells"},
        {"1,2,3/4,5,#/7,8,0", "wall"},
        {"1,2,3/4,5,a/7,8,0", "'a' at cell 6 is no tile"},
        {"1,2,3/4,5,thirteen/7,8,0", "'thirteen' at cell 6 is no tile"},
        {"1,2,\xe6\xa8\xaa\xe5\x88\x80\xe7\xab\x8b\xe9\xa9\xac/4,5,6/7,8,0",
         "'\xe6\xa8\xaa\xe5\x88\x80\xe7\xab\x8b\xe9\xa9\xac' at cell 3 is"},
        {"1,2,3/4,5,-6/7,8,0", "is no tile"},
        {"1,2,3/4,5,99999999999999999999/7,8,0", "above 63"},
        {"[[1,2,3],[4,5,6],[7,8,0]", "left open"},
        {"[1,2,3,4,5,6,7,8,0]]", "too many"},
        {"[[[1,2,3],[4,5,6],[7,8,0]]]", "too many"},
        {"1,2,3//4,5,6/7,8,0", "row 1 has 0 cells"},
        {"1,2/3,4,5,6/7,8,0", "row 0 has 2 cells"},
        {"1,2,3/4,5,6/7,8,\xff", "is no tile"},
    };
    struct grid grid = grid_of(3, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct board board;
        struct pz_error error = {0};
        assert_int_equal(board_parse(&grid, cases[i].text, &board, &error), PZ_BAD_BOARD);
        if (strstr(error.text, cases[i].says) == NULL)
            fail_msg("'%s' says '%s', not '%s'", cases[i].text, error.text, cases[i].says);
    }
}

TEST(what_is_printed_can_be_read_back_on_every_size)
{
    struct random random = {1};
    for (long rows = 1; rows <= 6; rows++) {
        for (long columns = 2; columns <= 7; columns++) {
            struct grid grid = grid_of(rows, columns);
            struct board board;
            struct board again;
            struct pz_error error;
            char text[BOARD_TEXT_MAX];
            shuffle(&random, &grid, &board);
            (void)board_format(&grid, &board, text);
            assert_ok(board_parse(&grid, text, &again, &error), error);
            assert_true(board_equal(&board, &again));
        }
    }
}

/* ---- packing ---- */

TEST(packing_keeps_every_cell_in_every_size)
{
    struct random random = {2};
    for (unsigned cells = 2; cells <= GRID_CELLS_MAX; cells++) {
        struct pack_plan plan;
        struct grid grid = grid_of(1, (long)cells);
        pack_plan_init(&plan, cells);
        assert_int_equal(plan.words, cells <= 16 ? 1 : cells <= 25 ? 2 : 4);
        for (int round = 0; round < 50; round++) {
            struct board board;
            struct board again;
            uint64_t packed[PACK_WORDS_MAX];
            shuffle(&random, &grid, &board);
            pack_board(&plan, &board, packed);
            unpack_board(&plan, packed, &again);
            assert_true(board_equal(&board, &again));
        }
    }
}

TEST(no_two_cells_share_a_bit)
{
    for (unsigned cells = 2; cells <= GRID_CELLS_MAX; cells++) {
        struct pack_plan plan;
        uint64_t used[PACK_WORDS_MAX] = {0};
        pack_plan_init(&plan, cells);
        for (unsigned cell = 0; cell < cells; cell++) {
            uint64_t bits[PACK_WORDS_MAX] = {0};
            pack_toggle(&plan, bits, cell, 15u | ((1u << plan.high_bits) - 1u) << 4);
            for (unsigned w = 0; w < PACK_WORDS_MAX; w++) {
                assert_true((used[w] & bits[w]) == 0);
                used[w] |= bits[w];
            }
        }
    }
}
