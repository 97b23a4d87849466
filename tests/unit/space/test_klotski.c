/* SPDX-License-Identifier: MIT */
#include "plain_search.h"

#include "space/klotski/klotski.h"

#include "base/random.h"

/* One row of klotski.csv. */
struct row {
    const char *name, *board;
    long moves, steps, reachable, goal_states, max_steps;
};

static void open_rows(struct test_rows *rows)
{
    test_rows_open(rows, "klotski.csv", "id,name,board,published_moves,opt_moves,");
}

static bool next_row(struct test_rows *rows, struct row *row)
{
    if (!test_rows_next(rows, 12))
        return false;
    char *const *field = rows->field;
    *row = (struct row){.name = field[1],
                        .board = field[2],
                        .moves = test_number(field[4]),
                        .steps = test_number(field[6]),
                        .reachable = test_number(field[7]),
                        .goal_states = test_number(field[8]),
                        .max_steps = test_number(field[10])};
    return true;
}

static void check_layout(const struct row *row, bool steps)
{
    struct plain_search search;
    struct pz_space *space = plain_open("klotski", row->board, NULL, "metric", steps ? "step" : "move");
    assert_int_equal(space->state_bytes, 8);
    plain_explore_own(&search, space);
    assert_int_equal(search.count, row->reachable);
    assert_int_equal(search.goal_states, row->goal_states);
    assert_int_equal(search.goal_depth, steps ? row->steps : row->moves);
    if (steps)
        assert_int_equal(search.levels - 1, row->max_steps);
    plain_free(&search);
    space_close(space);
}

/* Every layout of the collection in both metrics: optimum, reachable states, goal states, eccentricity. */
TEST(the_collection_has_its_published_answers)
{
    struct row row;
    struct test_rows rows;
    open_rows(&rows);
    while (next_row(&rows, &row)) {
        bool chosen = true;
#ifdef PUZZLED_SANITIZED
        chosen = rows.count % 8 == 1;
#endif
        if (chosen) {
            check_layout(&row, true);
            check_layout(&row, false);
        }
    }
    test_rows_close(&rows, 60);
}

TEST(every_layout_opens_by_its_name)
{
    struct row row;
    struct test_rows rows;
    open_rows(&rows);
    while (next_row(&rows, &row)) {
        struct pz_space *named = plain_open(text_of("klotski:%s", row.name), NULL, NULL, NULL, NULL);
        struct pz_space *written = plain_open("klotski", row.board, NULL, NULL, NULL);
        assert_string_equal(named->size, written->size);
        space_close(named);
        space_close(written);
    }
    test_rows_close(&rows, 60);
}

/* A layout's optima are those of the collection and of the searches above. */
TEST(every_layout_tells_its_optima_and_is_known_by_its_board)
{
    struct row row;
    struct test_rows rows;
    open_rows(&rows);
    while (next_row(&rows, &row)) {
        const struct klotski_layout *layout = klotski_layout_at(rows.count - 1);
        assert_non_null(layout);
        assert_string_equal(layout->traditional, row.name);
        assert_int_equal(layout->moves, row.moves);
        assert_int_equal(layout->steps, row.steps);
        struct pz_space *space = plain_open("klotski", row.board, NULL, NULL, NULL);
        const struct klotski_layout *known = klotski_layout_of(space->size);
        assert_non_null(known); /* of two names for one board, the first */
        assert_string_equal(known->board, layout->board);
        space_close(space);
    }
    assert_null(klotski_layout_at(rows.count));
    assert_null(klotski_layout_of("HAAI/HAAI/JBBK/JNOK"));
    test_rows_close(&rows, 60);
}

