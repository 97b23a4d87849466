/* SPDX-License-Identifier: MIT */
#include "answer/table_sample.h"

#include "base/random.h"
#include "explore/key/mix.h"
#include "space/registry.h"
#include "space/slide/slide.h"

#include <stdlib.h>

/* ---- tables of runs: one pass, reservoir sampling (Vitter 1985, algorithm R) ---- */

struct reservoir {
    struct table_sample *sample;
    struct random random;
    uint64_t seen;  /* states of the level so far */
    uint64_t total; /* states of the level, 0 if not known */
};

static void offer(struct reservoir *reservoir, const uint64_t *key)
{
    struct table_sample *sample = reservoir->sample;
    uint64_t place = reservoir->seen++;
    if (place >= sample->count)
        place = random_below(&reservoir->random, reservoir->seen);
    else
        sample->found++;
    if (place < sample->count)
        unmix_bytes(key, sample->state_bytes, sample->states + place * sample->state_bytes);
}

static bool visit_run(void *context, const struct explore_run *run)
{
    struct reservoir *reservoir = context;
    for (size_t i = 0; i < run->count; i++)
        if (run->distances[i] == reservoir->sample->depth)
            offer(reservoir, run->keys + i * run->key_words);
    return reservoir->total == 0 || reservoir->seen < reservoir->total;
}

static enum pz_status take_from_runs(const struct table_match *match, const struct pz_space *space,
                                     uint64_t level_states, struct table_sample *sample,
                                     struct pz_error *error)
{
    struct reservoir reservoir = {.sample = sample, .random = {.state = sample->seed}, .total = level_states};
    enum pz_status status = table_view_runs(match->view, visit_run, &reservoir, error);
    sample->total = reservoir.seen;
    for (unsigned i = 0; i < sample->found && status == PZ_OK; i++)
        if (!space_state_valid(space, sample->states + (size_t)i * sample->state_bytes))
            status = pz_fail(error, PZ_STORAGE, "the table %.300s holds what is no state of %s", match->name,
                             space->puzzle->name);
    return status;
}

/* ---- dense tables ---- */

static enum pz_status take_from_dense(const struct table_match *match, uint64_t level_states,
                                      struct table_sample *sample, struct pz_error *error)
{
    struct dense_sample dense = {.depth = sample->depth,
                                 .level_states = level_states,
                                 .wanted = sample->count,
                                 .seed = sample->seed,
                                 .boards = calloc(sample->count, sizeof *dense.boards)};
    if (dense.boards == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for %u boards", sample->count);
    enum pz_status status = dense_table_sample(match->dense, &dense, error);
    if (status == PZ_OK) {
        for (unsigned i = 0; i < dense.found; i++)
            slide_state(match->canonical, &dense.boards[i], sample->states + (size_t)i * sample->state_bytes);
        sample->found = dense.found;
        sample->skewed = !dense.uniform;
    }
    free(dense.boards);
    return status;
}

/* ---- tables of numbered spaces ---- */

static enum pz_status take_from_ranked(const struct table_match *match, const struct ranked_table *ranked,
                                       struct table_sample *sample, struct pz_error *error)
{
    if (sample->depth > ranked->depth) /* dead states */
        sample->total = space_count(ranked->space) - table_view_record(match->view)->states;
    return ranked_table_sample(ranked, sample->depth, sample->seed, sample->count, sample->states,
                               &sample->found, error);
}

enum pz_status table_sample_take(const struct table_match *match, const struct pz_space *space,
                                 uint64_t level_states, struct table_sample *sample, struct pz_error *error)
{
    struct ranked_table ranked;
    sample->states = malloc((size_t)sample->count * sample->state_bytes);
    if (sample->states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for %u states", sample->count);
    bool dense = table_view_record(match->view)->kind == TABLE_DENSE;
    enum pz_status status =
        table_match_ranked(match, space, &ranked) ? take_from_ranked(match, &ranked, sample, error)
        : dense                                   ? take_from_dense(match, level_states, sample, error)
                : take_from_runs(match, table_match_space(match, space), level_states, sample, error);
    if (status != PZ_OK) {
        free(sample->states);
        sample->states = NULL;
        sample->found = 0;
    }
    return status;
}
