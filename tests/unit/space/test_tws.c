/* SPDX-License-Identifier: MIT */
/* Permutation puzzles as texts: reading, what they mean, and the texts of their states. */
#include "tws_text.h"

#include "base/random.h"

#include "space/text/tws/tws_rules.h"
#include "space/twist/cut.h"
#include "space/twist/twist_numbers.h"

#include <string.h>

/* ---- faults in a text ---- */

TEST(a_fault_is_told_with_its_line_and_column)
{
    static const struct {
        const char *text, *error;
    } faults[] = {
        {"", "line 1, column 1: the text ends without a set"},
        {"# only this", "line 1, column 1: the text ends without a set"},
        {HEAD, "line 3, column 1: the text ends without a move"},
        {"Set A 3", "line 1, column 8: a number is missing"},
        {"Set A 3 0", "line 1, column 9: '0' is no number from 1 to 16"},
        {"Set A 0 1", "line 1, column 7: '0' is no number from 1 to 128"},
        {"Set A 129 1", "line 1, column 7: '129' is no number from 1 to 128"},
        {"Set A 100 1\nSet B 29 1", "line 2, column 7: 129 pieces with those before, at most 128 are taken"},
        {"Set A 3 1 1", "line 1, column 11: unexpected '1'"},
        {"Set A 2 1\nSet A 2 1", "line 2, column 5: there is a set A already"},
        {"Set a,b 2 1", "line 1, column 5: the name 'a,b' has a letter that names cannot have"},
        {HEAD "Block",
         "line 3, column 1: Block is not supported: only Name, Set, Solved, Move, MoveSequence, "
         "MoveAlias and Illegal are"},
        {HEAD "Illegal C 1 1", "line 3, column 9: 'C' is no set"},
        {HEAD "Illegal A 4 1", "line 3, column 11: '4' is no number from 1 to 3"},
        {HEAD "Illegal A 3", "line 3, column 12: a number is missing"},
        {HEAD TURN "Illegal A 3 4", "line 8, column 1: there is no piece 4 in A"},
        {HEAD TURN "Illegal A 3 1 3", "line 8, column 1: the solved state is illegal"},
        {HEAD TURN "MoveAlias t", "line 8, column 12: t is no move: it stands for none"},
        {HEAD TURN "MoveAlias t T Q", "line 8, column 1: 'Q' of t is no move"},
        {HEAD TURN "MoveSequence T T T", "line 8, column 14: there is a move T already"},
        {HEAD TURN "MoveSequence t T Q", "line 8, column 1: 'Q' of t is no move"},
        {HEAD TURN "MoveSequence a b\nMoveSequence b a", "line 8, column 1: 'b' of a is no move"},
        {HEAD "MoveSequence", "line 3, column 13: a move has no name"},
        {HEAD "Move T\nA\n2 3 1", "line 3, column 1: T has no End"},
        {HEAD "Move T\nC\n2 3 1\nEnd", "line 4, column 1: 'C' is no set, and not End"},
        {HEAD "Move T\nA\n2 3 1\nA\n2 3 1\nEnd", "line 6, column 1: A stands twice in T"},
        {HEAD "Move T\nA\n2 3\nEnd", "line 5, column 4: a number is missing"},
        {HEAD "Move T\nA\n2 3 4\nEnd", "line 5, column 5: '4' is no number from 1 to 3"},
        {HEAD "Move T\nA\n  2 3 3\nEnd", "line 3, column 1: move T takes the piece of place 3 of A twice"},
        {HEAD "Move T\nA\n2 3 ?\nEnd", "line 5, column 5: '?' is no number from 1 to 3"},
        {HEAD "Move T\nA\n2 3 1\n0 0 2\nEnd", "line 6, column 5: '2' is no number from 0 to 1"},
        {HEAD "Move 12\nEnd", "line 3, column 6: '12' has no letter: it would look like a state"},
        {HEAD TURN TURN, "line 8, column 6: there is a move T already"},
        {HEAD "Move T\nEnd\n", "line 1, column 1: no move moves a piece"},
        {HEAD TURN "Solved\nA\n1 1 2\n? 0 0\nEnd",
         "line 1, column 1: piece 1 of A is turned by '?' in one place only"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct definition *definition = NULL;
        struct pz_error error = {0};
        assert_int_equal(definition_compile(DEFINITION_TWS, "text", faults[i].text, strlen(faults[i].text),
                                            &definition, &error),
                         PZ_BAD_PUZZLE);
        assert_string_equal(error.text, faults[i].error);
    }
}

TEST(comments_spaces_and_titles_do_not_change_the_canonical_text)
{
    static const char *const texts[] = {HEAD TURN,
                                        "# a comment\r\nName some title\r\n\r\nSet  A 3\t2 # three\nSet B 2 "
                                        "1\n#x\nMove T\n A\n2 3  1\n1 0 0\nB\n1 "
                                        "2\n0 0\nEnd",
                                        HEAD "Solved\nA\n1 2 3\n0 0 0\nB\n1 2\nEnd\n" TURN};
    char id[3][DEFINITION_ID_BYTES];
    for (unsigned i = 0; i < 3; i++) {
        struct definition *definition = definition_of(DEFINITION_TWS, "text", texts[i]), *again = NULL;
        struct pz_error error = {0};
        memcpy(id[i], definition->id, sizeof id[i]);
        const struct definition_meaning *meaning = definition->meaning;
        assert_int_equal(definition_compile(DEFINITION_TWS, "text", meaning->canonical,
                                            meaning->canonical_length, &again, &error),
                         PZ_OK);
        assert_string_equal(again->id, definition->id);
        definition_release(definition);
        definition_release(again);
    }
    assert_string_equal(id[0], id[1]);
    assert_string_equal(id[0], id[2]);
}

/* ---- what a text means ---- */

/* f is said of the place that a piece leaves: place 1 takes the piece of place 2, whose f is 0; place 3 takes
 * the one of place 1, which f turns. */
TEST(turns_are_said_of_the_place_that_a_piece_leaves)
{
    struct pz_space *space = open_text(HEAD TURN, "turn");
    check_print(space, "solved", "1,2,3.0,0,0/1,2");
    check_print(space, "T", "2,3,1.0,0,1/1,2");
    check_print(space, "T,T", "3,1,2.0,1,1/1,2");
    check_print(space, "T3", "1,2,3.1,1,1/1,2");
    check_print(space, "T'", "3,1,2.1,0,0/1,2");
    check_print(space, "T2' T", "3,1,2.1,0,0/1,2");
    check_print(space, "3,1,2.1,0,0/1,2", "3,1,2.1,0,0/1,2");
    check_print(space, "3:1:2.1:0:0/1:2", "3,1,2.1,0,0/1,2");
    check_print(space, "3,1,2/1,2", "3,1,2.0,0,0/1,2");
    space_close(space);
}

static void check_moves(const char *metric, const char *words)
{
    struct pz_space *space = open_text(HEAD TURN "Move x\nB\n2 1\nEnd", metric);
    uint64_t state[PZ_STATE_MAX / 8] = {0}, successors[16][1];
    uint8_t tokens[16];
    char said[2 * PZ_TEXT_MAX] = "", word[PZ_TEXT_MAX];
    assert_int_equal(space->state_bytes, 8);
    space->puzzle->goal(space, state);
    const unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens);
    assert_int_equal(count, space->max_successors);
    for (unsigned i = 0; i < count; i++) {
        assert_true(space->puzzle->describe(space, state, successors[i], word) > 0);
        (void)snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s", i > 0 ? " " : "", word);
    }
    assert_string_equal(said, words);
    space_close(space);
}

