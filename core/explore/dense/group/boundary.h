/* SPDX-License-Identifier: MIT */
/*
 * Boundary exchange: the bits that cross between groups, in the known level and in the level being made. They
 * are kept as coded packets (group.h) in a store. They are extracted when their source group is made, and
 * read when their target group is made in the next level. A resumed search can do without them: a pass over
 * the groups makes them again.
 *
 * A group's turn: boundary_expect, then boundary_receive of each packet, then the work, with boundary_pack of
 * each range, then boundary_send of each packet. Functions with a task or a range may be called from any
 * thread, for different ones at the same time. The others are called by the owner while no one else works.
 */
#ifndef EXPLORE_DENSE_BOUNDARY_H
#define EXPLORE_DENSE_BOUNDARY_H

#include "explore/dense/group/group.h"
#include "explore/dense/group/packet.h"

struct boundary;

/* Which way crossings lead. By colour, each level has one way; of orbits every level has both, for each of
 * which there is a boundary of its own. */
enum boundary_way { BOUNDARY_DOWN, BOUNDARY_UP, BOUNDARY_BY_COLOUR };

/* The grouping, the arena and the spill must outlive it. */
enum pz_status boundary_new(const struct grouping *grouping, const struct packet_store *store,
                            enum boundary_way way, struct boundary **out, struct pz_error *error);
/* Makes the boundaries of both ways of orbits known to each other: what came one way does not go back the
 * other. */
void boundary_oppose(struct boundary *one, struct boundary *other);
void boundary_free(struct boundary *boundary); /* NULL is fine */
/* Returns the bytes that boundary_new allocates; those of packets are the store's. */
uint64_t boundary_bytes(const struct grouping *grouping);

/* Begins a level whose states have places of this colour, or of orbits one of this parity: packets sent so
 * far are received in it. */
void boundary_begin_level(struct boundary *boundary, unsigned target_colour);

/* Finds the packets that come to a group. Returns how many are to be received. */
uint32_t boundary_expect(struct boundary *boundary, uint32_t group);
/* Decodes one packet into the target group's incoming bits, and drops it. Returns false if it is damaged.
 * scratch has room for CODEC_ROOM bytes, twice. */
bool boundary_receive(struct boundary *boundary, uint32_t task, uint8_t *scratch);
/* Announces that a group's packets will be received soon, so that they are read ahead. */
void boundary_ahead(struct boundary *boundary, uint32_t group);
/* Returns the bits that come to the group by a crossing, one a class; NULL if nothing comes. */
const uint8_t *boundary_incoming(const struct boundary *boundary, unsigned crossing);

/* Extracts the bits that will cross from the new level of the group: those of count classes, from class
 * first on. bytes is NULL if all are zero. By orbits those that lead back where bits came from are left out.
 */
void boundary_pack(struct boundary *boundary, uint64_t first, uint64_t count, const uint8_t *bytes);
/* Returns how many packets a group sends; the same for every group. */
uint32_t boundary_packets(const struct boundary *boundary);
/* Codes one packet and keeps it. Returns packet_put's status. */
enum pz_status boundary_send(struct boundary *boundary, uint32_t group, uint32_t task, uint8_t *scratch);

/* Returns true if a packet is kept. */
bool boundary_has(const struct boundary *boundary, uint32_t group, uint32_t task);
/* Returns the group that a packet goes to. */
uint32_t boundary_target(const struct boundary *boundary, uint32_t group, uint32_t task);
/* Removes a packet from the store, to send it to another process. bytes has room for CODEC_ROOM. Returns
 * false if it is damaged. */
bool boundary_take(struct boundary *boundary, uint32_t group, uint32_t task, enum code *code, uint8_t *bytes,
                   uint32_t *length);
/* Keeps a packet that a group sent in another process. Returns packet_put's status. */
enum pz_status boundary_put(struct boundary *boundary, uint32_t group, uint32_t task, enum code code,
                            const uint8_t *bytes, uint32_t length);

/* Drops what comes to a group. */
void boundary_drop(struct boundary *boundary, uint32_t group);

#endif
