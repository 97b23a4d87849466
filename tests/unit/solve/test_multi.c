/* SPDX-License-Identifier: MIT */
/* Sliding puzzles by metric=multi: IDA* by pattern databases of this metric, held against plain searches. */
#include "solve_support.h"

#include "base/clock.h"
#include "checkpoint_disk.h"
#include "plain_search.h"
#include "solve/pdb/build.h"
#include "solve/pdb/multi_tables.h"
#include "solve/solve.h"

struct asked {
    enum method method;
    unsigned threads;
    double weight;
    const char *partition;
    const struct pattern_archive *archive;
};

static struct solve_result solve_multi(const struct pz_space *space, const void *start, struct asked asked)
{
    struct pz_error error;
    const struct solve_request request = {.space = space,
                                          .start = start,
                                          .method = asked.method,
                                          .threads = asked.threads > 0 ? asked.threads : 1,
                                          .archive = asked.archive,
                                          .partition = asked.partition,
                                          .weight = asked.weight};
    assert_ok(solve_check(&request, &error), error);
    struct solve_result result = solved_within(request, UINT64_C(1) << 30);
    assert_int_equal(result.solvable, PZ_YES);
    assert_path(space, start, &result);
    solve_result_free(&result);
    return result;
}

static struct multi_tables *tables_of(const struct pz_space *space, struct board_view *view,
                                      struct budget *budget, const struct pattern_archive *archive)
{
    struct grid grid;
    uint64_t goal[PZ_STATE_MAX / 8];
    struct board board;
    struct multi_tables *tables = NULL;
    struct pz_error error;
    budget_init(budget, NULL, UINT64_C(1) << 30);
    space->puzzle->goal(space, goal);
    slide_board(space, goal, &board);
    view_of_goal(slide_permutation(space), &board, view);
    assert_ok(grid_init(&grid, view->rows, view->columns, &error), error);
    const struct pdb_request request = {
        .grid = &grid, .blank = view->blank, .threads = 1, .budget = budget, .archive = archive};
    assert_ok(multi_open(&request, &tables, &error), error);
    return tables;
}

/* ---- whole spaces ---- */

/* The bound of every board is no more than its distance, and 0 at the goal alone; every step-th board is
 * solved. */
static void check_all(const char *size, const char *goal, size_t boards, size_t step)
{
    struct pz_space *space = solve_space(size, goal);
    struct memory_archive memory;
    struct plain_search search;
    struct board_view view;
    struct budget budget;
    uint64_t root[PZ_STATE_MAX / 8];
    memory_archive_init(&memory);
    struct multi_tables *tables = tables_of(space, &view, &budget, &memory.archive);
    space->puzzle->goal(space, root);
    plain_explore(&search, space, root, false);
    assert_int_equal(search.count, boards);
    for (size_t i = 0; i < search.count; i++) {
        struct board board;
        struct board seen;
        slide_board(space, plain_state(&search, i), &board);
        view_in(&view, &board, &seen);
        const unsigned bound = multi_value(tables, &seen);
        assert_true(bound <= search.depths[i] && (bound > 0 || i == 0));
        if (i > 0 && i % step == 0) {
            const struct asked asked = {.archive = &memory.archive, .threads = 1 + i % 2};
            const struct solve_result result = solve_multi(space, plain_state(&search, i), asked);
            assert_int_equal(result.moves, search.depths[i]);
            assert_int_equal(result.method, METHOD_IDASTAR);
            assert_string_equal(result.partition, tables->text);
        }
    }
    multi_close(tables);
    plain_free(&search);
    memory_archive_clear(&memory);
    space_close(space);
}

