/* SPDX-License-Identifier: MIT */
/* Every puzzle on the real engines, with any number of threads: they must find what plain search finds. */
#include "explore_trial.h"
#include "number_puzzle.h"
#include "plain_search.h"
#include "solve_support.h"

struct question {
    const char *puzzle, *start, *goal, *key, *value;
    int64_t moves; /* published; -1 for unsolvable, PLAIN for what the plain search finds */
};

enum { PLAIN = -2 };

static const struct question questions[] = {
    {"klotski:橫刀立馬", NULL, NULL, "metric", "step", 116},
    {"klotski:橫刀立馬", NULL, NULL, "metric", "move", 81},
    {"klotski:走投無路", NULL, NULL, "metric", "move", -1},
    {"klotski:近在咫尺", NULL, NULL, "metric", "move", 98},
    {"klotski", "ab@/cde/fgh", "a:2,2+h:0,0", "metric", "step", PLAIN},
    {"jugs:3,5", NULL, "4", NULL, NULL, 6},
    {"jugs:3,5", NULL, "sum:4", NULL, NULL, 7},
    {"jugs:8,5,3", "8,0,0", "4,4,0", "tap", "no", 7},
    {"jugs:24,13,11,5", "24,0,0,0", "8,8,8,0", "tap", "no", 6},
    {"jugs:1000000000,500000000,300000000", "1000000000,0,0", "_,_,100000000", "tap", "no", PLAIN},
    {"jugs:8,6,4", "8,0,0", "3,5,0", "tap", "no", -1},
    {"sokoban", "########/#..--###/#..$--.#/#-$$-$-#/#--$---#/#---@--#/########", NULL, "metric", "push",
     PLAIN},
    {"sokoban", "########/#..--###/#..$--.#/#-$$-$-#/#--$---#/#---@--#/########", NULL, "metric", "move",
     PLAIN},
    {"sokoban", "######/#@---#/#$-.-#/#----#/######", NULL, "metric", "push", -1},
    {"slide:3x3", "1,1,2/2,3,0/3,4,4", "1,1,2/2,3,3/4,4,0", NULL, NULL, PLAIN},
    {"slide:3x3", "1,2,3/4,#,0/6,7,5", "1,2,3/4,#,5/6,7,0", NULL, NULL, 1},
    {"slide:3x3", "2,1,3/4,#,5/6,7,0", "1,2,3/4,#,5/6,7,0", NULL, NULL, -1},
};

enum { QUESTIONS = sizeof questions / sizeof questions[0] };

#ifdef PUZZLED_SANITIZED
static const unsigned threads[] = {2};
#else
static const unsigned threads[] = {1, 2, 8};
#endif
enum { THREADS = sizeof threads / sizeof threads[0] };

static struct pz_space *open_question(const struct question *question, uint64_t start[PZ_STATE_MAX / 8])
{
    struct pz_error error = {0};
    struct pz_space *space =
        plain_open(question->puzzle, question->start, question->goal, question->key, question->value);
    if (question->start != NULL)
        parse_state(space, question->start, start);
    else
        assert_ok(space->puzzle->root(space, start, &error), error);
    return space;
}

/* ---- exploring ---- */

static void explore_as_plain(const struct question *question, unsigned team)
{
    struct plain_search plain;
    uint64_t start[PZ_STATE_MAX / 8];
    struct pz_space *space = open_question(question, start);
    plain_explore(&plain, space, start, false);
    struct trial *trial =
        lived(trial_in(space, (struct explore_request){.root = start, .threads = team, .keep = KEEP_LEVELS}));
    assert_true(trial->result.complete);
    assert_int_equal(trial->heard.level_count, plain.levels);
    assert_memory_equal(trial->heard.levels, plain.level, plain.levels * sizeof *plain.level);
    assert_int_equal(trial->result.states, plain.count);
    trial_free(trial);
    plain_free(&plain);
    space_close(space);
}