TEST(the_classic_opening_takes_81_moves_or_116_steps)
{
    assert_int_equal(plain_moves("klotski:横刀立马", NULL, NULL, NULL, NULL), 81);
    assert_int_equal(plain_moves("klotski:橫刀立馬", NULL, NULL, "metric", "step"), 116);
    assert_int_equal(plain_moves("klotski:classic", NULL, NULL, "metric", "step"), 116);
    assert_int_equal(plain_moves("klotski", "HAAI/HAAI/JBBK/JNOK/P@@Q", NULL, "metric", "move"), 81);
    assert_int_equal(plain_moves("klotski", "1002/1002/3445/3675/8..9", NULL, "metric", "move"), 81);
}

TEST(equal_positions_have_equal_states_and_one_text)
{
    uint64_t a[PZ_STATE_MAX / 8];
    uint64_t b[PZ_STATE_MAX / 8];
    char text[PZ_TEXT_MAX];
    struct pz_space *space = plain_open("klotski", "HAAI/HAAI/JBBK/JNOK/P@@Q", NULL, NULL, NULL);
    struct pz_space *other = plain_open("klotski", "xssw/xssw/yllz/yabz/c..d", NULL, NULL, NULL);
    assert_string_equal(space->size, "HAAI/HAAI/JBBK/JNOK/P@@Q,metric:move,goal:A:3:1");
    assert_string_equal(other->size, space->size);
    parse_state(space, "IAAH/IAAH/KBBJ/KQPJ/O__N", a);
    assert_int_equal(space->puzzle->root(space, b, NULL), PZ_OK);
    assert_memory_equal(a, b, space->state_bytes);
    (void)space->puzzle->print(space, a, text);
    assert_string_equal(text, "HAAI/HAAI/JBBK/JNOK/P@@Q");
    space_close(other);
    space_close(space);
}

TEST(the_size_opens_the_same_space_again)
{
    char name[PZ_SIZE_MAX + 64];
    struct pz_space *space = plain_open("klotski", "ab@/cde/fgh", "b:2,2+e:0,0", "metric", "step");
    (void)space_name(space, name);
    struct pz_space *again = plain_open(name, NULL, NULL, NULL, NULL);
    assert_string_equal(again->size, space->size);
    assert_non_null(strstr(space->size, "goal:b:2:2+e:0:0"));
    space_close(again);
    space_close(space);
}

/* A block that the goal names differs from others of its shape. The eight puzzle is the extreme case. */
TEST(a_goal_tells_blocks_of_one_shape_apart)
{
    assert_int_equal(plain_moves("klotski", "867/254/3@1", "1:0,0+2:0,1+3:0,2+4:1,0+5:1,1+6:1,2+7:2,0+8:2,1",
                                 "metric", "step"),
                     31);
    struct pz_space *space = plain_open("klotski", "867/254/3@1", "8:2,2", "metric", "step");
    assert_true((space->flags & PZ_BIPARTITE) != 0);
    uint64_t a[PZ_STATE_MAX / 8];
    uint64_t b[PZ_STATE_MAX / 8];
    parse_state(space, "867/254/3@1", a);
    parse_state(space, "817/254/3@6", b);
    assert_memory_equal(a, b, space->state_bytes);
    parse_state(space, "687/254/3@1", b);
    assert_memory_not_equal(a, b, space->state_bytes);
    space_close(space);
}

TEST(walls_and_other_shapes_are_obeyed)
{
    assert_int_equal(plain_moves("klotski", "A#./.#./...", "A:0,2", "metric", "step"), 6);
    assert_int_equal(plain_moves("klotski", "A#./.#./...", "A:0,2", "metric", "move"), 1);
    assert_int_equal(plain_moves("klotski", "AA.../A..../.#...", "A:1,3", "metric", "step"), 4);
    assert_int_equal(plain_moves("klotski", "AA.../A#.../.....", "A:1,3", "metric", "step"), -1);
    assert_int_equal(plain_moves("klotski", "A#.", "A:0,2", NULL, NULL), -1);
}

