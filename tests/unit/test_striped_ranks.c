/* SPDX-License-Identifier: MIT */
/* The striped engine over several ranks: what one process finds, whatever their number; a rank that fails. */
#include "ranks_in_threads.h"

#include "explore/explore.h"
#include "space/registry.h"

enum {
    LEVELS_MAX = 200,
    FEW_STRIPES = 256 /* as few as layers can have: each costs a little on every level */
};

/* An exploration by one rank, and what its sink heard. */
struct run {
    const struct pz_space *space;
    const struct exchange *exchange;
    uint32_t depth;
    unsigned threads, stripes;
    uint64_t memory;
    struct control control;
    uint32_t fail_at, cancel_at;                       /* levels; 0 for none */
    uint64_t levels[LEVELS_MAX], examples[LEVELS_MAX]; /* counts; a hash of the states, in order */
    unsigned level_count;
    struct explore_result result;
    enum pz_status status;
    struct pz_error error;
};

static enum pz_status hear_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct run *run = context;
    if (run->cancel_at > 0 && level == run->cancel_at)
        atomic_store_explicit(&run->control.stop, true, memory_order_relaxed);
    if (run->fail_at > 0 && level == run->fail_at)
        return pz_fail(error, PZ_STORAGE, "the sink is full");
    if (level == run->level_count && level < LEVELS_MAX)
        run->levels[run->level_count++] = states;
    return PZ_OK;
}

static enum pz_status hear_examples(void *context, uint32_t level, const void *states, unsigned count,
                                    struct pz_error *error)
{
    (void)error;
    struct run *run = context;
    const uint64_t *words = states;
    for (unsigned i = 0; level < LEVELS_MAX && i < count * (run->space->state_bytes / 8); i++)
        run->examples[level] = run->examples[level] * 31 + words[i];
    return PZ_OK;
}

static void *explore(void *context)
{
    struct run *run = context;
    uint64_t root[4] = {0};
    struct budget budget;
    budget_init(&budget, NULL, run->memory);
    run->status = run->space->puzzle->root(run->space, root, &run->error);
    struct explore_request request = {.space = run->space,
                                      .root = root,
                                      .depth = run->depth,
                                      .threads = run->threads,
                                      .keep = KEEP_LEVELS,
                                      .budget = &budget,
                                      .engine = ENGINE_STRIPED,
                                      .seed = 42,
                                      .stripes = run->exchange != NULL ? run->stripes : 0,
                                      .exchange = run->exchange};
    struct explore_sink sink = {.context = run, .level = hear_level, .examples = hear_examples};
    if (run->status == PZ_OK)
        run->status = explore_run(&request, &run->control, &sink, &run->result, &run->error);
    return NULL;
}

/* Some ranks, with the same question. */
struct trial {
    struct pz_space *space;
    struct hub *hub;
    struct run runs[RANKS_MAX];
};

static struct trial *trial_new(const char *puzzle, uint32_t depth, unsigned ranks, unsigned threads)
{
    struct trial *trial = calloc(1, sizeof *trial);
    struct pz_setup setup = {0};
    struct pz_error error;
    assert_non_null(trial);
    assert_ok(space_open(puzzle, &setup, &trial->space, &error), error);
    trial->hub = hub_new(ranks);
    for (unsigned i = 0; i < ranks; i++)
        trial->runs[i] = (struct run){.space = trial->space,
                                      .exchange = ranks > 1 ? &trial->hub->ranks[i].exchange : NULL,
                                      .depth = depth,
                                      .threads = threads,
                                      .stripes = FEW_STRIPES,
                                      .memory = 1ull << 30};
    return trial;
}

static void trial_run(struct trial *trial)
{
    pthread_t threads[RANKS_MAX];
    for (unsigned i = 0; i < trial->hub->count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, explore, &trial->runs[i]), 0);
    for (unsigned i = 0; i < trial->hub->count; i++)
        (void)pthread_join(threads[i], NULL);
}

static void trial_free(struct trial *trial)
{
    assert_true(hub_free(trial->hub));
    space_close(trial->space);
    free(trial);
}

static void check_same(const struct run *alone, const struct run *rank)
{
    assert_ok(rank->status, rank->error);
    assert_int_equal(rank->level_count, alone->level_count);
    for (unsigned level = 0; level < alone->level_count; level++) {
        assert_int_equal(rank->levels[level], alone->levels[level]);
        assert_int_equal(rank->examples[level], alone->examples[level]);
    }
    assert_int_equal(rank->result.states, alone->result.states);
    assert_int_equal(rank->result.depth, alone->result.depth);
    assert_int_equal(rank->result.complete, alone->result.complete);
    assert_int_equal(rank->result.outcome, alone->result.outcome);
    assert_int_equal(rank->result.reason, alone->result.reason);
}

