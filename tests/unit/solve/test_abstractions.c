/* SPDX-License-Identifier: MIT */
/* Lower bounds of texts by abstractions: against true distances, and as the solvers and the store use them.
 */
#include "plain_search.h"
#include "solve_support.h"

#include "solve/abstraction/abstractions.h"

static struct pz_space *open_text(const char *file, const char *goal)
{
    enum definition_format format;
    assert_true(definition_format_find(strchr(file, '.') + 1, &format));
    return open_defined(format, text_of("%.*s", (int)strcspn(file, "."), file), definition_text(file), goal);
}

static enum pz_status try_bounds(const struct pz_space *space, const char *partition,
                                 const struct pattern_archive *archive, struct abstractions **out,
                                 struct pz_error *error)
{
    static struct budget budget; /* outlives the databases */
    static struct control control;
    budget_init(&budget, NULL, 1 << 30);
    const struct abstractions_request request = {.space = space,
                                                 .partition = partition,
                                                 .threads = 2,
                                                 .budget = &budget,
                                                 .archive = archive,
                                                 .control = &control};
    return abstractions_open(&request, out, error);
}

static struct abstractions *bounds(const struct pz_space *space, const char *partition,
                                   const struct pattern_archive *archive)
{
    struct abstractions *abstractions = NULL;
    struct pz_error error = {0};
    assert_ok(try_bounds(space, partition, archive, &abstractions, &error), error);
    return abstractions;
}

static void assert_partition(const struct abstractions *abstractions, const char *partition)
{
    struct abstractions_figures figures;
    abstractions_figures(abstractions, &figures);
    assert_string_equal(figures.partition, partition);
}

/* ---- bounds and distances ---- */

/* Holds the bound of every state against its distance, and those of neighbours against each other. Returns
 * the sum of all bounds. */
static uint64_t check_bounds(const struct pz_space *space, const struct plain_search *search,
                             const struct abstractions *abstractions)
{
    uint64_t sum = 0;
    uint8_t *successors = malloc((size_t)space->max_successors * (space->state_bytes + 1));
    assert_non_null(successors);
    for (size_t i = 0; i < search->count; i++) {
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        memcpy(state, plain_state(search, i), space->state_bytes);
        const unsigned bound = abstractions_bound(abstractions, state);
        if (bound > search->depths[i])
            fail_msg("a bound of %u, and the goal is %u away", bound, search->depths[i]);
        const unsigned count =
            space->puzzle->expand(space, state, PZ_NO_TOKEN, successors,
                                  successors + (size_t)space->max_successors * space->state_bytes);
        for (unsigned k = 0; k < count; k++) {
            uint64_t next[PZ_STATE_MAX / 8] = {0};
            memcpy(next, successors + (size_t)k * space->state_bytes, space->state_bytes);
            assert_true(bound <= abstractions_bound(abstractions, next) + 1);
        }
        sum += bound;
    }
    free(successors);
    return sum;
}

TEST(no_bound_is_more_than_the_distance)
{
    static const struct {
        const char *file, *partition; /* as it is written back */
        bool exact;                   /* all is told apart, and no distance is more than 254 */
    } trials[] = {
        {"hanoi8.psvn", "1-8", false},           {"hanoi8.psvn", "1-4+5-8", false},
        {"hanoi8.psvn", "2.4+6-7", false},       {"pancake8.psvn", "1-8", true},
        {"pancake8.psvn", "1-4|5-8", false},     {"pancake8.psvn", "1-4|2-5|8", false},
        {"topspin9.psvn", "1-4|5-8", false},     {"gripper6.psvn", "1-9", true},
        {"gripper6.psvn", "1-6|1-3.7-9", false}, {"blocks6.psvn", "1-5|6-13", false},
        {"arrow12.psvn", "1-12", true},          {"arrow12.psvn", "1-7|5-12", false},
        {"slide3x3.psvn", "1-4+5-8", false},     {"slide3x3.psvn", "1-3+4-6+7-8", false},
    };
    for (unsigned i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct plain_search search;
        uint64_t goal[PZ_STATE_MAX / 8], all = 0;
        struct pz_space *space = open_text(trials[i].file, NULL);
        struct abstractions *abstractions = bounds(space, trials[i].partition, NULL);
        assert_partition(abstractions, trials[i].partition);
        space->puzzle->goal(space, goal);
        plain_explore(&search, space, goal, false);
        for (size_t k = 0; k < search.count; k++)
            all += search.depths[k];
        const uint64_t sum = check_bounds(space, &search, abstractions);
        if (sum == 0 || (sum == all) != trials[i].exact)
            fail_msg("%s %s: bounds of %llu, distances of %llu", trials[i].file, trials[i].partition,
                     (unsigned long long)sum, (unsigned long long)all);
        plain_free(&search);
        abstractions_close(abstractions);
        space_close(space);
    }
}