/* Published layouts go on with '[' behind Z. */
TEST(fourteen_single_cells_take_the_letter_behind_z)
{
    static const char board[] = "AANO/AAPQ/RSTU/VWXY/Z[@@";
    char text[PZ_TEXT_MAX];
    uint64_t a[PZ_STATE_MAX / 8] = {0};
    uint64_t b[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space = plain_open("klotski", board, NULL, NULL, NULL);
    parse_state(space, board, a);
    (void)space->puzzle->print(space, a, text);
    parse_state(space, text, b);
    assert_memory_equal(a, b, space->state_bytes);
    space_close(space);
}

static void describe(const struct pz_space *space, const char *from, const char *to, const char *expected)
{
    uint64_t a[PZ_STATE_MAX / 8];
    uint64_t b[PZ_STATE_MAX / 8];
    char word[PZ_TEXT_MAX];
    parse_state(space, from, a);
    parse_state(space, to, b);
    (void)space->puzzle->describe(space, a, b, word);
    assert_string_equal(word, expected);
}

TEST(moves_are_told_by_first_cell_and_way)
{
    struct pz_space *space = plain_open("klotski:横刀立马", NULL, NULL, NULL, NULL);
    describe(space, "HAAI/HAAI/JBBK/JNOK/P@@Q", "HAAI/HAAI/JBBK/JNOK/@P@Q", "4.0:R");
    describe(space, "HAAI/HAAI/JBBK/JNOK/P@@Q", "HAAI/HAAI/JBBK/J@OK/P@NQ", "3.1:DR");
    space_close(space);
    /* The bounding boxes of both blocks have their corner at 0.0. */
    space = plain_open("klotski", "AB@/BB@/@@@", "A:2,2", NULL, NULL);
    describe(space, "AB@/BB@/@@@", "A@B/@BB/@@@", "0.1:R");
    describe(space, "A@B/@BB/@@@", "@@B/ABB/@@@", "0.0:D");
    space_close(space);
}

/* With a token, expand may leave out only what is one move away from the state before. */
TEST(tokens_leave_out_only_what_was_reached_before)
{
    static const char *const metrics[] = {"step", "move"};
    for (size_t m = 0; m < 2; m++) {
        struct random random = {m};
        struct pz_space *space = plain_open("klotski:層層設防1", NULL, NULL, "metric", metrics[m]);
        uint64_t at[1];
        uint64_t before[1];
        uint64_t all[512];
        uint64_t some[512];
        uint8_t tokens[512];
        uint8_t unused[512];
        assert_true(space->max_successors <= 512 && space->state_bytes == 8);
        assert_int_equal(space->puzzle->root(space, at, NULL), PZ_OK);
        for (unsigned i = 0; i < 2000; i++) {
            unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, all, tokens);
            unsigned pick = (unsigned)random_below(&random, count);
            before[0] = at[0];
            at[0] = all[pick];
            unsigned kept = space->puzzle->expand(space, at, tokens[pick], some, unused);
            unsigned near = space->puzzle->expand(space, before, PZ_NO_TOKEN, all, unused);
            for (unsigned j = 0; j < kept; j++)
                assert_true(some[j] != before[0]);
            uint64_t again[512];
            unsigned whole = space->puzzle->expand(space, at, PZ_NO_TOKEN, again, unused);
            assert_true(kept < whole);
            for (unsigned j = 0; j < whole; j++) {
                bool found = again[j] == before[0];
                for (unsigned k = 0; k < kept; k++)
                    found |= some[k] == again[j];
                for (unsigned k = 0; k < near; k++)
                    found |= all[k] == again[j];
                assert_true(found);
            }
        }
        space_close(space);
    }
}

