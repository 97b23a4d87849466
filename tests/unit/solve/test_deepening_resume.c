/* SPDX-License-Identifier: MIT */
/* Iterative deepening that is cut off at every possible place and goes on. */
#include "board_equal.h"
#include "solve_support.h"

#include "base/clock.h"
#include "checkpoint_disk.h"
#include "explore/checkpoint/checkpointer.h"
#include "solve/idastar/deepening.h"
#include "solve/solver.h"

static const unsigned thread_counts[] = {1, 2, 8};

/* ---- deepenings by Manhattan distance ---- */

struct trial {
    struct grid grid;
    struct board start;
    struct board goal;
    struct manhattan manhattan;
    uint64_t divide_nodes; /* struct deepening's */
    struct control control;
    struct disk disk;
    struct deepening_result result;
    struct pz_error error;
};

static void trial_init(struct trial *trial, const char *size, const char *text)
{
    memset(trial, 0, sizeof *trial);
    assert_ok(grid_parse(&trial->grid, size, &trial->error), trial->error);
    assert_ok(board_parse(&trial->grid, text, &trial->start, &trial->error), trial->error);
    board_ordered(&trial->grid, trial->grid.cells - 1u, &trial->goal);
    manhattan_init(&trial->manhattan, &trial->grid, &trial->goal);
    disk_init(&trial->disk);
    trial->disk.control = &trial->control;
}

/* Runs the search until it ends or is cut off. */
static enum pz_status live(struct trial *trial, const struct walk_kernel *kernel, unsigned threads)
{
    struct monitor monitor;
    struct checkpointer *checkpointer = NULL;
    monitor_init(&monitor, &trial->control, NULL, "search");
    const double began = monitor.began;
    atomic_store(&trial->control.stop, false);
    atomic_store(&trial->control.keep, false);
    const struct checkpointer_options options = {
        .calls = &trial->disk.calls, .identity = "a question", .monitor = &monitor};
    assert_ok(checkpointer_new(&options, &checkpointer, &trial->error), trial->error);
    struct deepening deepening = {.grid = &trial->grid,
                                  .start = &trial->start,
                                  .kernel = kernel,
                                  .heuristic = &trial->manhattan,
                                  .threads = threads,
                                  .divide_nodes = trial->divide_nodes,
                                  .monitor = &monitor,
                                  .checkpointer = checkpointer};
    free(trial->result.move);
    enum pz_status status = deepening_run(&deepening, &trial->result, &trial->error);
    assert_true(monitor.began == began - checkpointer_seconds(checkpointer)); /* what STATUS counts from */
    checkpointer_free(checkpointer);
    return status;
}

static void trial_clear(struct trial *trial)
{
    free(trial->result.move);
    disk_clear(&trial->disk);
}

static void check_path(const struct trial *trial, unsigned moves)
{
    struct board board = trial->start;
    assert_true(trial->result.found);
    assert_int_equal(trial->result.moves, moves);
    for (unsigned i = 0; i < trial->result.moves; i++)
        assert_true(board_move(&trial->grid, &board, (enum direction)trial->result.move[i]));
    assert_true(board_equal(&board, &trial->goal));
}

/* Fifty-two moves: the iterations before the last expand some two million nodes, the last one fewer. */
static const char *const korf = "5,8,15,10/13,6,14,7/0,9,1,4/11,12,3,2";
enum { KORF_MOVES = 52 };

/* Iterations from the last one on are empty: what is counted is the whole of all before, which is the same
 * for any number of threads. */
static void add_before_the_last(struct idastar_walk *walk, const struct board *root)
{
    if (walk->bound < KORF_MOVES)
        manhattan_kernel.add(walk, root);
}

/* One that began before the checkpoint is left out: how many nodes it had then is not known. */
static void check_iterations(const struct iterations *seen, const struct iterations *whole)
{
    assert_true(seen->count > 0);
    for (unsigned i = 0; i < seen->count; i++)
        for (unsigned at = 0; at < whole->count; at++)
            if (whole->each[at].bound == seen->each[i].bound)
                assert_int_equal(seen->each[i].generated, whole->each[at].generated);
}