TEST(every_board_of_a_small_puzzle_has_the_length_of_a_plain_search)
{
    const size_t step = SANITIZED ? 9973 : is_brief() ? 997 : 97;
    check_all("3x3,metric:multi", NULL, 181440, step);
    check_all("3x3,metric:multi", "1,2,3/4,0,5/6,7,8", 181440, step);
    check_all("3x3,metric:multi", "8,1,2/7,3,0/6,5,4", 181440, step);
    check_all("4x2,metric:multi", NULL, 20160, step);
    check_all("2x2,metric:multi", NULL, 12, 1);
}

/* ---- larger boards ---- */

static void random_multi(const struct pz_space *space, struct random *random, unsigned walk, void *start)
{
    const struct grid *grid = slide_permutation(space);
    struct board goal;
    struct board board;
    board_default_goal(grid, &goal);
    board = goal;
    if (walk > 0)
        random_walk(grid, &board, walk, random);
    else
        random_solvable(grid, &goal, &board, random);
    slide_state(space, &board, start);
}

static uint64_t count_all(const struct pz_space *space, const void *start, enum method method,
                          struct memory_archive *memory)
{
    const struct solve_request request = {.space = space,
                                          .start = start,
                                          .method = method,
                                          .threads = 1,
                                          .archive = &memory->archive,
                                          .all = true};
    struct solve_result result = solved_within(request, UINT64_C(1) << 30);
    assert_true(result.solutions.known && (method != METHOD_IDASTAR || *result.partition == '3'));
    solve_result_free(&result);
    return result.solutions.count;
}

TEST(tables_that_time_cuts_off_have_no_name)
{
    struct pz_space *space = solve_space("4x4,metric:multi", NULL);
    struct random random = {.state = 5};
    struct solve_result result;
    struct budget budget;
    struct control control = {.deadline = clock_seconds()};
    struct pz_error error;
    uint64_t start[PZ_STATE_MAX / 8];
    random_multi(space, &random, 0, start);
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    const struct solve_request request = {
        .space = space, .start = start, .method = METHOD_ASTAR, .threads = 1, .budget = &budget};
    assert_ok(solve_run(&request, &control, &result, &error), error);
    assert_int_equal(result.reason, STOP_TIME);
    assert_string_equal(result.partition, "");
    solve_result_free(&result);
    space_close(space);
}

TEST(a_near_board_waits_for_no_databases)
{
    struct pz_space *space = solve_space("4x4,metric:multi", NULL);
    struct random random = {.state = 3};
    struct memory_archive memory;
    struct pz_error error;
    memory_archive_init(&memory);
    assert_ok(build_turn_take(NULL, &error), error); /* nor for those that others build */
    for (unsigned n = 0; n < 5; n++) {
        uint64_t start[PZ_STATE_MAX / 8];
        random_multi(space, &random, 14, start);
        const struct solve_result found =
            solve_multi(space, start, (struct asked){.archive = &memory.archive});
        assert_string_equal(found.partition, "3-3-3-3-3");
        assert_int_equal(found.moves,
                         solve_multi(space, start, (struct asked){.method = METHOD_BIDIRECTIONAL}).moves);
        assert_int_equal(count_all(space, start, METHOD_IDASTAR, &memory),
                         count_all(space, start, METHOD_BIDIRECTIONAL, &memory));
    }
    build_turn_give();
    assert_int_equal(memory.saves, 0);
    memory_archive_clear(&memory);
    space_close(space);
}

TEST(boards_have_the_length_of_a_search_from_both_sides)
{
    static const struct {
        const char *size;
        unsigned walk; /* 0: random boards */
    } sizes[] = {{"3x4,metric:multi", 0}, {"4x4,metric:multi", 30}, {"5x4,metric:multi", 16}};
    struct random random = {.state = 48};
    for (size_t i = 0; i < (SANITIZED ? 1 : sizeof sizes / sizeof *sizes); i++) {
        struct pz_space *space = solve_space(sizes[i].size, NULL);
        struct memory_archive memory;
        memory_archive_init(&memory);
        for (unsigned n = 0; n < (SANITIZED ? 1 : 5); n++) {
            uint64_t start[PZ_STATE_MAX / 8];
            random_multi(space, &random, sizes[i].walk, start);
            const struct asked both = {.method = METHOD_BIDIRECTIONAL};
            const struct asked deepens = {.archive = &memory.archive, .threads = 2};
            assert_int_equal(solve_multi(space, start, deepens).moves, solve_multi(space, start, both).moves);
        }
        memory_archive_clear(&memory);
        space_close(space);
    }
}

