/* SPDX-License-Identifier: MIT */
/* For tests of the striped engine on disk: spaces of all kinds, and their scratch directory. */
#ifndef STRIPED_DISK_TRIAL_H
#define STRIPED_DISK_TRIAL_H

#include "number_puzzle.h"
#include "resume_trial.h"
#include "some_space.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static char scratch[] = "/tmp/test_striped_disk.XXXXXX";

static inline int make_scratch(void **state)
{
    (void)state;
    return mkdtemp(scratch) != NULL ? 0 : -1;
}

/* Does something to every file; returns how many there are. act may be NULL. */
static inline unsigned each_scratch_file(void (*act)(int directory, const char *name))
{
    unsigned count = 0;
    DIR *directory = opendir(scratch);
    const struct dirent *entry;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        if (act != NULL)
            act(dirfd(directory), entry->d_name);
        count++;
    }
    (void)closedir(directory);
    return count;
}

static inline unsigned scratch_files(void)
{
    return each_scratch_file(NULL);
}

static inline void remove_file(int directory, const char *name)
{
    (void)unlinkat(directory, name, 0);
}

static inline int remove_scratch(void **state)
{
    (void)state;
    (void)each_scratch_file(remove_file);
    return rmdir(scratch);
}

/* A space and how far it is explored; depth 0: all of it. */
struct row {
    const char *puzzle, *start;
    const char *text; /* in place of a puzzle: a file in definitions/, or a name for psvn */
    const char *psvn;
    uint32_t depth;
};

static inline struct pz_space *open_text(const struct row *row)
{
    const struct pz_setup setup = {.size = "text", .start = row->start};
    const bool tws = strstr(row->text, ".tws") != NULL;
    return open_definition(tws ? DEFINITION_TWS : DEFINITION_PSVN,
                           row->psvn != NULL ? row->psvn : definition_text(row->text), &setup);
}

static inline struct trial *trial_of(struct pz_space *space, unsigned threads, enum keep keep, uint32_t depth)
{
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    trial->space = space;
    budget_init(&trial->budget, NULL, UINT64_C(1) << 30);
    disk_init(&trial->disk);
    trial->disk.control = &trial->control;
    trial->request = (struct explore_request){.space = space,
                                              .root = trial->root,
                                              .depth = depth > 0 ? depth : EXPLORE_NO_LIMIT,
                                              .threads = threads,
                                              .budget = &trial->budget,
                                              .engine = ENGINE_STRIPED,
                                              .keep = keep,
                                              .seed = 7};
    trial->stop_at = UINT32_MAX;
    return trial;
}

static inline struct trial *row_trial(const struct row *row, unsigned threads, enum keep keep)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    const struct pz_setup setup = {.start = row->start};
    if (row->text != NULL)
        space = open_text(row);
    else
        assert_ok(space_open(row->puzzle, &setup, &space, &error), error);
    struct trial *trial = trial_of(space, threads, keep, row->depth);
    if (row->start != NULL)
        parse_state(space, row->start, trial->root);
    else
        assert_ok(space->puzzle->root(space, trial->root, &error), error);
    return trial;
}

static inline void on_disk(struct trial *trial)
{
    trial->request.planes = PLANES_DISK;
    trial->request.scratch = scratch;
}

/* Returns how many states of that level were told. */
static inline uint64_t told_states(const struct trial *trial, uint32_t level)
{
    uint64_t words[3];
    for (size_t at = 0; at < trial->length;) {
        memcpy(words, trial->told + at, sizeof words);
        at += sizeof words;
        if (words[0] == 0 && words[1] == level)
            return words[2];
        at += words[0] == 1 ? words[2] * trial->space->state_bytes : 0;
    }
    fail_msg("level %u was not told", level);
    return 0;
}

/* Checks that the levels that were told are the result, and that there is no table. */
static inline void check_levels_only(const struct trial *trial)
{
    uint64_t words[3];
    uint64_t states = 0, levels = 0;
    for (size_t at = 0; at < trial->length;) {
        memcpy(words, trial->told + at, sizeof words);
        at += sizeof words;
        assert_int_equal(words[1], words[0] == 0 ? levels : levels - 1);
        assert_in_range(words[0], 0, 1);
        states += words[0] == 0 ? words[2] : 0;
        levels += words[0] == 0;
        at += words[0] == 1 ? words[2] * trial->space->state_bytes : 0;
    }
    assert_true(trial->result.levels_only && !trial->result.complete);
    assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
    assert_int_equal(trial->result.states, states);
    assert_int_equal(trial->result.depth, levels > 0 ? levels - 1 : 0);
}

/* The number puzzle has no close of its own. */
static inline struct trial *number_trial(struct number_space *number, unsigned threads)
{
    struct trial *trial = trial_of(&number->base, threads, KEEP_LEVELS, 0);
    number_state(&number->base, 1, trial->root);
    return trial;
}

static inline void number_trial_free(struct trial *trial)
{
    trial->space = NULL;
    trial_free(trial);
}

#endif
