/* SPDX-License-Identifier: MIT */
#include "plain_search.h"

#include "board/board.h"
#include "space/slide/slide.h"

static int64_t depth_of(const struct plain_search *search, const char *text)
{
    uint64_t state[PZ_STATE_MAX / 8];
    parse_state(search->space, text, state);
    uint32_t slot = *plain_slot(search, state);
    return slot == 0 ? -1 : search->depths[slot - 1];
}

TEST(a_plain_puzzle_stays_plain)
{
    struct pz_space *space = plain_open("slide:3x3", "8,6,7/2,5,4/3,0,1", "1,2,3/4,5,6/7,8,0", NULL, NULL);
    assert_non_null(slide_grid(space));
    assert_string_equal(space->size, "3x3");
    space_close(space);
    space = plain_open("3x3,goal:0:1:2/3:4:5/6:7:8", NULL, NULL, NULL, NULL);
    assert_non_null(slide_grid(space));
    assert_string_equal(space->size, "3x3");
    space_close(space);
}

/* A ring of eight cells: the order of the tiles never changes, 8 places of the blank × 7 turns. */
TEST(a_wall_in_the_middle_leaves_a_ring)
{
    struct plain_search search;
    struct pz_space *space = plain_open("slide:3x3", "1,2,3/4,#,5/6,7,0", NULL, NULL, NULL);
    assert_null(slide_grid(space));
    assert_string_equal(space->size, "3x3,goal:1:2:3/4:#:5/6:7:0");
    plain_explore_own(&search, space);
    assert_int_equal(search.count, 56);
    assert_int_equal(depth_of(&search, "1,2,3/4,#,0/6,7,5"), 1);
    assert_int_equal(depth_of(&search, "2,1,3/4,#,5/6,7,0"), -1);
    plain_free(&search);
    space_close(space);
}

/* The successors are those of board_move, which looks at the walls of the board itself. */
TEST(successors_are_those_of_the_board)
{
    struct plain_search search;
    struct grid grid;
    assert_int_equal(grid_init(&grid, 3, 3, NULL), PZ_OK);
    struct pz_space *space = plain_open("slide:3x3", NULL, "1,2,#/1,2,3/4,7,0", NULL, NULL);
    plain_explore_own(&search, space);
    for (size_t i = 0; i < search.count; i++) {
        uint64_t successors[DIRECTION_COUNT];
        uint8_t tokens[DIRECTION_COUNT];
        char text[PZ_TEXT_MAX];
        unsigned expected = 0;
        (void)space->puzzle->print(space, plain_state(&search, i), text);
        unsigned count =
            space->puzzle->expand(space, plain_state(&search, i), PZ_NO_TOKEN, successors, tokens);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            struct board board;
            char moved[BOARD_TEXT_MAX];
            assert_int_equal(board_parse_loose(&grid, text, &board, NULL), PZ_OK);
            if (!board_move(&grid, &board, (enum direction)d))
                continue;
            (void)board_format(&grid, &board, moved);
            char printed[PZ_TEXT_MAX];
            assert_true(expected < count);
            (void)space->puzzle->print(space, &successors[expected], printed);
            assert_string_equal(printed, moved);
            expected++;
        }
        assert_int_equal(count, expected);
    }
    assert_true(search.count > 100);
    plain_free(&search);
    space_close(space);
}

/* The plain distance of a labelled board, the least over both ways to label each pair of equal tiles. */
static int64_t least_of_labellings(const struct plain_search *plain, const char *text)
{
    int64_t least = -1;
    for (unsigned labelling = 0; labelling < 4; labelling++) {
        char labelled[32];
        unsigned seen[3] = {0};
        (void)snprintf(labelled, sizeof labelled, "%.31s", text);
        for (char *c = labelled; *c != '\0'; c++) {
            if (*c != '1' && *c != '2')
                continue;
            unsigned pair = (unsigned)(*c - '1');
            unsigned which = seen[pair]++ ^ (labelling >> pair & 1u);
            *c = "1234"[2 * pair + which];
        }
        for (char *c = labelled; *c != '\0'; c++)
            if (*c == '9')
                *c = '5';
        int64_t depth = depth_of(plain, labelled);
        if (depth >= 0 && (least < 0 || depth < least))
            least = depth;
    }
    return least;
}