TEST(random_15_puzzles_have_one_length_for_any_number_of_threads)
{
    struct pz_space *space = solve_space("4x4,metric:multi", NULL);
    struct random random = {.state = 15};
    struct memory_archive memory;
    memory_archive_init(&memory);
    for (unsigned n = 0; n < (is_brief() ? 1 : 4); n++) {
        uint64_t start[PZ_STATE_MAX / 8];
        random_multi(space, &random, SANITIZED ? 40 : 0, start);
        const struct asked one = {.archive = &memory.archive, .partition = "5-5-5"};
        const struct solve_result first = solve_multi(space, start, one);
        assert_true(first.moves <= 43 && first.iterations.count > 0);
        const struct asked others[] = {{.archive = &memory.archive, .threads = 2},
                                       {.archive = &memory.archive, .threads = 8},
                                       {.archive = &memory.archive, .partition = "4-4-4-4"}};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            assert_int_equal(solve_multi(space, start, others[i]).moves, first.moves);
    }
    assert_int_equal(memory.saves, 3 + 4);
    memory_archive_clear(&memory);
    space_close(space);
}

TEST(weights_and_astar_go_by_the_same_databases)
{
    struct pz_space *space = solve_space("3x4,metric:multi", NULL);
    struct random random = {.state = 34};
    struct memory_archive memory;
    memory_archive_init(&memory);
    for (unsigned n = 0; n < (SANITIZED ? 1 : 3); n++) {
        uint64_t start[PZ_STATE_MAX / 8];
        random_multi(space, &random, SANITIZED ? 10 : 40, start);
        const int64_t shortest = solve_multi(space, start, (struct asked){.archive = &memory.archive}).moves;
        const struct asked asked[] = {{METHOD_ASTAR, 1, 0, NULL, &memory.archive},
                                      {METHOD_AUTO, 1, 1.5, NULL, &memory.archive},
                                      {METHOD_IDASTAR, 1, 2, "5-5-5", &memory.archive}};
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            const struct solve_result found = solve_multi(space, start, asked[i]);
            const double weight = asked[i].weight > 1 ? asked[i].weight : 1;
            assert_true(found.moves >= shortest && (double)found.moves <= weight * (double)shortest);
            assert_string_equal(found.partition, "5-5-5");
        }
    }
    memory_archive_clear(&memory);
    space_close(space);
}

TEST(databases_are_made_ahead_of_any_question)
{
    struct pz_space *space = solve_space("4x3,metric:multi", NULL);
    struct memory_archive memory;
    struct budget budget;
    struct control control = {0};
    struct pdb_build_result result;
    struct pz_error error;
    memory_archive_init(&memory);
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    const struct pdb_build_request request = {
        .space = space, .threads = 1, .budget = &budget, .archive = &memory.archive};
    for (unsigned again = 0; again < 2; again++) {
        assert_ok(pdb_build_run(&request, &control, &result, &error), error);
        assert_string_equal(result.partition, "5-5-5");
        assert_int_equal(result.bytes, 3 * 12 * 12 * 12 * 12 * 12 * 12);
        assert_int_equal(result.built_bytes, again ? 0 : result.bytes);
    }
    memory_archive_clear(&memory);
    space_close(space);
}

