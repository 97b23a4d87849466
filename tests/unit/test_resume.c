/* SPDX-License-Identifier: MIT */
/* Explorations that are cut off, at every place where that can happen, and go on: they must end as if nothing
 * were. */
#include "test_support.h"

#include "base/random.h"
#include "explore/explore.h"
#include "space/registry.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A checkpoint in memory: the committed one, and the one being written. */
struct memory_checkpoint {
    struct bytes {
        uint8_t *at;
        size_t length;
    } * parts, *fresh;
    uint64_t count, fresh_count;
};

/* One exploration with all that happens to it. */
struct trial {
    struct pz_space *space;
    uint64_t root[PZ_STATE_MAX / 8];
    struct budget budget;
    struct control control;
    struct explore_checkpoint checkpoint;
    struct explore_request request;
    struct explore_result result;
    struct pz_error error;
    struct memory_checkpoint memory;
    /* all that the sink was told in this run, as bytes */
    uint8_t *told;
    size_t length, room;
    /* how the run is cut off */
    unsigned kill_after;   /* commits; 0 for never */
    unsigned told_levels;  /* in this run */
    unsigned begun_at;     /* told_levels when the checkpoint being written was begun; 0 for none */
    uint32_t stop_at;      /* level at which it is told to stop and to keep; UINT32_MAX for never */
    bool stop_in_open;     /* it is told so while its checkpoint is opened */
    bool cancel;           /* then without keeping */
    bool slow;             /* the disk is slower than the search, which has to wait for it */
    uint64_t damaged_part; /* that cannot be read; UINT64_MAX for none */
    enum pz_status fail_begin, fail_part, fail_expect;
    unsigned committed, saved, resumed, refused, failed, warned; /* over all runs */
    uint32_t resumed_level;
    /* what the thread beside the search and its owner share */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool writing; /* a checkpoint was begun and is neither committed nor given up; the lock guards it and
                     committed */
};

static void set_writing(struct trial *trial, bool writing)
{
    (void)pthread_mutex_lock(&trial->lock);
    trial->writing = writing;
    (void)pthread_cond_broadcast(&trial->changed);
    (void)pthread_mutex_unlock(&trial->lock);
}

/* The moment of a checkpoint comes at the end of the level in which it was begun, at the latest: a level
 * later nothing can keep it from being committed, and the search is made to wait for that, so that every
 * level is one to be cut off at. */
static void await_checkpoint(struct trial *trial)
{
    (void)pthread_mutex_lock(&trial->lock);
    if (trial->told_levels > trial->begun_at + 1)
        while (trial->writing)
            (void)pthread_cond_wait(&trial->changed, &trial->lock);
    bool unseen = trial->committed > trial->saved;
    (void)pthread_mutex_unlock(&trial->lock);
    if (unseen)
        (void)usleep(1000); /* the thread is about to end: levels are shorter than that */
}

/* ---- the checkpoint's store ---- */

static void clear_parts(struct bytes **parts, uint64_t *count)
{
    for (uint64_t i = 0; i < *count; i++)
        free((*parts)[i].at);
    free(*parts);
    *parts = NULL;
    *count = 0;
}

static enum pz_status expect(void *context, uint64_t bytes, struct pz_error *error)
{
    struct trial *trial = context;
    (void)bytes;
    return trial->fail_expect == PZ_OK ? PZ_OK : pz_fail(error, trial->fail_expect, "no room");
}

static enum pz_status begin(void *context, uint64_t bytes, struct pz_error *error)
{
    struct trial *trial = context;
    (void)bytes;
    if (trial->fail_begin != PZ_OK)
        return pz_fail(error, trial->fail_begin, "no room");
    trial->begun_at = trial->told_levels;
    set_writing(trial, true);
    return PZ_OK;
}

static enum pz_status part(void *context, const void *bytes, size_t length, struct pz_error *error)
{
    struct trial *trial = context;
    struct memory_checkpoint *memory = &trial->memory;
    if (trial->fail_part != PZ_OK)
        return pz_fail(error, trial->fail_part, "no room");
    if (length == 0 || length > EXPLORE_PART_MAX)
        return pz_fail(error, PZ_INTERNAL, "a part of %zu bytes", length);
    if (trial->slow)
        (void)usleep(1000);
    memory->fresh = realloc(memory->fresh, (memory->fresh_count + 1) * sizeof *memory->fresh);
    struct bytes *to = &memory->fresh[memory->fresh_count++];
    *to = (struct bytes){malloc(length), length};
    memcpy(to->at, bytes, length);
    return PZ_OK;
}

