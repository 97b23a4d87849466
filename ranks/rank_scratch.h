/* SPDX-License-Identifier: MIT */
/*
 * The scratch directory of an exploration over ranks: a folder for the pieces of each rank, and, on the
 * machine of rank 0, the place from which the ranks go on after they were cut off. The place is written after
 * each level, before any rank begins the next one. So when it names a level, every rank has that level.
 *
 * All functions are called by the thread that uses MPI, and by all ranks together.
 */
#ifndef RANK_SCRATCH_H
#define RANK_SCRATCH_H

#include "explore/checkpoint/checkpoint.h"
#include "explore/exchange/exchange.h"

#include <limits.h>

struct scratch {
    const struct exchange *exchange;
    char directory[PATH_MAX]; /* of all ranks */
    char own[PATH_MAX];       /* of this rank */
    int place;                /* rank 0: the directory of all ranks, which has the file; else -1 */
    struct explore_checkpoint calls;
    unsigned char *bytes; /* of the place that is written or read */
    size_t used, room;
    bool failed;  /* without memory */
    bool has_job; /* directory is a daemon's exploration's alone */
    int lock;     /* of the rank's folder; -1 for none */
};

/* Makes this rank's folder in a directory that exists and that nobody else may write to (base/own_files.h),
 * and reads what an earlier run has kept. job: the number of a daemon's exploration; 0 for none. Returns
 * PZ_BUSY if another run has the folder. The struct must not move. The caller calls scratch_close, even after
 * a failure. */
enum pz_status scratch_open(struct scratch *scratch, const struct exchange *exchange, const char *directory,
                            uint64_t job, struct pz_error *error);
/* Refuses scratch space in which an exploration was cut off, for one that cannot go on from it. */
enum pz_status scratch_spare(const struct scratch *scratch, struct pz_error *error);
/* Frees the memory and the lock. done: also removes the files, which are not needed any more. */
void scratch_close(struct scratch *scratch, bool done);

#endif
