/* SPDX-License-Identifier: MIT */
/* .tws texts: moves of moves, states that are illegal, and positions that no move leads to. */
#include "tws_text.h"

#include "space/text/tws/tws_layout.h"

#include <time.h>

TEST(a_sequence_is_one_move_and_an_alias_another_word)
{
    struct pz_space *space =
        open_text(HEAD TURN "MoveAlias t T'\nMove B\nB\n2 1\nEnd\n"
                            "MoveSequence Mix Both,T2\nMoveSequence Both T B # both sets",
                  "turn");
    uint64_t state[PZ_STATE_MAX / 8] = {0}, successors[32][1];
    uint8_t tokens[32];
    char word[PZ_TEXT_MAX];
    check_print(space, "t T", "1,2,3.0,0,0/1,2");
    check_print(space, "t2", "2,3,1.1,1,0/1,2");
    check_print(space, "Both", "2,3,1.0,0,1/2,1");
    check_print(space, "Mix", "1,2,3.1,1,1/2,1");
    check_print(space, "Both' T", "1,2,3.0,0,0/2,1");
    space->puzzle->goal(space, state);
    assert_int_equal(space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens), 5 + 1 + 3);
    assert_true(space->puzzle->describe(space, state, successors[6], word) > 0);
    assert_string_equal(word, "Both"); /* its powers of an even number are those of T */
    space_close(space);
}

static char *canonical_of(const char *text)
{
    struct definition *definition = definition_of(DEFINITION_TWS, "text", text);
    char *canonical = strndup(definition->meaning->canonical, definition->meaning->canonical_length);
    definition_release(definition);
    return canonical;
}

TEST(a_sequence_means_what_the_move_does_that_it_makes)
{
    char *short_text =
        canonical_of(HEAD "Illegal A 3 2 1\nIllegal A 1 3\n" TURN "MoveSequence t T2 T\nIllegal A 3 1\n");
    char *plain = canonical_of(HEAD TURN "Move t\nA\n1 2 3\n1 1 1\nEnd\nIllegal A 1 3\nIllegal A 3 1 2\n");
    char *again = canonical_of(plain);
    assert_string_equal(short_text, plain);
    assert_string_equal(again, plain);
    free(short_text);
    free(plain);
    free(again);
}

/* Two orbits in one set, a piece that is only turned, one that nothing moves, and two that change places. */
#define APART "Set A 7 3\nMove T\nA\n2 3 1 4 5 6 7\n0 0 0 1 0 0 0\nEnd\nMove S\nA\n1 2 3 4 5 7 6\nEnd\n"

TEST(pieces_that_no_move_carries_there_have_no_number_of_others)
{
    static const struct {
        const char *text;
        enum pz_status status;
        bool number;
    } states[] = {
        {"3,1,2,4,5,6,7.0,0,0,2,0,0,0", PZ_OK, true},
        {"2,3,1,4,5,7,6.0,0,0,1,0,0,0", PZ_OK, true},
        {"1,2,3,4,5,6,7.0,0,0,2,0,0,0", PZ_OK, false},
        {"1,2,3,5,4,6,7.0,0,0,0,0,0,0", PZ_BAD_BOARD, false},
        {"1,2,3,4,5,6,7.0,0,0,0,1,0,0", PZ_BAD_BOARD, false},
        {"6,2,3,4,5,1,7.0,0,0,0,0,0,0", PZ_OK, false},
        {"1,2,3,4,5,6,7.1,0,0,0,0,0,0", PZ_OK, false},
        {"1,2,3,4,5,6,7.0,0,0,0,0,1,2", PZ_OK, false},
    };
    struct pz_space *space = open_text(APART, "turn");
    assert_int_equal(space_count(space), 6);
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        struct pz_error error = {0};
        assert_int_equal(space->puzzle->parse(space, states[i].text, state, &error), states[i].status);
        assert_int_equal(space->puzzle->valid(space, state), states[i].status == PZ_OK);
        assert_int_equal(space->puzzle->rank(space, state) != UINT64_MAX, states[i].number);
    }
    space_close(space);
}

/* Ten pieces that moves lay in every way are numbered by a cut; two others, which are alike, change places.
 */
