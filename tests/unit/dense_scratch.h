/* SPDX-License-Identifier: MIT */
/* For the tests of searches whose planes are on disk: their scratch directory, and small runs in it. */
#ifndef DENSE_SCRATCH_H
#define DENSE_SCRATCH_H

#include "dense_fixture.h"
#include "test_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static char scratch[] = "/tmp/test_dense_scratch.XXXXXX";

static inline int make_scratch(void **state)
{
    (void)state;
    return mkdtemp(scratch) != NULL ? 0 : -1;
}

/* Does something to every file of that ending; returns how many there are. */
static inline unsigned each_file_of(const char *ending, void (*act)(int directory, const char *name))
{
    unsigned count = 0;
    DIR *directory = opendir(scratch);
    const struct dirent *entry;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        if (strstr(entry->d_name, ending) == NULL)
            continue;
        act(dirfd(directory), entry->d_name);
        count++;
    }
    (void)closedir(directory);
    return count;
}

/* As above, to every whole file. */
static inline unsigned each_file(void (*act)(int directory, const char *name))
{
    return each_file_of(".pieces", act);
}

static inline void remove_file(int directory, const char *name)
{
    (void)unlinkat(directory, name, 0);
}

static inline int remove_scratch(void **state)
{
    (void)state;
    (void)each_file(remove_file);
    (void)each_file_of(".part", remove_file); /* of a search that could not name it */
    return rmdir(scratch);
}

static inline struct run *run_of(const char *size, unsigned blank, enum keep keep)
{
    struct run *run = run_new(size, blank);
    run->request.keep = keep;
    run->request.planes = PLANES_DISK;
    run->request.scratch = scratch;
    run->request.threads = 2;
    run->request.seed = 7;
    budget_set_limit(&run->budget, UINT64_C(1) << 30); /* as much address space is reserved */
    return run;
}

/* Keeps no pieces in memory that are on the disk: it reads them all. */
static inline struct run *run_without_cache(const char *size, enum keep keep)
{
    struct run *run = run_of(size, 9, keep);
    run->request.dense.fill = 0;
    return run;
}

static inline struct run *run_on_disk(void)
{
    return run_without_cache("2x5", KEEP_LEVELS);
}

static inline struct run *undisturbed(const char *size, enum keep keep)
{
    struct run *run = run_of(size, 9, keep);
    /* Planes of places and of orbits choose other examples. */
    run->request.planes = slide_is_multi(run->space) ? PLANES_CODED : PLANES_MEMORY;
    assert_ok(run_go(run), run->error);
    return run;
}

static inline void check_equal_levels(const struct run *run, const struct run *whole)
{
    assert_false(run->out_of_order);
    assert_int_equal(run->result.states, whole->result.states);
    assert_int_equal(run->levels, whole->levels);
    assert_memory_equal(run->states, whole->states, whole->levels * sizeof *whole->states);
}

static inline void check_equal(const struct run *run, const struct run *whole)
{
    check_equal_levels(run, whole);
    for (uint32_t level = 0; level < whole->levels; level++) {
        assert_int_equal(run->examples[level], whole->examples[level]);
        assert_memory_equal(run->example[level], whole->example[level],
                            (size_t)whole->examples[level] * whole->space->state_bytes);
    }
}

#endif
