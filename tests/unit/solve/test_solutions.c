/* SPDX-License-Identifier: MIT */
/* solve_run with all: shortest solutions held against counts by a plain search, and every path replayed. */
#include "solve_support.h"

#include "number_puzzle.h"
#include "solve/solutions.h"

enum { LISTED = 12, MEMORY = 64 << 20 };
enum { COUNTER_BITS = 10, LAST_BITS = 6, IDLE = 31 }; /* variables of counter_space */
enum { CHAIN_MOVES = 5000 };

struct asked {
    struct solve_result result;
    struct pz_error error;
    enum pz_status status;
};

static void ask(struct asked *asked, const struct pz_space *space, const void *start, enum method method,
                uint64_t memory, struct control *control)
{
    struct budget budget;
    struct control none = {0};
    budget_init(&budget, NULL, memory);
    const struct solve_request request = {.space = space,
                                          .start = start,
                                          .method = method,
                                          .threads = 2,
                                          .budget = &budget,
                                          .all = true,
                                          .list = LISTED};
    asked->status = solve_run(&request, control != NULL ? control : &none, &asked->result, &asked->error);
    assert_int_equal(budget.used, 0);
}

/* The number of shortest ways from the start to any goal, from the start on, without a bound. */
static uint64_t plain_count(const struct pz_space *space, const void *start)
{
    struct plain_search search;
    uint64_t at[PZ_STATE_MAX / 8];
    uint64_t total = 0;
    plain_explore(&search, space, start, true);
    uint64_t *ways = calloc(search.count + 1, sizeof *ways);
    uint8_t *successors = malloc((size_t)space->max_successors * space->state_bytes);
    uint8_t *tokens = malloc(space->max_successors);
    size_t *reached = calloc(search.count + 1, sizeof *reached); /* 1 + the last state that led there */
    if (ways == NULL || successors == NULL || tokens == NULL || reached == NULL)
        abort();
    ways[0] = 1;
    for (size_t i = 0; i < search.count && search.depths[i] < search.goal_depth; i++) {
        memcpy(at, plain_state(&search, i), space->state_bytes);
        unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
        for (unsigned j = 0; j < count; j++) {
            size_t next = *plain_slot(&search, successors + (size_t)j * space->state_bytes) - 1;
            if (search.depths[next] == search.depths[i] + 1 && reached[next] != i + 1) {
                ways[next] += ways[i];
                reached[next] = i + 1;
            }
        }
    }
    for (size_t i = 0; i < search.count; i++)
        if (search.depths[i] == search.goal_depth && space->puzzle->is_goal(space, plain_state(&search, i)))
            total += ways[i];
    free(reached);
    free(tokens);
    free(successors);
    free(ways);
    plain_free(&search);
    return total;
}

/* Each listed path leads from the start to a goal, and no two are equal. */
static void check_listed(const struct pz_space *space, const void *start, const struct solve_result *result)
{
    const struct solutions *solutions = &result->solutions;
    size_t bytes = ((size_t)result->moves + 1) * space->state_bytes;
    assert_int_equal(solutions->listed, solutions->count < LISTED ? solutions->count : LISTED);
    for (unsigned i = 0; i < solutions->listed; i++) {
        struct solve_result one = {.moves = result->moves, .path = solutions->paths + i * bytes};
        assert_path(space, start, &one);
        for (unsigned j = 0; j < i; j++)
            assert_memory_not_equal(solutions->paths + j * bytes, solutions->paths + i * bytes, bytes);
    }
}

static uint64_t count_by(const struct pz_space *space, const void *start, enum method method)
{
    struct asked asked;
    ask(&asked, space, start, method, MEMORY, NULL);
    assert_ok(asked.status, asked.error);
    assert_int_equal(asked.result.outcome, OUTCOME_DONE);
    assert_true(asked.result.solutions.known);
    uint64_t count = asked.result.solutions.count;
    if (asked.result.solvable == PZ_YES)
        check_listed(space, start, &asked.result);
    else
        assert_int_equal(count, 0);
    solve_result_free(&asked.result);
    return count;
}

static void check_board(void *context, const struct board *board, unsigned distance)
{
    const struct pz_space *space = context;
    uint64_t state[PZ_STATE_MAX / 8];
    slide_state(space, board, state);
    uint64_t count = plain_count(space, state);
    assert_int_equal(count_by(space, state, METHOD_IDASTAR), count);
    assert_int_equal(count_by(space, state, METHOD_BFS), count);
}

