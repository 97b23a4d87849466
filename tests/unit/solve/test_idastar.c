/* SPDX-License-Identifier: MIT */
#include "solve_support.h"

#include "base/clock.h"
#include "solve/solver.h"

struct question {
    struct budget budget;
    struct control control;
    struct solve_request request;
    struct solve_result result;
    uint64_t start[PZ_STATE_MAX / 8];
};

static void question_init(struct question *question, const struct pz_space *space, const char *partition,
                          unsigned threads, struct memory_archive *memory)
{
    memset(question, 0, sizeof *question);
    budget_init(&question->budget, NULL, (uint64_t)3 << 30);
    question->request = (struct solve_request){.space = space,
                                               .start = question->start,
                                               .method = METHOD_IDASTAR,
                                               .threads = threads,
                                               .budget = &question->budget,
                                               .archive = memory != NULL ? &memory->archive : NULL,
                                               .partition = partition};
}

/* Solves, replays the path, and returns its length. */
static int64_t solve_question(struct question *question)
{
    struct pz_error error;
    memset(&question->result, 0, sizeof question->result);
    assert_ok(idastar_run(&question->request, &question->control, &question->result, &error), error);
    assert_int_equal(question->result.outcome, OUTCOME_DONE);
    assert_path(question->request.space, question->start, &question->result);
    assert_int_equal(atomic_load(&question->budget.used), 0);
    free(question->result.path);
    return question->result.moves;
}

static int64_t solve_text(struct question *question, const char *board)
{
    const struct pz_space *space = question->request.space;
    parse_state(space, board, question->start);
    return solve_question(question);
}

/* Solves the first of Korf's hundred boards. */
static void solve_korf(struct question *question, unsigned count)
{
    struct test_rows rows;
    test_rows_open(&rows, "korf15.csv", "id,board,md,optimal,");
    while (rows.count < count && test_rows_next(&rows, 4)) {
        const long length = test_number(rows.field[3]);
        const int64_t found = solve_text(question, rows.field[1]);
        if (found != length)
            fail_msg("%s: %ld moves, published %ld", rows.field[1], (long)found, length);
    }
    test_rows_close(&rows, count);
}

TEST(korfs_instances_have_their_published_lengths_at_any_number_of_threads)
{
    static const unsigned threads[] = {1, 2, 8};
    struct memory_archive memory;
    struct question question;
    memory_archive_init(&memory);
    struct pz_space *space = solve_space("4x4", KORF15_GOAL);
    for (size_t i = FIRST_THREADS; i < 3; i++) {
        question_init(&question, space, SANITIZED ? "5-5-5" : "6-6-3", threads[i], &memory);
        solve_korf(&question, SANITIZED ? 1 : 50);
    }
    assert_int_equal(memory.saves, 3);
    space_close(space);
    memory_archive_clear(&memory);
}

TEST(many_lookups_find_the_published_lengths_too)
{
    static const unsigned threads[] = {1, 2, 8};
    struct memory_archive memory;
    struct question question;
    uint64_t expanded[2] = {0};
    memory_archive_init(&memory);
    struct pz_space *space = solve_space("4x4", KORF15_GOAL);
    for (size_t i = FIRST_THREADS; i < 3; i++) {
        question_init(&question, space, "small", threads[i], &memory);
        solve_korf(&question, SANITIZED ? 1 : 10);
        expanded[0] = i == 0 ? question.result.expanded : expanded[0];
    }
    question_init(&question, space, "5-5-5", 1, &memory);
    solve_korf(&question, SANITIZED ? 1 : 10);
    expanded[1] = question.result.expanded;
    assert_true(expanded[0] < expanded[1]); /* on the last of the boards */
    space_close(space);
    memory_archive_clear(&memory);
}

