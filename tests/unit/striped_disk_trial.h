/* SPDX-License-Identifier: MIT */
/* For tests of searches on disk: spaces of all kinds, explored there. */
#ifndef STRIPED_DISK_TRIAL_H
#define STRIPED_DISK_TRIAL_H

#include "explore_trial.h"
#include "number_puzzle.h"
#include "scratch_directory.h"

/* A space and how far it is explored; depth 0: all of it. */
struct row {
    const char *puzzle, *start;
    const char *text; /* in place of a puzzle: a file in definitions/, or a name for psvn */
    const char *psvn;
    uint32_t depth;
};

static inline struct trial *row_trial(const struct row *row, unsigned threads, enum keep keep)
{
    struct explore_request how = {
        .depth = row->depth, .threads = threads, .keep = keep, .engine = ENGINE_STRIPED};
    if (row->text == NULL)
        return trial_of(row->puzzle, row->start, how);
    const struct pz_setup setup = {.size = "text", .start = row->start};
    const bool tws = strstr(row->text, ".tws") != NULL;
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space =
        open_definition(tws ? DEFINITION_TWS : DEFINITION_PSVN,
                        row->psvn != NULL ? row->psvn : definition_text(row->text), &setup);
    if (row->start != NULL) {
        parse_state(space, row->start, root);
        how.root = root;
    }
    struct trial *trial = trial_in(space, how);
    trial->owned = space;
    return trial;
}

static inline void on_disk(struct trial *trial)
{
    trial->request.planes = PLANES_DISK;
    trial->request.scratch = scratch;
}

/* Compares a row on disk, by three numbers of threads, with a trial of it in memory that was lived. */
static inline void check_on_disk(const struct row *row, const struct trial *memory)
{
    static const unsigned threads[] = {1, 2, 8};
    for (unsigned i = SANITIZED ? 2 : 0; i < 3; i++) { /* of eight threads the sanitizers learn most */
        struct trial *disk = row_trial(row, threads[i], memory->request.keep);
        on_disk(disk);
        disk->request.engine = memory->request.engine;
        disk->request.from = memory->request.from;
        check_same(lived(disk), memory);
        assert_int_equal(disk->result.planes, PLANES_DISK);
        trial_free(disk);
    }
}

/* Checks that the levels that were handed over are the result, and that there is no table. */
static inline void check_levels_only(const struct trial *trial)
{
    uint64_t states = 0;
    for (uint32_t level = 0; level < trial->heard.level_count; level++)
        states += trial->heard.levels[level];
    assert_int_equal(trial->heard.stored, 0);
    assert_true(trial->result.levels_only && !trial->result.complete);
    assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(trial->result.states, states);
    assert_int_equal(trial->result.depth, trial->heard.level_count > 0 ? trial->heard.level_count - 1 : 0);
}

static inline struct trial *number_trial(const struct number_space *number, uint64_t root,
                                         struct explore_request how)
{
    how.engine = ENGINE_STRIPED;
    struct trial *trial = trial_in(&number->base, how);
    number_state(&number->base, root, trial->root);
    return trial;
}

#endif