TEST(all_boards_of_2x3_have_as_many_solutions_as_a_plain_search_finds)
{
    struct distances distances;
    struct board goal;
    struct pz_space *space = solve_space("2x3", NULL);
    board_default_goal(slide_grid(space), &goal);
    distances_init(&distances, slide_grid(space), &goal);
    each_reachable(&distances, check_board, space);
    distances_clear(&distances);
    space_close(space);
}

TEST(boards_of_3x3_have_by_every_method_as_many_as_a_plain_search_finds)
{
    static const char *const boards[] = {"8,6,7/2,5,4/3,0,1", "6,4,7/8,5,0/3,2,1", "1,2,3/4,5,6/0,7,8",
                                         "5,7,0/4,3,2/8,6,1"};
    struct pz_space *space = solve_space("3x3", NULL);
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        parse_state(space, boards[i], state);
        uint64_t count = plain_count(space, state);
        for (enum method method = METHOD_BFS; method <= METHOD_IDASTAR; method++)
            assert_int_equal(count_by(space, state, method), count);
    }
    space_close(space);
}

/* Of many goals, of moves that cannot be undone, with equal pieces, with walls. */
TEST(other_puzzles_have_as_many_as_a_plain_search_finds)
{
    static const struct {
        const char *puzzle, *start, *goal, *key, *value;
    } questions[] = {
        {"jugs:3,5", NULL, "4", NULL, NULL},
        {"jugs:8,5,3", "8,0,0", "4,4,0", NULL, NULL},
        {"sokoban", "#######/#  .  #/# $@$ #/#  .  #/#######", NULL, "metric", "push"},
        {"sokoban", "#######/#  .  #/# $@$ #/#  .  #/#######", NULL, "metric", "move"},
        {"slide:3x3", "1,2,1/2,0,2/1,1,2", "0,1,1/1,1,2/2,2,2", NULL, NULL},
        {"klotski", "HAAI/HAAI/JBBK/J@@K/P..Q", NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        uint64_t start[PZ_STATE_MAX / 8];
        struct pz_error error;
        struct pz_space *space = plain_open(questions[i].puzzle, questions[i].start, questions[i].goal,
                                            questions[i].key, questions[i].value);
        assert_ok(questions[i].start != NULL ? space->puzzle->parse(space, questions[i].start, start, &error)
                                             : space->puzzle->root(space, start, &error),
                  error);
        uint64_t count = plain_count(space, start);
        if (count == 0)
            fail_msg("%s has no solution", questions[i].start);
        assert_int_equal(count_by(space, start, METHOD_AUTO), count);
        assert_int_equal(count_by(space, start, METHOD_BFS), count);
        space_close(space);
    }
}

TEST(two_moves_to_the_same_state_are_one_solution)
{
    struct number_space space = number_space(1, false, 100, 2); /* 1 + 1 and 2 · 1 */
    uint64_t start = 1;
    assert_int_equal(count_by(&space.base, &start, METHOD_BFS), 1);
    space.goal = 4; /* 1 2 4; 1 2 3 4 is longer */
    assert_int_equal(count_by(&space.base, &start, METHOD_BFS), 1);
}

/* Rungs of two states, each of which leads to both of the next rung: 2^n ways up n rungs. */
static unsigned ladder_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                              void *successors, uint8_t *tokens)
{
    uint64_t above = (number_of(space, state) | 1) + 1;
    for (unsigned i = 0; i < 2; i++) {
        number_state(space, above + i, (uint8_t *)successors + i * space->state_bytes);
        tokens[i] = PZ_NO_TOKEN;
    }
    return 2;
}

TEST(a_number_beyond_63_bits_is_told_as_the_greatest)
{
    struct number_space space = number_space(1, false, UINT64_MAX, 2 * 63);
    struct pz_puzzle ladder = number_puzzle;
    uint64_t start = 0;
    ladder.expand = ladder_expand;
    space.base.puzzle = &ladder;
    assert_true(count_by(&space.base, &start, METHOD_BFS) == UINT64_C(1) << 62);
    space.goal = 2 * 64;
    assert_true(count_by(&space.base, &start, METHOD_BFS) == SOLUTIONS_MAX);
    space.goal = 2 * 200;
    assert_true(count_by(&space.base, &start, METHOD_BFS) == SOLUTIONS_MAX);
}

