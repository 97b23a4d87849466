/* SPDX-License-Identifier: MIT */
/* Explorations that are cut off at every possible place and go on must end as if nothing had happened. */
#include "explore_trial.h"
#include "spinner.h"

static const unsigned thread_counts[] = {1, 2, 8};

/* Cuts the run off after every few checkpoints until it has got to its end. */
static unsigned check_kills(const struct trial_question *question, const struct trial *whole,
                            unsigned threads, unsigned lives_commits)
{
    struct trial *trial = kept_trial(question, threads, 0);
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
    return lives;
}

static void check_every_kill(const struct trial_question *question, unsigned lives_commits)
{
    struct trial *whole = undisturbed(question);
    for (unsigned i = FIRST_THREADS; i < 3; i++)
        (void)check_kills(question, whole, thread_counts[i], lives_commits);
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
    static const struct trial_question questions[] = {
        {"2x3", ENGINE_DENSE, KEEP_TABLE, 0, 0},
        {"3x3", ENGINE_DENSE, KEEP_TABLE, 0, 0},
        {"3x3", ENGINE_DENSE, KEEP_LEVELS, 0, 0},
        {"3x3", ENGINE_DENSE, KEEP_LEVELS, 20, 0},
        {"3x3,metric:multi", ENGINE_DENSE, KEEP_TABLE, 0, 0},
        {"2x4,metric:multi", ENGINE_DENSE, KEEP_LEVELS, 0, 0},
    };
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_every_kill(&questions[i], longer_lives());
    const struct trial_question large = {"2x5", ENGINE_DENSE, KEEP_TABLE, 0, 0};
    check_every_kill(&large, 3 * longer_lives());
}

TEST(a_striped_exploration_goes_on_from_every_checkpoint)
{
    static const struct trial_question questions[] = {
        {"3x3", ENGINE_STRIPED, KEEP_LEVELS, 0, 0},  {"3x3", ENGINE_STRIPED, KEEP_TABLE, 17, 0},
#ifndef PUZZLED_SANITIZED
        {"3x3", ENGINE_STRIPED, KEEP_TABLE, 0, 0},   {"4x4", ENGINE_STRIPED, KEEP_TABLE, 15, 0},
        {"4x4", ENGINE_STRIPED, KEEP_LEVELS, 15, 0},
#endif
    };
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_every_kill(&questions[i], longer_lives());
    /* in hash sets: all levels kept, and three */
    const struct trial_question klotski = {"klotski:横刀立马", ENGINE_STRIPED, KEEP_TABLE, 0, 0};
    const struct trial_question klotski_stripes = {"klotski:横刀立马", ENGINE_STRIPED, KEEP_TABLE,
                                                   KLOTSKI_DEPTH, 64};
    const struct trial_question klotski_levels = {"klotski:横刀立马", ENGINE_STRIPED, KEEP_LEVELS,
                                                  KLOTSKI_DEPTH, 64};
    check_every_kill(&klotski_stripes, 3 * longer_lives());
    check_every_kill(&klotski_levels, 3 * longer_lives());
#ifdef PUZZLED_SANITIZED
    check_every_kill(&klotski, 40);
#else
    const struct trial_question large = {"2x5", ENGINE_STRIPED, KEEP_TABLE, 0, 0};
    const struct trial_question narrow = {"2x5", ENGINE_STRIPED, KEEP_LEVELS, 0, 0};
    check_every_kill(&klotski, is_brief() ? 21 : 7);
    check_every_kill(&large, 5 * longer_lives());
    check_every_kill(&narrow, 5 * longer_lives());
#endif
}

TEST(a_ranked_exploration_goes_on_from_every_checkpoint)
{
    static const struct trial_question stacks = {"pancake:8", ENGINE_RANKED, KEEP_TABLE, 0, 0};
    static const struct trial_question twists = {"tws:spinner", ENGINE_RANKED, KEEP_TABLE, 0, 0};
    define_text(DEFINITION_TWS, "spinner", spinner_with_cut);
    check_every_kill(&stacks, 1);
    check_every_kill(&twists, 1);
}

/* A level of 362,880 numbers takes six turns, and may be left after each. */
TEST(a_ranked_exploration_goes_on_within_a_level)
{
    static const struct trial_question question = {"pancake:9", ENGINE_RANKED, KEEP_TABLE, 0, 0};
    struct trial *whole = undisturbed(&question);
    assert_int_equal(whole->heard.chunk_bytes, 362880 / 4);
    assert_true(check_kills(&question, whole, 1, 1) > 3 * whole->heard.level_count);
    (void)check_kills(&question, whole, 2, 1);
    trial_free(whole);
}

TEST(a_ranked_exploration_may_be_cancelled_before_its_first_level)
{
    static const struct trial_question question = {"pancake:9", ENGINE_RANKED, KEEP_TABLE, 0, 0};
    struct trial *trial = trial_new(&question, 1);
    atomic_store(&trial->control.stop, true);
    assert_int_equal(live(trial), PZ_CANCELLED);
    assert_string_equal(trial->error.text, "cancelled before the first level was known");
    trial_free(trial);
}

TEST(a_large_dense_exploration_goes_on_from_the_middle_of_levels)
{
#ifdef PUZZLED_SANITIZED
    skip();
#else
    const struct trial_question question = {"3x4", ENGINE_DENSE, KEEP_TABLE, 0, 0};
    struct trial *whole = undisturbed(&question);
    for (unsigned i = 0; i < 3; i++) {
        struct trial *trial = kept_trial(&question, thread_counts[i], 0.05 + 0.03 * i);
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

static void check_stops(const struct trial_question *question, unsigned step)
{
    struct trial *whole = undisturbed(question);
    for (unsigned i = FIRST_THREADS; i < 3; i++) {
        struct trial *trial = kept_trial(question, thread_counts[i], 1000);
        for (uint32_t level = 0; level + 1 < whole->result.depth; level += step) {
            stop_at(trial, level);
            assert_int_equal(trial->disk.saved, level / step + 1);
            assert_int_equal(trial->disk.resumed, level / step);
        }
        check_same(lived(trial), whole);
        trial_free(trial);
    }
    trial_free(whole);
}

TEST(an_orderly_stop_leaves_a_checkpoint_at_any_level)
{
    static const struct trial_question questions[] = {
        {"3x3", ENGINE_DENSE, KEEP_TABLE, 0, 0},
        {"3x3", ENGINE_STRIPED, KEEP_TABLE, 0, 0},
        {"3x3", ENGINE_STRIPED, KEEP_LEVELS, 0, 0},
    };
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_stops(&questions[i], STOP_STEP);
}

TEST(a_cancelled_exploration_leaves_none)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = kept_trial(&engines[i], 2, 1000);
        trial->cancel = true;
        stop_at(trial, 10);
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
        struct trial *trial = kept_trial(&engines[i], 2, 1000);
        stop_at(trial, 15);
        stop_in_open(trial);
        assert_int_equal(trial->disk.saved, 1);
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.resumed, 1);
        assert_true(trial->disk.level >= 15);
        check_same(trial, whole);
        trial_free(trial);
        trial_free(whole);
    }
}
