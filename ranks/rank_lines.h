/* SPDX-License-Identifier: MIT */
/*
 * Reports to the daemon that started the ranks, on standard output, in lines of its protocol
 * (protocol/reply.h):
 *
 *   OK version=… ranks=… threads=… memory=…    first, when all ranks run
 *   level=… states=…                           each complete level, in ascending order
 *   level=… example=WORDS,WORDS…               then its examples: the words of each state in hexadecimal
 *   EVENT phase=… level=… …                    progress, as in the daemon's events
 *   EVENT phase=wait text=…                    before the first level: another run has a rank's folder
 *   OK complete=… states=… depth=… …           last: the fields of RESULT (protocol/result.h)
 *   ERR code fatal text                        last, when it failed
 *
 * Rank 0 writes; all ranks call lines_sink's functions together.
 */
#ifndef RANK_LINES_H
#define RANK_LINES_H

#include "explore/explore.h"
#include "mpi_exchange.h"

struct rank_lines {
    const struct mpi_exchange *mpi;
    const struct pz_space *space;
    unsigned slowest; /* the rank that waited least in the last level */
    double waited;    /* by this rank, up to the last level */
};

/* Reports that the ranks run, with so many threads and at least so much memory each. */
void lines_begin(const struct exchange *exchange, unsigned threads, uint64_t memory);
/* Reports why the ranks wait before they begin. */
void lines_wait(const struct exchange *exchange, const struct pz_error *reason);
/* Returns the sink. The struct must not move. */
struct explore_sink lines_sink(struct rank_lines *lines);
/* For struct control; context is the struct. */
void lines_progress(void *context, const struct progress *progress);
/* Uses result if status is PZ_OK, else error. */
void rank_lines_end(const struct exchange *exchange, enum pz_status status,
                    const struct explore_result *result, const struct pz_error *error);

#endif