/* The blank is in a corner of both boards: the search goes from the easier side, whichever is the goal. */
TEST(by_many_lookups_there_and_back_take_the_same_search)
{
    enum { NODES_OF_TRIALS = 400000 };
    static const char board[] = "13,11,4,12/1,8,9,15/6,5,14,2/7,3,10,0";
    struct memory_archive memory;
    struct question there;
    struct question back;
    struct pz_space *to_goal = solve_space("4x4", KORF15_GOAL);
    struct pz_space *to_board = solve_space("4x4", board);
    memory_archive_init(&memory);
    question_init(&there, to_goal, "small", 1, &memory);
    question_init(&back, to_board, "small", 1, &memory);
    there.request.all = back.request.all =
        !is_brief(); /* all solutions take two thirds of this file's time */
    assert_int_equal(solve_text(&there, board), 62);
    assert_int_equal(solve_text(&back, KORF15_GOAL), 62);
    assert_true(there.result.generated > NODES_OF_TRIALS);
    assert_int_equal(there.result.generated, back.result.generated);
    assert_true(!there.request.all || there.result.solutions.count > 0);
    assert_int_equal(there.result.solutions.count, back.result.solutions.count);
    space_close(to_goal);
    space_close(to_board);
    memory_archive_clear(&memory);
}

