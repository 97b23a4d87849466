/* SPDX-License-Identifier: MIT */
/*
 * Bits that cross between groups, of the level that is known and of the level that is made: packets
 * (group.h), coded, in an arena. They are taken out of a group when it is made and read when their target's
 * turn comes in the next level. They need not be safe: a pass over the groups makes them again.
 *
 * A group's turn: borders_expect, then borders_receive of each packet, then the work, with borders_pack of
 * each range, then borders_send of each packet. Functions with a task or a range may be called from any
 * thread, for different ones at the same time; the others by the owner while no other is at work.
 */
#ifndef EXPLORE_DENSE_BORDER_H
#define EXPLORE_DENSE_BORDER_H

#include "explore/dense/group.h"
#include "explore/pieces/arena.h"
#include "explore/pieces/codec.h"

struct borders;

/* The grouping and the arena must outlive it. */
enum pz_status borders_new(const struct grouping *grouping, struct arena *arena, struct borders **out,
                           struct pz_error *error);
void borders_free(struct borders *borders); /* NULL is fine */
/* Bytes of borders_new; those of packets are the arena's. */
uint64_t borders_bytes(const struct grouping *grouping);

/* A level begins whose states have places of this colour: packets sent so far are received now. */
void borders_turn(struct borders *borders, unsigned target_colour);

/* Finds out what comes to a group. Returns how many packets are to be received; 0 when nothing comes. */
uint32_t borders_expect(struct borders *borders, uint32_t group);
/* Decodes one packet to where its target looks for it, and forgets it. False when it is damaged. scratch has
 * room for CODEC_ROOM bytes, twice. */
bool borders_receive(struct borders *borders, uint32_t task, uint8_t *scratch);
/* The bits that come to the group by a crossing, one a class; NULL when nothing comes. */
const uint8_t *borders_incoming(const struct borders *borders, unsigned crossing);

/* Takes from the bytes of count classes of the group's new level, from first on, what will cross next. NULL
 * for bytes that are all zero. */
void borders_pack(struct borders *borders, uint64_t first, uint64_t count, const uint8_t *bytes);
/* Packets of a group to be sent; the same for every group. */
uint32_t borders_packets(const struct borders *borders);
/* Codes one and keeps it. False without memory. */
bool borders_send(struct borders *borders, uint32_t group, uint32_t task, uint8_t *scratch);

/* Forgets what comes to a group. */
void borders_drop(struct borders *borders, uint32_t group);

#endif
