/* SPDX-License-Identifier: MIT */
#include "explore/ranked/runs/run_packet.h"

#include <assert.h>
#include <string.h>

/*
 * The first byte shows which:
 *
 *   PACKET_BITS  for every word of the set 32 bits, the lowest byte first
 *   PACKET_GAPS  for every state how many positions lie between it and the one before, seven bits a byte,
 *                the lowest first; all but the last byte of a number have the highest bit
 */
enum packet { PACKET_BITS, PACKET_GAPS };

static uint32_t set_words(const struct run_shape *shape)
{
    return shape->rows * shape->row_words;
}

size_t run_packet_most(const struct run_shape *shape)
{
    return 1 + (size_t)set_words(shape) * sizeof(uint32_t);
}

/* Packs the low bits of all pairs. */
static uint32_t squeeze(uint64_t fields)
{
    fields = (fields | fields >> 1) & UINT64_C(0x3333333333333333);
    fields = (fields | fields >> 2) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    fields = (fields | fields >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    fields = (fields | fields >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(fields | fields >> 16);
}

/* The inverse of squeeze. */
static uint64_t spread(uint32_t bits)
{
    uint64_t fields = bits;
    fields = (fields | fields << 16) & UINT64_C(0x0000FFFF0000FFFF);
    fields = (fields | fields << 8) & UINT64_C(0x00FF00FF00FF00FF);
    fields = (fields | fields << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    fields = (fields | fields << 2) & UINT64_C(0x3333333333333333);
    return (fields | fields << 1) & UINT64_C(0x5555555555555555);
}

/* ---- writing ---- */

static void write_bits(const uint64_t *set, uint32_t words, uint8_t *bytes)
{
    for (uint32_t word = 0; word < words; word++) {
        const uint32_t bits = squeeze(set[word]);
        for (unsigned i = 0; i < sizeof bits; i++)
            bytes[word * sizeof bits + i] = (uint8_t)(bits >> 8 * i);
    }
}

enum { GAP_BYTES = 3 /* of the longest: a run has at most 2^18 positions */ };

/* Returns the number of bytes; 0 if they would be `most` or more. */
static size_t write_gaps(const uint64_t *set, uint32_t words, uint8_t *bytes, size_t most)
{
    size_t length = 0;
    uint32_t next = 0; /* position behind the last state */
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t fields = set[word]; fields != 0; fields &= fields - 1) {
            const uint32_t at = word * WORD_STATES + (unsigned)__builtin_ctzll(fields) / 2;
            uint32_t gap = at - next;
            assert(at >= next && gap < 1u << 7 * GAP_BYTES);
            if (length + GAP_BYTES > most)
                return 0;
            for (; gap >= 128; gap >>= 7)
                bytes[length++] = (uint8_t)(gap | 128);
            bytes[length++] = (uint8_t)gap;
            next = at + 1;
        }
    }
    return length;
}

size_t run_packet_write(const struct run_shape *shape, const uint64_t *set, uint8_t *bytes)
{
    const uint32_t words = set_words(shape);
    const size_t bits = words * sizeof(uint32_t);
    const size_t length = write_gaps(set, words, bytes + 1, bits);
    assert(length <= bits);
    *bytes = length > 0 ? PACKET_GAPS : PACKET_BITS;
    if (length > 0)
        return 1 + length;
    write_bits(set, words, bytes + 1);
    return 1 + bits;
}

/* ---- reading ---- */

static void read_bits(const uint8_t *bytes, uint32_t words, uint64_t *set)
{
    for (uint32_t word = 0; word < words; word++) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < sizeof bits; i++)
            bits |= (uint32_t)bytes[word * sizeof bits + i] << 8 * i;
        set[word] = spread(bits);
    }
}

static bool read_gaps(const uint8_t *bytes, size_t length, uint32_t words, uint64_t *set)
{
    uint32_t position = 0;
    for (size_t at = 0; at < length; position++) {
        uint32_t gap = 0;
        unsigned shift = 0;
        do {
            if (at == length || shift == 7 * GAP_BYTES)
                return false;
            gap |= (uint32_t)(bytes[at] & 127) << shift;
            shift += 7;
        } while ((bytes[at++] & 128) != 0);
        position += gap;
        if (position >= words * WORD_STATES)
            return false;
        set[position / WORD_STATES] |= UINT64_C(1) << position % WORD_STATES * 2;
    }
    return true;
}

const char *run_packet_read(const struct run_shape *shape, const uint8_t *bytes, size_t length, uint64_t *set,
                            uint32_t *count)
{
    const uint32_t words = set_words(shape);
    bool whole = false;
    uint64_t sum = 0, outside = 0;
    memset(set, 0, shape->run_words * sizeof *set);
    if (length > 0 && *bytes == PACKET_GAPS)
        whole = read_gaps(bytes + 1, length - 1, words, set);
    else if (length == 1 + words * sizeof(uint32_t) && *bytes == PACKET_BITS) {
        whole = true;
        read_bits(bytes + 1, words, set);
    }
    if (!whole)
        return "states of a run that are cut";
    for (uint32_t word = 0; word < words; word++)
        sum += (uint64_t)__builtin_popcountll(set[word]);
    /* Positions without a state are at the end of each row. */
    for (uint32_t word = shape->row_words - 1; word < words; word += shape->row_words)
        outside |= set[word] & ~run_word_mask(shape, word);
    *count = (uint32_t)sum;
    assert(sum <= (uint64_t)words * WORD_STATES);
    if (outside != 0)
        return "states that a run does not have";
    return sum == 0 ? "a run without states" : NULL;
}
