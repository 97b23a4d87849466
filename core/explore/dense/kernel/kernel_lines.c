/* SPDX-License-Identifier: MIT */
#include "explore/dense/kernel/kernel_lines.h"

#include <assert.h>
#include <string.h>

#define LINES_ONES   UINT64_C(0x0101010101010101)
#define LINES_INLINE static inline __attribute__((always_inline))

/* gcc's analyzer takes the shifts of vectors for shifts of bits. */
#ifdef PUZZLED_ANALYSED
typedef uint64_t lines_vector;
#else
typedef uint64_t lines_vector __attribute__((vector_size(16)));
#endif

enum {
    LINES_WIDTH = sizeof(lines_vector),
    LINES_WORDS = LINES_WIDTH / 8,
    LINES_FULL = 31 /* additions of up to 8 to a byte */
};

struct lines_sums {
    lines_vector present, fresh, older; /* the last two: of each byte, how many bits */
};

LINES_INLINE lines_vector lines_load(const uint8_t *bytes, uint32_t length)
{
    lines_vector vector = {0};
    memcpy(&vector, bytes, length);
    return vector;
}

LINES_INLINE lines_vector lines_bits(lines_vector x)
{
    x -= x >> 1 & LINES_ONES * 0x55u;
    x = (x & LINES_ONES * 0x33u) + (x >> 2 & LINES_ONES * 0x33u);
    return (x + (x >> 4)) & LINES_ONES * 0x0Fu;
}

/* Adds up the bytes, and empties them. */
static uint32_t lines_total(lines_vector *sums)
{
    uint32_t total = 0;
    uint64_t words[LINES_WORDS];
    memcpy(words, sums, sizeof words);
    for (unsigned i = 0; i < LINES_WORDS; i++) {
        const uint64_t pairs =
            (words[i] & UINT64_C(0x00FF00FF00FF00FF)) + (words[i] >> 8 & UINT64_C(0x00FF00FF00FF00FF));
        total += (uint32_t)(pairs * UINT64_C(0x0001000100010001) >> 48);
    }
    *sums = (lines_vector){0};
    return total;
}

static uint8_t lines_any(lines_vector present)
{
    uint64_t words[LINES_WORDS], bits = 0;
    memcpy(words, &present, sizeof words);
    for (unsigned i = 0; i < LINES_WORDS; i++)
        bits |= words[i];
    bits |= bits >> 32;
    bits |= bits >> 16;
    return (uint8_t)(bits | bits >> 8);
}

LINES_INLINE void add_vector(const struct lines_block *block, uint32_t at, uint32_t length,
                             lines_vector *present)
{
    const lines_vector now = lines_load(block->now + at, length) | lines_load(block->pulled + at, length);
    memcpy(block->now + at, &now, length);
    *present |= now | lines_load(block->before + at, length);
}

uint8_t lines_add(const struct lines_block *block)
{
    lines_vector present = {0};
    uint32_t at = 0;
    assert(block->length > 0 && block->pulled != NULL);
    for (; at + LINES_WIDTH <= block->length; at += LINES_WIDTH)
        add_vector(block, at, LINES_WIDTH, &present);
    if (at < block->length)
        add_vector(block, at, block->length - at, &present);
    return lines_any(present);
}

/* The states of the newest level in the other colour's bytes, brought along their lines. */
LINES_INLINE lines_vector lines_reach(lines_vector own, lines_vector here, const struct plan_lines *lines)
{
    return (own & LINES_ONES * lines->same) | (own << 1 & LINES_ONES * lines->up) |
           (own >> 1 & LINES_ONES * lines->down) | (here << 1 & LINES_ONES * lines->own_up) |
           (here >> 1 & LINES_ONES * lines->own_down);
}

LINES_INLINE void turn_vector(const struct lines_block *block, const struct plan_lines *lines, uint32_t at,
                              uint32_t length, struct lines_sums *sums)
{
    const lines_vector now = lines_load(block->now + at, length);
    const lines_vector before = lines_load(block->before + at, length);
    const lines_vector own = lines_load(block->own + at, length);
    const lines_vector own_before = lines_load(block->own_before + at, length);
    const lines_vector here = now & before;
    lines_vector fresh = now | lines_reach(own_before & (block->turned ? ~own : own), here, lines);
    if (block->pulled != NULL)
        fresh |= lines_load(block->pulled + at, length);
    fresh &= ~before;
    const lines_vector either = fresh | here;
    memcpy(block->now + at, &fresh, length);
    memcpy(block->before + at, &either, length);
    sums->present |= either;
    sums->fresh += lines_bits(fresh);
    sums->older += lines_bits(here);
    for (unsigned i = 0; i < 2; i++)
        if (block->mark[i] != NULL) {
            const lines_vector mark = lines_load(block->mark[i] + at, length) | fresh;
            memcpy(block->mark[i] + at, &mark, length);
        }
}

uint32_t lines_turn(const struct lines_block *block, const struct plan_lines *lines,
                    struct kernel_counts *counts)
{
    struct lines_sums sums = {0};
    uint32_t older = 0;
    assert(block->length > 0 && counts->count == 0);
    for (uint32_t at = 0, done = 0; at < block->length; at += LINES_WIDTH) {
        if (block->length - at >= LINES_WIDTH)
            turn_vector(block, lines, at, LINES_WIDTH, &sums);
        else
            turn_vector(block, lines, at, block->length - at, &sums);
        if (++done % LINES_FULL != 0 && block->length - at > LINES_WIDTH)
            continue;
        counts->count += lines_total(&sums.fresh);
        older += lines_total(&sums.older);
    }
    counts->present = lines_any(sums.present);
    return older;
}