TEST(every_power_of_a_move_is_a_move_and_rotations_are_none)
{
    check_moves("turn", "T T2 T3 T2' T'");
    check_moves("quarter", "T T'");
}

TEST(a_rotation_is_known_to_scrambles)
{
    struct pz_space *space = open_text(HEAD TURN "Move x\nA\n2 3 1\nB\n2 1\nEnd", "turn");
    check_print(space, "T,x2,x2,x2", "2,3,1.0,0,1/1,2");
    check_print(space, "x2", "1,2,3.0,0,0/1,2"); /* turned as a whole, and looked at as before */
    space_close(space);
}

TEST(pieces_of_equal_numbers_are_alike_and_question_marks_are_any)
{
    struct pz_space *space =
        open_text("Set A 4 2\nSolved\nA\n7 ? 7 ?\n1 0 0 0\nEnd\nMove T\nA\n2 3 4 1\n1 1 0 0\nEnd", "turn");
    check_print(space, "solved", "7,?,7,?.1,?,0,?");
    check_print(space, "T", "?,7,?,7.?,0,?,0");
    check_print(space, "?,7,?,7.?,0,?,0", "?,7,?,7.?,0,?,0");
    assert_int_equal(space_count(space), 2); /* T twice turns the two sevens round, and changes nothing */
    space_close(space);
}

