/* SPDX-License-Identifier: MIT */
/* The exchange of the striped engine on MPI. Only the thread that called MPI_Init_thread
 * (MPI_THREAD_FUNNELED) calls these functions. Errors of MPI end the whole job; MPI reports them. */
#ifndef MPI_EXCHANGE_H
#define MPI_EXCHANGE_H

#include "explore/exchange/exchange.h"
#include "puzzled/status.h"

#include <stdint.h>

struct mpi_exchange;

/* Counts of one rank, since the beginning. */
struct mpi_traffic {
    uint64_t messages, bytes;
    double seconds; /* total time waiting for messages and for other ranks */
};

/* Every rank calls it, after MPI_Init_thread. Returns PZ_MEMORY without memory. */
enum pz_status mpi_exchange_new(struct mpi_exchange **out, struct pz_error *error);
/* Every rank calls it, before MPI_Finalize, when nothing is on the way. NULL is fine. */
void mpi_exchange_free(struct mpi_exchange *mpi);
/* It belongs to mpi. */
const struct exchange *mpi_exchange_of(const struct mpi_exchange *mpi);
struct mpi_traffic mpi_exchange_traffic(const struct mpi_exchange *mpi);
/* Returns how many ranks run on this machine, this one among them. */
unsigned mpi_exchange_neighbours(const struct mpi_exchange *mpi);

#endif
