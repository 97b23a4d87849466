/* SPDX-License-Identifier: MIT */
/* Explorations that are cut off, at every place where that can happen, and go on: they must end as if nothing
 * were. */
#include "test_support.h"

#include "base/random.h"
#include "checkpoint_disk.h"
#include "explore/explore.h"
#include "space/registry.h"

#include <stdlib.h>
#include <string.h>

/* One exploration with all that happens to it. */
struct trial {
    struct pz_space *space;
    uint64_t root[PZ_STATE_MAX / 8];
    struct budget budget;
    struct control control;
    struct disk disk;
    struct explore_request request;
    struct explore_result result;
    struct pz_error error;
    /* all that the sink was handed in this run, as bytes */
    uint8_t *told;
    size_t length, room;
    uint32_t stop_at; /* level at which it is told to stop and to keep; UINT32_MAX for never */
    bool cancel;      /* then without keeping */
    unsigned load_reports, save_reports;
};

/* ---- the sink ---- */

static enum pz_status tell(struct trial *trial, const void *bytes, size_t length)
{
    if (trial->room - trial->length < length) {
        trial->room = 2 * (trial->length + length);
        trial->told = realloc(trial->told, trial->room);
    }
    memcpy(trial->told + trial->length, bytes, length);
    trial->length += length;
    return PZ_OK;
}

static enum pz_status on_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct trial *trial = context;
    const uint64_t words[] = {0, level, states};
    (void)error;
    if (level == trial->stop_at) {
        atomic_store(&trial->control.keep, !trial->cancel);
        atomic_store(&trial->control.stop, true);
    }
    return tell(trial, words, sizeof words);
}

static enum pz_status on_examples(void *context, uint32_t level, const void *states, unsigned count,
                                  struct pz_error *error)
{
    struct trial *trial = context;
    const uint64_t words[] = {1, level, count};
    (void)error;
    (void)tell(trial, words, sizeof words);
    return tell(trial, states, (size_t)count * trial->space->state_bytes);
}

static enum pz_status on_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct trial *trial = context;
    (void)error;
    (void)tell(trial, run->keys, run->count * run->key_words * sizeof *run->keys);
    return tell(trial, run->distances, run->count * sizeof *run->distances);
}

static enum pz_status on_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                               struct pz_error *error)
{
    (void)error;
    (void)number;
    return tell(context, bytes, length);
}

/* ---- trials ---- */

struct question {
    const char *puzzle, *size;
    enum engine engine;
    enum keep keep;
    uint32_t depth;
    unsigned stripes;
};

static const struct question engines[] = {{"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
                                          {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0}};

static struct trial *trial_new(const struct question *question, unsigned threads)
{
    struct trial *trial = calloc(1, sizeof *trial);
    char name[64];
    const struct pz_setup setup = {0};
    (void)snprintf(name, sizeof name, "%s%s%s", question->puzzle, question->size[0] != '\0' ? ":" : "",
                   question->size);
    assert_ok(space_open(name, &setup, &trial->space, &trial->error), trial->error);
    assert_ok(trial->space->puzzle->root(trial->space, trial->root, &trial->error), trial->error);
    budget_init(&trial->budget, NULL, UINT64_MAX / 2);
    disk_init(&trial->disk);
    trial->disk.control = &trial->control;
    trial->request = (struct explore_request){.space = trial->space,
                                              .root = trial->root,
                                              .depth = question->depth,
                                              .threads = threads,
                                              .budget = &trial->budget,
                                              .engine = question->engine,
                                              .keep = question->keep,
                                              .stripes = question->stripes,
                                              .seed = 7};
    trial->stop_at = UINT32_MAX;
    return trial;
}

static void trial_free(struct trial *trial)
{
    assert_int_equal(atomic_load(&trial->budget.used), 0);
    disk_clear(&trial->disk);
    space_close(trial->space);
    free(trial->told);
    free(trial);
}

/* One life of the process. */
static enum pz_status live(struct trial *trial)
{
    const struct explore_sink sink = {
        .context = trial, .level = on_level, .examples = on_examples, .run = on_run, .chunk = on_chunk};
    trial->length = 0;
    atomic_store(&trial->control.stop, false);
    atomic_store(&trial->control.keep, false);
    return explore_run(&trial->request, &trial->control, &sink, &trial->result, &trial->error);
}

static struct trial *undisturbed(const struct question *question)
{
    struct trial *trial = trial_new(question, 2);
    assert_ok(live(trial), trial->error);
    return trial;
}

static void check_same(const struct trial *trial, const struct trial *whole)
{
    assert_int_equal(trial->result.states, whole->result.states);
    assert_int_equal(trial->result.depth, whole->result.depth);
    assert_int_equal(trial->result.complete, whole->result.complete);
    assert_int_equal(trial->result.reason, whole->result.reason);
    assert_int_equal(trial->length, whole->length);
    assert_memory_equal(trial->told, whole->told, whole->length);
}

static const unsigned thread_counts[] = {1, 2, 8};

/* Dies after every so many checkpoints until it has got through. */
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
    for (unsigned i = 0; i < 3; i++)
        check_kills(question, whole, thread_counts[i], lives_commits);
    trial_free(whole);
}