static void abort_fresh(void *context)
{
    struct trial *trial = context;
    clear_parts(&trial->memory.fresh, &trial->memory.fresh_count);
    set_writing(trial, false);
}

static enum pz_status commit(void *context, struct pz_error *error)
{
    struct trial *trial = context;
    struct memory_checkpoint *memory = &trial->memory;
    (void)error;
    clear_parts(&memory->parts, &memory->count);
    memory->parts = memory->fresh;
    memory->count = memory->fresh_count;
    memory->fresh = NULL;
    memory->fresh_count = 0;
    if (trial->kill_after > 0 && --trial->kill_after == 0)
        atomic_store(&trial->control.stop, true);
    (void)pthread_mutex_lock(&trial->lock);
    trial->committed++;
    (void)pthread_mutex_unlock(&trial->lock);
    set_writing(trial, false);
    return PZ_OK;
}

static enum pz_status open_parts(void *context, uint64_t *parts, struct pz_error *error)
{
    struct trial *trial = context;
    *parts = trial->memory.count;
    if (trial->stop_in_open) {
        atomic_store(&trial->control.keep, true);
        atomic_store(&trial->control.stop, true);
    }
    return *parts > 0 ? PZ_OK : pz_fail(error, PZ_NO_TABLE, "there is none");
}

static enum pz_status read_part(void *context, uint64_t number, const void **bytes, size_t *length,
                                struct pz_error *error)
{
    struct trial *trial = context;
    if (number >= trial->memory.count || number == trial->damaged_part)
        return pz_fail(error, PZ_STORAGE, "part %llu is damaged", (unsigned long long)number);
    *bytes = trial->memory.parts[number].at;
    *length = trial->memory.parts[number].length;
    return PZ_OK;
}

static void close_parts(void *context)
{
    (void)context;
}

static void on_note(void *context, const struct explore_checkpoint_news *news)
{
    struct trial *trial = context;
    trial->saved += news->event == CHECKPOINT_SAVED;
    trial->resumed += news->event == CHECKPOINT_RESUMED;
    trial->refused += news->event == CHECKPOINT_REFUSED;
    trial->failed += news->event == CHECKPOINT_FAILED;
    trial->warned += news->event == CHECKPOINT_SHORT;
    if (news->event == CHECKPOINT_RESUMED)
        trial->resumed_level = news->level;
}

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
    trial->told_levels++;
    await_checkpoint(trial);
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
    (void)pthread_mutex_init(&trial->lock, NULL);
    (void)pthread_cond_init(&trial->changed, NULL);
    trial->checkpoint = (struct explore_checkpoint){.context = trial,
                                                    .grace = 1000,
                                                    .expect = expect,
                                                    .begin = begin,
                                                    .part = part,
                                                    .commit = commit,
                                                    .abort = abort_fresh,
                                                    .open = open_parts,
                                                    .read = read_part,
                                                    .close = close_parts,
                                                    .note = on_note};
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
    trial->damaged_part = UINT64_MAX;
    return trial;
}

static void trial_free(struct trial *trial)
{
    assert_int_equal(atomic_load(&trial->budget.used), 0);
    clear_parts(&trial->memory.parts, &trial->memory.count);
    clear_parts(&trial->memory.fresh, &trial->memory.fresh_count);
    space_close(trial->space);
    (void)pthread_cond_destroy(&trial->changed);
    (void)pthread_mutex_destroy(&trial->lock);
    free(trial->told);
    free(trial);
}

/* One life of the process. */
static enum pz_status live(struct trial *trial)
{
    const struct explore_sink sink = {
        .context = trial, .level = on_level, .examples = on_examples, .run = on_run, .chunk = on_chunk};
    trial->length = 0;
    trial->told_levels = trial->begun_at = 0;
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
    trial->request.checkpoint = &trial->checkpoint;
    trial->slow = threads == 2;
    enum pz_status status = PZ_CANCELLED;
    unsigned lives = 0;
    for (; status == PZ_CANCELLED; lives++) {
        trial->kill_after = lives_commits;
        status = live(trial);
    }
    assert_ok(status, trial->error);
    check_same(trial, whole);
    assert_int_equal(trial->refused + trial->failed, 0);
    assert_true(lives > 1);
    assert_int_equal(trial->resumed, lives - 1);
    trial_free(trial);
}

