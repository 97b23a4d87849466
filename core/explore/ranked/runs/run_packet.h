/* SPDX-License-Identifier: MIT */
/* A set of a run's states as bytes: a bit a position, or gaps between states where these are fewer bytes. */
#ifndef EXPLORE_RANKED_RUN_PACKET_H
#define EXPLORE_RANKED_RUN_PACKET_H

#include "explore/ranked/runs/run_kernel.h"

#include <stddef.h>

/* Returns the most bytes of a packet. */
size_t run_packet_most(const struct run_shape *shape);
/* Writes a set that has at least one state (room: run_packet_most). Returns how many bytes. */
size_t run_packet_write(const struct run_shape *shape, const uint64_t *set, uint8_t *bytes);
/* Reads a set of all run_words, as many states as *count, more than 0. Returns NULL, or what is wrong; the
 * set is then of no use. */
const char *run_packet_read(const struct run_shape *shape, const uint8_t *bytes, size_t length, uint64_t *set,
                            uint32_t *count);

#endif
