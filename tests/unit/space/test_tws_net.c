/* SPDX-License-Identifier: MIT */
/* Stickers of .tws puzzles on an unfolded net, which comments of the text describe. */
#include "tws_text.h"

#include "space/text/tws/tws_net.h"

#define NET "#net A white:0,0 red:1,0 white:0,1 red:1,1 white:0,2 red:1,2\n#net B blue:3,0 blue:3,1\n"

static void draw_board(const struct pz_space *space, const char *board, char out[PZ_TEXT_MAX])
{
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    if (space->puzzle->parse(space, board, state, &error) != PZ_OK)
        fail_msg("%s", error.text);
    const size_t length = space->puzzle->draw(space, state, out);
    assert_int_equal(length, strlen(out));
}

static void check_drawn(const struct pz_space *space, const char *board, const char *drawing)
{
    char text[PZ_TEXT_MAX];
    draw_board(space, board, text);
    assert_string_equal(text, drawing);
}

/* By hand, from a cube that lies white side up and green side in front. */
TEST(a_turned_cube_is_unfolded_as_it_looks)
{
    struct pz_space *space = open_twisty("cube3");
    check_drawn(space, "U",
                "       W W W\n       W W W\n       W W W\n"
                "G G G  R R R  B B B  O O O\nO O O  G G G  R R R  B B B\nO O O  G G G  R R R  B B B\n"
                "       Y Y Y\n       Y Y Y\n       Y Y Y\n");
    check_drawn(space, "R",
                "       W W G\n       W W G\n       W W G\n"
                "O O O  G G Y  R R R  W B B\nO O O  G G Y  R R R  W B B\nO O O  G G Y  R R R  W B B\n"
                "       Y Y B\n       Y Y B\n       Y Y B\n");
    check_drawn(space, "F",
                "       W W W\n       W W W\n       O O O\n"
                "O O Y  G G G  W R R  B B B\nO O Y  G G G  W R R  B B B\nO O Y  G G G  W R R  B B B\n"
                "       R R R\n       Y Y Y\n       Y Y Y\n");
    check_drawn(space, "R U R' U'",
                "       W W O\n       W W G\n       W W G\n"
                "B O O  G G Y  R R W  B R R\nO O O  G G W  B R R  B B B\nO O O  G G G  W R R  B B B\n"
                "       Y Y R\n       Y Y Y\n       Y Y Y\n");
    space_close(space);
}

TEST(triangles_and_diamonds_are_unfolded_too)
{
    struct pz_space *space = open_twisty("pyraminx");
    check_drawn(space, "L",
                "G G G G G   Y   B B B B B\n  R R R   G Y Y   B B B\n    R   G G G Y Y   B\n"
                "        Y Y Y R R\n          Y R R\n            R\n");
    space_close(space);
    space = open_twisty("skewb");
    check_drawn(space, "UFR",
                "       W   G\n         G\n       G   G\n"
                "O   Y  R   R  W   W  O   B\n  O      R      W      B\nO   O  G   R  W   R  B   B\n"
                "       Y   B\n         Y\n       Y   Y\n");
    space_close(space);
}

/* ---- pieces ---- */

struct noted {
    unsigned count;
    char words[64][64];
};

static void note_sticker(void *taker, const struct pz_piece *piece)
{
    struct noted *noted = taker;
    assert_null(piece->text);
    (void)snprintf(noted->words[noted->count++], 64, "%s:%s:%g,%g,%g,%g", piece->kind, piece->id, piece->x,
                   piece->y, piece->width, piece->height);
}

TEST(a_sticker_keeps_its_id_and_its_colour)
{
    static struct noted solved, turned;
    struct pz_space *space = open_twisty("cube3");
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    space->puzzle->goal(space, state);
    const struct pz_size size = space->puzzle->pieces(space, state, NULL, note_sticker, &solved);
    assert_true(size.columns > 12.5 && size.columns < 12.7 && size.rows > 9.3 && size.rows < 9.5);
    assert_int_equal(solved.count, 54);
    parse_state(space, "R U", state);
    (void)space->puzzle->pieces(space, state, NULL, note_sticker, &turned);
    for (unsigned i = 0; i < 54; i++) {
        const size_t named = strcspn(strchr(solved.words[i], ':') + 1, ":") +
                             (size_t)(strchr(solved.words[i], ':') - solved.words[i]) + 1;
        unsigned found = 0;
        for (unsigned j = 0; j < 54; j++)
            found += strncmp(solved.words[i], turned.words[j], named + 1) == 0;
        assert_int_equal(found, 1);
    }
    space_close(space);
}

