/* SPDX-License-Identifier: MIT */
#include "answer_fixture.h"
#include "solve_support.h"

/* Asks for every state that plain search reached from the goal. */
static void compare_with_plain_search(struct fixture *fixture, const struct pz_space *space, unsigned paths)
{
    struct plain_search search;
    struct answers *answers;
    uint64_t goal[PZ_STATE_MAX / 8];
    space->puzzle->goal(space, goal);
    plain_explore(&search, space, goal, false);
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    answers_begin(answers);
    for (size_t i = 0; i < search.count; i++) {
        struct answer answer = {0};
        uint64_t start[PZ_STATE_MAX / 8];
        bool with_path = i % (search.count / paths + 1) == 0;
        memcpy(start, plain_state(&search, i), space->state_bytes);
        fixture_ok(
            answer_distance(answers, space, ANSWER_FROM_EITHER, start, with_path, &answer, &fixture->error));
        assert_int_equal(answer.solvable, PZ_YES);
        assert_int_equal(answer.moves, search.depths[i]);
        if (with_path)
            assert_true(answer_replays(space, start, &answer));
        free(answer.path);
    }
    answers_end(answers);
    answers_free(answers);
    plain_free(&search);
}

store_test(both_kinds_of_table_give_the_distance_of_every_board)
{
    struct fixture *fixture = *state;
#ifdef PUZZLED_SANITIZED
    static const char *const puzzles[] = {"2x3", "2x2"};
#else
    static const char *const puzzles[] = {"3x3", "2x4"};
#endif
    static const enum engine engines[] = {ENGINE_STRIPED, ENGINE_DENSE};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; j < 2; j++) {
            struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
            (void)explore_own(fixture, space, (struct exploration){.engine = engines[j]});
            compare_with_plain_search(fixture, space, 200);
            space_close(space);
        }
    }
}

store_test(one_table_answers_for_every_goal_it_covers)
{
    struct fixture *fixture = *state;
    static const enum engine engines[] = {ENGINE_STRIPED, ENGINE_DENSE};
    /* Corner goals of 2x3 and of 3x2, in any labelling. */
    static const char *const questions[][2] = {
        {"2x3", "1,2,3/4,5,0"}, {"2x3", "0,5,4/3,2,1"}, {"3x2", "1,2/3,4/5,0"},
        {"3x2", "5,0/3,1/2,4"}, {"2x3", "1,2,0/3,4,5"},
    };
    for (unsigned j = 0; j < 2; j++) {
        struct pz_space *explored = plain_open("2x3", NULL, NULL, NULL, NULL);
        (void)explore_own(fixture, explored, (struct exploration){.engine = engines[j]});
        space_close(explored);
        for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++) {
            struct pz_space *space = plain_open(questions[i][0], NULL, questions[i][1], NULL, NULL);
            compare_with_plain_search(fixture, space, 360);
            space_close(space);
        }
    }
}

store_test(a_goal_that_no_table_covers_is_said_to_have_none)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    struct pz_space *space = plain_open("2x3", NULL, NULL, NULL, NULL);
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_DENSE});
    struct pz_space *other = plain_open("2x3", NULL, "1,0,2/3,4,5", NULL, NULL);
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    (void)answer_of(fixture, answers, other, "0,1,2/3,4,5", PZ_NO_TABLE);
    assert_non_null(strstr(fixture->error.text, "EXPLORE slide:2x3 root=1,2,3/4,0,5: 360 states"));
    answers_free(answers);
    space_close(space);
    space_close(other);
}

store_test(the_published_answers_come_from_a_table)
{
    struct fixture *fixture = *state;
    static const struct {
        const char *file, *puzzle;
        unsigned rows;
    } sets[] = {{"leetcode773.csv", "2x3", 6}, {"acwing845.csv", "3x3", 20}};
    for (unsigned i = 0; i < 2; i++) {
        struct answers *answers;
        struct pz_space *space = plain_open(sets[i].puzzle, NULL, NULL, NULL, NULL);
        struct test_rows rows;
        test_rows_open(&rows, sets[i].file, "board,answer,");
        (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_AUTO});
        fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
        answers_begin(answers);
        while (test_rows_next(&rows, 2)) {
            uint64_t start[PZ_STATE_MAX / 8];
            parse_into(fixture, space, rows.field[0], start);
            const struct answer answer = answer_of(fixture, answers, space, rows.field[0], PZ_OK);
            assert_int_equal(answer.moves, test_number(rows.field[1]));
            assert_int_equal(answer.solvable, answer.moves < 0 ? PZ_NO : PZ_YES);
            assert_true(answer.moves < 0 || answer_replays(space, start, &answer));
            free(answer.path);
        }
        test_rows_close(&rows, sets[i].rows);
        answers_end(answers);
        answers_free(answers);
        space_close(space);
    }
}

