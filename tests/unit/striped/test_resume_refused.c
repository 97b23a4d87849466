/* SPDX-License-Identifier: MIT */
/* Checkpoints that cannot be used are refused; those that cannot be written do a run no harm. */
#include "striped_disk_trial.h"

#include "base/random.h"

/* Fewer rounds under the sanitizers. */
#ifdef PUZZLED_SANITIZED
enum { ROUNDS = 60 };
#else
enum { ROUNDS = 300 };
#endif

/* Leaves a checkpoint at level 15, lets spoil do something to it, and runs again: first where it must not
 * start over. */
static void check_refused(const struct trial_question *question, const struct trial *whole,
                          void (*spoil)(struct trial *trial))
{
    struct trial *trial = kept_trial(question, 2, 1000);
    stop_at(trial, 15);
    assert_int_equal(trial->disk.saved, 1);
    uint64_t seed = trial->request.seed;
    spoil(trial);
    trial->disk.calls.advice = "look for it";
    assert_int_equal(live(trial), PZ_STORAGE);
    assert_non_null(strstr(trial->error.text, "cannot go on from what was saved: "));
    assert_non_null(strstr(trial->error.text, "; look for it"));
    assert_int_equal(trial->disk.saved, 1);
    trial->disk.calls.advice = NULL;
    trial->disk.refused = 0;
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->disk.refused, 1);
    assert_int_equal(trial->disk.resumed, 0);
    if (trial->request.seed == seed)
        check_same(trial, whole);
    assert_int_equal(trial->result.states, whole->result.states);
    trial_free(trial);
}

static void damage_last_part(struct trial *trial)
{
    trial->disk.damaged = trial->disk.kept.count - 1;
}

static void lose_the_end(struct trial *trial)
{
    trial->disk.kept.length[trial->disk.kept.count - 1] -= 9;
}

static void lose_nearly_all(struct trial *trial)
{
    trial->disk.kept.length[0] = 20;
}

static void change_a_number(struct trial *trial)
{
    memset(trial->disk.kept.part[0] + 16, 0xFF, 8); /* of the head: the level and how many were handed over */
}

static void ask_something_else(struct trial *trial)
{
    trial->request.seed++;
}

TEST(a_damaged_or_foreign_checkpoint_is_refused_and_the_run_begins_anew)
{
    static void (*const spoils[])(struct trial *) = {damage_last_part, lose_the_end, lose_nearly_all,
                                                     change_a_number, ask_something_else};
    static const struct trial_question questions[] = {
        {"3x3", ENGINE_DENSE, KEEP_TABLE, 0, 0},
        {"3x3", ENGINE_STRIPED, KEEP_TABLE, 0, 0},
        {"3x3", ENGINE_STRIPED, KEEP_LEVELS, 0, 0},
    };
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        struct trial *whole = undisturbed(&questions[i]);
        for (unsigned k = 0; k < sizeof spoils / sizeof spoils[0]; k++)
            check_refused(&questions[i], whole, spoils[k]);
        trial_free(whole);
    }
}

enum { IDENTITY_END = 130 /* behind the head and the identity, whose bits are all looked at */ };

/* Leaves a checkpoint at that level and changes bits of it as if the seal were right. The run starts over or
 * ends, with an error rather than never. Returns how often it failed. */
static unsigned check_wrong_bits(const struct trial_question *question, bool disk, uint32_t level)
{
    const unsigned rounds = disk ? ROUNDS / 20 : ROUNDS;
    struct random random = {.state = 1};
    struct trial *trial = kept_trial(question, 1, disk ? 0 : 1000);
    unsigned caught = 0;
    if (disk)
        on_disk(trial);
    for (unsigned round = 0; round < rounds; round++) {
        disk_clear_parts(&trial->disk.kept);
        stop_at(trial, level);
        uint8_t *part = trial->disk.kept.part[0];
        const uint64_t length = trial->disk.kept.length[0] - IDENTITY_END;
        for (unsigned i = 0; i < 1u << round % 8; i++)
            part[IDENTITY_END + random_below(&random, length)] ^= (uint8_t)(1u << random_below(&random, 8));
        const enum pz_status status = live(trial);
        assert_true(status == PZ_OK || status == PZ_STORAGE || status == PZ_INTERNAL);
        caught += status != PZ_OK;
    }
    assert_true(trial->disk.refused > 0);
    clear_scratch();
    trial_free(trial);
    return caught;
}

