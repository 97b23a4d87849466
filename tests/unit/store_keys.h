/* SPDX-License-Identifier: MIT */
/* Tables of runs for the tests of the store: many keys with their distances. */
#ifndef TESTS_STORE_KEYS_H
#define TESTS_STORE_KEYS_H

#include "base/random.h"
#include "store_fixture.h"

/* count ascending keys of words words, spread evenly with some noise, and a distance for each. */
struct keys {
    uint64_t *keys;
    uint32_t *distances;
    size_t count;
    unsigned words;
};

static inline struct keys keys_make(size_t count, unsigned words, unsigned farthest)
{
    struct keys made = {.count = count, .words = words};
    struct random random = {42};
    made.keys = calloc(count * words, sizeof *made.keys);
    made.distances = calloc(count, sizeof *made.distances);
    assert_non_null(made.keys);
    assert_non_null(made.distances);
    uint64_t step = UINT64_MAX / count;
    for (size_t i = 0; i < count; i++) {
        made.keys[i * words] = i * step + random_below(&random, step - 1) + 1;
        for (unsigned word = 1; word < words; word++)
            made.keys[i * words + word] = random_next(&random);
        made.distances[i] = (uint32_t)random_below(&random, farthest + 1);
    }
    return made;
}

static inline void keys_free(struct keys *keys)
{
    free(keys->keys);
    free(keys->distances);
}

static inline struct table_record about_runs(const char *name, unsigned words)
{
    struct table_record about = {.kind = TABLE_RUNS, .state_bytes = 8 * words, .job = 1};
    (void)snprintf(about.name, sizeof about.name, "%s", name);
    return about;
}

/* Hands the keys over in runs of an awkward length. */
static inline void write_runs(struct fixture *fixture, struct table_writer *writer, const struct keys *keys)
{
    enum { LENGTH = 1777 };
    for (size_t at = 0; at < keys->count; at += LENGTH) {
        size_t count = keys->count - at < LENGTH ? keys->count - at : LENGTH;
        struct explore_run run = {.keys = keys->keys + at * keys->words,
                                  .distances = keys->distances + at,
                                  .count = count,
                                  .key_words = keys->words};
        fixture_ok(table_writer_run(writer, &run, &fixture->error));
    }
}

static inline void store_runs_of(struct fixture *fixture, const char *name, const struct keys *keys,
                                 uint64_t job)
{
    struct table_record about = about_runs(name, keys->words);
    about.job = job;
    struct table_writer *writer;
    fixture_ok(table_writer_new(fixture->store, &about, &writer, &fixture->error));
    write_runs(fixture, writer, keys);
    about.depth = 31;
    about.complete = true;
    about.states = keys->count;
    fixture_ok(table_writer_finish(writer, &about, &fixture->error));
}

static inline void store_runs(struct fixture *fixture, const char *name, const struct keys *keys)
{
    store_runs_of(fixture, name, keys, 1);
}

struct collected {
    struct keys keys;
    size_t seen;
    bool same;
};

static inline bool compare_run(void *context, const struct explore_run *run)
{
    struct collected *collected = context;
    const struct keys *keys = &collected->keys;
    size_t bytes = run->count * run->key_words * sizeof *run->keys;
    collected->same &=
        collected->seen + run->count <= keys->count &&
        memcmp(run->keys, keys->keys + collected->seen * keys->words, bytes) == 0 &&
        memcmp(run->distances, keys->distances + collected->seen, run->count * sizeof *run->distances) == 0;
    collected->seen += run->count;
    return collected->same;
}

#endif
