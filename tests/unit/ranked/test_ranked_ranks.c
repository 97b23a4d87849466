/* SPDX-License-Identifier: MIT */
/* The ranked engine over several ranks: what one process finds, whatever their number, in one round or many,
 * in memory or on disk, and after a kill. */
#include "checkpoint_disk.h"
#include "ranks_checks.h"
#include "ranks_on_disk.h"
#include "some_space.h"
#include "spinner.h"

/* topspin:9,3 is one run: all ranks but one have none. pancake:10 takes several rounds a level. */
TEST(ranks_find_the_levels_and_examples_of_one_process)
{
    static const unsigned ranks[] = {2, 3, 7};
    check_ranks(ENGINE_RANKED, "pancake:9", EXPLORE_NO_LIMIT, ranks, 3);
    check_ranks(ENGINE_RANKED, "pancake:7,burnt:yes", EXPLORE_NO_LIMIT, ranks, 3);
    check_ranks(ENGINE_RANKED, "topspin:9,3", EXPLORE_NO_LIMIT, ranks, 3);
    check_ranks(ENGINE_RANKED, "topspin:10,4", EXPLORE_NO_LIMIT, ranks, 3);
#ifndef PUZZLED_SANITIZED
    check_ranks(ENGINE_RANKED, "pancake:10", EXPLORE_NO_LIMIT, ranks, 3);
    check_ranks(ENGINE_RANKED, "topspin:11,4", EXPLORE_NO_LIMIT, ranks, 3);
#endif
}

/* Their packets have places of runs that all ranks align alike. */
TEST(ranks_align_runs)
{
    static const unsigned ranks[] = {2, 3, 7};
    define_text(DEFINITION_TWS, "spinner", spinner_with_cut);
    check_ranks(ENGINE_RANKED, "tws:spinner", EXPLORE_NO_LIMIT, ranks, 3);
}

TEST(ranks_end_at_a_level_that_was_asked_for)
{
    static const unsigned ranks[] = {2, 4};
    check_ranks(ENGINE_RANKED, "pancake:9", 7, ranks, 2);
}

TEST(ranks_that_are_asked_for_no_engine_take_this_one)
{
    struct trial *trial = trial_new(ENGINE_AUTO, "pancake:9", EXPLORE_NO_LIMIT, 2, 1);
    trial_run(trial);
    for (unsigned rank = 0; rank < 2; rank++) {
        assert_ok(trial->runs[rank].status, trial->runs[rank].error);
        assert_string_equal(trial->runs[rank].result.engine, "ranked");
        assert_int_equal(trial->runs[rank].result.states, 362880);
    }
    trial_free(trial);
}

TEST(what_has_no_runs_is_refused)
{
    struct trial *trial = trial_new(ENGINE_RANKED, "hanoi:3,4", EXPLORE_NO_LIMIT, 2, 1);
    trial_run(trial);
    assert_int_equal(trial->runs[1].status, PZ_UNSUPPORTED);
    assert_non_null(strstr(trial->runs[1].error.text, "permutation puzzles only"));
    trial_free(trial);
}

#ifndef PUZZLED_SANITIZED
/* Tables, examples and messages are the rest. */
TEST(memory_falls_with_the_ranks)
{
    struct trial *alone = trial_new(ENGINE_RANKED, "pancake:11", EXPLORE_NO_LIMIT, 1, 2);
    struct trial *trial = trial_new(ENGINE_RANKED, "pancake:11", EXPLORE_NO_LIMIT, 4, 1);
    trial_run(alone);
    trial_run(trial);
    for (unsigned rank = 0; rank < 4; rank++) {
        check_same(&alone->runs[0], &trial->runs[rank]);
        assert_in_range(trial->runs[rank].result.peak_bytes, 1, alone->runs[0].result.peak_bytes / 2);
    }
    trial_free(trial);
    trial_free(alone);
}
#endif

/* ---- on disk ---- */

#ifndef PUZZLED_SANITIZED
#define ON_DISK "pancake:10"
#else
#define ON_DISK "pancake:9"
#endif

static void check_on_disk(const char *puzzle)
{
    path_text directories[3];
    struct trial *alone = trial_new(ENGINE_RANKED, puzzle, EXPLORE_NO_LIMIT, 1, 1);
    struct trial *trial = trial_new(ENGINE_RANKED, puzzle, EXPLORE_NO_LIMIT, 3, 2);
    use_disk(trial, directories);
    trial_run(alone);
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        check_same(&alone->runs[0], &trial->runs[rank]);
        assert_int_equal(trial->runs[rank].result.planes, PLANES_DISK);
        if (rank == 0) /* the others may have no run */
            assert_int_not_equal(trial->runs[rank].result.disk_written_bytes, 0);
        (void)remove_directory(directories[rank]);
    }
    trial_free(trial);
    trial_free(alone);
}