TEST(a_cut_numbers_no_kinds_of_other_places)
{
    struct pz_space *space = open_text(
        "Set A 12 1\nSolved\nA\n1 2 3 4 5 6 7 8 9 10 11 11\nEnd\nMove T\nA\n2 1 3 4 5 6 7 8 9 10 11 12\nEnd\n"
        "Move R\nA\n2 3 4 5 6 7 8 9 10 1 11 12\nEnd\n"
        "Move S\nA\n1 2 3 4 5 6 7 8 9 10 12 11\nEnd\n",
        "turn");
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    assert_int_equal(space_count(space), 3628800);
    parse_state(space, "2,1,3,4,5,6,7,8,9,10,11,11", state);
    assert_true(space->puzzle->rank(space, state) < 3628800);
    parse_state(space, "1,2,3,4,5,6,7,8,9,11,10,11", state);
    assert_true(space->puzzle->rank(space, state) == UINT64_MAX);
    space_close(space);
}

/* Levels down to a depth. */
static void explore_down(const struct pz_space *space, unsigned depth, const uint64_t *levels)
{
    struct plain_search search = {.space = space, .goal_depth = -1};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    uint8_t *successors = malloc((size_t)space->max_successors * (space->state_bytes + 1));
    uint8_t *tokens = successors + (size_t)space->max_successors * space->state_bytes;
    space->puzzle->goal(space, root);
    plain_add(&search, root, 0);
    for (size_t i = 0; i < search.count && search.depths[i] < depth; i++) {
        uint64_t at[PZ_STATE_MAX / 8];
        memcpy(at, plain_state(&search, i), space->state_bytes);
        const unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
        for (unsigned k = 0; k < count; k++)
            plain_add(&search, successors + (size_t)k * space->state_bytes, search.depths[i] + 1u);
    }
    assert_memory_equal(search.level, levels, (depth + 1) * sizeof *levels);
    plain_free(&search);
    free(successors);
}

/* The shapes of Square-1, whose corners are alike, and edges: 3,678 in which the cut divides no corner (J.
 * Scherphuis; also the size of shape tables of Chen's solver). Levels of Square-1 itself by
 * tests/twist/plain_tws.py. */
TEST(square_1_has_as_many_shapes_as_published)
{
    static const uint64_t levels[] = {1, 15, 69, 212, 1141, 3933};
    struct pz_error error = {0};
    struct plain_search search;
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space = open_twisty("square1");
    assert_int_equal(space_count(space), 0);
    explore_down(space, 5, levels);
    assert_int_equal(space->puzzle->parse(space, "U2 S", state, &error), PZ_BAD_BOARD);
    assert_string_equal(error.text,
                        "'U2 S': 'U2' cannot be done there: the text calls what it leads to illegal");
    parse_state(space, "U3 S D3 S", state);
    space_close(space);
    space = open_text("Set UNIT 24 1\nSolved\nUNIT\n3 1 2 3 1 2 3 1 2 3 1 2 2 3 1 2 3 1 2 3 1 2 3 1\nEnd\n"
                      "Move U\nUNIT\n12 1 2 3 4 5 6 7 8 9 10 11 13 14 15 16 17 18 19 20 21 22 23 24\nEnd\n"
                      "Move D\nUNIT\n1 2 3 4 5 6 7 8 9 10 11 12 24 13 14 15 16 17 18 19 20 21 22 23\nEnd\n"
                      "Move S\nUNIT\n1 2 3 4 5 6 13 14 15 16 17 18 7 8 9 10 11 12 19 20 21 22 23 24\nEnd\n"
                      "Illegal UNIT 6 3\nIllegal UNIT 12 3\nIllegal UNIT 18 3\nIllegal UNIT 24 3\n",
                      "turn");
    plain_explore_own(&search, space);
    assert_int_equal(search.count, 3678);
    assert_int_equal(search.levels, 15);
    for (size_t i = 0; i < search.count; i++)
        assert_true(space->puzzle->valid(space, plain_state(&search, i)));
    plain_free(&search);
    space_close(space);
}

/* The cube's first levels as everybody counts them: cube20.org. */
TEST(the_3x3x3_cube_has_its_known_levels)
{
    static const uint64_t by_turns[] = {1, 18, 243, 3240, 43239}, by_quarters[] = {1, 12, 114, 1068, 10011};
    struct pz_space *space = open_twisty("cube3");
    explore_down(space, 4, by_turns);
    space_close(space);
    space = open_text(read_text("cube3"), "quarter");
    explore_down(space, 4, by_quarters);
    space_close(space);
}

/* The scrambles of a pair lead to one state: the cube is looked at as it was before it was turned as a whole.
 */