/* Under the sanitizers fewer lives and rounds. */
#ifdef PUZZLED_SANITIZED
enum { LONGER_LIVES = 4, STOP_STEP = 9, ROUNDS = 60, KLOTSKI_DEPTH = 40 };
#else
enum { LONGER_LIVES = 1, STOP_STEP = 3, ROUNDS = 300, KLOTSKI_DEPTH = 60 };
#endif

static void a_dense_exploration_goes_on_from_every_checkpoint(void **state)
{
    static const struct question questions[] = {
        {"slide", "2x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_DENSE, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_DENSE, KEEP_LEVELS, 20, 0},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_every_kill(&questions[i], LONGER_LIVES);
    const struct question large = {"slide", "2x5", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    check_every_kill(&large, 3 * LONGER_LIVES);
}

static void a_striped_exploration_goes_on_from_every_checkpoint(void **state)
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
    (void)state;
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_every_kill(&questions[i], LONGER_LIVES);
    /* in hash sets: all levels kept, and three */
    const struct question klotski = {"klotski", "横刀立马", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    const struct question klotski_stripes = {"klotski",  "横刀立马",    ENGINE_STRIPED,
                                             KEEP_TABLE, KLOTSKI_DEPTH, 64};
    const struct question klotski_levels = {"klotski",   "横刀立马",    ENGINE_STRIPED,
                                            KEEP_LEVELS, KLOTSKI_DEPTH, 64};
    check_every_kill(&klotski_stripes, 3 * LONGER_LIVES);
    check_every_kill(&klotski_levels, 3 * LONGER_LIVES);
#ifdef PUZZLED_SANITIZED
    check_every_kill(&klotski, 40);
#else
    const struct question large = {"slide", "2x5", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    const struct question narrow = {"slide", "2x5", ENGINE_STRIPED, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0};
    check_every_kill(&klotski, 7);
    check_every_kill(&large, 5);
    check_every_kill(&narrow, 5);
#endif
}

static void a_large_dense_exploration_goes_on_from_the_middle_of_levels(void **state)
{
#ifdef PUZZLED_SANITIZED
    (void)state;
    skip();
#else
    const struct question question = {"slide", "3x4", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    struct trial *whole = undisturbed(&question);
    (void)state;
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
    for (unsigned i = 0; i < 3; i++) {
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

static void an_orderly_stop_leaves_a_checkpoint_at_any_level(void **state)
{
    static const struct question questions[] = {
        {"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_STRIPED, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_stops(&questions[i], STOP_STEP);
}

static void a_cancelled_exploration_leaves_none(void **state)
{
    (void)state;
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

/* The good checkpoint must not make way for one of the beginning. */
static void a_stop_while_a_checkpoint_is_read_leaves_it_as_it_is(void **state)
{
    (void)state;
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

/* Leaves a checkpoint at level 15, lets spoil do something to it, and runs again. */
static void check_refused(const struct question *question, const struct trial *whole,
                          void (*spoil)(struct trial *trial))
{
    struct trial *trial = trial_new(question, 2);
    trial->request.checkpoint = &trial->disk.calls;
    trial->disk.calls.interval = 1000;
    trial->stop_at = 15;
    assert_int_equal(live(trial), PZ_CANCELLED);
    assert_int_equal(trial->disk.saved, 1);
    trial->stop_at = UINT32_MAX;
    uint64_t seed = trial->request.seed;
    spoil(trial);
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

static void a_damaged_or_foreign_checkpoint_is_refused_and_the_run_begins_anew(void **state)
{
    static void (*const spoils[])(struct trial *) = {damage_last_part, lose_the_end, lose_nearly_all,
                                                     change_a_number, ask_something_else};
    static const struct question questions[] = {
        {"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_STRIPED, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        struct trial *whole = undisturbed(&questions[i]);
        for (unsigned k = 0; k < sizeof spoils / sizeof spoils[0]; k++)
            check_refused(&questions[i], whole, spoils[k]);
        trial_free(whole);
    }
}

/* As if its seal were right: the run begins anew, or ends, in an error where its levels would otherwise
 * never. */
static void wrong_bits_of_planes_do_not_keep_a_search_going(void **state)
{
    const struct question question = {"slide", "3x3", ENGINE_DENSE, KEEP_LEVELS, EXPLORE_NO_LIMIT, 0};
    struct random random = {.state = 1};
    struct trial *trial = trial_new(&question, 1);
    unsigned caught = 0;
    (void)state;
    trial->request.checkpoint = &trial->disk.calls;
    trial->disk.calls.interval = 1000;
    trial->stop_at = 15;
    assert_int_equal(live(trial), PZ_CANCELLED);
    trial->stop_at = UINT32_MAX;
    uint8_t *part = trial->disk.kept.part[0];
    size_t length = trial->disk.kept.length[0];
    uint8_t *good = malloc(length);
    assert_non_null(good);
    memcpy(good, part, length);
    for (unsigned round = 0; round < ROUNDS; round++) {
        memcpy(part, good, length);
        for (unsigned i = 0; i < 1u << round % 8; i++)
            part[random_below(&random, length)] ^= (uint8_t)(1u << random_below(&random, 8));
        enum pz_status status = live(trial);
        assert_true(status == PZ_OK || status == PZ_STORAGE);
        caught += status == PZ_STORAGE;
    }
    assert_true(caught > 0);
    assert_true(trial->disk.refused > 0);
    free(good);
    trial_free(trial);
}

enum { NO_BEGIN, NO_PART, NO_ROOM, OBSTACLES };

static void check_obstacle(const struct question *question, const struct trial *whole, int obstacle)
{
    struct trial *trial = trial_new(question, 2);
    trial->request.checkpoint = &trial->disk.calls;
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

static void an_exploration_ends_well_where_no_checkpoint_can_be_written(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trial *whole = undisturbed(&engines[i]);
        for (int obstacle = 0; obstacle < OBSTACLES; obstacle++)
            check_obstacle(&engines[i], whole, obstacle);
        trial_free(whole);
    }
}

static void a_stop_gives_up_a_checkpoint_that_it_has_no_time_for(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = trial_new(&engines[i], 2);
        trial->request.checkpoint = &trial->disk.calls;
        trial->disk.calls.grace = -1;
        trial->disk.stop_in_begin = true;
        assert_int_equal(live(trial), PZ_CANCELLED);
        assert_int_equal(trial->disk.saved, 0);
        assert_int_equal(trial->disk.failed, 2); /* the one at hand, and the one that a stop leaves */
        assert_int_equal(trial->disk.kept.count, 0);
        trial_free(trial);
    }
}

/* A share of 1e-9: a second in 30 years. */
static void checkpoints_take_no_more_than_their_share_of_the_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = trial_new(&engines[i], 1);
        trial->request.checkpoint = &trial->disk.calls;
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

static void progress_says_when_a_checkpoint_is_written_or_read(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = trial_new(&engines[i], 2);
        trial->request.checkpoint = &trial->disk.calls;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dense_exploration_goes_on_from_every_checkpoint),
        cmocka_unit_test(a_striped_exploration_goes_on_from_every_checkpoint),
        cmocka_unit_test(a_large_dense_exploration_goes_on_from_the_middle_of_levels),
        cmocka_unit_test(an_orderly_stop_leaves_a_checkpoint_at_any_level),
        cmocka_unit_test(a_cancelled_exploration_leaves_none),
        cmocka_unit_test(a_stop_while_a_checkpoint_is_read_leaves_it_as_it_is),
        cmocka_unit_test(a_damaged_or_foreign_checkpoint_is_refused_and_the_run_begins_anew),
        cmocka_unit_test(wrong_bits_of_planes_do_not_keep_a_search_going),
        cmocka_unit_test(an_exploration_ends_well_where_no_checkpoint_can_be_written),
        cmocka_unit_test(a_stop_gives_up_a_checkpoint_that_it_has_no_time_for),
        cmocka_unit_test(checkpoints_take_no_more_than_their_share_of_the_time),
        cmocka_unit_test(progress_says_when_a_checkpoint_is_written_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
