/* SPDX-License-Identifier: MIT */
#include "mpi_exchange.h"

#include "base/clock.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SENDS = 32,      /* messages being sent at a time, */
    RECEIVES = 32,   /* and messages that may come in */
    SHORT_RESTS = 16 /* polls in a row before a sleep */
};

struct message_buffer {
    unsigned char bytes[EXCHANGE_MESSAGE];
};

struct mpi_exchange {
    struct exchange exchange;
    MPI_Comm comm;
    unsigned neighbours;
    struct message_buffer *buffers; /* SENDS, then RECEIVES */
    MPI_Request sends[SENDS], receives[RECEIVES];
    int room;    /* of sends: the last result of room(); -1 for none */
    int reading; /* of receives: the last result of receive(); -1 for none */
    unsigned rests;
    unsigned char *gathered;
    size_t gathered_bytes;
    struct mpi_traffic traffic;
};

/* A rank that cannot go on ends all ranks, since the others would wait for it. */
__attribute__((noreturn)) static void exchange_fail(void *context, const char *text)
{
    const struct mpi_exchange *mpi = context;
    (void)fprintf(stderr, "puzzled-ranks: rank %u: %s\n", mpi->exchange.rank, text);
    (void)MPI_Abort(mpi->comm, EXIT_FAILURE);
    abort();
}

static struct message_buffer *receive_buffer(struct mpi_exchange *mpi, int number)
{
    return &mpi->buffers[SENDS + number];
}

static void post_receive(struct mpi_exchange *mpi, int number)
{
    (void)MPI_Irecv(receive_buffer(mpi, number), EXCHANGE_MESSAGE, MPI_BYTE, MPI_ANY_SOURCE, 0, mpi->comm,
                    &mpi->receives[number]);
}

static void *exchange_room(void *context)
{
    struct mpi_exchange *mpi = context;
    int found = 0;
    int done = 1;
    if (mpi->room < 0) {
        for (found = 0; found < SENDS && mpi->sends[found] != MPI_REQUEST_NULL; found++)
            ;
        if (found == SENDS)
            (void)MPI_Testany(SENDS, mpi->sends, &found, &done, MPI_STATUS_IGNORE);
        if (done == 0)
            return NULL;
        mpi->room = found;
    }
    assert(mpi->room < SENDS && mpi->sends[mpi->room] == MPI_REQUEST_NULL);
    return &mpi->buffers[mpi->room];
}

static void exchange_send(void *context, unsigned to, size_t bytes)
{
    struct mpi_exchange *mpi = context;
    assert(mpi->room >= 0 && mpi->room < SENDS); /* exchange_room gave it */
    assert(bytes > 0 && bytes <= EXCHANGE_MESSAGE);
    assert(to < mpi->exchange.ranks && to != mpi->exchange.rank);
    (void)MPI_Isend(&mpi->buffers[mpi->room], (int)bytes, MPI_BYTE, (int)to, 0, mpi->comm,
                    &mpi->sends[mpi->room]);
    mpi->room = -1;
    mpi->rests = 0;
    mpi->traffic.messages++;
    mpi->traffic.bytes += bytes;
}

static const void *exchange_receive(void *context, unsigned *from, size_t *bytes)
{
    struct mpi_exchange *mpi = context;
    MPI_Status status;
    int count = 0;
    int done = 0;
    if (mpi->reading >= 0)
        post_receive(mpi, mpi->reading);
    mpi->reading = -1;
    (void)MPI_Testany(RECEIVES, mpi->receives, &mpi->reading, &done, &status);
    if (done == 0) {
        mpi->reading = -1;
        return NULL;
    }
    (void)MPI_Get_count(&status, MPI_BYTE, &count);
    assert(mpi->reading >= 0 && mpi->reading < RECEIVES);
    *bytes = (size_t)count;
    *from = (unsigned)status.MPI_SOURCE;
    mpi->rests = 0;
    return receive_buffer(mpi, mpi->reading);
}