TEST(no_node_is_counted_twice_or_left_out)
{
    struct walk_kernel kernel = manhattan_kernel;
    struct trial whole;
    kernel.add = add_before_the_last;
    trial_init(&whole, "4x4", korf);
    whole.disk.calls.interval = 1e9;
    assert_int_equal(live(&whole, &kernel, 1), PZ_TOO_LARGE);
    assert_true(whole.result.expanded > 100000);
    for (unsigned first = FIRST_THREADS; first < 3; first++) {
        struct trial trial;
        trial_init(&trial, "4x4", korf);
        enum pz_status status = PZ_CANCELLED;
        for (unsigned lives = 0; status == PZ_CANCELLED; lives++) {
            trial.disk.kill_after = 2 + lives % 3;
            /* as many threads as before, and then others */
            status = live(&trial, &kernel, thread_counts[lives < 10 ? first : (first + lives) % 3]);
        }
        assert_int_equal(status, PZ_TOO_LARGE);
        assert_true(trial.disk.resumed > 2); /* by the clock: some 20 where nothing else runs */
        assert_int_equal(trial.disk.refused + trial.disk.failed, 0);
        assert_int_equal(trial.result.generated, whole.result.generated);
        assert_int_equal(trial.result.expanded, whole.result.expanded);
        assert_int_equal(trial.result.at_least, whole.result.at_least);
        check_iterations(&trial.result.iterations, &whole.result.iterations);
        trial_clear(&trial);
    }
    trial_clear(&whole);
}

TEST(the_shortest_way_is_found_however_often_the_search_is_cut_off)
{
    for (unsigned i = FIRST_THREADS; i < 3; i++) {
        struct trial trial;
        trial_init(&trial, "4x4", korf);
        enum pz_status status = PZ_CANCELLED;
        while (status == PZ_CANCELLED) {
            trial.disk.kill_after = 5;
            status = live(&trial, &manhattan_kernel, thread_counts[i]);
        }
        assert_ok(status, trial.error);
        check_path(&trial, KORF_MOVES);
        assert_true(trial.disk.resumed > 0);
        trial_clear(&trial);
    }
}

static void run_until_the_first_move(struct idastar_walk *walk)
{
    struct control *control = walk->iteration->deepening->monitor->control;
    atomic_store(&control->keep, true);
    atomic_store(&control->stop, true);
    walk->fuel = 1;
    manhattan_kernel.run(walk);
}

/* The goal is the move that is left when the search is cut off: going on, it is the root of a subtree. */
TEST(a_goal_that_is_left_is_found)
{
    struct walk_kernel kernel = manhattan_kernel;
    struct trial trial;
    kernel.run = run_until_the_first_move;
    trial_init(&trial, "3x3", "1,2,3/4,5,6/0,7,8");
    assert_int_equal(live(&trial, &kernel, 1), PZ_CANCELLED);
    assert_ok(live(&trial, &manhattan_kernel, 1), trial.error);
    check_path(&trial, 2);
    assert_int_equal(trial.disk.resumed, 1);
    trial_clear(&trial);
}

/* ---- going on from what is not sound ---- */

static void leave_a_checkpoint(struct trial *trial, unsigned threads, unsigned commits)
{
    trial->disk.kill_after = commits;
    assert_int_equal(live(trial, &manhattan_kernel, threads), PZ_CANCELLED);
    assert_int_equal(trial->disk.kept.count > 0, true);
    trial->disk.calls.interval = 1e9;
}

TEST(a_damaged_or_foreign_checkpoint_is_refused_and_the_search_begins_anew)
{
    struct trial trial;
    trial_init(&trial, "4x4", korf);
    leave_a_checkpoint(&trial, 2, 20);
    trial.disk.damaged = 0;
    assert_ok(live(&trial, &manhattan_kernel, 2), trial.error);
    check_path(&trial, KORF_MOVES);
    assert_int_equal(trial.disk.refused, 1);
    trial.disk.damaged = UINT64_MAX;
    /* of another board with bounds of the same parity: its moves cannot all be made */
    assert_ok(board_parse(&trial.grid, "1,2,3,4/5,0,6,8/9,10,7,11/13,14,15,12", &trial.start, &trial.error),
              trial.error);
    assert_ok(live(&trial, &manhattan_kernel, 1), trial.error);
    check_path(&trial, 4);
    assert_int_equal(trial.disk.refused, 2);
    trial_clear(&trial);
}

static void add_from_the_last_on(struct idastar_walk *walk, const struct board *root)
{
    if (walk->bound >= KORF_MOVES)
        manhattan_kernel.add(walk, root);
}

/* Its blank is where the other board's is, so all moves of the checkpoint can be made; but its bounds pass
 * by the goal, which then lies above the branches. */
