/* SPDX-License-Identifier: MIT */
#include "plain_search.h"

TEST(the_published_questions_have_their_answers)
{
    /* The 3 and 5 of "Die Hard": 4 first in one jug after 6 moves, in all together after 7. */
    assert_int_equal(plain_moves("jugs:3,5", NULL, "4", NULL, NULL), 6);
    assert_int_equal(plain_moves("jugs:3,5", NULL, "sum:4", NULL, NULL), 7);
    /* 8, 5, 3 without a tap: cut-the-knot.org. */
    assert_int_equal(plain_moves("jugs:8,5,3", "8,0,0", "4,4,0", "tap", "no"), 7);
    assert_int_equal(plain_moves("jugs:8,5,3", "8,0,0", "_,4,_", "tap", "no"), 6);
}

/* The answer of the search must be what is known without one, wherever that says yes or no. */
static void check_row(const char *puzzle, const char *goal, long expected)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    if (plain_try_open(&space, puzzle, NULL, goal, NULL, NULL, &error) != PZ_OK) {
        assert_int_equal(expected, -1); /* more than the jugs hold */
        assert_int_equal(error.code, PZ_BAD_REQUEST);
        return;
    }
    assert_ok(space->puzzle->root(space, root, &error), error);
    enum pz_answer known = space->puzzle->solvable(space, root);
    assert_int_equal(known, expected < 0 ? PZ_NO : PZ_YES);
    space_close(space);
    assert_int_equal(plain_moves(puzzle, NULL, goal, NULL, NULL), expected);
}

TEST(two_jugs_agree_with_the_divisor_argument)
{
    struct test_rows rows;
    test_rows_open(&rows, "water_jugs.csv", "x,y,target,");
    while (test_rows_next(&rows, 6)) {
        char *const *field = rows.field;
        char goal[32];
        const char *puzzle = text_of("jugs:%s,%s", field[0], field[1]);
        (void)snprintf(goal, sizeof goal, "sum:%s", field[2]);
        long total = test_number(field[4]);
        long single = test_number(field[5]);
        assert_int_equal(strcmp(field[3], "true") == 0, total >= 0);
        check_row(puzzle, goal, total);
        check_row(puzzle, goal + 4, single);
    }
    test_rows_close(&rows, 200);
}

static void commas(char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '/')
            *text = ',';
}

TEST(closed_systems_have_their_pours_and_states)
{
    struct test_rows rows;
    test_rows_open(&rows, "water_jugs_pour_only.csv", "caps,start,goal,");
    while (test_rows_next(&rows, 5)) {
        char *const *field = rows.field;
        struct plain_search search;
        for (unsigned i = 0; i < 3; i++)
            commas(field[i]);
        struct pz_space *space = plain_open(text_of("jugs:%s", field[0]), field[1], field[2], "tap", "no");
        plain_explore_own(&search, space);
        assert_int_equal(search.goal_depth, test_number(field[3]));
        assert_int_equal(search.count, test_number(field[4]));
        plain_free(&search);
        space_close(space);
    }
    test_rows_close(&rows, 9);
}

TEST(an_impossible_amount_is_known_without_search)
{
    struct pz_error error = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open("jugs:6,9,15", NULL, "4", NULL, NULL);
    parse_state(space, "0,3,6", root);
    assert_int_equal(space->puzzle->solvable(space, root), PZ_NO);
    /* A start that is no multiple of 3 breaks the argument. */
    parse_state(space, "0,1,0", root);
    assert_int_equal(space->puzzle->solvable(space, root), PZ_UNKNOWN);
    space_close(space);
    space = plain_open("jugs:8,5,3", "8,0,0", "4,4,1", "tap", "no");
    assert_ok(space->puzzle->root(space, root, &error), error);
    assert_int_equal(space->puzzle->solvable(space, root), PZ_NO);
    space_close(space);
}

TEST(a_goal_larger_than_the_jugs_has_no_solution)
{
    static const char *const goals[] = {"9",   "6",   "sum:9",       "999999999999999999",
                                        "4,0", "_,6", "0,1000000000"};
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
        struct pz_error error = {0};
        uint64_t root[PZ_STATE_MAX / 8];
        struct pz_space *space = plain_open("jugs:3,5", NULL, goals[i], NULL, NULL);
        assert_ok(space->puzzle->root(space, root, &error), error);
        assert_int_equal(space->puzzle->solvable(space, root), PZ_NO);
        assert_int_equal(space->flags & PZ_UNIQUE_GOAL, 0);
        space_close(space);
        assert_int_equal(plain_moves("jugs:3,5", NULL, goals[i], NULL, NULL), -1);
    }
}