TEST(a_goal_of_the_request_has_bounds_of_its_own)
{
    uint64_t board[PZ_STATE_MAX / 8];
    struct pz_space *space = open_text("hanoi8.psvn", "1:1:1:1:1:1:1:-");
    struct abstractions *abstractions = bounds(space, "1-8", NULL);
    parse_state(space, "1,1,1,1,1,1,1,3", board);
    assert_int_equal(abstractions_bound(abstractions, board), 0);
    parse_state(space, "3,3,3,3,3,3,3,3", board);
    assert_int_equal(abstractions_bound(abstractions, board), 127); /* seven discs go, the eighth may stay */
    abstractions_close(abstractions);
    space_close(space);
}

TEST(pieces_that_turn_have_bounds_too)
{
    uint64_t board[PZ_STATE_MAX / 8];
    struct pz_space *space = open_text("cube2.tws", NULL);
    parse_state(space, "U,R,F2", board);
    struct abstractions *abstractions = bounds(space, "1-3|4-6|7-8", NULL);
    const unsigned bound = abstractions_bound(abstractions, board);
    assert_in_range(bound, 1, 3);
    space->puzzle->goal(space, board);
    assert_int_equal(abstractions_bound(abstractions, board), 0);
    abstractions_close(abstractions);
    space_close(space);
}

/* ---- the archive ---- */

static enum pz_status read_archive(void *context, const char *table, uint64_t at, uint64_t *word,
                                   struct pz_error *error)
{
    struct memory_archive *memory = context;
    for (unsigned i = 0; i < memory->count; i++) {
        if (strcmp(memory->name[i], table) != 0)
            continue;
        assert_true((at + 1) * sizeof *word <= memory->length[i]);
        memcpy(word, memory->bytes[i] + at * sizeof *word, sizeof *word);
        return PZ_OK;
    }
    return pz_fail(error, PZ_NO_TABLE, "no %s", table);
}

TEST(databases_are_saved_and_read_by_name)
{
    struct memory_archive memory;
    struct pz_error error = {0};
    uint64_t board[PZ_STATE_MAX / 8];
    char partition[SOLVE_PARTITION_MAX];
    unsigned value = 0;
    struct pz_space *space = open_text("hanoi8.psvn", NULL);
    struct pz_space *other = open_text("hanoi8.psvn", "1:1:1:1:1:1:1:1");
    memory_archive_init(&memory);
    parse_state(space, "1,2,3,1,2,3,1,2", board);
    struct abstractions *abstractions = bounds(space, "1-4+5-8", &memory.archive);
    const unsigned bound = abstractions_bound(abstractions, board);
    abstractions_close(abstractions);
    assert_int_equal(memory.saves, 2);
    abstractions = bounds(space, "1-4+5-8", &memory.archive);
    assert_int_equal(abstractions_bound(abstractions, board), bound);
    abstractions_close(abstractions);
    assert_int_equal(memory.saves, 2);
    assert_int_equal(memory.loads, 2);
    assert_true(abstractions_name_partition(memory.name[0], space, partition));
    assert_string_equal(partition, "1-4+5-8");
    assert_false(abstractions_name_partition(memory.name[0], other, partition));
    const struct abstractions_request look = {.space = space, .partition = partition};
    assert_ok(abstractions_look_up(&look, board, read_archive, &memory, &value, &error), error);
    assert_int_equal(value, bound);
    const struct abstractions_request none = {.space = space, .partition = "1-2+3-8"};
    assert_int_equal(abstractions_look_up(&none, board, read_archive, &memory, &value, &error), PZ_NO_TABLE);
    memory_archive_clear(&memory);
    space_close(space);
    space_close(other);
}

TEST(a_damaged_database_is_built_again)
{
    struct memory_archive memory;
    struct pz_error error = {0};
    struct abstractions *abstractions = NULL;
    struct pz_space *space = open_text("pancake8.psvn", NULL);
    memory_archive_init(&memory);
    abstractions_close(bounds(space, "1-3", &memory.archive));
    memory.length[0] -= sizeof(uint64_t);
    abstractions_close(bounds(space, "1-3", &memory.archive));
    assert_int_equal(memory.saves, 2);
    memory.damaged = true;
    abstractions_close(bounds(space, "1-3", &memory.archive));
    assert_int_equal(memory.saves, 3);
    memory.cancelled = true;
    assert_int_equal(try_bounds(space, "1-3", &memory.archive, &abstractions, &error), PZ_CANCELLED);
    memory_archive_clear(&memory);
    space_close(space);
}