TEST(ranks_keep_their_runs_on_disk)
{
    check_on_disk(ON_DISK);
    check_on_disk("topspin:9,3");
}

/* Three ranks, each with a disk for its checkpoints: all hold the same. */
struct lives {
    struct trial *alone, *trial;
    struct disk disks[3];
    path_text directories[3];
};

static struct lives *lives_new(void)
{
    struct lives *lives = calloc(1, sizeof *lives);
    assert_non_null(lives);
    lives->alone = trial_new(ENGINE_RANKED, "pancake:9", EXPLORE_NO_LIMIT, 1, 1);
    lives->trial = trial_new(ENGINE_RANKED, "pancake:9", EXPLORE_NO_LIMIT, 3, 1);
    use_disk(lives->trial, lives->directories);
    for (unsigned rank = 0; rank < 3; rank++) {
        disk_init(&lives->disks[rank]);
        lives->disks[rank].control = &lives->trial->runs[rank].control;
        lives->trial->runs[rank].checkpoint = &lives->disks[rank].calls;
    }
    trial_run(lives->alone);
    return lives;
}

static void lives_free(struct lives *lives)
{
    for (unsigned rank = 0; rank < 3; rank++) {
        (void)remove_directory(lives->directories[rank]);
        disk_clear(&lives->disks[rank]);
    }
    trial_free(lives->trial);
    trial_free(lives->alone);
    free(lives);
}

static void forget(struct run *run)
{
    memset(run->levels, 0, sizeof run->levels);
    memset(run->examples, 0, sizeof run->examples);
    run->level_count = 0;
}

/* All ranks end when one of them is told to stop after so many checkpoints, and forget what they heard. */
static void end_after(struct lives *lives, unsigned saves)
{
    lives->disks[saves % 3].kill_after = saves;
    trial_run(lives->trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        struct run *run = &lives->trial->runs[rank];
        assert_int_equal(run->status, PZ_CANCELLED);
        atomic_store(&run->control.stop, false);
        forget(run);
    }
}

TEST(ranks_that_were_cut_off_go_on)
{
    for (unsigned saves = 1; saves <= 9; saves += 2) {
        struct lives *lives = lives_new();
        end_after(lives, saves);
        trial_run(lives->trial);
        for (unsigned rank = 0; rank < 3; rank++) {
            check_same(&lives->alone->runs[0], &lives->trial->runs[rank]);
            assert_int_equal(lives->disks[rank].resumed, 1);
        }
        lives_free(lives);
    }
}

/* What one rank has kept is damaged: all begin once more. */
TEST(a_rank_whose_runs_are_gone_makes_all_begin_once_more)
{
    struct lives *lives = lives_new();
    end_after(lives, 7);
    assert_int_equal(truncate(text_of("%s/runs", lives->directories[1]), 5000), 0);
    trial_run(lives->trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        check_same(&lives->alone->runs[0], &lives->trial->runs[rank]);
        assert_int_equal(lives->disks[rank].refused, 1);
    }
    lives_free(lives);
}

/* As on a machine whose disk is not there: what the others have stays until it is back. */
TEST(where_they_must_not_start_over_ranks_end_when_a_rank_s_runs_are_gone_and_go_on_when_they_are_back)
{
    char path[64], away[64];
    struct lives *lives = lives_new();
    end_after(lives, 7);
    (void)snprintf(path, sizeof path, "%s/runs", lives->directories[1]);
    (void)snprintf(away, sizeof away, "%s/away", lives->directories[1]);
    assert_int_equal(rename(path, away), 0);
    for (unsigned rank = 0; rank < 3; rank++)
        lives->disks[rank].calls.advice = "look for them";
    trial_run(lives->trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        struct run *run = &lives->trial->runs[rank];
        assert_int_equal(run->status, PZ_STORAGE);
        assert_string_equal(run->error.text,
                            "rank 1: scratch space: a block of states is damaged; look for them");
        forget(run);
    }
    assert_int_equal(rename(away, path), 0);
    trial_run(lives->trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        check_same(&lives->alone->runs[0], &lives->trial->runs[rank]);
        assert_int_equal(lives->disks[rank].refused, 0);
    }
    lives_free(lives);
}

/* ---- ranks that fail ---- */

TEST(a_rank_without_memory_ends_all)
{
    check_rank_without_memory(ENGINE_RANKED, "pancake:9", "rank 1: 362880 states need ");
}

TEST(a_failing_sink_ends_all)
{
    check_failing_sink(ENGINE_RANKED, "pancake:9");
}

TEST(one_rank_can_be_cancelled)
{
    check_cancelled_rank(ENGINE_RANKED, "pancake:9", 2, 6);
}
