/* SPDX-License-Identifier: MIT */
/* The ranked engine over several ranks: what one process finds, whatever their number, in one round or many,
 * in memory or on disk, and after a kill. */
#include "ranks_checks.h"
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
    struct ranks *ranks = ranks_new(ENGINE_AUTO, "pancake:9", EXPLORE_NO_LIMIT, 2, 1);
    ranks_run(ranks);
    for (unsigned rank = 0; rank < 2; rank++) {
        assert_ok(ranks->of[rank]->status, ranks->of[rank]->error);
        assert_string_equal(ranks->of[rank]->result.engine, "ranked");
        assert_int_equal(ranks->of[rank]->result.states, 362880);
    }
    ranks_free(ranks);
}

TEST(what_has_no_runs_is_refused)
{
    struct ranks *ranks = ranks_new(ENGINE_RANKED, "hanoi:3,4", EXPLORE_NO_LIMIT, 2, 1);
    ranks_run(ranks);
    assert_int_equal(ranks->of[1]->status, PZ_UNSUPPORTED);
    assert_non_null(strstr(ranks->of[1]->error.text, "permutation puzzles only"));
    ranks_free(ranks);
}

#ifndef PUZZLED_SANITIZED
/* Tables, examples and messages are the rest. */
TEST(memory_falls_with_the_ranks)
{
    struct ranks *alone = ranks_new(ENGINE_RANKED, "pancake:11", EXPLORE_NO_LIMIT, 1, 2);
    struct ranks *ranks = ranks_new(ENGINE_RANKED, "pancake:11", EXPLORE_NO_LIMIT, 4, 1);
    ranks_run(alone);
    ranks_run(ranks);
    for (unsigned rank = 0; rank < 4; rank++) {
        check_rank(ranks, rank, alone);
        assert_in_range(ranks->of[rank]->result.peak_bytes, 1, alone->of[0]->result.peak_bytes / 2);
    }
    ranks_free(ranks);
    ranks_free(alone);
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
    struct ranks *alone = ranks_new(ENGINE_RANKED, puzzle, EXPLORE_NO_LIMIT, 1, 1);
    struct ranks *ranks = ranks_new(ENGINE_RANKED, puzzle, EXPLORE_NO_LIMIT, 3, 2);
    use_disk(ranks);
    ranks_run(alone);
    ranks_run(ranks);
    for (unsigned rank = 0; rank < 3; rank++) {
        check_rank(ranks, rank, alone);
        assert_int_equal(ranks->of[rank]->result.planes, PLANES_DISK);
        if (rank == 0) /* the others may have no run */
            assert_int_not_equal(ranks->of[rank]->result.disk_written_bytes, 0);
    }
    ranks_free(ranks);
    ranks_free(alone);
}

TEST(ranks_keep_their_runs_on_disk)
{
    check_on_disk(ON_DISK);
    check_on_disk("topspin:9,3");
}

/* The results of one process, and of three ranks that keep their checkpoints. */
struct lives {
    struct ranks *alone, *ranks;
};

static struct lives lives_begin(void)
{
    const struct lives lives = {ranks_new(ENGINE_RANKED, "pancake:9", EXPLORE_NO_LIMIT, 1, 1),
                                ranks_new(ENGINE_RANKED, "pancake:9", EXPLORE_NO_LIMIT, 3, 1)};
    use_disk(lives.ranks);
    for (unsigned rank = 0; rank < 3; rank++)
        lives.ranks->of[rank]->request.checkpoint = &lives.ranks->of[rank]->disk.calls;
    ranks_run(lives.alone);
    return lives;
}

/* Runs the ranks to the end. They went on, or found that they cannot. */
static void lives_end(struct lives lives, unsigned refused)
{
    ranks_run(lives.ranks);
    for (unsigned rank = 0; rank < 3; rank++) {
        check_rank(lives.ranks, rank, lives.alone);
        assert_true(lives.ranks->of[rank]->disk.resumed > 0 || refused > 0);
        assert_int_equal(lives.ranks->of[rank]->disk.refused, refused);
    }
    ranks_free(lives.ranks);
    ranks_free(lives.alone);
}

/* All ranks end when one of them is told to stop after so many checkpoints. */
static void end_after(struct lives lives, unsigned saves)
{
    lives.ranks->of[saves % 3]->disk.kill_after = saves;
    ranks_run(lives.ranks);
    for (unsigned rank = 0; rank < 3; rank++)
        assert_int_equal(lives.ranks->of[rank]->status, PZ_CANCELLED);
}

TEST(ranks_that_were_cut_off_go_on)
{
    for (unsigned saves = 1; saves <= 9; saves += 2) {
        const struct lives lives = lives_begin();
        end_after(lives, saves);
        lives_end(lives, 0);
    }
}

/* What one rank has kept is damaged: all begin once more. */
TEST(a_rank_whose_runs_are_gone_makes_all_begin_once_more)
{
    const struct lives lives = lives_begin();
    end_after(lives, 7);
    assert_int_equal(truncate(text_of("%s/runs", lives.ranks->directory[1]), 5000), 0);
    lives_end(lives, 1);
}

/* As on a machine whose disk is not there: what the others have stays until it is back. */
TEST(where_they_must_not_start_over_ranks_end_when_a_rank_s_runs_are_gone_and_go_on_when_they_are_back)
{
    const struct lives lives = lives_begin();
    const char *path = text_of("%s/runs", lives.ranks->directory[1]);
    const char *away = text_of("%s/away", lives.ranks->directory[1]);
    end_after(lives, 7);
    assert_int_equal(rename(path, away), 0);
    for (unsigned rank = 0; rank < 3; rank++)
        lives.ranks->of[rank]->disk.calls.advice = "look for them";
    ranks_run(lives.ranks);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(lives.ranks->of[rank]->status, PZ_STORAGE);
        assert_string_equal(lives.ranks->of[rank]->error.text,
                            "rank 1: scratch space: a block of states is damaged; look for them");
    }
    assert_int_equal(rename(away, path), 0);
    lives_end(lives, 0);
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