TEST(a_foreign_checkpoint_that_fits_leads_to_a_goal_above_the_branches)
{
    struct walk_kernel kernel = manhattan_kernel;
    kernel.add = add_from_the_last_on;
    for (unsigned i = 0; i < 2; i++) {
        struct trial trial;
        trial_init(&trial, "4x4", korf);
        leave_a_checkpoint(&trial, thread_counts[i], 1);
        assert_ok(
            board_parse(&trial.grid, "1,2,3,4/5,6,7,8/0,9,10,11/13,14,15,12", &trial.start, &trial.error),
            trial.error);
        trial.divide_nodes = 1;
        assert_ok(live(&trial, &kernel, thread_counts[i]), trial.error);
        assert_int_equal(trial.disk.resumed, 1);
        check_path(&trial, 4);
        trial_clear(&trial);
    }
}

static void mend(struct disk *disk, const uint8_t *good)
{
    memcpy(disk->kept.part[0], good, disk->kept.length[0]);
}

/* Changes up to three of the first bytes of a checkpoint: its place, and the walk that was cut off. */
static void spoil(struct disk *disk, const uint8_t *good, unsigned round, struct random *random)
{
    size_t length = disk->kept.length[0];
    mend(disk, good);
    for (unsigned i = 0; i <= round % 3; i++)
        disk->kept.part[0][random_below(random, length < 250 ? length : 250)] ^=
            (uint8_t)(1 + random_below(random, 255));
}

static uint8_t *copy_of_checkpoint(const struct disk *disk)
{
    uint8_t *copy = malloc(disk->kept.length[0]);
    assert_non_null(copy);
    memcpy(copy, disk->kept.part[0], disk->kept.length[0]);
    return copy;
}

/* Changes any bytes as if the seals were right: the checkpoint is refused, or leads to some solution. */
TEST(a_checkpoint_of_any_bytes_does_no_harm)
{
    struct random random = {.state = 20261121};
    struct trial trial;
    trial_init(&trial, "3x3", "8,6,7/2,5,4/3,0,1");
    leave_a_checkpoint(&trial, 1, 1);
    uint8_t *good = copy_of_checkpoint(&trial.disk);
    for (unsigned round = 0; round < (is_brief() ? 80 : 600); round++) {
        spoil(&trial.disk, good, round, &random);
        trial.control.deadline = clock_seconds() + 0.02;
        enum pz_status status = live(&trial, &manhattan_kernel, 1 + round % 2);
        assert_true(status == PZ_OK || status == PZ_LIMIT || status == PZ_TOO_LARGE);
        if (status == PZ_OK)
            check_path(&trial, trial.result.moves);
    }
    mend(&trial.disk, good);
    trial.control.deadline = 0;
    assert_ok(live(&trial, &manhattan_kernel, 1), trial.error);
    check_path(&trial, 31);
    assert_true(trial.disk.refused > 0);
    assert_true(trial.disk.resumed > 0);
    free(good);
    trial_clear(&trial);
}

/* ---- the solver ---- */

struct question {
    struct pz_space *space;
    struct budget budget;
    struct control control;
    struct memory_archive memory;
    struct disk disk;
    struct solve_request request;
    struct solve_result result;
    struct pz_error error;
    uint64_t start[PZ_STATE_MAX / 8];
};

static void question_init(struct question *question, const char *goal, const char *board)
{
    memset(question, 0, sizeof *question);
    question->space = solve_space("4x4", goal);
    const struct pz_puzzle *puzzle = question->space->puzzle;
    assert_ok(puzzle->parse(question->space, board, question->start, &question->error), question->error);
    budget_init(&question->budget, NULL, (uint64_t)3 << 30);
    memory_archive_init(&question->memory);
    disk_init(&question->disk);
    question->disk.control = &question->control;
    question->request = (struct solve_request){.space = question->space,
                                               .start = question->start,
                                               .method = METHOD_IDASTAR,
                                               .threads = 1,
                                               .budget = &question->budget,
                                               .archive = &question->memory.archive,
                                               .partition = "4-4-4-3",
                                               .checkpoint = &question->disk.calls};
}

static void question_clear(struct question *question)
{
    assert_int_equal(atomic_load(&question->budget.used), 0);
    solve_result_free(&question->result);
    disk_clear(&question->disk);
    memory_archive_clear(&question->memory);
    space_close(question->space);
}

static enum pz_status ask(struct question *question)
{
    solve_result_free(&question->result);
    atomic_store(&question->control.stop, false);
    atomic_store(&question->control.keep, false);
    return solve_run(&question->request, &question->control, &question->result, &question->error);
}

/* Before the search, so that all checkpoints are the search's own. */
static void build_databases(struct question *question)
{
    struct pdb_build_result result;
    const struct pdb_build_request request = {.space = question->space,
                                              .partition = "4-4-4-3",
                                              .threads = 2,
                                              .budget = &question->budget,
                                              .archive = &question->memory.archive};
    assert_ok(pdb_build_run(&request, NULL, &result, &question->error), question->error);
}