TEST(the_words_of_other_programs_for_the_cube_are_known)
{
    static const char *const pairs[][2] = {{"x y2 z' y", "solved"},
                                           {"r U r'", "L F L'"},
                                           {"Rw2 Uw2 Fw2", "L2 U2 B2"},
                                           {"(R y R')", "R B'"},
                                           {"M2 E2 S2", "R2 L2 U2 D2 F2 B2"},
                                           {"M' U2 M U2", "L R' F2 L' R U2"},
                                           {"l' d b2 r u f S M' E", "Lw' Dw Bw2 Rw Uw Fw S M3 E"},
                                           {"R\u2019,U2\u2032 F`", "R' U2 F3"}};
    struct pz_error error = {0};
    struct pz_space *space = open_twisty("cube3");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint64_t state[2][PZ_STATE_MAX / 8] = {{0}};
        for (unsigned k = 0; k < 2; k++)
            parse_state(space, pairs[i][k], state[k]);
        if (memcmp(state[0], state[1], space->state_bytes) != 0)
            fail_msg("%s is not %s", pairs[i][0], pairs[i][1]);
    }
    uint64_t seven[2][PZ_STATE_MAX / 8] = {{0}}, eight[PZ_STATE_MAX / 8] = {0};
    parse_state(space, "random:7", seven[0]);
    parse_state(space, "random:7", seven[1]);
    parse_state(space, "random:8", eight);
    assert_memory_equal(seven[0], seven[1], sizeof eight);
    assert_memory_not_equal(seven[0], eight, sizeof eight);
    assert_true(space->puzzle->valid(space, eight));
    assert_int_equal(space->puzzle->parse(space, "random:x", eight, &error), PZ_BAD_BOARD);
    space_close(space);
}

/* Of a hundred turns that can be made a dozenth are of the half: then four corners of eight were above in 80%
 * of positions, in long walks they are in 57%. */
TEST(random_positions_of_square_1_are_those_of_a_longer_walk)
{
    struct pz_space *space = open_twisty("square1");
    unsigned even = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        char text[PZ_TEXT_MAX];
        unsigned corners = 0;
        (void)snprintf(text, sizeof text, "random:%u", seed);
        parse_state(space, text, state);
        space->puzzle->print(space, state, text);
        char *at = text;
        for (unsigned i = 0; i < 12; i++, at++)
            corners += strtoul(at, &at, 10) == 17;
        even += corners == 4;
    }
    assert_in_range(even, 190, 270);
    space_close(space);
}

/* Figures that others repeat stand for these seeds. */
TEST(random_cubes_are_those_that_they_were)
{
    struct pz_space *space = open_twisty("cube3");
    check_print(space, "random:1",
                "4,8,2,5,1,3,7,6.1,2,2,2,0,1,2,2/10,7,3,4,5,6,8,11,9,1,12,2.1,0,1,1,0,1,0,0,0,0,1,1");
    check_print(space, "random:20",
                "7,8,6,1,4,2,3,5.1,2,2,1,2,0,0,1/11,2,10,1,4,5,12,8,6,7,3,9.0,1,1,1,1,0,0,0,1,0,1,0");
    space_close(space);
}

TEST(an_alias_of_several_words_is_no_move_and_stays_in_the_canonical_text)
{
    static const char text[] = HEAD TURN "MoveAlias tt T,  T\nMove x\nA\n2 3 1\nB\n2 1\nEnd\nMoveAlias y x\n";
    struct definition *definition = definition_of(DEFINITION_TWS, "a", text), *again = NULL;
    struct pz_error error = {0};
    assert_ok(definition_compile(DEFINITION_TWS, "a", definition->text, definition->length, &again, &error),
              error);
    assert_string_equal(definition->id, again->id);
    definition_release(definition);
    definition_release(again);
    struct pz_space *space = open_text(text, "turn"), *plain = open_text(HEAD TURN, "turn");
    assert_int_equal(space->max_successors, plain->max_successors);
    check_print(space, "y tt x'", "3,1,2.1,0,1/1,2");
    space_close(space);
    space_close(plain);
}