TEST(a_state_that_cannot_be_is_refused_with_what_is_wrong)
{
    static const struct {
        const char *text, *error;
    } faults[] = {
        {"1,2,3.0,0,0", "'1,2,3.0,0,0': 2 sets, slashes between"},
        {"1,2,3.0,0/1,2", "'1,2,3.0,0/1,2': A has 3 pieces, commas between, then a point and as many turns"},
        {"1,2,3.0,0,0/1", "'1,2,3.0,0,0/1': B has 2 pieces, commas between"},
        {"1,2,4.0,0,0/1,2", "place 3 of A: there is no such piece"},
        {"1,2,3.0,0,2/1,2", "place 3 of A: a turn is 0 to 1"},
        {"1,2,2.0,0,0/1,2", "'1,2,2.0,0,0/1,2': A has other pieces, or not as many of each"},
        {"1,2,3.0,0,0/1,2/", "'1,2,3.0,0,0/1,2/': 2 sets"},
        {"T,Q", "'Q' is no move; there are: T"},
        {"1,2,3.0,0,0/2,1", "'1,2,3.0,0,0/2,1': no move carries or turns the piece in place 1 of B: it must "
                            "be there as in the solved "
                            "state"},
    };
    struct pz_space *space = open_text(HEAD TURN, "turn");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        struct pz_error error = {0};
        assert_int_equal(space->puzzle->parse(space, faults[i].text, state, &error), PZ_BAD_BOARD);
        assert_string_equal(error.text, faults[i].error);
    }
    space_close(space);
}

static void note_piece(void *taker, const struct pz_piece *piece)
{
    char *out = taker;
    const size_t length = strlen(out);
    (void)snprintf(out + length, 512 - length, "%s %s %s at %g,%g; ", piece->kind, piece->id, piece->text,
                   piece->x, piece->y);
}

TEST(a_state_is_drawn_in_pieces_and_turns)
{
    struct pz_space *space = open_text(HEAD TURN, "turn");
    uint64_t state[PZ_STATE_MAX / 8];
    char out[512] = "";
    parse_state(space, "2,1,3.0,1,0/1,2", state);
    const struct pz_size size = space->puzzle->pieces(space, state, NULL, note_piece, out);
    assert_string_equal(out, "label set-0 A at 0,0; tile 0-1-1 2 at 0,0.6; tile 0-0-1 1 at 1,0.6; "
                             "label turn-0-0-1 +1 at 1,1.6; tile 0-2-1 3 at 2,0.6; label set-1 B at 0,2.4; "
                             "tile 1-0-1 1 at 0,3; tile 1-1-1 2 at 1,3; ");
    assert_true(size.columns == 3 && size.rows > 3.9 && size.rows < 4.1);
    space_close(space);
}

/* As many pieces as a state of 64 bytes has, most of which stay where they are: 60 states, as of five pieces.
 */
