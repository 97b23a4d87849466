/* SPDX-License-Identifier: MIT */
/*
 * Sends the last level's states of this rank's blocks, and holds those that come from other ranks. A block
 * goes once to each rank to whose blocks some move leads from it. That rank carries its states itself.
 *
 * It works in rounds, as mailbox.h does. Every rank sends as many of its blocks as the others have room for,
 * ends the round, uses what came, and makes room for the next round. So memory never needs to hold more than
 * a part of the last level.
 *
 * It checks each block that it receives: its owner, that a move leads from it to a block of this rank, that
 * it comes once in a round, and that its states are places in the block. Anything else ends all ranks.
 *
 * The owner of the search sends and receives while no one else works. found and source may be called from any
 * thread between block_exchange_end and block_exchange_empty.
 */
#ifndef EXPLORE_RANKED_BLOCK_EXCHANGE_H
#define EXPLORE_RANKED_BLOCK_EXCHANGE_H

#include "explore/exchange/exchange.h"
#include "explore/ranked/blocks/block_kernel.h"
#include "puzzled/status.h"

#include <stddef.h>

struct block_exchange;

#define BLOCK_EXCHANGE_MOST UINT32_MAX /* most blocks that ranks can share */

/* runs: at most BLOCK_EXCHANGE_MOST blocks, prepared; they outlive these, as the exchange does. */
enum pz_status block_exchange_new(const struct exchange *exchange, const struct pz_runs *runs,
                                  struct block_exchange **out, struct pz_error *error);
void block_exchange_free(struct block_exchange *foreign); /* NULL is fine */
/* Returns the bytes that block_exchange_new allocates. */
uint64_t block_exchange_bytes(const struct exchange *exchange, const struct pz_runs *runs);

/* ---- sending ---- */

/* Returns true if all ranks to which this rank's block must go have room for it in this round. */
bool block_exchange_has_room(struct block_exchange *foreign, uint64_t block);
/* Sends the states of that block, a set with at least one state, to those ranks. While it waits, it delivers
 * what comes in.
 */
void block_exchange_send(struct block_exchange *foreign, uint64_t block, const uint64_t *set);
/* Ends the round: waits until all that the others sent is there. */
void block_exchange_end(struct block_exchange *foreign);
/* Makes room for another round. The ranks must gather between the two. */
void block_exchange_empty(struct block_exchange *foreign);

/* ---- what came ---- */

/* Returns how many states of another rank's block came in this round. */
uint32_t block_exchange_found(const struct block_exchange *foreign, uint64_t block);
/* Returns a block of another rank, of which at least one state came. */
struct block_source block_exchange_source(const struct block_exchange *foreign, uint64_t block);

/* ---- a set of a block's states as bytes: a bit a position, or gaps between states where these are fewer
 * bytes ---- */

/* Returns the most bytes of a packet. */
size_t block_packet_most(const struct block_shape *shape);
/* Writes a set that has at least one state (room: block_packet_most). Returns how many bytes. */
size_t block_packet_write(const struct block_shape *shape, const uint64_t *set, uint8_t *bytes);
/* Reads a set of all block_words, as many states as *count, more than 0. Returns NULL, or what is wrong; the
 * set is then of no use. */
const char *block_packet_read(const struct block_shape *shape, const uint8_t *bytes, size_t length,
                              uint64_t *set, uint32_t *count);

#endif