TEST(manhattan_distance_alone_finds_the_same_lengths)
{
    static const struct {
        const char *board;
        int64_t moves;
    } easy[] = {{"0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42}, {"7 11 8 3 14 0 6 15 1 4 13 9 5 12 2 10", 46}};
    struct pz_space *space = solve_space("4x4", KORF15_GOAL);
    for (unsigned threads = 1; threads <= 8; threads = threads == 2 ? 8 : threads + 1) {
        struct question question;
        question_init(&question, space, IDASTAR_MANHATTAN, threads, NULL);
        for (size_t i = 0; i < (SANITIZED ? 1 : 2); i++)
            assert_int_equal(solve_text(&question, easy[i].board), easy[i].moves);
    }
    space_close(space);
}

/* ---- against true distances ---- */

struct sampled {
    const char *size, *partition;
    unsigned goals, boards;
};

/* Random goals, their blank anywhere, and random boards for each. */
static void check_random_goals(const struct sampled *sampled, struct random *random)
{
    struct grid grid;
    struct pz_error error;
    assert_ok(grid_parse(&grid, sampled->size, &error), error);
    for (unsigned i = 0; i < sampled->goals; i++) {
        struct board goal;
        struct board board;
        char text[BOARD_TEXT_MAX];
        struct distances distances;
        struct question question;
        shuffle(random, &grid, &goal);
        (void)board_format(&grid, &goal, text);
        struct pz_space *space = solve_space(sampled->size, text);
        distances_init(&distances, &grid, &goal);
        question_init(&question, space, sampled->partition, 1 + i % 2, NULL);
        for (unsigned j = 0; j < sampled->boards; j++) {
            random_solvable(&grid, &goal, &board, random);
            slide_state(space, &board, question.start);
            assert_int_equal(solve_question(&question), distance_of(&distances, &board));
        }
        distances_clear(&distances);
        space_close(space);
    }
}

TEST(any_goal_with_its_blank_anywhere_is_reached_in_the_fewest_moves)
{
    static const struct sampled cases[] = {
        {"2x2", "3", 20, 5},   {"2x3", "2-3", 20, 10}, {"3x2", NULL, 10, 10}, {"2x4", "3-4", 6, 30},
        {"4x2", "3-4", 4, 20}, {"3x3", "4-4", 6, 40},  {"3x3", NULL, 6, 40},  {"3x3", "3-5", 4, 40},
    };
    struct random random = {3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sampled sampled = cases[i];
        if (SANITIZED) {
            sampled.goals = 1;
            sampled.boards = 3;
        }
        check_random_goals(&sampled, &random);
    }
}

TEST(one_row_is_solved_by_walking_the_blank)
{
    struct question question;
    struct pz_space *space = solve_space("1x6", "1,2,0,3,4,5");
    question_init(&question, space, NULL, 2, NULL);
    assert_int_equal(solve_text(&question, "1,2,3,4,5,0"), 3);
    space_close(space);
    space = solve_space("5x1", "0,1,2,3,4");
    question_init(&question, space, NULL, 1, NULL);
    assert_int_equal(solve_text(&question, "1,2,3,4,0"), 4);
    space_close(space);
}

TEST(different_partitions_agree_on_scrambled_boards)
{
    static const struct {
        const char *size, *partitions[3];
        unsigned boards, scramble;
    } cases[] = {{"4x4", {"5-5-5", "4-4-4-3", IDASTAR_MANHATTAN}, 40, 60},
                 {"3x5", {"5-5-4", "4-5-5", IDASTAR_MANHATTAN}, 20, 60},
                 {"5x5", {"5-5-5-5-4", "4-4-4-4-4-4", IDASTAR_MANHATTAN}, 6, 60}};
    struct random random = {5};
    for (size_t i = 0; i < (SANITIZED ? 1 : 3); i++) {
        struct memory_archive memory;
        memory_archive_init(&memory);
        struct pz_space *space = solve_space(cases[i].size, NULL);
        for (unsigned j = 0; j < (SANITIZED ? 4 : cases[i].boards); j++) {
            struct question question;
            struct board board;
            int64_t moves[3];
            board_default_goal(slide_grid(space), &board);
            random_walk(slide_grid(space), &board, cases[i].scramble, &random);
            for (unsigned p = 0; p < 3; p++) {
                question_init(&question, space, cases[i].partitions[p], 1 + j % 3, &memory);
                slide_state(space, &board, question.start);
                moves[p] = solve_question(&question);
            }
            assert_int_equal(moves[0], moves[1]);
            assert_int_equal(moves[0], moves[2]);
            assert_true(moves[0] <= cases[i].scramble);
        }
        space_close(space);
        memory_archive_clear(&memory);
    }
}

/* By lookups that no reflection doubles, at any number of threads. */
TEST(collections_find_what_a_search_from_both_sides_finds)
{
#ifdef __SANITIZE_THREAD__
    skip(); /* half a minute for databases, which threads make and read as any others */
#endif
    static const char *const sizes[] = {"3x6", "4x5"};
    static const unsigned threads[] = {1, 2, 8};
    struct random random = {36};
    for (size_t i = 0; i < (is_brief() ? 1 : sizeof sizes / sizeof *sizes); i++) {
        struct memory_archive memory;
        memory_archive_init(&memory);
        struct pz_space *space = solve_space(sizes[i], NULL);
        for (unsigned j = 0; j < (SANITIZED ? 1 : 3); j++) {
            struct question question;
            struct board board;
            struct pz_error error;
            board_default_goal(slide_grid(space), &board);
            random_walk(slide_grid(space), &board, 40, &random);
            question_init(&question, space, NULL, 2, NULL);
            question.request.method = METHOD_BIDIRECTIONAL;
            slide_state(space, &board, question.start);
            assert_ok(solve_run(&question.request, &question.control, &question.result, &error), error);
            const int64_t moves = question.result.moves;
            solve_result_free(&question.result);
            for (unsigned t = 0; t < sizeof threads / sizeof *threads; t++) {
                question_init(&question, space, "small", threads[t], &memory);
                slide_state(space, &board, question.start);
                assert_int_equal(solve_question(&question), moves);
            }
        }
        space_close(space);
        memory_archive_clear(&memory);
    }
}

TEST(an_easy_board_needs_no_database)
{
    struct memory_archive memory;
    struct question question;
    struct random random = {9};
    struct board board;
    memory_archive_init(&memory);
    struct pz_space *space = solve_space("6x7", NULL);
    question_init(&question, space, NULL, 2, &memory);
    board_default_goal(slide_grid(space), &board);
    random_walk(slide_grid(space), &board, 30, &random);
    slide_state(space, &board, question.start);
    assert_true(solve_question(&question) <= 30);
    assert_int_equal(memory.saves, 0);
    space_close(space);
    memory_archive_clear(&memory);
}

/* The 6x6 is found by Manhattan distance in a fraction of a second, its databases take half a minute. */
TEST(a_search_generates_what_the_daemons_does_and_builds_no_more_than_pays)
{
    struct test_rows rows;
    test_rows_open(&rows, "solve_counts.csv", "puzzle,board,moves,databases,generated,expanded");
    while (test_rows_next(&rows, 6)) {
        struct memory_archive memory;
        struct question question;
        memory_archive_init(&memory);
        struct pz_space *space = solve_space(rows.field[0], NULL);
        question_init(&question, space, NULL, 1, &memory);
        assert_int_equal(solve_text(&question, rows.field[1]), test_number(rows.field[2]));
        assert_string_equal(question.result.partition, rows.field[3]);
        assert_int_equal(question.result.generated, test_number(rows.field[4]));
        assert_int_equal(question.result.expanded, test_number(rows.field[5]));
        assert_true((memory.saves > 0) == (strcmp(rows.field[3], IDASTAR_MANHATTAN) != 0));
        space_close(space);
        memory_archive_clear(&memory);
    }
    test_rows_close(&rows, 3);
}

TEST(a_trial_that_ran_out_leaves_its_last_bound_to_be_searched)
{
    struct pz_space *space = solve_space("3x4", NULL);
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        struct question question;
        question_init(&question, space, NULL, threads, NULL);
        assert_int_equal(solve_text(&question, "11,10,9,8/7,6,5,4/3,1,2,0"), 42);
    }
    space_close(space);
}

TEST(without_memory_for_any_database_manhattan_distance_answers)
{
    struct question question;
    struct pz_space *space = solve_space("4x4", KORF15_GOAL);
    question_init(&question, space, NULL, 1, NULL);
    budget_set_limit(&question.budget, (uint64_t)2 << 20);
    assert_int_equal(solve_text(&question, "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"), 42);
    space_close(space);
}

/* The databases by which a search goes depend on the memory that it may take, not on what is stored. */
TEST(what_is_stored_changes_no_counts)
{
    static const char *const stored[] = {NULL, "5-6", "4-4-3", "3-4-4"};
    static const uint64_t limits[] = {(uint64_t)64 << 20, 3200000};
    struct pz_space *space = solve_space("3x4", NULL);
    for (size_t limit = 0; limit < sizeof limits / sizeof *limits; limit++) {
        struct solve_result first = {0};
        for (size_t i = 0; i < (SANITIZED ? 2 : sizeof stored / sizeof *stored); i++) {
            struct memory_archive memory;
            struct question question;
            memory_archive_init(&memory);
            question_init(&question, space, stored[i], 1, &memory);
            if (stored[i] != NULL)
                assert_int_equal(solve_text(&question, "11,10,9,8/7,6,5,4/3,1,2,0"), 42);
            question.request.partition = NULL;
            budget_init(&question.budget, NULL, limits[limit]);
            assert_int_equal(solve_text(&question, "11,10,9,8/7,6,5,4/3,1,2,0"), 42);
            if (i == 0)
                first = question.result;
            assert_string_equal(question.result.partition, first.partition);
            assert_int_equal(question.result.generated, first.generated);
            assert_int_equal(question.result.expanded, first.expanded);
            memory_archive_clear(&memory);
        }
        assert_true((strcmp(first.partition, "5-6") == 0) == (limit == 0));
    }
    space_close(space);
}

/* ---- the end before the answer ---- */

/* Eighty moves away: minutes by Manhattan distance. */
static const char *const endless = "0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1";

TEST(a_deadline_ends_it_as_stopped)
{
    struct question question;
    struct pz_error error;
    struct pz_space *space = solve_space("4x4", NULL);
    for (unsigned threads = 1; threads <= 2; threads++) {
        question_init(&question, space, IDASTAR_MANHATTAN, threads, NULL);
        parse_state(space, endless, question.start);
        question.control.deadline = clock_seconds() + 0.2;
        assert_ok(idastar_run(&question.request, &question.control, &question.result, &error), error);
        assert_int_equal(question.result.outcome, OUTCOME_STOPPED);
        assert_int_equal(question.result.reason, STOP_TIME);
        assert_int_equal(question.result.moves, -1);
        assert_int_equal(question.result.solvable, PZ_UNKNOWN);
        assert_in_range(question.result.at_least, 40, 80);
        assert_true(question.result.generated > 0);
        assert_null(question.result.path);
        assert_int_equal(atomic_load(&question.budget.used), 0);
    }
    space_close(space);
}

/* 265,839 nodes expanded by Manhattan distance, so the time is looked at often. */
TEST(it_goes_on_beyond_its_deadline_until_its_thread_was_busy_for_long_enough)
{
    struct question question;
    struct pz_error error;
    struct pz_space *space = solve_space("4x4", NULL);
    for (unsigned round = 0; round < 2; round++) {
        question_init(&question, space, IDASTAR_MANHATTAN, 1, NULL);
        const char *board = "2,1,3,4/5,6,7,8/9,10,11,12/13,15,14,0";
        parse_state(space, board, question.start);
        question.control.deadline = clock_seconds();
        question.control.busy_until = clock_thread_seconds() + (round == 0 ? 3600 : 0);
        assert_ok(idastar_run(&question.request, &question.control, &question.result, &error), error);
        assert_int_equal(question.result.outcome, round == 0 ? OUTCOME_DONE : OUTCOME_STOPPED);
        assert_int_equal(question.result.moves, round == 0 ? 28 : -1);
        solve_result_free(&question.result);
    }
    space_close(space);
}

struct watcher {
    struct control *control;
    unsigned reports;
    struct progress last;
    bool ordered; /* the bound never fell */
};

static void watch(void *context, const struct progress *progress)
{
    struct watcher *watcher = context;
    watcher->ordered = watcher->ordered && progress->level >= watcher->last.level;
    watcher->last = *progress;
    if (++watcher->reports == 4)
        atomic_store(&watcher->control->stop, true);
}

TEST(it_reports_its_bound_and_nodes_and_ends_when_told)
{
    struct pz_error error;
    struct pz_space *space = solve_space("4x4", NULL);
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        struct question question;
        question_init(&question, space, IDASTAR_MANHATTAN, threads, NULL);
        struct watcher watcher = {.control = &question.control, .ordered = true};
        parse_state(space, endless, question.start);
        question.control.report = watch;
        question.control.context = &watcher;
        assert_int_equal(idastar_run(&question.request, &question.control, &question.result, &error),
                         PZ_CANCELLED);
        assert_int_equal(watcher.reports, 4);
        assert_true(watcher.ordered);
        assert_string_equal(watcher.last.phase, "search");
        assert_true(watcher.last.level >= 40 && watcher.last.states > 0 && watcher.last.rate > 0);
    }
    space_close(space);
}

TEST(what_is_no_plain_sliding_puzzle_and_no_partition_is_refused)
{
    struct question question;
    struct pz_error error;
    struct pz_space *space = solve_space("4x4", NULL);
    question_init(&question, space, "9-6", 1, NULL);
    parse_state(space, endless, question.start);
    assert_int_equal(idastar_run(&question.request, &question.control, &question.result, &error),
                     PZ_BAD_REQUEST);
    question.request.partition = "7-8";
    budget_set_limit(&question.budget, (uint64_t)64 << 20);
    assert_int_equal(idastar_run(&question.request, &question.control, &question.result, &error),
                     PZ_TOO_LARGE);
    assert_non_null(strstr(error.text, "7-7-1 fits"));
    space_close(space);
}