TEST(sixty_four_pieces_are_a_state)
{
    struct pz_space *space =
        open_text("Set A 40 1\nSet B 24 2\n"
                  "Move a\nA\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 "
                  "26 27 28 29 30 31 32 33 34 35 37 38 36 39 40\nEnd\n"
                  "Move b\nA\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 "
                  "26 27 28 29 30 31 32 33 34 35 36 37 39 40 38\nEnd\n",
                  "turn");
    uint64_t state[PZ_STATE_MAX / 8], again[PZ_STATE_MAX / 8];
    char text[PZ_TEXT_MAX];
    assert_int_equal(space->state_bytes, 64);
    assert_int_equal(space->puzzle->count(space), 60);
    for (uint64_t number = 0; number < 60; number++) {
        space->puzzle->unrank(space, number, state);
        assert_int_equal(space->puzzle->rank(space, state), number);
        (void)space->puzzle->print(space, state, text);
        parse_state(space, text, again);
        assert_memory_equal(state, again, sizeof state);
    }
    space_close(space);
}

/* ---- numbers ---- */

static struct tws_file file;
static struct tws_rules rules;

static void read_definition(const char *name)
{
    struct pz_error error = {0};
    const char *text = read_text(name);
    assert_int_equal(tws_read(text, strlen(text), &file, &error), PZ_OK);
    assert_int_equal(tws_rules_make(&file, TWS_TURN, &rules, &error), PZ_OK);
}

/* The edges of the runs lead where the moves do. */
static void check_numbers(const struct twist_numbers *numbers)
{
    struct random random = {.state = 1};
    uint8_t state[TWIST_PLACES_MAX] = {0}, back[TWIST_PLACES_MAX] = {0}, moved[TWIST_PLACES_MAX] = {0};
    struct pz_runs *runs = twist_runs_new(numbers);
    assert_true(runs->prepare(runs));
    memcpy(state, rules.twist.solved, rules.twist.places);
    const uint64_t size = (uint64_t)runs->rows * runs->columns;
    for (unsigned i = 0; i < 2000; i++) {
        const unsigned move = (unsigned)random_below(&random, rules.twist.moves);
        struct pz_edge edge;
        twist_apply(&rules.twist, move, state, moved);
        const uint64_t number = twist_numbers_rank(numbers, state), then = twist_numbers_rank(numbers, moved);
        assert_true(number < twist_numbers_count(numbers) && then < twist_numbers_count(numbers));
        twist_numbers_unrank(numbers, number, back);
        assert_memory_equal(back, state, rules.twist.places);
        runs->edge(runs, move, number / size, &edge);
        const uint32_t row = (uint32_t)(number % size / runs->columns);
        const uint32_t column = (uint32_t)(number % runs->columns);
        const uint64_t row_then = edge.rows == NULL ? row : edge.rows[row] / pz_row_positions(runs->columns);
        const uint64_t column_then = edge.columns == NULL ? column : edge.columns[column];
        assert_int_equal((edge.outer * runs->rows + row_then) * runs->columns + column_then, then);
        memcpy(state, moved, rules.twist.places);
    }
    runs->close(runs);
}

TEST(nearly_every_number_is_a_reached_state)
{
    static const struct {
        const char *name;
        uint64_t numbers;
    } puzzles[] = {{"pyraminx", 302330880}, {"skewb", 37791360}, {"cube2", 88179840}, {"dino", 239500800}};
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++) {
        struct twist_numbers *numbers = NULL;
        read_definition(puzzles[i].name);
        assert_true(twist_numbers_new(&rules.twist, &numbers));
        assert_non_null(numbers);
        assert_int_equal(twist_numbers_count(numbers), puzzles[i].numbers);
        check_numbers(numbers);
        twist_numbers_free(numbers);
    }
}

TEST(a_state_of_the_wrong_parity_has_no_number)
{
    struct twist_numbers *numbers = NULL;
    uint8_t state[TWIST_PLACES_MAX];
    read_definition("dino");
    assert_true(twist_numbers_new(&rules.twist, &numbers));
    memcpy(state, rules.twist.solved, sizeof state);
    assert_true(twist_numbers_rank(numbers, state) < twist_numbers_count(numbers));
    state[3] = rules.twist.solved[4];
    state[4] = rules.twist.solved[3];
    assert_true(twist_numbers_rank(numbers, state) == UINT64_MAX);
    twist_numbers_free(numbers);
}
