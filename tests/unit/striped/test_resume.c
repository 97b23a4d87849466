/* SPDX-License-Identifier: MIT */
/* Explorations that are cut off at every possible place and go on must end as if nothing had happened. */
#include "resume_trial.h"

static const unsigned thread_counts[] = {1, 2, 8};

/* Cuts the run off after every few checkpoints until it has got to its end. */
static void check_kills(const struct question *question, const struct trial *whole, unsigned threads,
                        unsigned lives_commits)
{
    struct trial *trial = trial_new(question, threads);
    trial->request.checkpoint = &trial->disk.calls;
    enum pz_status status = PZ_CANCELLED;
    unsigned lives = 0;
    for (; status == PZ_CANCELLED; lives++) {
        trial->disk.kill_after = lives_commits;
        status = live(trial);
    }
    assert_ok(status, trial->error);
    check_same(trial, whole);
    assert_int_equal(trial->disk.refused + trial->disk.failed, 0);
    assert_true(lives > 1);
    assert_int_equal(trial->disk.resumed, lives - 1);
    trial_free(trial);
}

static void check_every_kill(const struct question *question, unsigned lives_commits)
{
    struct trial *whole = undisturbed(question);
    for (unsigned i = FIRST_THREADS; i < 3; i++)
        check_kills(question, whole, thread_counts[i], lives_commits);
    trial_free(whole);
}

/* Fewer runs under the sanitizers. */
#ifdef PUZZLED_SANITIZED
enum { STOP_STEP = 9, KLOTSKI_DEPTH = 40 };
#else
enum { STOP_STEP = 3, KLOTSKI_DEPTH = 60 };
#endif

static unsigned longer_lives(void)
{
    return SANITIZED ? 4 : is_brief() ? 2 : 1;
}

TEST(a_dense_exploration_goes_on_from_every_checkpoint)
{
    static const struct question questions[] = {
        {"slide", "2x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_DENSE, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_DENSE, KEEP_LEVELS, 20, 0},
        {"slide", "3x3,metric:multi", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "2x4,metric:multi", ENGINE_DENSE, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0},
    };
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_every_kill(&questions[i], longer_lives());
    const struct question large = {"slide", "2x5", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    check_every_kill(&large, 3 * longer_lives());
}

TEST(a_striped_exploration_goes_on_from_every_checkpoint)
{
    static const struct question questions[] = {
        {"slide", "3x3", ENGINE_STRIPED, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, 17, 0},
#ifndef PUZZLED_SANITIZED
        {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "4x4", ENGINE_STRIPED, KEEP_TABLE, 15, 0},
        {"slide", "4x4", ENGINE_STRIPED, KEEP_LEVELS, 15, 0},
#endif
    };
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_every_kill(&questions[i], longer_lives());
    /* in hash sets: all levels kept, and three */
    const struct question klotski = {"klotski", "横刀立马", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    const struct question klotski_stripes = {"klotski",  "横刀立马",    ENGINE_STRIPED,
                                             KEEP_TABLE, KLOTSKI_DEPTH, 64};
    const struct question klotski_levels = {"klotski",   "横刀立马",    ENGINE_STRIPED,
                                            KEEP_LEVELS, KLOTSKI_DEPTH, 64};
    check_every_kill(&klotski_stripes, 3 * longer_lives());
    check_every_kill(&klotski_levels, 3 * longer_lives());
#ifdef PUZZLED_SANITIZED
    check_every_kill(&klotski, 40);
#else
    const struct question large = {"slide", "2x5", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    const struct question narrow = {"slide", "2x5", ENGINE_STRIPED, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0};
    check_every_kill(&klotski, is_brief() ? 21 : 7);
    check_every_kill(&large, 5 * longer_lives());
    check_every_kill(&narrow, 5 * longer_lives());
#endif
}

TEST(a_large_dense_exploration_goes_on_from_the_middle_of_levels)
{
#ifdef PUZZLED_SANITIZED
    skip();
#else
    const struct question question = {"slide", "3x4", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    struct trial *whole = undisturbed(&question);
    for (unsigned i = 0; i < 3; i++) {
        struct trial *trial = trial_new(&question, thread_counts[i]);
        trial->request.checkpoint = &trial->disk.calls;
        trial->disk.calls.interval = 0.05 + 0.03 * i;
        enum pz_status status = PZ_CANCELLED;
        while (status == PZ_CANCELLED) {
            trial->disk.kill_after = trial->disk.resumed < 15 ? 1 + trial->disk.resumed % 3 : 0;
            trial->disk.calls.interval += trial->disk.resumed < 15 ? 0 : 1;
            status = live(trial);
        }
        assert_ok(status, trial->error);
        check_same(trial, whole);
        assert_true(trial->disk.resumed > 0);
        trial_free(trial);
    }
    trial_free(whole);
#endif
}

static void check_stops(const struct question *question, unsigned step)
{
    struct trial *whole = undisturbed(question);
    for (unsigned i = FIRST_THREADS; i < 3; i++) {
        struct trial *trial = trial_new(question, thread_counts[i]);
        trial->request.checkpoint = &trial->disk.calls;
        trial->disk.calls.interval = 1000; /* none but for the stops */
        uint32_t level = 0;
        for (level = 0; level + 1 < whole->result.depth; level += step) {
            trial->stop_at = level;
            assert_int_equal(live(trial), PZ_CANCELLED);
            assert_int_equal(trial->disk.saved, level / step + 1);
            assert_int_equal(trial->disk.resumed, level / step);
        }
        trial->stop_at = UINT32_MAX;
        assert_ok(live(trial), trial->error);
        check_same(trial, whole);
        trial_free(trial);
    }
    trial_free(whole);
}

TEST(an_orderly_stop_leaves_a_checkpoint_at_any_level)
{
    static const struct question questions[] = {
        {"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_STRIPED, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0},
    };
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_stops(&questions[i], STOP_STEP);
}

TEST(a_cancelled_exploration_leaves_none)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = trial_new(&engines[i], 2);
        trial->request.checkpoint = &trial->disk.calls;
        trial->disk.calls.interval = 1000;
        trial->stop_at = 10;
        trial->cancel = true;
        assert_int_equal(live(trial), PZ_CANCELLED);
        assert_int_equal(trial->disk.saved + trial->disk.failed, 0);
        assert_int_equal(trial->disk.kept.count, 0);
        trial_free(trial);
    }
}

/* A checkpoint of the beginning must not replace the good one. */
TEST(a_stop_while_a_checkpoint_is_read_leaves_it_as_it_is)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trial *whole = undisturbed(&engines[i]);
        struct trial *trial = trial_new(&engines[i], 2);
        trial->request.checkpoint = &trial->disk.calls;
        trial->disk.calls.interval = 1000;
        trial->stop_at = 15;
        assert_int_equal(live(trial), PZ_CANCELLED);
        trial->disk.stop_in_open = true;
        assert_int_equal(live(trial), PZ_CANCELLED);
        assert_int_equal(trial->disk.saved, 1);
        trial->disk.stop_in_open = false;
        trial->stop_at = UINT32_MAX;
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.resumed, 1);
        assert_true(trial->disk.level >= 15);
        check_same(trial, whole);
        trial_free(trial);
        trial_free(whole);
    }
}
