/* SPDX-License-Identifier: MIT */
/* Sizes and boards of sliding puzzles: line 1 a size, line 2 a board. What is read prints and reads back. */
#include "fuzz.h"
#include "unit/board_equal.h"

#include "board/board.h"
#include "board/pack.h"

static void check_board(const struct grid *grid, const struct board *board)
{
    char text[BOARD_TEXT_MAX];
    char drawing[4096];
    struct board again;
    FUZZ_REQUIRE(board_format(grid, board, text) == strlen(text));
    FUZZ_REQUIRE(board_draw(grid, board, drawing, sizeof drawing) < sizeof drawing);
    FUZZ_REQUIRE(board_parse_loose(grid, text, &again, NULL) == PZ_OK);
    FUZZ_REQUIRE(board_equal(board, &again));
}

static void check_permutation(const struct grid *grid, const struct board *board)
{
    struct pack_plan plan;
    struct board again;
    struct board_view view;
    uint64_t state[PACK_WORDS_MAX];
    pack_plan_init(&plan, grid->cells);
    pack_board(&plan, board, state);
    unpack_board(&plan, state, &again);
    FUZZ_REQUIRE(board_equal(board, &again));
    FUZZ_REQUIRE(board_reach(grid, board, board) == BOARD_REACHED);
    view_of_goal(grid, board, &view);
    struct board there;
    view_in(&view, board, &there);
    view_out(&view, &there, &again);
    FUZZ_REQUIRE(board_equal(board, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct grid grid;
    struct board board;
    char *size_text = fuzz_line(&data, &size);
    char *board_text = fuzz_line(&data, &size);
    if (size_text != NULL && board_text != NULL && grid_parse(&grid, size_text, NULL) == PZ_OK) {
        if (board_parse_loose(&grid, board_text, &board, NULL) == PZ_OK)
            check_board(&grid, &board);
        if (board_parse(&grid, board_text, &board, NULL) == PZ_OK)
            check_permutation(&grid, &board);
    }
    free(size_text);
    free(board_text);
    return 0;
}
