/* SPDX-License-Identifier: MIT */
/* Explorations by several ranks, which are threads of this process, with what each of them found. */
#ifndef RANKS_TRIAL_H
#define RANKS_TRIAL_H

#include "explore_trial.h"
#include "ranks_in_threads.h"
#include "remove_directory.h"

enum { FEW_STRIPES = 256 /* as few as layers can have: each costs a little on every level */ };

/* Some ranks, with the same question. */
struct ranks {
    struct hub *hub;
    struct trial *of[RANKS_MAX];
    char directory[RANKS_MAX][32]; /* in which a rank keeps what it has; "" in memory */
};

static struct ranks *ranks_new(enum engine engine, const char *puzzle, uint32_t depth, unsigned count,
                               unsigned threads)
{
    struct ranks *ranks = calloc(1, sizeof *ranks);
    assert_non_null(ranks);
    ranks->hub = hub_new(count);
    for (unsigned i = 0; i < count; i++)
        ranks->of[i] =
            trial_of(puzzle, NULL,
                     (struct explore_request){.depth = depth,
                                              .threads = threads,
                                              .keep = KEEP_LEVELS,
                                              .engine = engine,
                                              .striped.stripes = count > 1 ? FEW_STRIPES : 0,
                                              .exchange = count > 1 ? &ranks->hub->ranks[i].exchange : NULL});
    return ranks;
}

static inline void use_disk(struct ranks *ranks)
{
    for (unsigned i = 0; i < ranks->hub->count; i++) {
        (void)snprintf(ranks->directory[i], sizeof ranks->directory[i], "/tmp/test_ranks.XXXXXX");
        assert_non_null(mkdtemp(ranks->directory[i]));
        ranks->of[i]->request.scratch = ranks->directory[i];
        ranks->of[i]->request.planes = PLANES_DISK;
    }
}

static void *live_as_rank(void *context)
{
    (void)live(context);
    return NULL;
}

static void ranks_run(struct ranks *ranks)
{
    pthread_t threads[RANKS_MAX];
    for (unsigned i = 0; i < ranks->hub->count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, live_as_rank, ranks->of[i]), 0);
    for (unsigned i = 0; i < ranks->hub->count; i++)
        (void)pthread_join(threads[i], NULL);
}

static void ranks_free(struct ranks *ranks)
{
    for (unsigned i = 0; i < ranks->hub->count; i++) {
        trial_free(ranks->of[i]);
        if (ranks->directory[i][0] != '\0')
            (void)remove_directory(ranks->directory[i]);
    }
    assert_true(hub_free(ranks->hub));
    free(ranks);
}

#endif
