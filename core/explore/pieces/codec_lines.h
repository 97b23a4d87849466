/* SPDX-License-Identifier: MIT */
/*
 * The frame of the MASK code (codec.h). Each kernel has its own way to take a line apart and put it together.
 *
 * A kernel includes this file after it has defined
 *
 *     uint64_t take_line(const uint8_t *in, size_t left, uint8_t **out)
 *         appends to *out those of the line's first left (at most 64) bytes that are not zero; returns their
 *         mask. May write 64 bytes.
 *     void give_line(uint64_t mask, const uint8_t **in, uint8_t *out)
 *         writes the 64 bytes of a line from those at *in. May read 64 bytes.
 *     void clear_line(uint8_t *out)
 *         writes 64 zeros.
 *     size_t count_bits(const uint8_t *masks, size_t count)
 *         counts the bits of so many masks.
 */
#ifndef EXPLORE_PIECES_CODEC_LINES_H
#define EXPLORE_PIECES_CODEC_LINES_H

#include "explore/pieces/codec.h"

#include <string.h>

static size_t lines_of(size_t bytes)
{
    return (bytes + CODEC_LINE - 1) / CODEC_LINE;
}

static size_t encode(const uint8_t *in, size_t bytes, uint8_t *out)
{
    uint64_t masks[CODEC_MOST / CODEC_LINE + 1];
    uint8_t top[CODEC_MOST / CODEC_LINE / 8 + 8] = {0};
    size_t count = 0;
    size_t lines = lines_of(bytes);
    uint8_t *end = out;
    for (size_t first = 0; first < lines; first += 8) {
        unsigned held = 0;
        size_t here = lines - first < 8 ? lines - first : 8;
        bool whole = (first + 8) * CODEC_LINE <= bytes;
        for (size_t i = 0; i < here; i++) {
            size_t at = (first + i) * CODEC_LINE;
            uint64_t mask = take_line(in + at, whole ? CODEC_LINE : bytes - at, &end);
            masks[count] = mask;
            count += mask != 0;
            held |= (unsigned)(mask != 0) << i;
        }
        top[first / 8] = (uint8_t)held;
    }
    // cppcheck-suppress uninitvar ; the first count of them are set above
    memcpy(end, masks, count * 8);
    memcpy(end + count * 8, top, (lines + 7) / 8);
    return (size_t)(end - out) + count * 8 + (lines + 7) / 8;
}

/* Returns how many lines hold anything. */
static size_t count_lines(const uint8_t *top, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += (unsigned)__builtin_popcount(top[i]);
    return count;
}

static bool tail(const uint8_t *in, size_t length, size_t bytes, struct codec_tail *out)
{
    size_t lines = lines_of(bytes);
    size_t top = (lines + 7) / 8;
    if (length < top)
        return false;
    size_t held = count_lines(in + length - top, top);
    *out = (struct codec_tail){.bytes = held * 8 + top};
    if (out->bytes > length || held > lines)
        return false;
    out->values = count_bits(in + length - out->bytes, held);
    return lines % 8 == 0 || in[length - 1] >> lines % 8 == 0;
}

static void decode(const uint8_t *values, const uint8_t *end, uint8_t *out, size_t bytes)
{
    size_t lines = lines_of(bytes);
    size_t whole = bytes / CODEC_LINE;
    uint8_t last[CODEC_LINE] = {0}; /* which need not be whole */
    const uint8_t *top = end - (lines + 7) / 8;
    const uint8_t *masks = top - count_lines(top, (lines + 7) / 8) * 8;
    for (size_t first = 0; first < lines; first += 8, top++) {
        size_t here = lines - first < 8 ? lines - first : 8;
        if (*top == 0 && first + 8 <= whole) {
            for (size_t i = 0; i < 8; i++)
                clear_line(out + (first + i) * CODEC_LINE);
            continue;
        }
        for (size_t i = 0; i < here; i++) {
            uint8_t *to = first + i < whole ? out + (first + i) * CODEC_LINE : last;
            uint64_t held = (unsigned)*top >> i & 1u;
            uint64_t mask;
            memcpy(&mask, masks, sizeof mask); /* after the last mask other bytes, which are not used */
            masks += held * 8;
            give_line(mask & (0 - held), &values, to);
        }
    }
    if (whole < lines)
        memcpy(out + whole * CODEC_LINE, last, bytes % CODEC_LINE);
}

#endif
