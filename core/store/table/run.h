/* SPDX-License-Identifier: MIT */
/*
 * Sorted runs of mixed keys with their distances, as one value each. The payload:
 *
 *     u8   words of a key (1, 2 or 4)
 *     u8   bytes of a distance (1, 2 or 4)
 *     u8   p, length of the front that all keys of the run share
 *     u8   zero
 *     u32  number of keys n
 *     key  "after": the run answers for every key k with after < k <= last, and the last is in the run's own
 *          LMDB key; all zero in the first run, which answers for zero as well
 *     p bytes, the common front
 *     n × (8 words − p) bytes, the rest of each key, ascending
 *     n × distance, big-endian
 *
 * A run says from which key on it answers. So a key in its range that it does not hold is in no run, and a
 * damaged index cannot make a state look unreached. Keys are big-endian here, so that memcmp orders them.
 */
#ifndef STORE_RUN_H
#define STORE_RUN_H

#include "explore/explore.h"

enum { RUN_WORDS_MAX = 8, RUN_KEYS_MAX = 4096 };

/* Returns true for the widths that keys have: 1, 2 or 4 words. */
static inline bool run_words_known(uint32_t words)
{
    return words == 1 || words == 2 || words == 4 || words == 8;
}

/* A key as bytes. */
void run_key_bytes(const uint64_t *key, unsigned words, uint8_t out[8 * RUN_WORDS_MAX]);

/* Writes as many keys as payload_max (at least 1024) allows, from 1 to RUN_KEYS_MAX, and sets *taken to their
 * number. Returns the payload's length. after: NULL for the first run. A count of 0 makes an empty run. */
size_t run_encode(const struct explore_run *run, const uint8_t *after, size_t payload_max, uint8_t *payload,
                  size_t *taken);

/* A view into a payload. */
struct run_view {
    unsigned words, distance_bytes, prefix, rest;
    size_t count;
    const uint8_t *after, *front, *keys, *distances;
};
/* Returns false if the payload is malformed. */
bool run_parse(const uint8_t *payload, size_t length, struct run_view *view);
/* Returns true if the run answers for the key. */
bool run_covers(const struct run_view *view, const uint8_t *key);
/* Finds a key's distance by binary search; returns false if the run does not hold it. */
bool run_find(const struct run_view *view, const uint8_t *key, uint32_t *distance);
/* Writes the keys (words each) and distances of the run, those at the distance; returns their number. */
size_t run_decode(const struct run_view *view, uint32_t distance, uint64_t *keys, uint32_t *distances);

#endif