static void exchange_rest(void *context)
{
    struct mpi_exchange *mpi = context;
    const struct timespec moment = {.tv_nsec = 20000};
    if (++mpi->rests <= SHORT_RESTS)
        return;
    double began = clock_seconds();
    (void)nanosleep(&moment, NULL);
    mpi->traffic.seconds += clock_seconds() - began;
}

static void *exchange_gather(void *context, const void *own, size_t bytes)
{
    struct mpi_exchange *mpi = context;
    MPI_Request request;
    int done = 0;
    size_t all = bytes * mpi->exchange.ranks;
    assert(bytes > 0 && bytes <= INT_MAX);
    if (all > mpi->gathered_bytes) {
        free(mpi->gathered);
        mpi->gathered = malloc(all);
        mpi->gathered_bytes = all;
    }
    if (mpi->gathered == NULL)
        exchange_fail(mpi, "no memory for what the ranks send each other");
    /* Does not use the waiting call: that polls, and takes the processor from ranks that still work. */
    (void)MPI_Iallgather(own, (int)bytes, MPI_BYTE, mpi->gathered, (int)bytes, MPI_BYTE, mpi->comm, &request);
    mpi->rests = 0;
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0)
        exchange_rest(mpi);
    return mpi->gathered;
}

/* ---- making and freeing ---- */

static void connect(struct mpi_exchange *mpi)
{
    MPI_Comm machine;
    int rank = 0;
    int ranks = 1;
    int neighbours = 1;
    (void)MPI_Comm_dup(MPI_COMM_WORLD, &mpi->comm);
    (void)MPI_Comm_rank(mpi->comm, &rank);
    (void)MPI_Comm_size(mpi->comm, &ranks);
    (void)MPI_Comm_split_type(mpi->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    (void)MPI_Comm_size(machine, &neighbours);
    (void)MPI_Comm_free(&machine);
    mpi->neighbours = (unsigned)neighbours;
    mpi->exchange = (struct exchange){.context = mpi,
                                      .rank = (unsigned)rank,
                                      .ranks = (unsigned)ranks,
                                      .room = exchange_room,
                                      .send = exchange_send,
                                      .receive = exchange_receive,
                                      .rest = exchange_rest,
                                      .gather = exchange_gather,
                                      .fail = exchange_fail};
}

enum pz_status mpi_exchange_new(struct mpi_exchange **out, struct pz_error *error)
{
    struct mpi_exchange *mpi = calloc(1, sizeof *mpi);
    struct message_buffer *buffers = malloc((SENDS + RECEIVES) * sizeof *buffers);
    if (mpi == NULL || buffers == NULL) {
        free(mpi);
        free(buffers);
        return pz_fail(error, PZ_MEMORY, "no memory for messages");
    }
    mpi->buffers = buffers;
    mpi->room = mpi->reading = -1;
    connect(mpi);
    for (int i = 0; i < SENDS; i++)
        mpi->sends[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < RECEIVES; i++)
        post_receive(mpi, i);
    *out = mpi;
    return PZ_OK;
}

void mpi_exchange_free(struct mpi_exchange *mpi)
{
    if (mpi == NULL)
        return;
    for (int i = 0; i < SENDS; i++)
        (void)MPI_Wait(&mpi->sends[i], MPI_STATUS_IGNORE); /* at once where there is no request */
    for (int i = 0; i < RECEIVES; i++) {
        if (mpi->receives[i] != MPI_REQUEST_NULL)
            (void)MPI_Cancel(&mpi->receives[i]);
        (void)MPI_Wait(&mpi->receives[i], MPI_STATUS_IGNORE);
    }
    (void)MPI_Comm_free(&mpi->comm);
    free(mpi->gathered);
    free(mpi->buffers);
    free(mpi);
}

const struct exchange *mpi_exchange_of(const struct mpi_exchange *mpi)
{
    return &mpi->exchange;
}

struct mpi_traffic mpi_exchange_traffic(const struct mpi_exchange *mpi)
{
    return mpi->traffic;
}

unsigned mpi_exchange_neighbours(const struct mpi_exchange *mpi)
{
    return mpi->neighbours;
}