TEST(other_names_and_sizes_are_refused_with_words)
{
    struct pz_space *space = solve_space("4x4,metric:multi", NULL);
    struct pz_space *large = solve_space("5x6,metric:multi", NULL);
    struct pz_space *small = solve_space("3x3,metric:multi", NULL);
    static const char *const names[] = {"7-8", "manhattan", "5-5", "5-5-5-5", "0", "", "6-6-6"};
    struct solve_request request = {.space = space, .threads = 1};
    struct pz_error error;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        request.partition = names[i];
        assert_int_equal(solve_check(&request, &error), PZ_BAD_REQUEST);
        assert_non_null(strstr(error.text, "4x4 by metric=multi has 5-5-5, or smaller ones"));
    }
    request.space = small;
    request.partition = "0-0-0-0-0-0-0-0"; /* of no tiles: any board whose blank is home would be solved */
    assert_int_equal(solve_check(&request, &error), PZ_BAD_REQUEST);
    request.space = space;
    request.partition = NULL;
    request.order = "ULRD";
    assert_int_equal(solve_check(&request, &error), PZ_BAD_REQUEST);
    assert_true(multi_takes(space) && !multi_takes(large));
    space_close(space);
    space_close(large);
    space_close(small);
}

/* ---- memory and checkpoints ---- */

TEST(less_memory_takes_smaller_databases)
{
    struct pz_space *space = solve_space("4x4,metric:multi", NULL);
    struct grid grid = grid_of(4, 4);
    struct multi_tables *tables = NULL;
    struct budget budget;
    struct pz_error error;
    static const struct {
        uint64_t bytes;
        const char *text;
    } sizes[] = {{8 << 20, "4-4-4-4"}, {1 << 20, "3-3-3-3-3"}, {1 << 16, "2-2-2-2-2-2-2-2"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        budget_init(&budget, NULL, sizes[i].bytes);
        const struct pdb_request request = {.grid = &grid, .blank = 15, .threads = 1, .budget = &budget};
        assert_ok(multi_open(&request, &tables, &error), error);
        assert_string_equal(tables->text, sizes[i].text);
        multi_close(tables);
        assert_int_equal(atomic_load(&budget.used), 0);
    }
    budget_init(&budget, NULL, 1000);
    const struct pdb_request request = {.grid = &grid, .blank = 15, .threads = 1, .budget = &budget};
    assert_int_equal(multi_open(&request, &tables, &error), PZ_TOO_LARGE);
    space_close(space);
}

/* On one thread a search that is cut off goes on node by node. */
TEST(a_search_that_is_cut_off_goes_on_where_it_was)
{
    struct pz_space *space = solve_space("4x4,metric:multi", NULL);
    struct random random = {.state = 7};
    uint64_t start[PZ_STATE_MAX / 8];
    struct memory_archive memory;
    struct budget budget;
    struct control control = {0};
    struct disk disk;
    struct solve_result result;
    struct pz_error error;
    memory_archive_init(&memory);
    random_multi(space, &random, SANITIZED ? 150 : 0, start);
    const struct solve_result whole =
        solve_multi(space, start, (struct asked){.archive = &memory.archive, .partition = "4-4-4-4"});
    disk_init(&disk);
    disk.control = &control;
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    const struct solve_request request = {.space = space,
                                          .start = start,
                                          .threads = 1,
                                          .budget = &budget,
                                          .archive = &memory.archive,
                                          .partition = "4-4-4-4",
                                          .checkpoint = &disk.calls};
    enum pz_status status = PZ_CANCELLED;
    while (status == PZ_CANCELLED) {
        disk.kill_after = 3;
        atomic_store(&control.stop, false);
        atomic_store(&control.keep, false);
        status = solve_run(&request, &control, &result, &error);
    }
    assert_ok(status, error);
    assert_true(disk.resumed > 0 && disk.refused == 0);
    assert_int_equal(result.moves, whole.moves);
    assert_int_equal(result.generated, whole.generated);
    assert_int_equal(result.expanded, whole.expanded);
    assert_path(space, start, &result);
    solve_result_free(&result);
    disk_clear(&disk);
    memory_archive_clear(&memory);
    space_close(space);
}
