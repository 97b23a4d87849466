/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/codec/codec.h"

#include <string.h>

#define EIGHT_ONES UINT64_C(0x0101010101010101)

static bool runs_here(void)
{
    return true;
}

static uint64_t load(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Returns the lowest bits of eight bytes as one byte, lowest first. */
static uint8_t gather(uint64_t word)
{
    return (uint8_t)((word & EIGHT_ONES) * UINT64_C(0x0102040810204080) >> 56);
}

/* Bit i of the result: byte i is not zero. */
static uint8_t held(uint64_t word)
{
    word |= word >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F);
    word |= word >> 2 & UINT64_C(0x3F3F3F3F3F3F3F3F);
    word |= word >> 1 & UINT64_C(0x7F7F7F7F7F7F7F7F);
    return gather(word);
}

static inline uint64_t take_line(const uint8_t *in, size_t left, uint8_t **out)
{
    uint64_t mask = 0;
    for (size_t at = 0; at < CODEC_LINE && at < left; at += 8) {
        uint64_t word = 0;
        memcpy(&word, in + at, left - at < 8 ? left - at : 8);
        mask |= (uint64_t)held(word) << at;
    }
    for (uint64_t bits = mask; bits != 0; bits &= bits - 1)
        *(*out)++ = in[__builtin_ctzll(bits)];
    return mask;
}

static inline void give_line(uint64_t mask, const uint8_t *values, unsigned width, size_t *bit, uint8_t *out)
{
    memset(out, 0, CODEC_LINE);
    for (; mask != 0; mask &= mask - 1, *bit += width)
        out[__builtin_ctzll(mask)] = (uint8_t)(load(values + *bit / 8) >> *bit % 8 & ((1u << width) - 1));
}

static inline void clear_line(uint8_t *out)
{
    memset(out, 0, CODEC_LINE);
}

static inline size_t count_bits(const uint8_t *masks, size_t count)
{
    size_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t mask;
        memcpy(&mask, masks + i * 8, sizeof mask);
        bits += (unsigned)__builtin_popcountll(mask);
    }
    return bits;
}

/* Moves the bits that are not in `lower` down. */
static uint64_t join(uint64_t word, uint64_t lower, unsigned shift)
{
    return (word & lower) | (word & ~lower) >> shift;
}

/* Joins values in pairs, the pairs in fours, and the fours in eights. */
static inline void narrow(uint8_t *values, size_t count, unsigned width)
{
    unsigned free_bits = 8 - width;
    uint8_t *out = values;
    for (size_t at = 0; at < count; at += 8, out += width) {
        uint64_t word = 0;
        memcpy(&word, values + at, count - at < 8 ? count - at : 8);
        word = join(word, UINT64_C(0x00FF00FF00FF00FF), free_bits);
        word = join(word, UINT64_C(0x0000FFFF0000FFFF), 2 * free_bits);
        word = join(word, UINT64_C(0x00000000FFFFFFFF), 4 * free_bits);
        memcpy(out, &word, sizeof word);
    }
}

#include "explore/dense/pieces/codec/codec_lines.h"

static void pack(const uint8_t *in, size_t count, unsigned bit, uint8_t *out)
{
    for (size_t at = 0; at < count; at += 8)
        out[at / 8] = gather(load(in + at) >> bit);
}

static bool unpack(const uint8_t *in, size_t count, unsigned bit, uint8_t *out)
{
    unsigned present = 0;
    for (size_t at = 0; at < count / 8; at++)
        present |= in[at];
    if (present == 0)
        return false;
    for (size_t at = 0; at < count; at += 8) {
        /* Byte i of the copies keeps bit i; adding 0x7F… carries it to the top where it is set. */
        uint64_t bits = in[at / 8] * EIGHT_ONES & UINT64_C(0x8040201008040201);
        uint64_t ones = (((bits & ~(EIGHT_ONES << 7)) + EIGHT_ONES * 0x7F) | bits) >> 7 & EIGHT_ONES;
        ones <<= bit;
        memcpy(out + at, &ones, 8);
    }
    return true;
}

const struct codec_kernel codec_portable = {.name = "portable",
                                            .runs_here = runs_here,
                                            .encode = encode,
                                            .decode = decode,
                                            .pack = pack,
                                            .unpack = unpack};