TEST(boards_are_drawn_with_lines_between_blocks)
{
    char drawing[PZ_TEXT_MAX];
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open("klotski", "AA/A.", NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    size_t length = space->puzzle->draw(space, root, drawing);
    assert_int_equal(length, strlen(drawing));
    assert_string_equal(drawing, "┌───────┐\n"
                                 "│ A   A │\n"
                                 "│   ┌───┤\n"
                                 "│ A │   │\n"
                                 "└───┴───┘\n");
    space_close(space);
    static const char *const widest[] = {
        "a................................b..............................c",
        "ab.cd.ef/......../gh.i.jk./......../lm.n.op./qr.s.tu./......../vw.x.yz."};
    space = plain_open("klotski", widest[1], NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    assert_true(space->puzzle->draw(space, root, drawing) < PZ_TEXT_MAX - 8);
    space_close(space);
    assert_int_equal(strlen(widest[0]), 64 + 1);
    plain_assert_refused(PZ_TOO_LARGE, "65", "klotski", widest[0], NULL, NULL, NULL);
    space = plain_open("klotski", widest[0] + 1, NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    assert_true(space->puzzle->draw(space, root, drawing) < PZ_TEXT_MAX - 8);
    space_close(space);
}

TEST(bad_input_is_refused_with_the_reason)
{
    const char *classic = "HAAI/HAAI/JBBK/JNOK/P@@Q";
    plain_assert_refused(PZ_BAD_REQUEST, "needs a layout", "klotski", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_PUZZLE, "no layout", "klotski:横刀", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "hang together", "klotski", "HAAI/HAAI/JBBK/JNOK/N@@Q", NULL, NULL,
                         NULL);
    plain_assert_refused(PZ_BAD_BOARD, "row 2 has 3", "klotski", "HAAI/HAAI/JBB/JNOK/N@@Q", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "row 2 has 0", "klotski", "HAAI/HAAI/", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "no block", "klotski", "...", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "0xE6", "klotski", "曹曹/曹曹", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "0xFF", "klotski", "A\xff./...", NULL, NULL, NULL);
    plain_assert_refused(PZ_TOO_LARGE, "at most 64", "klotski",
                         "AAAAAAAAAAAAA/BBBBBBBBBBBBB/............./............./.............", NULL, NULL,
                         NULL);
    plain_assert_refused(PZ_TOO_LARGE, "more than 62 blocks", "klotski",
                         "ABCDEFGH/IJKLMNOP/QRSTUVWX/YZabcdef/ghijklmn/opqrstuv/wxyz0123/456789[.", NULL,
                         NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "would stand on a wall", "klotski", "AA@/AA#/@@@", "A:1,1", NULL,
                         NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "not on the board", "klotski", classic, "A:4,1", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "not on the board", "klotski", classic, "A:0,3", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "no block Z", "klotski", classic, "Z:0,0", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "BLOCK:ROW,COLUMN", "klotski", classic, "A", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "BLOCK:ROW,COLUMN", "klotski", classic, "A:1", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "BLOCK:ROW,COLUMN", "klotski", classic, "A:-1,0", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "overlaps", "klotski", classic, "A:0,0+B:1,1", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "twice", "klotski", classic, "A:0,0+A:1,1", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "metric=slide", "klotski", classic, NULL, "metric", "slide");

    struct pz_space *space = plain_open("klotski", classic, NULL, NULL, NULL);
    uint64_t packed[PZ_STATE_MAX / 8];
    struct pz_error error = {0};
    assert_int_equal(space->puzzle->parse(space, "HAAI/HAAI/JBBK/JNOK/@@@Q", packed, &error), PZ_BAD_BOARD);
    assert_non_null(strstr(error.text, "3 blocks like N"));
    assert_int_equal(space->puzzle->parse(space, "HAAI/HAAI/JBBK/JNOK/PST@", packed, &error), PZ_BAD_BOARD);
    assert_non_null(strstr(error.text, "one more"));
    assert_int_equal(space->puzzle->parse(space, "HAAI/HAAI/JBBK/JNOK", packed, &error), PZ_BAD_BOARD);
    assert_non_null(strstr(error.text, "4x4"));
    assert_int_equal(space->puzzle->parse(space, "HAAI/HAAI/JBBK/JNOK/P@#Q", packed, &error), PZ_BAD_BOARD);
    assert_non_null(strstr(error.text, "walls"));
    space_close(space);
}
