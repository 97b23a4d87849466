/* SPDX-License-Identifier: MIT */
/* A*, IDA*, bidirectional search and stored tables, compared with each other. */
#include "answer_fixture.h"
#include "solve_support.h"

#include "solve/pdb/pdb.h"

struct sizes {
    const char *puzzle;
    const char *partition; /* of the databases whose bound is held against the lengths */
    uint32_t depth;        /* of the exploration behind the table; 0 for the whole puzzle */
    unsigned boards, walk;
};

/* By one method, the path replayed. */
static int64_t solve_by(enum method method, const struct pz_space *space, const void *start)
{
    /* Too little for IDA* to build databases for each board again. */
    const uint64_t bytes = method == METHOD_IDASTAR ? (uint64_t)8 << 20 : (uint64_t)2 << 30;
    const struct solve_request request = {.space = space, .start = start, .method = method, .threads = 1};
    struct solve_result result = solved_within(request, bytes);
    assert_int_equal(result.outcome, OUTCOME_DONE);
    assert_path(space, start, &result);
    solve_result_free(&result);
    return result.moves;
}

/* Plays the words of a table's path. */
static void replay_words(const struct grid *grid, struct board board, const struct answer *answer)
{
    static const char words[] = "UDLR";
    struct board goal;
    board_default_goal(grid, &goal);
    assert_int_equal(strlen(answer->path), answer->moves);
    for (const char *word = answer->path; *word != '\0'; word++) {
        const char *at = strchr(words, *word);
        assert_non_null(at);
        assert_true(board_move(grid, &board, (enum direction)(at - words)));
    }
    assert_memory_equal(board.tile, goal.tile, grid->cells);
}

/* Asks the table about a board that the searches solved in so many moves. Returns true when it knew. */
static bool ask_table(struct fixture *fixture, struct answers *answers, const struct pz_space *space,
                      const struct board *board, const void *start, int64_t moves)
{
    struct answer answer = {0};
    fixture_ok(answer_distance(answers, space, ANSWER_FROM_EITHER, start, true, &answer, &fixture->error));
    if (answer.solvable == PZ_UNKNOWN) {
        assert_true(moves > answer.beyond);
        return false;
    }
    assert_int_equal(answer.solvable, PZ_YES);
    assert_int_equal(answer.moves, moves);
    replay_words(slide_grid(space), *board, &answer);
    free(answer.path);
    return true;
}

static struct pdb *open_databases(const struct pz_space *space, const char *partition)
{
    static struct budget budget;
    struct pdb *pdb = NULL;
    struct pz_error error;
    const struct grid *grid = slide_grid(space);
    budget_init(&budget, NULL, (uint64_t)1 << 30);
    struct pdb_request request = {
        .grid = grid, .blank = grid->cells - 1u, .partition = partition, .threads = 2, .budget = &budget};
    assert_ok(pdb_open(&request, &pdb, &error), error);
    return pdb;
}

/* Scrambled boards of one size; each is asked of everything that can answer. */
static void compare(struct fixture *fixture, const struct sizes *sizes)
{
    struct random random = {6};
    struct answers *answers;
    struct pz_space *space = solve_space(sizes->puzzle, NULL);
    unsigned known = 0;
    struct pdb *pdb = open_databases(space, sizes->partition);
    (void)explore_own(fixture, space, (struct exploration){.depth = sizes->depth});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    answers_begin(answers);
    for (unsigned i = 0; i < sizes->boards; i++) {
        struct board board;
        uint64_t start[PZ_STATE_MAX / 8];
        board_default_goal(slide_grid(space), &board);
        random_walk(slide_grid(space), &board, sizes->walk, &random);
        slide_state(space, &board, start);
        int64_t moves = solve_by(METHOD_ASTAR, space, start);
        assert_int_equal(moves, solve_by(METHOD_IDASTAR, space, start));
        assert_int_equal(moves, solve_by(METHOD_BIDIRECTIONAL, space, start));
        assert_true(space->puzzle->heuristic(space, start) <= moves);
        assert_true(pdb_value(pdb, &board) <= moves && (moves - pdb_value(pdb, &board)) % 2 == 0);
        known += ask_table(fixture, answers, space, &board, start, moves);
    }
    assert_true(known > 0 && (known == sizes->boards || sizes->depth > 0));
    answers_end(answers);
    answers_free(answers);
    pdb_close(pdb);
    space_close(space);
}

store_test(all_methods_and_tables_agree_on_a_thousand_boards)
{
    static const struct sizes cases[] = {
        {"3x3", "4-4", 0, 400, 100}, {"2x5", "4-5", 0, 300, 40}, {"3x4", "5-6", 0, 300, 40}};
    for (size_t i = 0; i < (SANITIZED ? 2 : 3); i++) {
        struct sizes sizes = cases[i];
        if (is_brief())
            sizes.boards = SANITIZED ? 3 : sizes.boards / 5;
        compare(*state, &sizes);
    }
}

store_test(all_methods_and_tables_agree_on_a_hundred_15_puzzles_within_40_moves)
{
    struct sizes sizes = {"4x4", "5-5-5", 20, 100, 40};
    if (SANITIZED)
        sizes = (struct sizes){"4x4", "4-4-4-3", 12, 5, 14};
    else if (is_brief())
        sizes.boards = 20;
    compare(*state, &sizes);
}