/* Korf's first board, 57 moves. */
static const char *const first = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

/* The transposition table of one thread is in the checkpoint, so exactly the same nodes are expanded. */
TEST(one_thread_goes_on_node_by_node)
{
    if (FIRST_THREADS > 0)
        skip();
    struct question whole;
    struct question question;
    question_init(&whole, KORF15_GOAL, first);
    whole.disk.calls.interval = 1e9;
    assert_ok(ask(&whole), whole.error);
    assert_path(whole.space, whole.start, &whole.result);
    assert_int_equal(whole.result.moves, 57);
    question_init(&question, KORF15_GOAL, first);
    build_databases(&question);
    question.disk.calls.interval = 0;
    enum pz_status status = PZ_CANCELLED;
    while (status == PZ_CANCELLED) {
        question.disk.kill_after = 4;
        status = ask(&question);
    }
    assert_ok(status, question.error);
    assert_true(question.disk.resumed >= 3);
    assert_int_equal(question.result.moves, whole.result.moves);
    assert_int_equal(question.result.generated, whole.result.generated);
    assert_int_equal(question.result.expanded, whole.result.expanded);
    assert_memory_equal(question.result.path, whole.result.path,
                        (size_t)(whole.result.moves + 1) * whole.space->state_bytes);
    question_clear(&question);
    question_clear(&whole);
}

/* A database that was lost before the restart is built again; then the search goes on. */
TEST(a_lost_database_does_not_take_the_search_with_it)
{
    struct question question;
    question_init(&question, KORF15_GOAL, first);
    build_databases(&question);
    question.disk.kill_after = 8;
    assert_int_equal(ask(&question), PZ_CANCELLED);
    unsigned saved = question.disk.saved;
    memory_archive_clear(&question.memory);
    memory_archive_init(&question.memory);
    question.disk.kill_after = 0;
    assert_ok(ask(&question), question.error);
    assert_int_equal(question.result.moves, 57);
    assert_int_equal(question.disk.resumed, 1);
    assert_true(question.disk.saved > saved); /* by the search again */
    assert_true(question.memory.saves > 0);
    question_clear(&question);
}

TEST(any_bytes_do_no_harm_to_a_search_by_databases)
{
    struct random random = {.state = 20261122};
    struct question question;
    question_init(&question, KORF15_GOAL, first);
    build_databases(&question);
    question.disk.calls.interval = 0;
    question.disk.kill_after = 8;
    assert_int_equal(ask(&question), PZ_CANCELLED);
    question.disk.calls.interval = 1e9;
    uint8_t *good = copy_of_checkpoint(&question.disk);
    for (unsigned round = 0; round < (is_brief() ? 80 : 600); round++) {
        spoil(&question.disk, good, round, &random);
        question.control.deadline = clock_seconds() + 0.01;
        question.request.threads = 1 + round % 2;
        enum pz_status status = ask(&question);
        assert_true(status == PZ_OK || status == PZ_TOO_LARGE);
        if (status == PZ_OK && question.result.outcome == OUTCOME_DONE)
            assert_path(question.space, question.start, &question.result);
    }
    mend(&question.disk, good);
    question.control.deadline = 0;
    question.request.threads = 1;
    assert_ok(ask(&question), question.error);
    assert_int_equal(question.result.moves, 57);
    assert_path(question.space, question.start, &question.result);
    assert_true(question.disk.refused > 0);
    assert_true(question.disk.resumed > 0);
    free(good);
    question_clear(&question);
}

static void say_stop(void *context, const struct progress *progress)
{
    struct question *question = context;
    if (strcmp(progress->phase, "search") != 0)
        return;
    atomic_store(&question->control.keep, true);
    atomic_store(&question->control.stop, true);
}

TEST(an_orderly_stop_leaves_a_checkpoint)
{
    struct question question;
    question_init(&question, NULL, "0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1"); /* 80 moves: minutes */
    question.request.partition = IDASTAR_MANHATTAN;
    question.disk.calls.interval = 1e9;
    question.control.report = say_stop;
    question.control.context = &question;
    uint64_t generated = 0;
    for (unsigned i = 0; i < 6; i++) {
        question.request.threads = thread_counts[i % 3];
        assert_int_equal(ask(&question), PZ_CANCELLED);
        assert_int_equal(question.disk.saved, i + 1);
        assert_int_equal(question.disk.resumed, i);
        assert_true(question.result.generated > generated);
        generated = question.result.generated;
    }
    question_clear(&question);
}
