/* SPDX-License-Identifier: MIT */
/* One exploration over a disk in memory, and everything that it handed to its sink. */
#ifndef RESUME_TRIAL_H
#define RESUME_TRIAL_H

#include "test_support.h"

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
    uint32_t dies_at; /* level that the sink refuses, so that the run ends as by a kill; 0 for none */
    unsigned load_reports, save_reports;
};

/* ---- the sink ---- */

static inline enum pz_status tell(struct trial *trial, const void *bytes, size_t length)
{
    if (trial->room - trial->length < length) {
        trial->room = 2 * (trial->length + length);
        trial->told = realloc(trial->told, trial->room);
    }
    memcpy(trial->told + trial->length, bytes, length);
    trial->length += length;
    return PZ_OK;
}

static inline enum pz_status on_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct trial *trial = context;
    const uint64_t words[] = {0, level, states};
    if (level > 0 && level == trial->dies_at)
        return pz_fail(error, PZ_INTERNAL, "killed");
    if (level == trial->stop_at) {
        atomic_store(&trial->control.keep, !trial->cancel);
        atomic_store(&trial->control.stop, true);
    }
    return tell(trial, words, sizeof words);
}

static inline enum pz_status on_examples(void *context, uint32_t level, const void *states, unsigned count,
                                         struct pz_error *error)
{
    struct trial *trial = context;
    const uint64_t words[] = {1, level, count};
    (void)error;
    (void)tell(trial, words, sizeof words);
    return tell(trial, states, (size_t)count * trial->space->state_bytes);
}

static inline enum pz_status on_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct trial *trial = context;
    (void)error;
    (void)tell(trial, run->keys, run->count * run->key_words * sizeof *run->keys);
    return tell(trial, run->distances, run->count * sizeof *run->distances);
}

static inline enum pz_status on_chunk(void *context, uint64_t number, const void *bytes, size_t length,
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

static inline struct trial *trial_new(const struct question *question, unsigned threads)
{
    struct trial *trial = calloc(1, sizeof *trial);
    const struct pz_setup setup = {0};
    const char *name =
        text_of("%s%s%s", question->puzzle, question->size[0] != '\0' ? ":" : "", question->size);
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
                                              .striped.stripes = question->stripes,
                                              .seed = 7};
    trial->stop_at = UINT32_MAX;
    return trial;
}

static inline void trial_free(struct trial *trial)
{
    assert_int_equal(atomic_load(&trial->budget.used), 0);
    disk_clear(&trial->disk);
    space_close(trial->space);
    free(trial->told);
    free(trial);
}

/* Runs the exploration until it ends or is cut off. */
static inline enum pz_status live(struct trial *trial)
{
    const struct explore_sink sink = {
        .context = trial, .level = on_level, .examples = on_examples, .run = on_run, .chunk = on_chunk};
    trial->length = 0;
    atomic_store(&trial->control.stop, false);
    atomic_store(&trial->control.keep, false);
    return explore_run(&trial->request, &trial->control, &sink, &trial->result, &trial->error);
}

static inline struct trial *undisturbed(const struct question *question)
{
    struct trial *trial = trial_new(question, 2);
    assert_ok(live(trial), trial->error);
    return trial;
}

static inline void check_same(const struct trial *trial, const struct trial *whole)
{
    assert_int_equal(trial->result.states, whole->result.states);
    assert_int_equal(trial->result.depth, whole->result.depth);
    assert_int_equal(trial->result.complete, whole->result.complete);
    assert_int_equal(trial->result.reason, whole->result.reason);
    assert_int_equal(trial->length, whole->length);
    assert_memory_equal(trial->told, whole->told, whole->length);
}

#endif
