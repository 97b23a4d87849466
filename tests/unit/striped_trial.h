/* SPDX-License-Identifier: MIT */
/* One exploration by the striped engine, and everything that its sink was given. */
#ifndef STRIPED_TRIAL_H
#define STRIPED_TRIAL_H

#include "some_space.h"

#include "explore/explore.h"
#include "explore/key/mix.h"
#include "space/registry.h"
#include "space/slide/slide.h"

enum { LEVELS_MAX = 700 };

/* Everything that a sink was given. */
struct heard {
    struct explore_plan plan;
    unsigned begun;
    uint64_t levels[LEVELS_MAX];
    uint32_t level_count;
    uint64_t example_sum[LEVELS_MAX]; /* of all examples of the level, order included */
    unsigned examples[LEVELS_MAX];
    uint64_t run_states[LEVELS_MAX]; /* by distance, from the runs */
    uint64_t last_key[4];
    bool any_run;
    bool out_of_order; /* levels or keys */
    uint32_t fail_at_level;
};

static inline enum pz_status hear_begin(void *context, const struct explore_plan *plan,
                                        struct pz_error *error)
{
    (void)error;
    struct heard *heard = context;
    heard->plan = *plan;
    heard->begun++;
    return PZ_OK;
}

static inline enum pz_status hear_level(void *context, uint32_t level, uint64_t states,
                                        struct pz_error *error)
{
    struct heard *heard = context;
    if (level == heard->fail_at_level && level > 0)
        return pz_fail(error, PZ_STORAGE, "the sink is full");
    if (level != heard->level_count || level >= LEVELS_MAX)
        heard->out_of_order = true;
    else
        heard->levels[heard->level_count++] = states;
    return PZ_OK;
}

static inline enum pz_status hear_examples(void *context, uint32_t level, const void *states, unsigned count,
                                           struct pz_error *error)
{
    (void)error;
    struct heard *heard = context;
    if (level + 1 != heard->level_count)
        heard->out_of_order = true;
    const uint64_t *words = states;
    for (unsigned i = 0; i < count * (heard->plan.state_bytes / 8); i++)
        heard->example_sum[level] = heard->example_sum[level] * 31 + words[i];
    heard->examples[level] += count;
    return PZ_OK;
}

static inline enum pz_status hear_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    (void)error;
    struct heard *heard = context;
    for (size_t i = 0; i < run->count; i++) {
        const uint64_t *key = run->keys + i * run->key_words;
        int order = 0;
        for (unsigned w = 0; w < run->key_words && order == 0; w++)
            order = key[w] == heard->last_key[w] ? 0 : key[w] > heard->last_key[w] ? 1 : -1;
        if (heard->any_run && order <= 0)
            heard->out_of_order = true;
        heard->any_run = true;
        memcpy(heard->last_key, key, run->key_words * sizeof *key);
        if (run->distances[i] < LEVELS_MAX)
            heard->run_states[run->distances[i]]++;
        else
            heard->out_of_order = true;
    }
    return PZ_OK;
}

/* One exploration, and all there is to know about it. */
struct trial {
    const char *puzzle;
    const char *start; /* NULL: the default root */
    uint32_t depth;
    unsigned threads, stripes;
    enum keep keep;
    enum explore_from from;
    uint64_t memory;
    struct control control;
    struct heard heard;
    struct explore_result result;
    struct pz_error error;
    struct budget budget;
};

static inline struct trial *trial_new(const char *puzzle)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    trial->puzzle = puzzle;
    trial->depth = EXPLORE_NO_LIMIT;
    trial->threads = 2;
    trial->memory = 1ull << 30;
    return trial;
}

static inline enum pz_status trial_run(struct trial *trial)
{
    struct pz_space *space = NULL;
    struct pz_setup setup = {.start = trial->start};
    assert_int_equal(space_open(trial->puzzle, &setup, &space, &trial->error), PZ_OK);
    uint64_t root[4] = {0};
    if (trial->start != NULL)
        parse_state(space, trial->start, root);
    else
        assert_int_equal(space->puzzle->root(space, root, &trial->error), PZ_OK);
    budget_init(&trial->budget, NULL, trial->memory);
    struct explore_request request = {
        .space = space,
        .root = root,
        .depth = trial->depth,
        .threads = trial->threads,
        .striped.stripes = trial->stripes,
        .keep = trial->keep,
        .from = trial->from,
        .budget = &trial->budget,
        .engine = ENGINE_STRIPED,
        .seed = 42,
    };
    struct explore_sink sink = {.context = &trial->heard,
                                .begin = hear_begin,
                                .level = hear_level,
                                .examples = hear_examples,
                                .run = hear_run};
    enum pz_status status = explore_run(&request, &trial->control, &sink, &trial->result, &trial->error);
    space_close(space);
    assert_int_equal(trial->budget.used, 0);
    assert_false(trial->heard.out_of_order);
    return status;
}

#endif
