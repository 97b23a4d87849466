/* SPDX-License-Identifier: MIT */
/*
 * The body of the kernels that have no 64-byte shuffle. Each edge's sources are first staged, put into the
 * order of their targets, a slice at a time so that all stages stay in the first-level cache; then every stage
 * is one straight loop over 64-bit words, which the compiler turns into whatever vectors it was told to use.
 *
 * Included by one source file per instruction set, which says how a unit's bytes are permuted.
 */
#ifndef EXPLORE_DENSE_STAGED_H
#define EXPLORE_DENSE_STAGED_H

#include "explore/dense/kernel.h"

#include <string.h>

#define STAGED_ONES 0x0101010101010101u

/* Writes unit bytes of out in the order that lane says; may read 64 bytes of in and write 64 of out. */
typedef void staged_permute(uint8_t *out, const uint8_t *in, const uint8_t lane[64], uint32_t unit);

static inline uint64_t staged_word(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Copies of more than the run write over what the next run will fill. */
static inline void stage_runs(uint8_t *out, const uint8_t *base, const uint16_t *source, uint32_t runs,
                              uint32_t run)
{
    if (run == 12)
        for (uint32_t i = 0; i < runs; i++)
            memcpy(out + (size_t)i * 12, base + source[i], 16);
    else if (run == 3)
        for (uint32_t i = 0; i < runs; i++)
            memcpy(out + (size_t)i * 3, base + source[i], 4);
    else
        for (uint32_t i = 0; i < runs; i++)
            out[i] = base[source[i]];
}

static inline void stage_split(const struct plan *plan, const struct plan_split_edge *edge,
                               const struct kernel_block *block, uint32_t first, uint32_t length,
                               uint8_t *out)
{
    for (uint32_t done = 0; done < length;) {
        uint32_t cycle = (first + done) / edge->cycle * edge->cycle;
        uint32_t at = first + done - cycle;
        uint32_t piece = edge->cycle - at < length - done ? edge->cycle - at : length - done;
        unsigned parity = block->parity ^ plan->unit_parity[cycle / plan->unit];
        stage_runs(out + done, block->own + cycle, edge->source[parity] + at / edge->run, piece / edge->run,
                   edge->run);
        done += piece;
    }
}

static inline void stage_unit(const struct plan *plan, const struct plan_unit_edge *edge,
                              const struct kernel_block *block, uint32_t first, uint32_t length, uint8_t *out,
                              staged_permute *permute)
{
    for (uint32_t done = 0; done < length; done += plan->unit) {
        unsigned parity = block->parity ^ plan->unit_parity[(first + done) / plan->unit];
        permute(out + done, block->own + first + done, edge->lane[parity], plan->unit);
    }
}

static inline void stage_segments(const struct plan *plan, const uint8_t *const *segment, uint32_t first,
                                  uint32_t length, uint8_t *out)
{
    for (uint32_t done = 0; done < length; done += plan->segment)
        memcpy(out + done, segment[(first + done) / plan->segment], plan->segment);
}

/* The moves along the path: a place's neighbours are the same bit of the other colour and one beside it. */
static inline void take_path(const uint8_t *own, uint8_t *next, uint32_t words, unsigned colour,
                             uint8_t valid)
{
    uint64_t mask = STAGED_ONES * valid;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t x = staged_word(own + 8 * (size_t)w);
        uint64_t up = (x << 1) & (STAGED_ONES * 0xFEu);
        uint64_t down = (x >> 1) & (STAGED_ONES * 0x7Fu);
        uint64_t y = (x | (colour == 0 ? up : down)) & mask;
        memcpy(next + 8 * (size_t)w, &y, sizeof y);
    }
}

static inline void take_edge(const uint8_t *stage, uint8_t *next, uint32_t words, struct plan_bits bits)
{
    for (uint32_t w = 0; w < words; w++) {
        uint64_t y = staged_word(next + 8 * (size_t)w);
        y |= (staged_word(stage + 8 * (size_t)w) >> bits.from & STAGED_ONES) << bits.to;
        memcpy(next + 8 * (size_t)w, &y, sizeof y);
    }
}

/* Bits of each pair of bytes, as four 16-bit counts: words of a slice cannot overflow them. */
static inline uint64_t count_pairs(uint64_t x)
{
    x -= x >> 1 & STAGED_ONES * 0x55u;
    x = (x & STAGED_ONES * 0x33u) + (x >> 2 & STAGED_ONES * 0x33u);
    x = (x + (x >> 4)) & STAGED_ONES * 0x0Fu;
    return (x & 0x00FF00FF00FF00FFu) + (x >> 8 & 0x00FF00FF00FF00FFu);
}

static inline void finish_slice(const uint8_t *next, uint8_t *target, uint32_t words,
                                struct kernel_tally *tally)
{
    uint64_t any = 0;
    uint64_t counts = 0;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t y = staged_word(next + 8 * (size_t)w) & ~staged_word(target + 8 * (size_t)w);
        memcpy(target + 8 * (size_t)w, &y, sizeof y);
        any |= y;
        counts += count_pairs(y);
    }
    for (unsigned shift = 0; shift < 64; shift += 16)
        tally->count += (uint32_t)(counts >> shift & 0xFFFFu);
    for (unsigned shift = 0; shift < 64; shift += 8)
        tally->any |= (uint8_t)(any >> shift);
}

static inline void mark_slice(const uint8_t *next, uint8_t *mark, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        uint64_t y = staged_word(mark + 8 * (size_t)w) | staged_word(next + 8 * (size_t)w);
        memcpy(mark + 8 * (size_t)w, &y, sizeof y);
    }
}

/* A slice is a multiple of 8 bytes long, or else the whole plane, which is padded with zeros. */
static inline void staged_advance(const struct plan *plan, const struct plan_way *way,
                                  const struct kernel_block *block, struct kernel_scratch *scratch,
                                  struct kernel_tally *tally, staged_permute *permute)
{
    uint32_t length = plan->block < KERNEL_SLICE ? plan->block : KERNEL_SLICE;
    uint32_t words = (length + 7) / 8;
    uint8_t *stage = scratch->stage[0];
    *tally = (struct kernel_tally){0};
    for (uint32_t first = 0; first < plan->block; first += length) {
        take_path(block->own + first, scratch->next, words, way->colour, way->valid);
        for (unsigned i = 0; i < way->unit_edges; i++) {
            stage_unit(plan, &way->unit_edge[i], block, first, length, stage, permute);
            take_edge(stage, scratch->next, words, way->unit_edge[i].bits);
        }
        for (unsigned i = 0; i < way->split_edges; i++) {
            stage_split(plan, &way->split_edge[i], block, first, length, stage);
            take_edge(stage, scratch->next, words, way->split_edge[i].bits);
        }
        for (unsigned i = 0; i < way->run_edges; i++) {
            stage_segments(plan, block->segment[i], first, length, stage);
            take_edge(stage, scratch->next, words, way->run_edge[i].bits);
        }
        finish_slice(scratch->next, block->target + first, words, tally);
        if (block->mark != NULL)
            mark_slice(block->target + first, block->mark + first, words);
    }
}

#endif
