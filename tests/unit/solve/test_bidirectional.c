/* SPDX-License-Identifier: MIT */
/* solve_run by BFS and from both sides: published lengths, each other, and every path replayed. */
#include "number_puzzle.h"
#include "solve_support.h"

static unsigned random_boards(void)
{
    return SANITIZED ? 60 : is_brief() ? 200 : 1000;
}

struct question {
    const struct pz_space *space;
    enum method method;
    unsigned threads;
    uint64_t memory;
    struct control control;
    struct solve_result result;
    struct pz_error error;
};

static enum pz_status ask(struct question *question, const void *start)
{
    struct budget budget;
    budget_init(&budget, NULL, question->memory != 0 ? question->memory : 1ull << 30);
    struct solve_request request = {.space = question->space,
                                    .start = start,
                                    .method = question->method,
                                    .threads = question->threads != 0 ? question->threads : 2,
                                    .budget = &budget};
    enum pz_status status = solve_run(&request, &question->control, &question->result, &question->error);
    assert_int_equal(budget.used, 0);
    return status;
}

/* The moves by one method, after a replay; -1 when there is no solution. */
static int64_t moves_by(const struct pz_space *space, enum method method, const void *start, unsigned threads)
{
    struct question question = {.space = space, .method = method, .threads = threads};
    assert_ok(ask(&question, start), question.error);
    assert_int_equal(question.result.outcome, OUTCOME_DONE);
    int64_t moves = question.result.moves;
    if (moves >= 0)
        assert_path(question.space, start, &question.result);
    else
        assert_int_equal(question.result.solvable, PZ_NO);
    solve_result_free(&question.result);
    return moves;
}

/* Holds both methods against each published row, or every so many. */
static void check_file(const char *file, const char *puzzle, unsigned step, unsigned count)
{
    struct pz_space *space = solve_space(puzzle, NULL);
    struct test_rows rows;
    test_rows_open(&rows, file, "board,answer,");
    while (test_rows_next(&rows, 2)) {
        uint64_t start[4];
        if (rows.count % step != 0)
            continue;
        parse_state(space, rows.field[0], start);
        const long moves = test_number(rows.field[1]);
        assert_int_equal(moves_by(space, METHOD_BFS, start, 1), moves);
        assert_int_equal(moves_by(space, METHOD_BIDIRECTIONAL, start, 1), moves);
    }
    test_rows_close(&rows, count);
    space_close(space);
}

TEST(every_board_of_leetcode_773_is_answered_as_published)
{
    check_file("leetcode773.csv", "2x3", 1, 6);
}

TEST(the_boards_of_acwing_845_are_answered_as_published)
{
    check_file("acwing845.csv", "3x3", SANITIZED ? 5 : 1, 20);
}

static void agree_on_random_boards(const char *puzzle, unsigned boards)
{
    struct pz_space *space = solve_space(puzzle, NULL);
    struct random random = {.state = 20240601};
    unsigned solved = 0;
    for (unsigned i = 0; i < boards; i++) {
        uint64_t start[4];
        struct board board;
        shuffle(&random, slide_grid(space), &board);
        slide_state(space, &board, start);
        int64_t moves = moves_by(space, METHOD_BFS, start, 1);
        assert_int_equal(moves_by(space, METHOD_BIDIRECTIONAL, start, 1 + i % 3), moves);
        solved += moves >= 0;
    }
    assert_true(solved > boards / 4 && solved < boards);
    space_close(space);
}

TEST(both_methods_agree_on_random_3x3_boards)
{
    agree_on_random_boards("3x3", random_boards() / 2);
}

TEST(both_methods_agree_on_random_2x5_boards)
{
    agree_on_random_boards("2x5", SANITIZED ? 6 : random_boards() / 2 / 5);
}

TEST(the_hardest_3x3_boards_take_31_moves)
{
    struct pz_space *space = solve_space("3x3", NULL);
    uint64_t start[4];
    parse_state(space, "8,6,7/2,5,4/3,0,1", start);
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        assert_int_equal(moves_by(space, METHOD_AUTO, start, threads), 31);
        assert_int_equal(moves_by(space, METHOD_BFS, start, threads), 31);
    }
    space_close(space);
}

/* The end of a walk from the goal that never steps back; its length bounds the solution from above. */
static uint64_t walk_from_goal(const struct pz_space *space, struct random *random, unsigned steps)
{
    uint64_t state;
    uint64_t successors[4];
    uint8_t tokens[4];
    uint8_t token = PZ_NO_TOKEN;
    space->puzzle->goal(space, &state);
    for (unsigned i = 0; i < steps; i++) {
        unsigned count = space->puzzle->expand(space, &state, token, successors, tokens);
        unsigned choice = (unsigned)random_below(random, count);
        state = successors[choice];
        token = tokens[choice];
    }
    return state;
}

TEST(a_4x4_board_is_solved_from_both_sides)
{
    struct pz_space *space = solve_space("4x4", NULL);
    struct random random = {.state = 5};
    unsigned walk = SANITIZED ? 20 : 34;
    uint64_t state = walk_from_goal(space, &random, walk);
    int64_t moves = moves_by(space, METHOD_BIDIRECTIONAL, &state, 2);
    assert_true(moves > 0 && moves <= walk && (walk - moves) % 2 == 0);
    assert_int_equal(moves_by(space, METHOD_BIDIRECTIONAL, &state, 8), moves);
    space_close(space);
}