store_test(beyond_a_bounded_exploration_the_answer_is_unknown)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
    uint64_t job = explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED, .depth = 12});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    struct answer answer = answer_of(fixture, answers, space, "8,6,7/2,5,4/3,0,1", PZ_OK);
    assert_int_equal(answer.solvable, PZ_UNKNOWN);
    assert_int_equal(answer.moves, -1);
    assert_int_equal(answer.beyond, 12);
    assert_int_equal(answer.job, job);
    assert_null(answer.path);
    answer = answer_of(fixture, answers, space, "1,2,3/0,4,6/7,5,8", PZ_OK);
    assert_int_equal(answer.moves, 3);
    assert_string_equal(answer.path, "RDR");
    free(answer.path);
    struct answer_states boards;
    assert_int_equal(answer_sample_of(answers, space, 13, 1, 1, &boards, fixture), PZ_NO_TABLE);
    fixture_ok(answer_sample_of(answers, space, 12, 1, 1, &boards, fixture));
    assert_false(boards.complete);
    free(boards.states);
    fixture_ok(answer_deepest(answers, space, ANSWER_FROM_EITHER, 0, &boards, &fixture->error));
    assert_false(boards.complete);
    assert_int_equal(boards.depth, 12);
    free(boards.states);
    answers_free(answers);
    space_close(space);
}

store_test(parity_answers_without_any_table)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    const struct answer answer = answer_of(fixture, answers, space, "1,2,3/4,5,6/8,7,0", PZ_OK);
    assert_int_equal(answer.solvable, PZ_NO);
    assert_int_equal(answer.moves, -1);
    (void)answer_of(fixture, answers, space, "1,2,3/4,5,6/7,0,8", PZ_NO_TABLE);
    answers_free(answers);
    space_close(space);
}

store_test(without_any_goal_distances_are_those_to_the_root)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    struct plain_search search;
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open("klotski", "aabe/cd@@/ffgh", NULL, "metric", "step");
    assert_int_equal(space->flags & (PZ_NO_GOAL | PZ_REVERSIBLE), PZ_NO_GOAL | PZ_REVERSIBLE);
    fixture_ok(space->puzzle->root(space, root, &fixture->error));
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED});
    plain_explore(&search, space, root, false);
    assert_true(search.count > 10);
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    for (size_t i = 0; i < search.count; i++) {
        struct answer answer = {0};
        uint64_t start[PZ_STATE_MAX / 8];
        memcpy(start, plain_state(&search, i), space->state_bytes);
        fixture_ok(
            answer_distance(answers, space, ANSWER_FROM_EITHER, start, true, &answer, &fixture->error));
        assert_int_equal(answer.moves, search.depths[i]);
        assert_true((answer.path[0] == '\0') == (answer.moves == 0));
        free(answer.path);
    }
    answers_free(answers);
    plain_free(&search);
    space_close(space);
}

/* ---- samples ---- */

store_test(an_exploration_that_kept_levels_only_answers_no_distance)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    struct pz_space *space = plain_open("3x2", NULL, "0,5/4,3/2,1", NULL, NULL);
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED, .keep = KEEP_LEVELS});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    (void)answer_of(fixture, answers, space, "5,0/4,3/2,1", PZ_NO_TABLE);
    answers_free(answers);
    space_close(space);
}

/* ---- batches ---- */

store_test(between_batches_nothing_is_held_and_a_new_table_is_seen)
{
    struct fixture *fixture = *state;
    static const char board[] = "8,6,7/2,5,4/3,0,1";
    struct answers *answers;
    struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    answers_begin(answers);
    (void)answer_of(fixture, answers, space, board, PZ_NO_TABLE);
    answers_end(answers);
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED, .depth = 8});
    answers_begin(answers);
    assert_int_equal(answer_of(fixture, answers, space, board, PZ_OK).solvable, PZ_UNKNOWN);
    answers_end(answers);
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_DENSE});
    answers_begin(answers);
    const struct answer answer = answer_of(fixture, answers, space, board, PZ_OK);
    assert_int_equal(answer.moves, 31);
    free(answer.path);
    answers_end(answers);
    answers_free(answers);
    space_close(space);
}