/* 92 pieces in 364 bits. Levels by tests/twist/plain_tws.py. */
TEST(the_5x5x5_cube_is_a_puzzle)
{
    static const uint64_t levels[] = {1, 36, 1026, 28812};
    uint64_t state[PZ_STATE_MAX / 8] = {0}, again[PZ_STATE_MAX / 8] = {0};
    char text[PZ_TEXT_MAX], word[PZ_TEXT_MAX];
    struct pz_space *space = open_twisty("cube5");
    assert_int_equal(space->state_bytes, 64);
    explore_down(space, 3, levels);
    parse_state(space, "U 2R' F2 2D B 2L", state);
    assert_true(space->puzzle->valid(space, state));
    (void)space->puzzle->print(space, state, text);
    parse_state(space, text, again);
    assert_memory_equal(state, again, sizeof state);
    parse_state(space, "U 2R' F2 2D B", again);
    assert_true(space->puzzle->describe(space, again, state, word) > 0);
    assert_string_equal(word, "2L");
    parse_state(space, "U 2R' F2 2D B 2L 2L' B' 2D' F2 2R U'", again);
    assert_true(space->puzzle->is_goal(space, again));
    memset(state, 0xFF, sizeof state);
    assert_false(space->puzzle->valid(space, state));
    again[6] |= UINT64_C(1) << 63; /* of 364 bits and those that are spared at the end of words, none */
    assert_false(space->puzzle->valid(space, again));
    space_close(space);
}

