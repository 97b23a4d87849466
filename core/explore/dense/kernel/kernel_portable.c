/* SPDX-License-Identifier: MIT */
/* For any processor: C with vectors of 16 bytes, which the compiler makes of what there is. */
#define BITS_WIDTH 16
#include "explore/dense/kernel/kernel_orbits.h"
#include "explore/dense/kernel/kernel_staged.h"

#include <endian.h>

static bool runs_here(void)
{
    return true;
}

/* Returns that bit of each of eight bytes, the first byte's lowest. */
static inline unsigned gather_bits(const uint8_t *bytes, unsigned bit)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return (unsigned)((le64toh(word) >> bit & BITS_ONES) * 0x0102040810204080u >> 56);
}

/* Returns eight bytes. That bit of each is as bits say; their other bits may be anything. */
static inline void spread_bits(uint8_t *bytes, uint64_t bits, unsigned bit)
{
    uint64_t each = (bits & 0xFFu) * BITS_ONES & 0x8040201008040201u;
    uint64_t word = htole64((each + BITS_ONES * 0x7Fu) >> (7 - bit));
    memcpy(bytes, &word, sizeof word);
}

/* One bit of a byte is wanted, so a unit is a word of 60 bits, which tables permute four by four. */
static inline void permute_units(uint8_t *out, const uint8_t *in, const struct plan_unit_edge *edge,
                                 struct staged_units units)
{
    unsigned bit = edge->bits.from;
    for (uint32_t u = 0; u < units.count; u++, in += units.classes, out += units.classes) {
        const uint64_t(*lanes)[16] = edge->lanes[units.odd[u] ^ units.parity];
        uint64_t targets = 0;
        for (unsigned i = 0; i < 8; i++) {
            unsigned bits = gather_bits(in + (size_t)8 * i, bit);
            targets |= lanes[2 * i][bits & 15u] | lanes[2 * i + 1][bits >> 4];
        }
        for (unsigned i = 0; i < 8; i++)
            spread_bits(out + (size_t)8 * i, targets >> 8 * i, bit);
    }
}

static void advance(const struct plan *plan, const struct plan_transition *transition,
                    const struct kernel_block *block, struct kernel_scratch *scratch,
                    struct kernel_counts *counts)
{
    staged_advance(plan, transition, block, scratch, counts, permute_units);
}

const struct kernel kernel_portable = {.name = "portable",
                                       .runs_here = runs_here,
                                       .advance = advance,
                                       .orbits = kernel_orbits,
                                       .line = kernel_line};