TEST(the_engine_finds_what_the_plain_search_finds)
{
    for (size_t i = 0; i < QUESTIONS; i++)
        for (size_t t = 0; t < THREADS; t++)
            explore_as_plain(&questions[i], threads[t]);
}

/* ---- solving ---- */

static int64_t expected_moves(const struct question *question)
{
    struct plain_search plain;
    uint64_t start[PZ_STATE_MAX / 8];
    struct pz_space *space = open_question(question, start);
    plain_explore(&plain, space, start, true);
    int64_t moves = plain.goal_depth;
    plain_free(&plain);
    space_close(space);
    assert_true(question->moves == PLAIN || question->moves == moves);
    return moves;
}

static void solve_as_plain(const struct question *question, enum method method, unsigned team,
                           int64_t expected)
{
    struct pz_error error = {0};
    struct budget budget;
    struct control control = {0};
    struct solve_result result;
    uint64_t start[PZ_STATE_MAX / 8];
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    struct pz_space *space = open_question(question, start);
    const struct solve_request request = {
        .space = space, .start = start, .method = method, .threads = team, .budget = &budget};
    enum pz_status status = solve_run(&request, &control, &result, &error);
    if (status == PZ_UNSUPPORTED && method == METHOD_BIDIRECTIONAL) {
        space_close(space); /* its moves cannot be undone, or it has many goals */
        return;
    }
    assert_ok(status, error);
    if (result.moves != expected)
        fail_msg("%s %s: %lld moves, expected %lld", question->puzzle, method_word(method),
                 (long long)result.moves, (long long)expected);
    assert_int_equal(result.solvable, expected < 0 ? PZ_NO : PZ_YES);
    if (result.moves >= 0)
        assert_described_path(space, start, &result);
    solve_result_free(&result);
    space_close(space);
}

TEST(every_method_gives_the_fewest_moves)
{
    static const enum method methods[] = {METHOD_AUTO, METHOD_BFS, METHOD_BIDIRECTIONAL, METHOD_ASTAR};
    for (size_t i = 0; i < QUESTIONS; i++) {
        int64_t expected = expected_moves(&questions[i]);
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
            for (size_t t = 0; t < THREADS; t++)
                solve_as_plain(&questions[i], methods[m], threads[t], expected);
    }
}

static unsigned number_distance(const struct pz_space *space, const void *state)
{
    const struct number_space *number = (const struct number_space *)space;
    uint64_t at = number_of(space, state);
    return (unsigned)(at > number->goal ? at - number->goal : number->goal - at);
}

/* With a bound as good as this one only the states of the path are expanded. */
TEST(auto_goes_by_a_bound_of_the_puzzles_own)
{
    struct pz_puzzle puzzle = number_puzzle;
    struct number_space number = number_space(1, true, 10000, 9000);
    puzzle.heuristic = number_distance;
    number.base.puzzle = &puzzle;
    for (unsigned weak = 0; weak < 2; weak++) {
        uint64_t start[PZ_STATE_MAX / 8];
        number_state(&number.base, 5000, start);
        number.base.flags |= weak != 0 ? (uint32_t)PZ_WEAK_BOUND : 0;
        const struct solve_request request = {
            .space = &number.base, .start = start, .method = METHOD_AUTO, .threads = 1};
        struct solve_result result = solved_within(request, UINT64_C(1) << 30);
        assert_int_equal(result.moves, 4000);
        assert_int_equal(result.method, weak != 0 ? METHOD_BIDIRECTIONAL : METHOD_ASTAR);
        solve_result_free(&result);
    }
}

TEST(a_puzzle_without_states_is_not_explored)
{
    const uint64_t start[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space = plain_open("linkup:AA,from:0:0,to:0:1", NULL, NULL, NULL, NULL);
    struct trial *trial = trial_in(space, (struct explore_request){.root = start});
    assert_int_equal(live(trial), PZ_UNSUPPORTED);
    trial_free(trial);
    space_close(space);
}
