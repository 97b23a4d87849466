/* SPDX-License-Identifier: MIT */
/*
 * The frame of the MASK code (codec.h). Each kernel has its own functions that take a line apart and put it
 * together.
 *
 * A kernel includes this file after it has defined
 *
 *     uint64_t take_line(const uint8_t *in, size_t left, uint8_t **out)
 *         appends to *out those of the line's first left (at most 64) bytes that are not zero; returns their
 *         mask. May write 64 bytes.
 *     void give_line(uint64_t mask, const uint8_t *values, unsigned width, size_t *bit, uint8_t *out)
 *         writes the 64 bytes of a line, with the values of so many bits from *bit on, which it moves to the
 *         next one. May read 64 bytes.
 *     void clear_line(uint8_t *out)
 *         writes 64 zeros.
 *     size_t count_bits(const uint8_t *masks, size_t count)
 *         counts the bits of so many masks.
 *     void narrow(uint8_t *values, size_t count, unsigned width)
 *         brings the lowest bits of the values, so many of each, together in their place, lowest first. The
 *         other bits are 0. Writes nothing beyond the values but up to a multiple of 64 bytes.
 */
#ifndef EXPLORE_PIECES_CODEC_LINES_H
#define EXPLORE_PIECES_CODEC_LINES_H

#include "explore/dense/pieces/codec/codec.h"

#include <string.h>

/* A MASK while it is written. */
struct mask_out {
    unsigned width; /* of a value, in bits */
    uint8_t *end;   /* of the values */
    size_t masks;   /* how many */
    size_t tops;    /* bytes */
    uint64_t mask[CODEC_MOST / CODEC_LINE];
    uint8_t top[CODEC_MOST / CODEC_LINE]; /* a bit a line */
};

/* The parts of a MASK that are not read yet. */
struct mask_in {
    unsigned width;
    const uint8_t *values;
    const uint8_t *values_end;
    const uint8_t *masks;
    const uint8_t *top;
};

static size_t lines_of(size_t bytes)
{
    return (bytes + CODEC_LINE - 1) / CODEC_LINE;
}

static size_t tops_of(size_t bytes)
{
    return (lines_of(bytes) + 7) / 8;
}

static size_t value_bytes(size_t values, unsigned width)
{
    return (values * width + 7) / 8;
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
    size_t values = (size_t)(end - out->end);
    if (out->width < 8)
        narrow(out->end, values, out->width);
    out->end += value_bytes(values, out->width);
    out->masks = (size_t)(mask - out->mask);
}

static size_t encode(const uint8_t *in, const struct codec_row *row, uint8_t *out)
{
    struct mask_out written;
    written.width = codec_width(row);
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

static size_t count_lines(const uint8_t *top, size_t tops)
{
    size_t count = 0;
    for (size_t i = 0; i < tops; i++)
        count += (unsigned)__builtin_popcount(top[i]);
    return count;
}

/* Finds the parts of a MASK. Returns false if they do not fit its length. */
static bool find_parts(const uint8_t *in, size_t length, const struct codec_row *row, struct mask_in *out)
{
    size_t tops = 0;
    for (uint32_t i = 0; i < row->blocks; i++)
        tops += codec_holds(row, i) ? tops_of(row->block) : 0;
    if (length < tops)
        return false;
    const uint8_t *top = in + length - tops;
    size_t masks = count_lines(top, tops);
    if (masks > (length - tops) / 8)
        return false;
    *out = (struct mask_in){codec_width(row), in, top - masks * 8, top - masks * 8, top};
    return true;
}

/* Returns the next mask if the bit says that the line has one, else 0. */
static inline uint64_t next_mask(const uint8_t **masks, unsigned held)
{
    uint64_t mask;
    memcpy(&mask, *masks, sizeof mask); /* may read other bytes after the last mask; they are not used */
    *masks += (size_t)held * 8;
    return mask & (0 - (uint64_t)held);
}

static void decode_lines(const struct mask_in *in, uint8_t *out, size_t bytes)
{
    const uint8_t *masks = in->masks;
    const uint8_t *values = in->values;
    const unsigned width = in->width;
    const uint8_t *whole = out + bytes / CODEC_LINE * CODEC_LINE;
    size_t bit = 0; /* of the values */
    for (const uint8_t *top = in->top; out < whole; top++) {
        const uint8_t *end = whole - out < 8 * CODEC_LINE ? whole : out + 8 * CODEC_LINE;
        unsigned held = *top;
        if (held == 0)
            for (; out < end; out += CODEC_LINE)
                clear_line(out);
        for (; out < end; out += CODEC_LINE, held >>= 1)
            give_line(next_mask(&masks, held & 1), values, width, &bit, out);
    }
    if (bytes % CODEC_LINE != 0) {
        uint8_t last[CODEC_LINE];
        size_t line = bytes / CODEC_LINE;
        give_line(next_mask(&masks, in->top[line / 8] >> line % 8 & 1), values, width, &bit, last);
        memcpy(out, last, bytes % CODEC_LINE);
    }
}

/* Returns false if the block's bits name more lines than it has, or more values than are left. */
static bool decode_block(struct mask_in *in, uint8_t *out, size_t bytes)
{
    size_t tops = tops_of(bytes);
    unsigned over = lines_of(bytes) % 8;
    size_t masks = count_lines(in->top, tops);
    size_t taken = value_bytes(count_bits(in->masks, masks), in->width);
    if ((over != 0 && in->top[tops - 1] >> over != 0) || taken > (size_t)(in->values_end - in->values))
        return false;
    decode_lines(in, out, bytes);
    in->values += taken;
    in->masks += masks * 8;
    in->top += tops;
    return true;
}

static bool decode(const uint8_t *in, size_t length, const struct codec_row *row, uint8_t *out)
{
    struct mask_in left;
    if (!find_parts(in, length, row, &left))
        return false;
    for (uint32_t i = 0; i < row->blocks; i++)
        if (codec_holds(row, i) && !decode_block(&left, out + (size_t)i * row->block, row->block))
            return false;
    return left.values == left.values_end;
}

#endif