static void check_every_kill(const struct question *question, unsigned lives_commits)
{
    struct trial *whole = undisturbed(question);
    for (unsigned i = 0; i < 3; i++)
        check_kills(question, whole, thread_counts[i], lives_commits);
    trial_free(whole);
}

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
        check_every_kill(&questions[i], 1);
    const struct question large = {"slide", "2x5", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
#ifdef PUZZLED_SANITIZED
    check_every_kill(&large, 10);
#else
    check_every_kill(&large, 1);
#endif
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
        check_every_kill(&questions[i], 1);
    /* in hash sets: all levels kept, and three */
    const struct question klotski = {"klotski", "横刀立马", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    const struct question klotski_stripes = {"klotski", "横刀立马", ENGINE_STRIPED, KEEP_TABLE, 60, 64};
    const struct question klotski_levels = {"klotski", "横刀立马", ENGINE_STRIPED, KEEP_LEVELS, 60, 64};
    check_every_kill(&klotski_stripes, 3);
    check_every_kill(&klotski_levels, 3);
#ifdef PUZZLED_SANITIZED
    check_every_kill(&klotski, 10);
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
        trial->request.checkpoint = &trial->checkpoint;
        trial->checkpoint.interval = 0.05 + 0.03 * i;
        trial->slow = i == 1;
        enum pz_status status = PZ_CANCELLED;
        while (status == PZ_CANCELLED) {
            trial->kill_after = trial->resumed < 15 ? 1 + trial->resumed % 3 : 0;
            trial->checkpoint.interval += trial->resumed < 15 ? 0 : 1;
            status = live(trial);
        }
        assert_ok(status, trial->error);
        check_same(trial, whole);
        assert_true(trial->resumed > 0);
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
        trial->request.checkpoint = &trial->checkpoint;
        trial->checkpoint.interval = 1000; /* none but for the stops */
        uint32_t level = 0;
        for (level = 0; level + 1 < whole->result.depth; level += step) {
            trial->stop_at = level;
            assert_int_equal(live(trial), PZ_CANCELLED);
            assert_int_equal(trial->saved, level / step + 1);
            assert_int_equal(trial->resumed, level / step);
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
        check_stops(&questions[i], 3);
}

static void a_cancelled_exploration_leaves_none(void **state)
{
    const struct question questions[] = {{"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
                                         {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0}};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = trial_new(&questions[i], 2);
        trial->request.checkpoint = &trial->checkpoint;
        trial->checkpoint.interval = 1000;
        trial->stop_at = 10;
        trial->cancel = true;
        assert_int_equal(live(trial), PZ_CANCELLED);
        assert_int_equal(trial->saved + trial->failed, 0);
        assert_int_equal(trial->memory.count, 0);
        trial_free(trial);
    }
}

/* The good checkpoint must not make way for one of the beginning. */
static void a_stop_while_a_checkpoint_is_read_leaves_it_as_it_is(void **state)
{
    const struct question questions[] = {{"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
                                         {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0}};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trial *whole = undisturbed(&questions[i]);
        struct trial *trial = trial_new(&questions[i], 2);
        trial->request.checkpoint = &trial->checkpoint;
        trial->checkpoint.interval = 1000;
        trial->stop_at = 15;
        assert_int_equal(live(trial), PZ_CANCELLED);
        trial->stop_in_open = true;
        assert_int_equal(live(trial), PZ_CANCELLED);
        assert_int_equal(trial->saved, 1);
        trial->stop_in_open = false;
        trial->stop_at = UINT32_MAX;
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->resumed, 1);
        assert_true(trial->resumed_level >= 15);
        check_same(trial, whole);
        trial_free(trial);
        trial_free(whole);
    }
}

/* Leaves a checkpoint at level 15, lets spoil do something to it, and runs again. */
static void check_refused(const struct question *question, void (*spoil)(struct trial *trial))
{
    struct trial *whole = undisturbed(question);
    struct trial *trial = trial_new(question, 2);
    trial->request.checkpoint = &trial->checkpoint;
    trial->checkpoint.interval = 1000;
    trial->stop_at = 15;
    assert_int_equal(live(trial), PZ_CANCELLED);
    assert_int_equal(trial->saved, 1);
    trial->stop_at = UINT32_MAX;
    uint64_t seed = trial->request.seed;
    spoil(trial);
    assert_ok(live(trial), trial->error);
    assert_int_equal(trial->refused, 1);
    assert_int_equal(trial->resumed, 0);
    if (trial->request.seed == seed)
        check_same(trial, whole);
    assert_int_equal(trial->result.states, whole->result.states);
    trial_free(trial);
    trial_free(whole);
}

static void damage_last_part(struct trial *trial)
{
    trial->damaged_part = trial->memory.count - 1;
}

static void lose_the_end(struct trial *trial)
{
    trial->memory.parts[trial->memory.count - 1].length -= 9;
}

static void lose_nearly_all(struct trial *trial)
{
    trial->memory.parts[0].length = 20;
}

static void change_a_number(struct trial *trial)
{
    /* near the end, where there are states and planes */
    struct bytes *last = &trial->memory.parts[trial->memory.count - 1];
    memset(last->at + last->length - 9, 0xFF, 9);
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
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        for (unsigned k = 0; k < sizeof spoils / sizeof spoils[0]; k++)
            check_refused(&questions[i], spoils[k]);
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
    trial->request.checkpoint = &trial->checkpoint;
    trial->checkpoint.interval = 1000;
    trial->stop_at = 15;
    assert_int_equal(live(trial), PZ_CANCELLED);
    trial->stop_at = UINT32_MAX;
    assert_true(trial->memory.count > 2); /* the planes, what was told, the head */
    struct bytes *planes = &trial->memory.parts[0];
    uint8_t *good = malloc(planes->length);
    assert_non_null(good);
    memcpy(good, planes->at, planes->length);
    for (unsigned round = 0; round < 300; round++) {
        memcpy(planes->at, good, planes->length);
        for (unsigned i = 0; i < 1u << round % 8; i++)
            planes->at[random_below(&random, planes->length)] ^= (uint8_t)(1u << random_below(&random, 8));
        enum pz_status status = live(trial);
        assert_true(status == PZ_OK || status == PZ_STORAGE);
        caught += status == PZ_STORAGE;
    }
    assert_true(caught > 0);
    assert_true(trial->refused > 0);
    free(good);
    trial_free(trial);
}

enum { NO_BEGIN, NO_PART, NO_ROOM, OBSTACLES };

/* Returns how often it was said that a checkpoint could not be written. */
static unsigned explore_with_obstacle(const struct question *question, const struct trial *whole,
                                      int obstacle)
{
    struct trial *trial = trial_new(question, 2);
    bool striped = question->engine == ENGINE_STRIPED;
    trial->request.checkpoint = &trial->checkpoint;
    trial->fail_begin = obstacle == NO_BEGIN ? PZ_STORAGE_FULL : PZ_OK;
    trial->fail_part = obstacle == NO_PART ? PZ_STORAGE_FULL : PZ_OK;
    trial->fail_expect = obstacle == NO_ROOM ? PZ_STORAGE_FULL : PZ_OK;
    assert_ok(live(trial), trial->error);
    check_same(trial, whole);
    if (obstacle != NO_ROOM || !striped) /* which does not know ahead what it needs */
        assert_int_equal(trial->saved, 0);
    assert_int_equal(trial->warned, obstacle == NO_ROOM && striped);
    unsigned failed = trial->failed;
    trial_free(trial);
    return failed;
}

static void an_exploration_ends_well_where_no_checkpoint_can_be_written(void **state)
{
    static const struct question questions[] = {
        {"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
        {"slide", "3x3", ENGINE_STRIPED, KEEP_TABLE, EXPLORE_NO_LIMIT, 0},
    };
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct trial *whole = undisturbed(&questions[i]);
        for (int obstacle = 0; obstacle < OBSTACLES; obstacle++) {
            bool told = obstacle != NO_ROOM || questions[i].engine == ENGINE_DENSE;
            unsigned failed = explore_with_obstacle(&questions[i], whole, obstacle);
            /* On a busy machine the search may end before the thread beside it has tried to write. */
            for (int again = 0; told && failed == 0 && again < 100; again++)
                failed = explore_with_obstacle(&questions[i], whole, obstacle);
            assert_true(!told || failed > 0);
        }
        trial_free(whole);
    }
}

static void checkpoints_take_no_more_than_their_share_of_the_time(void **state)
{
    const struct question question = {"slide", "3x3", ENGINE_DENSE, KEEP_TABLE, EXPLORE_NO_LIMIT, 0};
    (void)state;
    struct trial *trial = trial_new(&question, 1);
    trial->request.checkpoint = &trial->checkpoint;
    trial->checkpoint.share = 1e-9; /* a second of them in 30 years */
    assert_ok(live(trial), trial->error);
    assert_true(trial->saved <= 1);
    trial_free(trial);
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
        cmocka_unit_test(checkpoints_take_no_more_than_their_share_of_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