store_test(more_questions_than_are_kept_in_mind_are_answered_all_the_same)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    enum { GOALS = 20 };
    struct pz_space *spaces[GOALS] = {NULL};
    struct pz_space *explored = plain_open("2x2", NULL, NULL, NULL, NULL);
    (void)explore_own(fixture, explored, (struct exploration){.engine = ENGINE_DENSE});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    struct plain_search search;
    uint64_t goal[PZ_STATE_MAX / 8];
    explored->puzzle->goal(explored, goal);
    plain_explore(&search, explored, goal, false);
    assert_int_equal(search.count, 12);
    answers_begin(answers);
    for (unsigned i = 0; i < GOALS; i++) {
        char text[PZ_TEXT_MAX];
        uint64_t state_of[PZ_STATE_MAX / 8];
        struct answer answer = {0};
        memcpy(state_of, plain_state(&search, i % 12), explored->state_bytes);
        (void)explored->puzzle->print(explored, state_of, text);
        spaces[i] = plain_open("2x2", NULL, text, NULL, NULL);
        fixture_ok(
            answer_distance(answers, spaces[i], ANSWER_FROM_EITHER, goal, true, &answer, &fixture->error));
        /* Twelve states were found, each with its depth. */
        assert_int_equal(answer.moves, search.depths[i % 12]); // NOLINT(clang-analyzer-core.CallAndMessage)
        assert_true(answer_replays(spaces[i], goal, &answer));
        free(answer.path);
    }
    answers_end(answers);
    answers_free(answers);
    for (unsigned i = 0; i < GOALS; i++)
        space_close(spaces[i]);
    plain_free(&search);
    space_close(explored);
}

/* ---- the ways to an answer against each other ---- */

static int64_t solved(const struct pz_space *space, const void *start, enum method method)
{
    const struct solve_request request = {.space = space, .start = start, .method = method, .threads = 2};
    struct solve_result result = solved_within(request, UINT64_C(1) << 30);
    assert_int_equal(result.outcome, OUTCOME_DONE);
    if (result.moves >= 0)
        assert_path(space, start, &result);
    solve_result_free(&result);
    return result.moves;
}

static void compare_random_boards(struct fixture *fixture, const struct pz_space *space, unsigned boards,
                                  struct random *random)
{
    struct answers *answers;
    unsigned unsolvable = 0;
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    for (unsigned i = 0; i < boards; i++) {
        struct board board;
        struct answer answer = {0};
        uint64_t start[PZ_STATE_MAX / 8] = {0};
        shuffle(random, slide_grid(space), &board);
        slide_state(space, &board, start);
        fixture_ok(
            answer_distance(answers, space, ANSWER_FROM_EITHER, start, true, &answer, &fixture->error));
        assert_int_equal(solved(space, start, METHOD_BFS), answer.moves);
        assert_int_equal(solved(space, start, METHOD_BIDIRECTIONAL), answer.moves);
        assert_true(answer.moves < 0 || answer_replays(space, start, &answer));
        unsolvable += answer.solvable == PZ_NO;
        free(answer.path);
    }
    if (!SANITIZED) /* about half of them, of enough boards */
        assert_in_range(unsolvable, boards / 3, boards - boards / 3);
    answers_free(answers);
}

/* Three times: with a memo, without one, and of a table that ends at a depth. */
store_test(all_boards_in_order_have_their_distances)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    static uint8_t memo[2520];
    static uint8_t distances[3][20160];
    static const struct exploration how[] = {
        {.engine = ENGINE_DENSE}, {.engine = ENGINE_DENSE}, {.engine = ENGINE_STRIPED, .depth = 10}};
    const unsigned boards = SANITIZED ? 3000 : 20160;
    struct pz_space *space = plain_open("4x2", NULL, "1,2/3,0/5,6/7,4", NULL, NULL);
    const struct grid *grid = slide_grid(space);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t goal[PZ_STATE_MAX / 8];
        struct board board;
        struct ranking_cursor cursor;
        space->puzzle->goal(space, goal);
        slide_board(space, goal, &board);
        (void)explore_into(fixture, space, goal, how[i]);
        memset(memo, ANSWER_FAR, sizeof memo);
        ranking_begin(&cursor, grid, &board, 0);
        fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
        fixture_ok(answer_boards(answers, space, &cursor, i == 1 ? NULL : memo, boards, distances[i],
                                 &fixture->error));
        assert_int_equal(cursor.number, boards);
        answers_free(answers);
    }
    assert_memory_equal(distances[0], distances[1], boards);
    for (unsigned i = 0; i < boards; i++)
        assert_int_equal(distances[2][i], distances[0][i] <= 10 ? distances[0][i] : ANSWER_FAR);
    space_close(space);
}

store_test(searches_and_tables_agree_on_a_thousand_random_boards)
{
    struct fixture *fixture = *state;
    static const struct {
        const char *puzzle;
        enum engine engine;
        unsigned boards;
    } sets[] = {{"3x3", ENGINE_DENSE, 150},
                {"3x3", ENGINE_STRIPED, 150},
                {"2x4", ENGINE_DENSE, 350},
                {"4x2", ENGINE_STRIPED, 350}};
    struct random random = {.state = 20261121};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        struct pz_space *space = plain_open(sets[i].puzzle, NULL, NULL, NULL, NULL);
        (void)explore_own(fixture, space, (struct exploration){.engine = sets[i].engine});
        compare_random_boards(fixture, space, SANITIZED ? sets[i].boards / 25 : sets[i].boards, &random);
        space_close(space);
    }
}
