/* SPDX-License-Identifier: MIT */
#include "explore/groups/codec.h"

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

/* The lowest bits of eight bytes as one byte, lowest first. */
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

/* Appends the bytes that are not zero; returns their mask. */
static uint64_t take_line(const uint8_t *in, size_t bytes, uint8_t **out)
{
    uint64_t mask = 0;
    for (size_t at = 0; at < bytes; at += 8) {
        uint64_t word = 0;
        memcpy(&word, in + at, bytes - at < 8 ? bytes - at : 8);
        mask |= (uint64_t)held(word) << at;
    }
    for (uint64_t left = mask; left != 0; left &= left - 1)
        *(*out)++ = in[__builtin_ctzll(left)];
    return mask;
}

static size_t encode(const uint8_t *in, size_t bytes, uint8_t *out)
{
    uint64_t masks[CODEC_MOST / CODEC_LINE] = {0};
    uint8_t top[CODEC_MOST / CODEC_LINE / 8] = {0};
    size_t count = 0;
    size_t lines = (bytes + CODEC_LINE - 1) / CODEC_LINE;
    uint8_t *end = out;
    for (size_t line = 0; line < lines; line++) {
        size_t left = bytes - line * CODEC_LINE;
        uint64_t mask = take_line(in + line * CODEC_LINE, left < CODEC_LINE ? left : CODEC_LINE, &end);
        masks[count] = mask;
        count += mask != 0;
        top[line / 8] |= (uint8_t)((mask != 0) << line % 8);
    }
    memcpy(end, masks, count * 8);
    memcpy(end + count * 8, top, (lines + 7) / 8);
    return (size_t)(end - out) + count * 8 + (lines + 7) / 8;
}

static void decode(const uint8_t *in, size_t length, uint8_t *out, size_t bytes)
{
    size_t lines = (bytes + CODEC_LINE - 1) / CODEC_LINE;
    const uint8_t *top = in + length - (lines + 7) / 8;
    size_t count = 0;
    for (size_t i = 0; i < (lines + 7) / 8; i++)
        count += (unsigned)__builtin_popcount(top[i]);
    const uint8_t *masks = top - count * 8;
    for (size_t line = 0; line < lines; line++) {
        memset(out + line * CODEC_LINE, 0, CODEC_LINE);
        if ((top[line / 8] >> line % 8 & 1) == 0)
            continue;
        for (uint64_t left = load(masks); left != 0; left &= left - 1)
            out[line * CODEC_LINE + (unsigned)__builtin_ctzll(left)] = *in++;
        masks += 8;
    }
}

static void pack(const uint8_t *in, size_t count, unsigned bit, uint8_t *out)
{
    for (size_t at = 0; at < count; at += 8)
        out[at / 8] = gather(load(in + at) >> bit);
}

static void unpack(const uint8_t *in, size_t count, unsigned bit, uint8_t *out)
{
    for (size_t at = 0; at < count; at += 8) {
        /* Byte i of the copies keeps bit i; adding 0x7F… carries it to the top where it is set. */
        uint64_t bits = in[at / 8] * EIGHT_ONES & UINT64_C(0x8040201008040201);
        uint64_t ones = (((bits & ~(EIGHT_ONES << 7)) + EIGHT_ONES * 0x7F) | bits) >> 7 & EIGHT_ONES;
        ones <<= bit;
        memcpy(out + at, &ones, 8);
    }
}

const struct codec_kernel codec_portable = {.name = "portable",
                                            .runs_here = runs_here,
                                            .encode = encode,
                                            .decode = decode,
                                            .pack = pack,
                                            .unpack = unpack};