TEST(a_goal_and_an_unsolvable_board_have_one_and_none)
{
    struct pz_space *space = solve_space("3x3", NULL);
    uint64_t state[PZ_STATE_MAX / 8];
    parse_state(space, "123456780", state);
    assert_int_equal(count_by(space, state, METHOD_AUTO), 1);
    parse_state(space, "123456870", state);
    assert_int_equal(count_by(space, state, METHOD_AUTO), 0);
    space_close(space);
}

TEST(databases_and_manhattan_distance_count_the_same)
{
    struct pz_space *space = solve_space("3x4", NULL);
    uint64_t start[PZ_STATE_MAX / 8];
    struct asked asked[2];
    static const char *const partitions[] = {"manhattan", "4-4-3"};
    struct control control = {0};
    parse_state(space, "5,1,3,4/9,2,0,7/6,10,11,8", start);
    for (unsigned i = 0; i < 2; i++) {
        struct budget budget;
        budget_init(&budget, NULL, (uint64_t)1 << 30);
        const struct solve_request request = {.space = space,
                                              .start = start,
                                              .method = METHOD_IDASTAR,
                                              .partition = partitions[i],
                                              .threads = 1,
                                              .budget = &budget,
                                              .all = true};
        assert_ok(solve_run(&request, &control, &asked[i].result, &asked[i].error), asked[i].error);
        solve_result_free(&asked[i].result);
    }
    assert_true(asked[0].result.solutions.count > 0);
    assert_int_equal(asked[0].result.solutions.count, asked[1].result.solutions.count);
    space_close(space);
}

/* Stopped where the search had memory enough, and counting had not. */
TEST(without_memory_to_count_the_solution_is_told_all_the_same)
{
    struct pz_space *space = solve_space("4x4", NULL);
    uint64_t start[PZ_STATE_MAX / 8];
    struct asked asked = {.status = PZ_MEMORY};
    parse_state(space, "5,1,3,4/2,0,7,8/9,6,10,12/13,14,11,15", start);
    for (uint64_t memory = 1 << 12; asked.status != PZ_OK; memory += 1 << 10)
        ask(&asked, space, start, METHOD_IDASTAR, memory, NULL);
    assert_int_equal(asked.result.outcome, OUTCOME_STOPPED);
    assert_int_equal(asked.result.reason, STOP_MEMORY);
    assert_int_equal(asked.result.solvable, PZ_YES);
    assert_false(asked.result.solutions.known);
    assert_path(space, start, &asked.result);
    solve_result_free(&asked.result);
    space_close(space);
}

/* A bound that leaves nothing out. The time is up when it is first asked. */
static unsigned late_bound(const void *context, const struct solutions_step *step)
{
    struct control *const *control = context;
    (*control)->deadline = 1;
    return 0;
}

TEST(counting_ends_at_its_time)
{
    struct pz_space *space = solve_space("4x4", NULL);
    uint64_t start[PZ_STATE_MAX / 8];
    struct budget budget;
    struct pz_error error;
    struct control control = {0};
    struct control *const counted = &control;
    struct solve_result result = {.moves = 80};
    budget_init(&budget, NULL, MEMORY);
    parse_state(space, "0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1", start);
    const struct solutions_request request = {.space = space,
                                              .start = start,
                                              .moves = result.moves,
                                              .list = LISTED,
                                              .budget = &budget,
                                              .bound = late_bound,
                                              .context = &counted};
    assert_ok(solutions_of_result(&request, &control, &result, &error), error);
    assert_int_equal(result.outcome, OUTCOME_STOPPED);
    assert_int_equal(result.reason, STOP_TIME);
    assert_int_equal(result.at_least, 80);
    assert_false(result.solutions.known);
    assert_null(result.solutions.paths);
    assert_int_equal(budget.used, 0);
    space_close(space);
}

/* Writes one side of a rule: what it has of the bit, of the bits below it, and of those above. */
static void put_side(FILE *out, unsigned bit, const char *its, const char *below, const char *above)
{
    for (unsigned i = 0; i < COUNTER_BITS + LAST_BITS; i++)
        (void)fprintf(out, "%s ", i == bit ? its : i < bit && i < COUNTER_BITS ? below : above);
    for (unsigned i = 0; i < IDLE; i++)
        (void)fputs("- ", out);
}

