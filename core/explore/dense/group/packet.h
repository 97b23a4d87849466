/* SPDX-License-Identifier: MIT */
/* The store of coded packets (boundary.h): in an arena, or on disk when the arena is full. Any thread. */
#ifndef EXPLORE_DENSE_PACKET_H
#define EXPLORE_DENSE_PACKET_H

#include "explore/dense/pieces/arena.h"
#include "explore/dense/pieces/codec/codec.h"
#include "explore/dense/pieces/disk/spill.h"

struct packet {
    struct arena_string string; /* on disk: block is the unit */
    uint16_t code;              /* an enum code */
    bool on_disk;
};

struct packet_store {
    struct arena *arena;
    struct spill *spill; /* NULL for none */
};

/* Keeps the bytes. set: of the spill. Returns PZ_MEMORY if there is no room and no spill, PZ_STORAGE_FULL or
 * PZ_STORAGE if the spill fails. */
enum pz_status packet_put(const struct packet_store *store, unsigned set, struct packet *packet,
                          enum code code, const uint8_t *bytes, uint32_t length);
/* Copies a packet's bytes to out and drops it. Returns false if they are damaged. */
bool packet_take(const struct packet_store *store, unsigned set, struct packet *packet, uint8_t *out);
/* Drops it: it is empty afterwards. */
void packet_drop(const struct packet_store *store, struct packet *packet);

#endif