/* With these boards one side is spread over its stripes and the other not yet, or both, or none. */
TEST(both_methods_agree_on_4x4_boards)
{
    struct pz_space *space = solve_space("4x4", NULL);
    struct random random = {.state = 6};
    for (unsigned walk = 1; walk <= (SANITIZED ? 17 : 22); walk++) {
        uint64_t state = walk_from_goal(space, &random, walk);
        int64_t moves = moves_by(space, METHOD_BFS, &state, 2);
        assert_int_equal(moves_by(space, METHOD_BIDIRECTIONAL, &state, 1 + walk % 3), moves);
    }
    space_close(space);
}

TEST(an_unsolvable_board_is_known_by_parity)
{
    struct pz_space *space = solve_space("4x4", NULL);
    struct question question = {.space = space};
    uint64_t start;
    parse_state(space, "1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,0", &start);
    assert_int_equal(solve_known(space, &start), PZ_NO);
    assert_ok(ask(&question, &start), question.error);
    assert_int_equal(question.result.method, METHOD_PARITY);
    assert_int_equal(question.result.solvable, PZ_NO);
    assert_int_equal(question.result.moves, -1);
    assert_null(question.result.path);
    solve_result_free(&question.result);
    space_close(space);
}

TEST(a_solved_board_takes_no_moves)
{
    struct pz_space *space = solve_space("3x3", NULL);
    struct question question = {.space = space};
    uint64_t start;
    space->puzzle->goal(space, &start);
    assert_int_equal(solve_known(space, &start), PZ_YES);
    assert_ok(ask(&question, &start), question.error);
    assert_int_equal(question.result.moves, 0);
    assert_int_equal(question.result.solvable, PZ_YES);
    assert_path(question.space, &start, &question.result);
    solve_result_free(&question.result);
    space_close(space);
}

TEST(irreversible_moves_are_solved_with_their_path)
{
    for (unsigned words = 1; words <= 4; words *= 2) {
        struct number_space space = number_space(words, false, 5000, 1000);
        struct question question = {.space = &space.base};
        uint64_t start[4];
        number_state(&space.base, 1, start);
        assert_ok(ask(&question, start), question.error);
        assert_int_equal(question.result.method, METHOD_BFS);
        /* 1000 is 1111101000 in binary: nine doublings and five additions. */
        assert_int_equal(question.result.moves, 14);
        assert_path(question.space, start, &question.result);
        char *text = solve_path_text(&space.base, question.result.path, question.result.moves);
        assert_non_null(text);
        assert_true(strncmp(text, "add,", 4) == 0 || strncmp(text, "double,", 7) == 0);
        free(text);
        solve_result_free(&question.result);
    }
}

TEST(what_cannot_be_reached_is_found_to_be_so)
{
    struct number_space space = number_space(1, false, 500, 7);
    uint64_t start[4];
    number_state(&space.base, 8, start); /* numbers only grow */
    assert_int_equal(moves_by(&space.base, METHOD_BFS, start, 1), -1);
}

TEST(solutions_may_be_longer_than_a_byte_can_tell)
{
    struct number_space space = number_space(2, true, 3000, 2900);
    uint64_t start[4];
    number_state(&space.base, 5, start);
    assert_int_equal(moves_by(&space.base, METHOD_BFS, start, 1), 2895);
    assert_int_equal(moves_by(&space.base, METHOD_BIDIRECTIONAL, start, 1), 2895);
}

TEST(a_path_is_written_in_the_ways_the_blank_goes)
{
    struct pz_space *space = solve_space("3x3", NULL);
    struct question question = {.space = space};
    uint64_t start;
    parse_state(space, "1,2,3/4,5,6/0,7,8", &start);
    assert_ok(ask(&question, &start), question.error);
    char *text = solve_path_text(space, question.result.path, question.result.moves);
    assert_string_equal(text, "RR");
    free(text);
    solve_result_free(&question.result);
    space_close(space);
}

/* 80 moves from the goal, and so out of reach of any search here. */
static const char far_board[] = "0,12,9,13/15,11,10,14/3,7,5,6/4,8,2,1";

TEST(too_little_memory_stops_without_an_answer)
{
    struct pz_space *space = solve_space("4x4", NULL);
    struct question question = {.space = space, .method = METHOD_BIDIRECTIONAL, .memory = 8 << 20};
    uint64_t start;
    parse_state(space, far_board, &start);
    assert_ok(ask(&question, &start), question.error);
    assert_int_equal(question.result.outcome, OUTCOME_STOPPED);
    assert_int_equal(question.result.reason, STOP_MEMORY);
    assert_int_equal(question.result.solvable, PZ_UNKNOWN);
    assert_int_equal(question.result.moves, -1);
    solve_result_free(&question.result);
    space_close(space);
}

TEST(a_cancelled_search_says_so)
{
    struct pz_space *space = solve_space("4x4", NULL);
    struct question question = {.space = space};
    uint64_t start;
    atomic_store(&question.control.stop, true);
    parse_state(space, far_board, &start);
    question.method = METHOD_BIDIRECTIONAL;
    assert_int_equal(ask(&question, &start), PZ_CANCELLED);
    question.method = METHOD_BFS;
    assert_int_equal(ask(&question, &start), PZ_CANCELLED);
    space_close(space);
}

TEST(methods_have_words)
{
    for (unsigned method = 0; method < METHOD_COUNT; method++)
        assert_string_not_equal(method_word((enum method)method), "unknown");
    assert_string_equal(method_word(METHOD_COUNT), "unknown");
}

TEST(a_method_that_does_not_fit_is_refused)
{
    struct number_space space = number_space(1, false, 500, 7);
    struct question question = {.space = &space.base, .method = METHOD_BIDIRECTIONAL};
    uint64_t start[4];
    number_state(&space.base, 1, start);
    assert_int_equal(ask(&question, start), PZ_UNSUPPORTED);
    question.method = METHOD_TABLE;
    assert_int_equal(ask(&question, start), PZ_UNSUPPORTED);
}