/* Every rank hears what one process finds. */
static void check_ranks(const char *puzzle, uint32_t depth)
{
    static const unsigned ranks[] = {2, 3, 4, 7};
    struct trial *alone = trial_new(puzzle, depth, 1, 1);
    trial_run(alone);
    assert_ok(alone->runs[0].status, alone->runs[0].error);
    for (unsigned i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        struct trial *trial = trial_new(puzzle, depth, ranks[i], 1 + i % 2);
        trial_run(trial);
        for (unsigned rank = 0; rank < ranks[i]; rank++)
            check_same(&alone->runs[0], &trial->runs[rank]);
        trial_free(trial);
    }
    trial_free(alone);
}

static void ranks_find_the_levels_and_examples_of_one_process(void **state)
{
    (void)state;
    check_ranks("2x2", EXPLORE_NO_LIMIT);
    check_ranks("2x4", EXPLORE_NO_LIMIT);
    check_ranks("4x4", 14);
}

static void ranks_find_the_published_levels(void **state)
{
    (void)state;
    uint64_t counts[LEVELS_MAX];
    unsigned levels = test_data_levels("3x3", counts, LEVELS_MAX);
    struct trial *trial = trial_new("3x3", EXPLORE_NO_LIMIT, 3, 2);
    for (unsigned rank = 0; rank < 3; rank++)
        trial->runs[rank].stripes = 0; /* the engine's choice */
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_ok(trial->runs[rank].status, trial->runs[rank].error);
        assert_int_equal(trial->runs[rank].level_count, levels);
        assert_memory_equal(trial->runs[rank].levels, counts, levels * sizeof *counts);
        assert_true(trial->runs[rank].result.complete);
    }
    trial_free(trial);
}

static void spaces_without_layers_have_ranks_too(void **state)
{
    (void)state;
    check_ranks("jugs:7,11,13,17", EXPLORE_NO_LIMIT);
    check_ranks("klotski:横刀立马", 40);
}

static void a_rank_without_memory_ends_all_before_they_begin(void **state)
{
    (void)state;
    struct trial *trial = trial_new("3x3", EXPLORE_NO_LIMIT, 3, 1);
    trial->runs[1].memory = 1000;
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(trial->runs[rank].status, PZ_TOO_LARGE);
        assert_non_null(strstr(trial->runs[rank].error.text, "rank 1: the memory limit"));
        assert_int_equal(trial->runs[rank].level_count, 0);
    }
    trial_free(trial);
}

static void ranks_stop_at_one_level_when_the_memory_of_one_ends(void **state)
{
    (void)state;
    struct trial *trial = trial_new("4x4", EXPLORE_NO_LIMIT, 3, 1);
    trial->runs[2].memory = 6 << 20;
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        const struct run *run = &trial->runs[rank];
        assert_ok(run->status, run->error);
        assert_int_equal(run->result.outcome, OUTCOME_STOPPED);
        assert_int_equal(run->result.reason, STOP_MEMORY);
        assert_in_range(run->result.depth, 8, 30);
        assert_int_equal(run->result.depth, trial->runs[0].result.depth);
        assert_int_equal(run->level_count, run->result.depth + 1);
    }
    trial_free(trial);
}

static void a_sink_that_fails_ends_all_ranks_with_its_words(void **state)
{
    (void)state;
    struct trial *trial = trial_new("3x3", EXPLORE_NO_LIMIT, 3, 1);
    trial->runs[2].fail_at = 9;
    trial_run(trial);
    for (unsigned rank = 0; rank < 3; rank++) {
        assert_int_equal(trial->runs[rank].status, PZ_STORAGE);
        assert_string_equal(trial->runs[rank].error.text, "rank 2: the sink is full");
    }
    trial_free(trial);
}

static void a_rank_that_is_cancelled_cancels_all(void **state)
{
    (void)state;
    struct trial *trial = trial_new("4x4", EXPLORE_NO_LIMIT, 4, 2);
    trial->runs[3].cancel_at = 12;
    trial_run(trial);
    for (unsigned rank = 0; rank < 4; rank++)
        assert_int_equal(trial->runs[rank].status, PZ_CANCELLED);
    trial_free(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_find_the_levels_and_examples_of_one_process),
        cmocka_unit_test(ranks_find_the_published_levels),
        cmocka_unit_test(spaces_without_layers_have_ranks_too),
        cmocka_unit_test(a_rank_without_memory_ends_all_before_they_begin),
        cmocka_unit_test(ranks_stop_at_one_level_when_the_memory_of_one_ends),
        cmocka_unit_test(a_sink_that_fails_ends_all_ranks_with_its_words),
        cmocka_unit_test(a_rank_that_is_cancelled_cancels_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