/* A counter, and then bits that may be set in any order: 720 solutions of 1029 moves. Idle numbers make a
 * state 64 bytes. */
static struct pz_space *counter_space(void)
{
    char text[1 << 13] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    (void)fprintf(out, "%u\n", COUNTER_BITS + LAST_BITS + IDLE);
    for (unsigned i = 0; i < COUNTER_BITS + LAST_BITS + IDLE; i++)
        (void)fprintf(out, "%s ", i < COUNTER_BITS + LAST_BITS ? "2" : "65536");
    for (unsigned bit = 0; bit < COUNTER_BITS + LAST_BITS; bit++) {
        put_side(out, bit, "0", "1", "-");
        (void)fputs("=> ", out);
        put_side(out, bit, "1", bit < COUNTER_BITS ? "0" : "-", "-");
    }
    (void)fputs("GOAL ", out);
    put_side(out, 0, "1", "1", "1");
    (void)fclose(out);
    return open_definition(DEFINITION_PSVN, text, &(const struct pz_setup){.size = "text"});
}

TEST(of_very_long_solutions_fewer_are_listed)
{
    const uint64_t start[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space = counter_space();
    struct budget budget;
    struct pz_error error;
    struct solutions solutions;
    budget_init(&budget, NULL, MEMORY);
    const struct solutions_request request = {
        .space = space, .start = start, .moves = 1029, .list = 1000, .budget = &budget};
    assert_int_equal(space->state_bytes, PZ_STATE_MAX);
    assert_ok(solutions_find(&request, NULL, &solutions, &error), error);
    assert_int_equal(solutions.count, 720);
    assert_int_equal(solutions.listed, (16 << 20) / (1030 * PZ_STATE_MAX));
    free(solutions.paths);
    space_close(space);
}

static struct control listing;
static unsigned expansions_left;

static unsigned stopping_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                                void *successors, uint8_t *tokens)
{
    if (--expansions_left == 0)
        atomic_store(&listing.stop, true);
    return number_expand(space, state, came_by, successors, tokens);
}

/* A chain from 0 to its last number, that says stop at an expansion. */
static struct number_space stopping_chain(unsigned expansions, uint64_t start[PZ_STATE_MAX / 8])
{
    static struct pz_puzzle puzzle;
    struct number_space number = number_space(1, true, CHAIN_MOVES, CHAIN_MOVES);
    puzzle = number_puzzle;
    puzzle.expand = stopping_expand;
    number.base.puzzle = &puzzle;
    number_state(&number.base, 0, start);
    expansions_left = expansions;
    atomic_store(&listing.stop, false);
    return number;
}

TEST(listing_hears_a_cancel)
{
    struct budget budget;
    struct pz_error error;
    struct solutions solutions;
    uint64_t start[PZ_STATE_MAX / 8];
    /* forth, back, and the first of the list */
    const struct number_space number = stopping_chain(2 * CHAIN_MOVES + 100, start);
    budget_init(&budget, NULL, MEMORY);
    const struct solutions_request request = {
        .space = &number.base, .start = start, .moves = CHAIN_MOVES, .list = 1, .budget = &budget};
    assert_int_equal(solutions_find(&request, &listing, &solutions, &error), PZ_CANCELLED);
    assert_false(solutions.known);
    free(solutions.paths);
}

/* Of a breadth-first search, while it traces its path, and while solutions are counted. */
TEST(a_cancel_keeps_the_length_that_was_found)
{
    static const unsigned expansions[] = {CHAIN_MOVES + 10, 2 * CHAIN_MOVES + 2000};
    for (unsigned i = 0; i < 2; i++) {
        struct budget budget;
        struct pz_error error;
        struct solve_result result;
        uint64_t start[PZ_STATE_MAX / 8];
        const struct number_space number = stopping_chain(expansions[i], start);
        budget_init(&budget, NULL, MEMORY);
        const struct solve_request request = {.space = &number.base,
                                              .start = start,
                                              .method = METHOD_BFS,
                                              .threads = 1,
                                              .budget = &budget,
                                              .all = true};
        assert_int_equal(solve_run(&request, &listing, &result, &error), PZ_CANCELLED);
        assert_int_equal(result.at_least, CHAIN_MOVES);
    }
}
