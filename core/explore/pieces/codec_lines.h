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

/* A MASK while it is written. */
struct mask_out {
    uint8_t *end; /* of the values */
    size_t masks;
    size_t tops;
    uint64_t mask[CODEC_MOST / CODEC_LINE];
    uint8_t top[CODEC_MOST / CODEC_LINE]; /* a bit a line */
};

/* The parts of a MASK that are not read yet. */
struct mask_in {
    const uint8_t *values;
    const uint8_t *masks;
    const uint8_t *top;
};

static uint32_t lines_of(const struct codec_row *row)
{
    return (row->block + CODEC_LINE - 1) / CODEC_LINE;
}

static void encode_block(const uint8_t *in, size_t bytes, struct mask_out *out)
{
    uint8_t *end = out->end;
    uint64_t *mask = out->mask + out->masks;
    for (size_t at = 0; at < bytes;) {
        unsigned held = 0;
        bool whole = at + (size_t)8 * CODEC_LINE <= bytes;
        for (unsigned i = 0; i < 8 && at < bytes; i++, at += CODEC_LINE) {
            *mask = take_line(in + at, whole ? CODEC_LINE : bytes - at, &end);
            held |= (unsigned)(*mask != 0) << i;
            mask += *mask != 0;
        }
        out->top[out->tops++] = (uint8_t)held;
    }
    out->masks = (size_t)(mask - out->mask);
    out->end = end;
}

static size_t encode(const uint8_t *in, const struct codec_row *row, uint8_t *out)
{
    struct mask_out written;
    written.end = out;
    written.masks = written.tops = 0;
    for (uint32_t i = 0; i < row->blocks; i++)
        if (codec_holds(row, i))
            encode_block(in + (size_t)i * row->block, row->block, &written);
    if (written.masks == 0)
        return 0;
    memcpy(written.end, written.mask, written.masks * 8);
    memcpy(written.end + written.masks * 8, written.top, written.tops);
    return (size_t)(written.end - out) + written.masks * 8 + written.tops;
}

/* Returns how many lines hold anything; SIZE_MAX if a bit is set of lines that a block does not have. */
static size_t count_lines(const uint8_t *top, size_t bytes, uint32_t lines)
{
    size_t count = 0;
    uint32_t left = lines; /* of the block */
    for (size_t i = 0; i < bytes; i++) {
        count += (unsigned)__builtin_popcount(top[i]);
        if (left < 8 && top[i] >> left != 0)
            return SIZE_MAX;
        left = left > 8 ? left - 8 : lines;
    }
    return count;
}

static bool parts(const uint8_t *in, size_t length, const struct codec_row *row, struct codec_parts *out)
{
    uint32_t lines = lines_of(row);
    size_t top = 0;
    for (uint32_t i = 0; i < row->blocks; i++)
        top += codec_holds(row, i) ? (lines + 7) / 8 : 0;
    if (length < top)
        return false;
    size_t masks = count_lines(in + length - top, top, lines);
    if (masks > (length - top) / 8)
        return false;
    out->masks = masks;
    out->values = count_bits(in + length - top - masks * 8, masks);
    return out->values + masks * 8 + top == length;
}

static void decode_block(struct mask_in *in, uint8_t *out, size_t bytes)
{
    uint8_t last[CODEC_LINE] = {0}; /* which need not be whole */
    const uint8_t *values = in->values;
    const uint8_t *masks = in->masks;
    const uint8_t *top = in->top;
    for (size_t first = 0; first < bytes; first += (size_t)8 * CODEC_LINE, top++) {
        size_t end = first + (size_t)8 * CODEC_LINE;
        unsigned held = *top;
        if (held == 0 && end <= bytes) {
            for (size_t at = first; at < end; at += CODEC_LINE)
                clear_line(out + at);
            continue;
        }
        for (size_t at = first; at < end && at < bytes; at += CODEC_LINE, held >>= 1) {
            uint8_t *to = at + CODEC_LINE <= bytes ? out + at : last;
            uint64_t mask;
            memcpy(&mask, masks, sizeof mask); /* after the last mask other bytes, which are not used */
            masks += (size_t)(held & 1) * 8;
            give_line(mask & (0 - (uint64_t)(held & 1)), &values, to);
        }
    }
    if (bytes % CODEC_LINE != 0)
        memcpy(out + bytes - bytes % CODEC_LINE, last, bytes % CODEC_LINE);
    *in = (struct mask_in){values, masks, top};
}

static void decode(const uint8_t *in, const struct codec_parts *parts, const struct codec_row *row,
                   uint8_t *out)
{
    const uint8_t *masks = in + parts->values;
    struct mask_in left = {.values = in, .masks = masks, .top = masks + parts->masks * 8};
    for (uint32_t i = 0; i < row->blocks; i++)
        if (codec_holds(row, i))
            decode_block(&left, out + (size_t)i * row->block, row->block);
}

#endif
