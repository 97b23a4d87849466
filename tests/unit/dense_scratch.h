/* SPDX-License-Identifier: MIT */
/* For the tests of searches whose planes are on disk: their scratch directory, and small runs in it. */
#ifndef DENSE_SCRATCH_H
#define DENSE_SCRATCH_H

#include "dense_fixture.h"
#include "scratch_directory.h"

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

#endif