/* ---- solving ---- */

static enum pz_status solve(const struct pz_space *space, const char *start, enum method method,
                            const char *partition, uint64_t bytes, struct solve_result *result,
                            struct pz_error *error)
{
    struct budget budget;
    struct control control = {0};
    uint64_t board[PZ_STATE_MAX / 8] = {0};
    budget_init(&budget, NULL, bytes);
    parse_state(space, start, board);
    const struct solve_request request = {.space = space,
                                          .start = board,
                                          .method = method,
                                          .threads = 1,
                                          .budget = &budget,
                                          .partition = partition,
                                          .all = (space->flags & PZ_COSTS) == 0};
    enum pz_status status = solve_check(&request, error);
    if (status == PZ_OK)
        status = solve_run(&request, &control, result, error);
    assert_int_equal(atomic_load(&budget.used), 0);
    if (status == PZ_OK && result->solvable == PZ_YES)
        assert_path(space, board, result);
    return status;
}

TEST(all_methods_find_the_same_length)
{
    static const char *const partitions[] = {"none", "1-4+5-8", "1-8", NULL};
    static const enum method methods[] = {METHOD_ASTAR, METHOD_IDASTAR, METHOD_AUTO};
    struct pz_space *space = open_text("slide3x3.psvn", NULL);
    /* Under the sanitizers, where each takes seconds, by the second one alone. */
    for (unsigned i = SANITIZED ? 3 : 0; i < (SANITIZED ? 6 : 12); i++) {
        struct solve_result result;
        struct pz_error error = {0};
        if (methods[i % 3] == METHOD_IDASTAR && i / 3 == 0)
            continue; /* it needs a bound */
        assert_ok(
            solve(space, "8,6,7,2,5,4,3,B,1", methods[i % 3], partitions[i / 3], 1 << 28, &result, &error),
            error);
        assert_int_equal(result.moves, 31);
        assert_int_equal(result.solutions.count, 40);
        solve_result_free(&result);
    }
    space_close(space);
}

TEST(costs_are_bounded_by_costs)
{
    struct pz_space *space = open_text("slide3x3costs.psvn", NULL);
    struct solve_result blind, guided;
    struct pz_error error = {0};
    assert_ok(solve(space, "8,6,7,2,5,4,3,B,1", METHOD_ASTAR, "none", 1 << 28, &blind, &error), error);
    assert_ok(solve(space, "8,6,7,2,5,4,3,B,1", METHOD_AUTO, "1-4+5-8", 1 << 28, &guided, &error), error);
    assert_int_equal(guided.cost, blind.cost);
    assert_true(guided.expanded < blind.expanded / 3);
    solve_result_free(&blind);
    solve_result_free(&guided);
    space_close(space);
}

/* Sliding tiles as a text: B is the blank, "-" stands for the other cells. */
static struct pz_space *open_slide(unsigned rows, unsigned columns)
{
    const unsigned cells = rows * columns;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    (void)fprintf(out, "%u", cells);
    for (unsigned i = 0; i < cells; i++)
        (void)fprintf(out, " %u", cells);
    for (unsigned from = 0; from < cells; from++) {
        for (unsigned to = 0; to < cells; to++) {
            const bool beside = from / columns == to / columns && from + 1 == to;
            const bool below = from + columns == to;
            for (unsigned back = 0; back < 2 && (beside || below); back++) {
                for (unsigned i = 0; i < 2 * cells + 1; i++) {
                    const unsigned cell = i < cells ? i : i - cells - 1;
                    const bool right = i > cells;
                    const bool blank = cell == (back != right ? to : from);
                    const bool tile = cell == (back != right ? from : to);
                    (void)fputs(i == cells ? " =>" : blank ? " 0" : tile ? " X" : " -", out);
                }
            }
        }
    }
    (void)fputs(" GOAL", out);
    for (unsigned i = 1; i <= cells; i++)
        (void)fprintf(out, " %u", i % cells);
    assert_int_equal(fclose(out), 0);
    struct pz_space *space = open_defined(DEFINITION_PSVN, "tiles", text, NULL);
    free(text);
    return space;
}