TEST(wrong_bits_of_a_checkpoint_do_not_keep_a_search_going)
{
    static const struct trial_question planes[] = {{"3x3", ENGINE_DENSE, KEEP_LEVELS, 0, 0},
                                                   {"3x3,metric:multi", ENGINE_DENSE, KEEP_LEVELS, 0, 0}};
    static const struct trial_question others[] = {{"3x3", ENGINE_STRIPED, KEEP_TABLE, 16, 0},
                                                   {"3x3", ENGINE_STRIPED, KEEP_LEVELS, 16, 0},
                                                   {"pancake:7", ENGINE_RANKED, KEEP_LEVELS, 0, 0},
                                                   {"hanoi:3,8", ENGINE_RANKED, KEEP_LEVELS, 0, 0}};
    for (unsigned i = 0; i < 2; i++)
        assert_true(check_wrong_bits(&planes[i], false, 15) > 0);
    for (unsigned i = 0; i < 4; i++)
        (void)check_wrong_bits(&others[i], false, 5);
    for (unsigned i = 0; i < 3; i++)
        (void)check_wrong_bits(&others[i], true, 5);
}

enum { NO_BEGIN, NO_PART, NO_ROOM, OBSTACLES };

static void check_obstacle(const struct trial_question *question, const struct trial *whole, int obstacle)
{
    struct trial *trial = kept_trial(question, 2, 0);
    trial->disk.fail_begin = obstacle == NO_BEGIN ? PZ_STORAGE_FULL : PZ_OK;
    trial->disk.fail_at = obstacle == NO_PART ? 0 : UINT64_MAX;
    trial->disk.fail_expect = obstacle == NO_ROOM ? PZ_STORAGE_FULL : PZ_OK;
    assert_ok(live(trial), trial->error);
    check_same(trial, whole);
    if (obstacle == NO_ROOM) { /* that is told, and each one is tried all the same */
        assert_int_equal(trial->disk.warned, 1);
        assert_true(trial->disk.saved > 0);
    } else {
        assert_int_equal(trial->disk.saved + trial->disk.warned, 0);
        assert_true(trial->disk.failed > 0);
    }
    trial_free(trial);
}

TEST(an_exploration_ends_well_where_no_checkpoint_can_be_written)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trial *whole = undisturbed(&engines[i]);
        for (int obstacle = 0; obstacle < OBSTACLES; obstacle++)
            check_obstacle(&engines[i], whole, obstacle);
        trial_free(whole);
    }
}

/* Nobody knows ahead that these jugs have few states. */
TEST(no_room_is_asked_for_where_the_number_of_states_is_not_known)
{
    static const struct trial_question jugs = {"jugs:30,50", ENGINE_STRIPED, KEEP_LEVELS, 0, 0};
    struct trial *trial = kept_trial(&jugs, 1, 0);
    trial->disk.fail_expect = PZ_STORAGE_FULL;
    assert_ok(live(trial), trial->error);
    assert_true(trial->result.complete);
    assert_int_equal(trial->disk.warned, 0);
    trial_free(trial);
}

TEST(a_stop_gives_up_a_checkpoint_that_it_has_no_time_for)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = kept_trial(&engines[i], 2, 0);
        trial->disk.calls.grace = -1;
        trial->disk.stop_in_begin = true;
        assert_int_equal(live(trial), PZ_CANCELLED);
        assert_int_equal(trial->disk.saved, 0);
        assert_int_equal(trial->disk.failed, 2); /* the current one, and the one that a stop leaves */
        assert_int_equal(trial->disk.kept.count, 0);
        trial_free(trial);
    }
}

/* A share of 1e-9: a second in 30 years. */
TEST(checkpoints_take_no_more_than_their_share_of_the_time)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = kept_trial(&engines[i], 1, 0);
        trial->disk.calls.share = 1e-9;
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.saved + trial->disk.failed, 0);
        trial_free(trial);
    }
}

static void note_phase(void *context, const struct progress *progress)
{
    struct trial *trial = context;
    assert_true(progress->done >= 0 && progress->done <= 1);
    trial->load_reports += strcmp(progress->phase, "load") == 0;
    trial->save_reports += strcmp(progress->phase, "save") == 0;
}

TEST(progress_says_when_a_checkpoint_is_written_or_read)
{
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = kept_trial(&engines[i], 2, 0);
        trial->control.report = note_phase;
        trial->control.context = trial;
        trial->disk.kill_after = 1;
        assert_int_equal(live(trial), PZ_CANCELLED);
        assert_true(trial->save_reports > 0);
        assert_int_equal(trial->load_reports, 0);
        trial->disk.calls.interval = 1000;
        assert_ok(live(trial), trial->error);
        assert_true(trial->load_reports > 0);
        trial_free(trial);
    }
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