/* ---- texts ---- */

TEST(a_net_that_is_wrong_is_remarked_on_and_left_out)
{
    static const struct {
        const char *net, *remark; /* without its end */
    } faults[] = {
        {"#net C white:0,0", "line 1: 'C' is no set"},
        {"#net", "line 1: '' is no set"},
        {"#net A white:0,0", "line 1: 'A' has another number of stickers"},
        {"#net B", "line 1: 'B' has another number of stickers"},
        {"#net B white:0,0 red:1,0", "line 1: 'A' has no stickers"},
        {"#net B white:0,0 pink:1,0", "line 1: 'pink:1,0' is no sticker"},
        {"#net B white:0,0 red-round:1,0", "line 1: 'red-round:1,0' is no sticker"},
        {"#net B white:0,0 red", "line 1: 'red' is no sticker"},
        {"#net B white:0,0 red:1", "line 1: 'red:1' is no sticker"},
        {"#net B white:0,0 red:1,-1", "line 1: 'red:1,-1' is no sticker"},
        {"#net B white:0,0 red:1,1e9", "line 1: 'red:1,1e9' is no sticker"},
        {"#net B white:0,0 red:99,0,2,1", "line 1: 'red:99,0,2,1' is no sticker"},
        {"#net B white:0,0 red:1,0,0,1", "line 1: 'red:1,0,0,1' is no sticker"},
        {"#net B white:0,0 red:1,0,1,1,1", "line 1: 'red:1,0,1,1,1' is no sticker"},
        {"#net B white:0,0 red:1,0x", "line 1: 'red:1,0x' is no sticker"},
        {"#net B white:0,0 red:1,0\n#net B white:0,0 red:1,0", "line 2: 'B' comes too late"},
        {"#net - white:0,0\n#net B white:0,0 red:1,0", "line 2: 'B' comes too late"},
    };
    const struct definition *plain = definition_of(DEFINITION_TWS, "text", HEAD TURN);
    assert_null(plain->meaning->remarks);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        char text[512], remark[NET_REMARK_MAX];
        (void)snprintf(text, sizeof text, "%s\n" HEAD TURN, faults[i].net);
        (void)snprintf(remark, sizeof remark, "%s, so the puzzle is drawn without a net", faults[i].remark);
        const struct definition *definition = definition_of(DEFINITION_TWS, "text", text);
        assert_non_null(definition->meaning->remarks);
        assert_string_equal(definition->meaning->remarks, remark);
        assert_string_equal(definition->id, plain->id);
        definition_release(definition);
    }
    definition_release(plain);
}

TEST(more_stickers_than_a_net_holds_are_no_net)
{
    static char text[8192];
    size_t length = (size_t)snprintf(text, sizeof text, "#net -");
    for (unsigned i = 0; i < NET_STICKERS_MAX; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " red:%u,%u", i % 90, i / 90);
    (void)snprintf(text + length, sizeof text - length, " blue:0,0\n" HEAD TURN);
    const struct definition *definition = definition_of(DEFINITION_TWS, "text", text);
    assert_string_equal(definition->meaning->remarks,
                        "line 1: 'blue:0,0' is one sticker too many, so the puzzle is drawn without a net");
    definition_release(definition);
}

TEST(turns_and_pieces_move_the_stickers)
{
    struct pz_space *space = open_text(NET HEAD TURN, "turn");
    check_drawn(space, "solved", "W R  B\nW R  B\nW R\n");
    check_drawn(space, "T", "W R  B\nW R  B\nR W\n");
    space_close(space);
    space = open_text(HEAD TURN, "turn");
    check_drawn(space, "solved", "A\n1 2 3\n0 0 0\nB\n1 2\n");
    space_close(space);
}
