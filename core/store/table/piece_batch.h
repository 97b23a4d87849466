/* SPDX-License-Identifier: MIT */
/*
 * Sealed pieces of a table that are committed together. A batch belongs to one thread; from its submission
 * until it is awaited the writer thread reads its bytes.
 */
#ifndef STORE_PIECE_BATCH_H
#define STORE_PIECE_BATCH_H

#include "store/engine/writer.h"

/* Zeroed memory with an environment is an empty batch. */
struct piece_batch {
    const struct environment *environment;
    uint8_t *bytes; /* malloc'd; of each piece: u8 length of the key, key, u64 length of the value, value */
    size_t used, room;
    size_t most;    /* the highest value of used: so much of room is in memory */
    bool in_flight; /* submitted and not awaited yet; only the owner writes it */
    struct awaited awaited;
};

/* Returns the bytes that a value takes in a batch. */
static inline size_t piece_batch_entry(const struct key *key, size_t length)
{
    return 1 + (size_t)key->length + 8 + length;
}

/* Returns the place for a value of length bytes under the key, which the caller fills and seals; NULL without
 * memory. room: of a batch that grows, at least. */
uint8_t *piece_batch_place(struct piece_batch *batch, const struct key *key, size_t length, size_t room);
/* Hands the batch, not empty, to the writer thread. After a failure it is as before. */
enum pz_status piece_batch_submit(struct piece_batch *batch, struct writer *writer, struct pz_error *error);
/* Waits for the commit of a submitted batch, which is empty then. PZ_OK for one that is not submitted. */
enum pz_status piece_batch_await(struct piece_batch *batch, struct pz_error *error);

#endif
