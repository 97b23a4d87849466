/* SPDX-License-Identifier: MIT */
/*
 * Vectors of bytes whose bits are states: reading and counting them. Included by source files that define
 * BITS_WIDTH, the bytes in a vector.
 */
#ifndef EXPLORE_DENSE_KERNEL_BITS_H
#define EXPLORE_DENSE_KERNEL_BITS_H

#ifndef BITS_WIDTH
#error "define BITS_WIDTH first"
#endif

#include <stdint.h>
#include <string.h>

#define BITS_ONES   UINT64_C(0x0101010101010101)
#define BITS_INLINE static inline __attribute__((always_inline))

/* gcc's analyzer takes the shifts of vectors for shifts of bits. */
#ifdef PUZZLED_ANALYSED
typedef uint64_t bits_vector;
#else
typedef uint64_t bits_vector __attribute__((vector_size(BITS_WIDTH)));
#endif

enum { BITS_BYTES = sizeof(bits_vector), BITS_WORDS = BITS_BYTES / 8 };

BITS_INLINE bits_vector bits_load(const uint8_t *bytes, uint32_t length)
{
    bits_vector vector = {0};
    /* A staged kernel's shape and sources come from the same edges, which the analyzer cannot see. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
    memcpy(&vector, bytes, length);
    return vector;
}

/* Returns how many bits each byte has. */
BITS_INLINE bits_vector bits_count(bits_vector x)
{
    x -= x >> 1 & BITS_ONES * 0x55u;
    x = (x & BITS_ONES * 0x33u) + (x >> 2 & BITS_ONES * 0x33u);
    return (x + (x >> 4)) & BITS_ONES * 0x0Fu;
}

/* Adds up the bytes, and empties them. */
BITS_INLINE uint32_t bits_total(bits_vector *sums)
{
    uint32_t total = 0;
    uint64_t words[BITS_WORDS];
    memcpy(words, sums, sizeof words);
    for (unsigned i = 0; i < BITS_WORDS; i++) {
        const uint64_t pairs =
            (words[i] & UINT64_C(0x00FF00FF00FF00FF)) + (words[i] >> 8 & UINT64_C(0x00FF00FF00FF00FF));
        total += (uint32_t)(pairs * UINT64_C(0x0001000100010001) >> 48);
    }
    *sums = (bits_vector){0};
    return total;
}

/* Returns a byte with the bits that any byte has. */
BITS_INLINE uint8_t bits_of_any(bits_vector vector)
{
    uint64_t words[BITS_WORDS], bits = 0;
    memcpy(words, &vector, sizeof words);
    for (unsigned i = 0; i < BITS_WORDS; i++)
        bits |= words[i];
    bits |= bits >> 32;
    bits |= bits >> 16;
    return (uint8_t)(bits | bits >> 8);
}

#endif