TEST(states_fill_one_two_or_four_words)
{
    struct {
        const char *puzzle, *text;
        unsigned bytes;
    } const cases[] = {{"jugs:3,5", "2,5", 8},
                       {"jugs:1000000000,999999999,70", "1000000000,1,7", 16},
                       {"jugs:1000000000,1,1000000000,2,1000000000,3,1000000000,999999999",
                        "999999999,1,12345,2,1000000000,0,77,999999999", 32}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t packed[PZ_STATE_MAX / 8];
        char text[PZ_TEXT_MAX];
        struct pz_space *space = plain_open(cases[i].puzzle, NULL, NULL, NULL, NULL);
        assert_int_equal(space->state_bytes, cases[i].bytes);
        parse_state(space, cases[i].text, packed);
        assert_int_equal(space->puzzle->print(space, packed, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
        space_close(space);
    }
}

TEST(moves_have_words)
{
    static const char *const cases[][3] = {{"0,0,1", "0,5,1", "fill:2"},
                                           {"8,5,1", "0,5,1", "empty:1"},
                                           {"8,4,1", "6,4,3", "pour:1>3"},
                                           {"0,4,1", "4,0,1", "pour:2>1"}};
    struct pz_space *space = plain_open("jugs:8,5,3", NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t from[PZ_STATE_MAX / 8];
        uint64_t to[PZ_STATE_MAX / 8];
        char word[PZ_TEXT_MAX];
        parse_state(space, cases[i][0], from);
        parse_state(space, cases[i][1], to);
        (void)space->puzzle->describe(space, from, to, word);
        assert_string_equal(word, cases[i][2]);
    }
    space_close(space);
}

TEST(the_size_names_the_space_and_opens_it_again)
{
    struct {
        const char *goal, *tap, *size;
    } const cases[] = {{NULL, NULL, "8,5,3,start:8:0:0"},
                       {"4", NULL, "8,5,3,start:8:0:0,goal:4"},
                       {"sum:4", "yes", "8,5,3,start:8:0:0,goal:sum:4"},
                       {"4,4,0", "no", "8,5,3,tap:no,start:8:0:0,goal:4:4:0"},
                       {"4 _ 0", "no", "8,5,3,tap:no,start:8:0:0,goal:4:_:0"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[PZ_SIZE_MAX + 64];
        struct pz_space *space = plain_open("jugs:8,5,3", "8,0,0", cases[i].goal,
                                            cases[i].tap != NULL ? "tap" : NULL, cases[i].tap);
        assert_string_equal(space->size, cases[i].size);
        (void)space_name(space, name);
        struct pz_space *again = plain_open(name, NULL, NULL, NULL, NULL);
        assert_string_equal(again->size, cases[i].size);
        assert_int_equal(again->flags, space->flags);
        space_close(again);
        space_close(space);
    }
}

TEST(bad_input_is_refused_with_the_reason)
{
    plain_assert_refused(PZ_BAD_PUZZLE, "jug 2", "jugs:3,0", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_PUZZLE, "1 to 1000000000", "jugs:1000000001", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_PUZZLE, "jug 1", "jugs:99999999999999999999,1", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_PUZZLE, "-3", "jugs:-3,5", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_PUZZLE, "jug 2", "jugs:3,", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_PUZZLE, "missing", "jugs", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_TOO_LARGE, "8 jugs", "jugs:1,2,3,4,5,6,7,8,9", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "jug 1 holds 3", "jugs:3,5", "4,0", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "2 jugs", "jugs:3,5", "1", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "2 jugs", "jugs:3,5", "1,2,3", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "no number", "jugs:3,5", "1,x", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "no number", "jugs:3,5", "1,_", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "goal 'four'", "jugs:3,5", NULL, "four", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "tap=maybe", "jugs:3,5", NULL, "4", "tap", "maybe");
    plain_assert_refused(PZ_BAD_REQUEST, "start:", "jugs:3,5", NULL, "4", "tap", "no");
    plain_assert_refused(PZ_BAD_REQUEST, "colour", "jugs:3,5", NULL, "4", "colour", "red");
}

TEST(a_space_without_a_goal_says_so)
{
    struct pz_space *space = plain_open("jugs:3,5", NULL, NULL, NULL, NULL);
    assert_true((space->flags & PZ_NO_GOAL) != 0);
    space_close(space);
    space = plain_open("jugs:3,5", NULL, "1,2", NULL, NULL);
    assert_true((space->flags & PZ_NO_GOAL) == 0);
    assert_true((space->flags & PZ_UNIQUE_GOAL) != 0);
    space_close(space);
}