TEST(more_pieces_than_a_state_has_bytes_for_have_numbers)
{
    static char text[1 << 12];
    size_t length = (size_t)snprintf(text, sizeof text, "Set A 100 1\nSet B 3 5\nSolved\nA\n1 2 3");
    struct plain_search search;
    for (unsigned i = 4; i <= 100; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %u", i <= 97 ? 4 : i - 93);
    length += (size_t)snprintf(text + length, sizeof text - length, "\nEnd\nMove a\nA\n2 3 1");
    for (unsigned i = 4; i <= 100; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %u", i);
    length += (size_t)snprintf(text + length, sizeof text - length, "\nB\n2 3 1\n1 0 0\nEnd\nMove b\nA\n1 2");
    for (unsigned i = 3; i <= 97; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %u", i);
    (void)snprintf(text + length, sizeof text - length, " 100 98 99\nEnd\n");
    struct pz_space *space = open_text(text, "turn");
    plain_explore_own(&search, space);
    assert_int_equal(search.count, 15 * 3);
    assert_int_equal(space_count(space), search.count);
    for (size_t i = 0; i < search.count; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        const uint64_t number = space->puzzle->rank(space, plain_state(&search, i));
        assert_true(number < search.count);
        space->puzzle->unrank(space, number, state);
        assert_memory_equal(state, plain_state(&search, i), space->state_bytes);
    }
    plain_free(&search);
    space_close(space);
}

TEST(a_state_of_more_than_512_bits_is_refused)
{
    struct definition *definition = NULL;
    struct pz_error error = {0};
    static const char text[] =
        "Set A 70 2\nMove T\nA\n2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
        "27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 "
        "55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70\nEnd\n";
    assert_int_equal(definition_compile(DEFINITION_TWS, "text", text, strlen(text), &definition, &error),
                     PZ_BAD_PUZZLE);
    assert_string_equal(error.text,
                        "line 1, column 1: with its pieces up to number 65 a state takes more than 512 bits");
}

static struct pz_space *open_some(const char *text, const char *moves)
{
    struct definition *definition = definition_of(DEFINITION_TWS, "text", text);
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    const struct pz_key key = {.key = "moves", .value = moves};
    const struct pz_setup setup = {.size = "text", .keys = &key, .key_count = 1};
    if (definition_open(definition, &setup, &space, &error) != PZ_OK)
        print_message("%s\n", error.text);
    definition_release(definition);
    return space;
}

/* With U, R and F one corner stays: levels of the 2x2x2 by face turns, as everybody counts them. */
TEST(moves_chooses_some_of_the_moves)
{
    static const uint64_t levels[] = {1, 9, 54, 321, 1847, 9992, 50136};
    const char *text = read_text("cube2");
    struct pz_space *space = open_some(text, "F,U,R");
    assert_int_equal(space->max_successors, 9);
    assert_non_null(strstr(space->size, ",moves:U:R:F"));
    assert_int_equal(space_count(space), 3674160);
    explore_down(space, 6, levels);
    space_close(space);
    space = open_some(text, "U R2 U'");
    assert_int_equal(space->max_successors, 4);
    space_close(space);
    assert_null(open_some(text, "U,Q"));
    assert_null(open_some(text, ""));
    space = open_some(text, "U,D,F,B,L,R");
    assert_null(strstr(space->size, "moves"));
    space_close(space);
}

/* What is chosen by the name that a puzzle has is the same puzzle. */
TEST(one_power_of_a_move_has_another_name_than_all)
{
    static const struct {
        const char *moves, *name;
        unsigned count;
    } picks[] = {{"U',R", ",moves:U':R", 5}, {"U,R", ",moves:U:R", 6}, {"R,U2", ",moves:U2:R", 4}};
    const char *text = read_text("cube2");
    for (size_t i = 0; i < sizeof picks / sizeof *picks; i++) {
        struct pz_space *space = open_some(text, picks[i].moves);
        const char *name = space->size + strlen(space->size) - strlen(picks[i].name);
        assert_string_equal(name, picks[i].name);
        assert_int_equal(space->max_successors, picks[i].count);
        struct pz_space *again = open_some(text, name + strlen(",moves:"));
        assert_string_equal(again->size, space->size);
        assert_int_equal(again->max_successors, picks[i].count);
        space_close(again);
        space_close(space);
    }
}

/* U2 and U2' of a fifth of a turn: after U2 the next U2 leads on. */
TEST(some_powers_of_a_move_are_those_of_a_text_that_lists_them)
{
    struct plain_search some, plain;
    struct pz_space *space =
        open_some("Set A 6 1\nMove U\nA\n2 3 4 5 1 6\nEnd\nMove R\nA\n1 2 3 5 6 4\nEnd\n", "R,U2");
    struct pz_space *other =
        open_text("Set A 6 1\nMove W\nA\n3 4 5 1 2 6\nEnd\nMove R\nA\n1 2 3 5 6 4\nEnd\n", "quarter");
    assert_non_null(strstr(space->size, ",moves:U2:R"));
    plain_explore_own(&some, space);
    plain_explore_own(&plain, other);
    assert_int_equal(some.count, plain.count);
    assert_memory_equal(some.level, plain.level, sizeof some.level);
    plain_free(&some);
    plain_free(&plain);
    space_close(space);
    space_close(other);
}

/* A chain of a hundred aliases, each of one that comes later, keeps it waiting: what was done is not done
 * again, and no word takes as long as all powers of its move. */
TEST(a_long_sequence_is_done_once_whatever_it_waits_for)
{
    enum { WORDS = 200001, CHAIN = 100 };
    const clock_t began = clock();
    char *text = NULL;
    size_t length = 0;
    uint64_t made[PZ_STATE_MAX / 8] = {0}, wanted[PZ_STATE_MAX / 8] = {0};
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    (void)fputs("Set P 60 1\nMove A\nP\n"
                "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 "
                "31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 "
                "58 59 60"
                "\nEnd\nMove C\nP\n"
                "1 2 4 5 6 7 8 9 10 11 3 13 14 15 16 17 18 19 20 21 12 22 23 24 25 26 27 28 29 30 "
                "31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 "
                "58 59 60"
                "\nEnd\nMoveSequence Z",
                stream);
    for (unsigned i = 0; i < WORDS; i++)
        (void)fputs(" C", stream);
    (void)fputs(" Q1\n", stream);
    for (unsigned i = 1; i < CHAIN; i++)
        (void)fprintf(stream, "MoveAlias Q%u Q%u\n", i, i + 1);
    (void)fprintf(stream, "MoveAlias Q%u A\n", CHAIN);
    assert_int_equal(fclose(stream), 0);
    struct pz_space *space = open_text(text, "turn");
    parse_state(space, "Z", made);
    parse_state(space, "C21,A", wanted);
    assert_memory_equal(made, wanted, sizeof made);
    assert_in_range((clock() - began) / CLOCKS_PER_SEC, 0, 30);
    space_close(space);
    free(text);
}

/* 96 × 4, 24 × 5 in two words and 4 bits are 512; the last piece has one code. */
TEST(a_piece_that_takes_no_bits_lies_within_a_full_state)
{
    static struct twist twist = {.places = 122,
                                 .sets = 4,
                                 .set = {{.first = 0, .places = 96, .turns = 1, .kinds = 16},
                                         {.first = 96, .places = 24, .turns = 1, .kinds = 24},
                                         {.first = 120, .places = 1, .turns = 16, .kinds = 1},
                                         {.first = 121, .places = 1, .turns = 1, .kinds = 1}}};
    struct tws_layout layout;
    struct pz_error error = {0};
    twist_finish(&twist);
    assert_ok(tws_layout_make(&twist, &layout, &error), error);
    assert_int_equal(layout.state_bytes, PZ_STATE_MAX);
    for (unsigned i = 0; i < twist.places; i++)
        assert_in_range(layout.field[i].word, 0, PZ_STATE_MAX / 8 - 1);
}
