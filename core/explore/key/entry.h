/* SPDX-License-Identifier: MIT */
/*
 * An entry: a mixed key and its token, in as many bytes as the key alone. The partition of an entry implies
 * the top bits of its key, at least eight; the token is stored in their place. The first word holds the rest
 * of the key's first word, then the token; the other words are the key's. Entries of one partition sort in
 * the order of their keys.
 */
#ifndef STRIPED_ENTRY_H
#define STRIPED_ENTRY_H

#include "explore/key/mix.h"

#include <stdbool.h>

enum { ENTRY_TOKEN_BITS = 8 };

__attribute__((always_inline)) static inline void entry_make(uint64_t *entry, const uint64_t *key,
                                                             uint8_t token, unsigned words)
{
    entry[0] = key[0] << ENTRY_TOKEN_BITS | token;
    for (unsigned i = 1; i < words; i++)
        entry[i] = key[i];
}

/* top: the highest eight bits of any key of the partition, in their place. */
__attribute__((always_inline)) static inline void entry_key(const uint64_t *entry, uint64_t top,
                                                            uint64_t *key, unsigned words)
{
    key[0] = entry[0] >> ENTRY_TOKEN_BITS | top;
    for (unsigned i = 1; i < words; i++)
        key[i] = entry[i];
}

static inline uint8_t entry_token(const uint64_t *entry)
{
    return (uint8_t)entry[0];
}

__attribute__((always_inline)) static inline bool entry_same_key(const uint64_t *a, const uint64_t *b,
                                                                 unsigned words)
{
    uint64_t difference = (a[0] ^ b[0]) >> ENTRY_TOKEN_BITS;
    for (unsigned i = 1; i < words; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

__attribute__((always_inline)) static inline bool entry_less(const uint64_t *a, const uint64_t *b,
                                                             unsigned words)
{
    uint64_t first = a[0] >> ENTRY_TOKEN_BITS;
    uint64_t second = b[0] >> ENTRY_TOKEN_BITS;
    for (unsigned i = 1; i < words; i++) {
        if (first != second)
            return first < second;
        first = a[i];
        second = b[i];
    }
    return first < second;
}

#endif