TEST(a_question_that_little_memory_does_not_answer_gets_databases)
{
    static const char board[] = "2,11,9,4,8,6,7,5,3,10,1,0";
    struct pz_space *space = open_slide(3, 4);
    struct pz_space *twin = solve_space("slide:3x4", NULL);
    struct solve_result result;
    struct pz_error error = {0};
    assert_ok(solve(twin, board, METHOD_AUTO, NULL, 1 << 28, &result, &error), error);
    const int64_t moves = result.moves;
    assert_true(moves > 30);
    solve_result_free(&result);
    assert_ok(solve(space, "1,2,3,4,5,6,7,8,0,9,10,11", METHOD_AUTO, NULL, 32 << 20, &result, &error), error);
    assert_int_equal(result.method, METHOD_BIDIRECTIONAL);
    assert_string_equal(result.partition, "");
    solve_result_free(&result);
    assert_ok(solve(space, board, METHOD_AUTO, "1-4+5-8+9-11", 32 << 20, &result, &error), error);
    assert_int_equal(result.moves, moves);
    solve_result_free(&result);
    assert_ok(solve(space, board, METHOD_AUTO, NULL, 7 << 19, &result, &error), error);
    assert_int_equal(result.moves, moves);
    assert_int_equal(result.method, METHOD_ASTAR);
    assert_string_not_equal(result.partition, "");
    solve_result_free(&result);
    space_close(space);
    space_close(twin);
}

/* Little memory ends the first search, and holds no databases. */
TEST(a_question_that_gets_no_databases_tells_its_method)
{
    struct pz_space *space = open_slide(3, 4);
    struct solve_result result;
    struct pz_error error = {0};
    assert_ok(solve(space, "1,2,3,4,5,6,7,8,0,9,10,11", METHOD_AUTO, NULL, 3 << 16, &result, &error), error);
    assert_int_equal(result.method, METHOD_BIDIRECTIONAL);
    assert_string_equal(result.partition, "");
    assert_true(result.moves > 0);
    solve_result_free(&result);
    space_close(space);
}

/* Board 79 of Korf's hundred (AIJ 27, 1985; tests/data/korf15.csv), turned round: there the blank is first.
 */
TEST(a_published_board_of_the_15_puzzle_is_solved_as_a_text)
{
    struct pz_space *space = open_slide(4, 4);
    struct solve_result result;
    struct pz_error error = {0};
    assert_ok(solve(space, "1,6,10,8,14,12,4,2,13,11,3,5,9,7,15,0", METHOD_ASTAR, "1-3+4-6+7-9+10-12+13-15",
                    UINT64_C(1) << 29, &result, &error),
              error);
    assert_int_equal(result.moves, 42);
    solve_result_free(&result);
    space_close(space);
}

TEST(what_reaches_no_goal_is_seen_at_once)
{
    struct pz_space *space = open_text("lights4x4.psvn", NULL);
    struct solve_result result;
    struct pz_error error = {0};
    for (unsigned i = 0; i < 2; i++) {
        assert_ok(solve(space, "1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", i == 0 ? METHOD_ASTAR : METHOD_IDASTAR,
                        "1-16", 1 << 28, &result, &error),
                  error);
        assert_int_equal(result.solvable, PZ_NO);
        assert_true(result.expanded <= 1);
        solve_result_free(&result);
    }
    space_close(space);
}

TEST(what_is_no_collection_is_refused)
{
    static const char *const wrong[] = {"",
                                        "0",
                                        "9",
                                        "1-9",
                                        "3-1",
                                        "1+",
                                        "1++2",
                                        "a",
                                        "1-4+5-8+",
                                        "7-8 ",
                                        "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1",
                                        "-3",
                                        "99999999999999999999"};
    struct pz_space *space = open_text("hanoi8.psvn", NULL);
    struct pz_error error = {0};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct abstractions *abstractions = NULL;
        assert_int_equal(abstractions_check(space, wrong[i], &error), PZ_BAD_REQUEST);
        assert_int_equal(try_bounds(space, wrong[i], NULL, &abstractions, &error), PZ_BAD_REQUEST);
        assert_null(abstractions);
    }
    assert_int_equal(abstractions_check(space, "8.1-3", &error), PZ_OK);
    space_close(space);
    space = solve_space("jugs:3,5", "4,0");
    assert_int_equal(abstractions_check(space, NULL, &error), PZ_UNSUPPORTED);
    space_close(space);
}
