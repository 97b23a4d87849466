/* SPDX-License-Identifier: MIT */
/* Explorations by several ranks, which are threads of this process, with what each of them found. */
#ifndef RANKS_TRIAL_H
#define RANKS_TRIAL_H

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
    enum engine engine;
    unsigned threads, stripes;
    enum explore_planes planes;
    const char *scratch;
    const struct explore_checkpoint *checkpoint;
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
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct budget budget;
    budget_init(&budget, NULL, run->memory);
    run->status = run->space->puzzle->root(run->space, root, &run->error);
    struct explore_request request = {.space = run->space,
                                      .root = root,
                                      .depth = run->depth,
                                      .threads = run->threads,
                                      .keep = KEEP_LEVELS,
                                      .budget = &budget,
                                      .engine = run->engine,
                                      .planes = run->planes,
                                      .scratch = run->scratch,
                                      .checkpoint = run->checkpoint,
                                      .seed = 42,
                                      .striped.stripes = run->exchange != NULL ? run->stripes : 0,
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

static struct trial *trial_new(enum engine engine, const char *puzzle, uint32_t depth, unsigned ranks,
                               unsigned threads)
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
                                      .engine = engine,
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

#endif
