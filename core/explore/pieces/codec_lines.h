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
 */
#ifndef EXPLORE_PIECES_CODEC_LINES_H
#define EXPLORE_PIECES_CODEC_LINES_H

#include "explore/pieces/codec.h"

#include <string.h>

static size_t encode(const uint8_t *in, size_t bytes, uint8_t *out)
{
    uint64_t masks[CODEC_MOST / CODEC_LINE + 1];
    uint8_t top[CODEC_MOST / CODEC_LINE / 8 + 8] = {0};
    size_t count = 0;
    size_t lines = (bytes + CODEC_LINE - 1) / CODEC_LINE;
    uint8_t *end = out;
    for (size_t line = 0; line < lines; line++) {
        uint64_t mask = take_line(in + line * CODEC_LINE, bytes - line * CODEC_LINE, &end);
        masks[count] = mask;
        count += mask != 0;
        top[line / 8] |= (uint8_t)((mask != 0) << line % 8);
    }
    // cppcheck-suppress uninitvar ; the first count of them are set above
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
        uint64_t held = (unsigned)top[line / 8] >> line % 8 & 1u;
        uint64_t mask;
        memcpy(&mask, masks, sizeof mask); /* after the last mask these are other bytes, which are not used */
        masks += held * 8;
        give_line(mask & (0 - held), &in, out + line * CODEC_LINE);
    }
}

#endif