TEST(equal_tiles_are_as_far_as_their_nearest_labelling)
{
    struct plain_search equal;
    struct plain_search plain;
    struct pz_space *space = plain_open("slide:2x3", NULL, "1,1,2/2,9,0", NULL, NULL);
    struct pz_space *labelled = plain_open("slide:2x3", NULL, NULL, NULL, NULL);
    plain_explore_own(&equal, space);
    plain_explore_own(&plain, labelled);
    assert_int_equal(equal.count, 720 / 4); /* parity does not divide them */
    for (size_t i = 0; i < equal.count; i++) {
        char text[PZ_TEXT_MAX];
        (void)space->puzzle->print(space, plain_state(&equal, i), text);
        assert_int_equal(equal.depths[i], least_of_labellings(&plain, text));
        assert_int_equal(space->puzzle->solvable(space, plain_state(&equal, i)), PZ_YES);
    }
    plain_free(&plain);
    plain_free(&equal);
    space_close(labelled);
    space_close(space);
}

TEST(walls_part_the_tiles_and_parity_judges_the_parts)
{
    uint64_t packed[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open("slide:3x4", NULL, "1,2,3,#/4,5,6,7/8,9,#,0", NULL, NULL);
    parse_state(space, "2,1,3,#/4,5,6,7/8,9,#,0", packed);
    assert_int_equal(space->puzzle->solvable(space, packed), PZ_NO);
    parse_state(space, "2,3,1,#/4,5,6,7/8,9,#,0", packed);
    assert_int_equal(space->puzzle->solvable(space, packed), PZ_YES);
    space_close(space);
    /* 4 is behind a cell that alone leads there. */
    space = plain_open("slide:2x4", NULL, "1,2,3,4/5,6,0,#", NULL, NULL);
    parse_state(space, "4,2,3,1/5,6,0,#", packed);
    assert_int_equal(space->puzzle->solvable(space, packed), PZ_NO);
    space_close(space);
    assert_int_equal(plain_moves("slide:1x5,goal:1:#:2:3:0", NULL, NULL, NULL, NULL), 0);
}

/* The lower bound is 0 at the goal, never above the distance, and falls by one a move at most. */
TEST(the_lower_bound_is_consistent)
{
    static const char *const goals[] = {"1,2,#/4,5,6/7,8,0", "1,1,2/2,3,3/4,4,0", "1,#,2/2,3,3/#,4,0"};
    for (size_t g = 0; g < sizeof goals / sizeof goals[0]; g++) {
        struct plain_search search;
        struct pz_space *space = plain_open("slide:3x3", NULL, goals[g], NULL, NULL);
        plain_explore_own(&search, space);
        for (size_t i = 0; i < search.count; i++) {
            uint64_t successors[DIRECTION_COUNT];
            uint8_t tokens[DIRECTION_COUNT];
            unsigned bound = space->puzzle->heuristic(space, plain_state(&search, i));
            assert_true(bound <= search.depths[i]);
            unsigned count =
                space->puzzle->expand(space, plain_state(&search, i), PZ_NO_TOKEN, successors, tokens);
            for (unsigned j = 0; j < count; j++)
                assert_true(space->puzzle->heuristic(space, &successors[j]) + 1 >= bound);
        }
        plain_free(&search);
        space_close(space);
    }
}

TEST(large_boards_keep_their_tiles)
{
    static const char *const cases[][2] = {
        {"slide:4x4", "63,5,5,5/40,#,#,7/7,7,7,9/9,11,12,0"},
        {"slide:5x5", "1,2,3,4,5/6,7,8,9,10/11,12,#,14,15/16,17,18,19,20/21,22,23,24,0"},
        {"slide:6x7", "1,2,3,4,5,6,7/8,9,10,11,12,13,14/15,16,17,18,19,20,21/22,23,24,25,26,27,28/"
                      "29,30,31,32,33,34,35/63,63,#,#,#,#,0"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t packed[PZ_STATE_MAX / 8];
        char text[PZ_TEXT_MAX];
        char name[PZ_SIZE_MAX + 64];
        struct pz_space *space = plain_open(cases[i][0], NULL, cases[i][1], NULL, NULL);
        assert_int_equal(space->puzzle->root(space, packed, NULL), PZ_OK);
        (void)space->puzzle->print(space, packed, text);
        assert_string_equal(text, cases[i][1]);
        (void)space_name(space, name);
        struct pz_space *again = plain_open(name, NULL, NULL, NULL, NULL);
        assert_string_equal(again->size, space->size);
        space_close(again);
        space_close(space);
    }
}

TEST(bad_input_is_refused_with_the_reason)
{
    struct pz_error error = {0};
    uint64_t packed[PZ_STATE_MAX / 8];
    plain_assert_refused(PZ_BAD_BOARD, "tile 9", "slide:3x3", NULL, "1,2,3/4,5,6/7,9,0", NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "blanks", "slide:3x3", NULL, "1,1,3/4,5,6/7,8,8", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "goal=", "slide:3x3", "1,1,3/4,#,6/7,8,0", NULL, NULL, NULL);
    struct pz_space *space = plain_open("slide:3x3", NULL, "1,1,#/2,2,3/4,5,0", NULL, NULL);
    assert_int_equal(space->puzzle->parse(space, "1,1,2/#,2,3/4,5,0", packed, &error), PZ_BAD_BOARD);
    assert_non_null(strstr(error.text, "wall"));
    assert_int_equal(space->puzzle->parse(space, "1,1,#/2,6,3/4,5,0", packed, &error), PZ_BAD_BOARD);
    assert_non_null(strstr(error.text, "tile 6"));
    assert_int_equal(space->puzzle->parse(space, "1,2,#/2,2,3/4,5,0", packed, &error), PZ_BAD_BOARD);
    assert_non_null(strstr(error.text, "tile 1 is there 1 times"));
    space_close(space);
    /* Without a goal of that kind a repeated tile is a mistake as before. */
    space = plain_open("slide:3x3", NULL, NULL, NULL, NULL);
    assert_int_equal(space->puzzle->parse(space, "1,1,2/3,4,5/6,7,0", packed, &error), PZ_BAD_BOARD);
    assert_non_null(strstr(error.text, "twice"));
    space_close(space);
}

/* A way round a closed line of three cells is an odd permutation: all 9! boards are reached. */
TEST(a_torus_has_closed_lines_and_its_own_parity)
{
    struct plain_search search;
    struct pz_space *space = plain_open("slide:3x3", NULL, NULL, "wrap", "yes");
    assert_string_equal(space->size, "3x3,wrap:yes");
    plain_explore_own(&search, space);
    assert_int_equal(search.count, 362880);
    assert_int_equal(depth_of(&search, "1,2,3/4,5,6/0,7,8"), 2); /* the other way round */
    assert_int_equal(depth_of(&search, "1,2,3/4,5,6/0,8,7"), 1);
    assert_true(depth_of(&search, "2,1,3/4,5,6/7,8,0") > 0);
    plain_free(&search);
    space_close(space);
    space = plain_open("2x4,wrap:yes,goal:0:1:2:3/4:5:6:7", NULL, NULL, NULL, NULL);
    assert_string_equal(space->size, "2x4,wrap:yes,goal:0:1:2:3/4:5:6:7");
    plain_explore_own(&search, space);
    assert_int_equal(search.count, 20160);
    assert_int_equal(depth_of(&search, "0,2,1,3/4,5,6,7"), -1);
    plain_free(&search);
    space_close(space);
    plain_assert_refused(PZ_BAD_REQUEST, "wrap=maybe", "slide:3x3", NULL, NULL, "wrap", "maybe");
}
