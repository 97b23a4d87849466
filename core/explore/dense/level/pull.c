/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/pull.h"

#include "explore/dense/pieces/codec/codec.h"

#include <assert.h>
#include <string.h>

/* Returns the block from which a block is made by an edge whose runs are whole blocks. */
static uint32_t source_block(const struct pull *pull, const struct plan_run_edge *edge, uint32_t number)
{
    uint32_t at = number % edge->cycle_blocks;
    uint32_t source = plan_slot(pull->plan, edge, at / edge->run_blocks) + at % edge->run_blocks;
    assert(source < edge->cycle_blocks);
    return number - at + source;
}

/* Takes the segments of a block one after the other. Returns false if they are known to be empty. */
static bool take_segments(const struct pull *pull, const uint8_t *bytes, const uint8_t **segment)
{
    for (uint32_t i = 0; i < pull->plan->segments; i++)
        segment[i] = bytes + (size_t)i * pull->plan->segment;
    return bytes != pull->planes->zeros;
}

static bool find_block(const struct pull *pull, const struct plan_run_edge *edge, uint32_t number,
                       const uint8_t **segment)
{
    const uint8_t *bytes =
        planes_source(pull->planes, 1 - pull->transition->colour, source_block(pull, edge, number), 0,
                      (uint8_t)(1u << edge->bits.from));
    return take_segments(pull, bytes, segment);
}

/* Each run that is shorter than a block has a source of its own. */
static const uint8_t *find_run(const struct pull *pull, const struct plan_run_edge *edge, uint32_t base,
                               uint32_t number)
{
    uint32_t slot = plan_slot(pull->plan, edge, number);
    assert((slot >> 8) < edge->cycle_blocks && (slot & 255u) < edge->block_runs);
    return planes_source(pull->planes, 1 - pull->transition->colour, base + (slot >> 8),
                         (slot & 255u) * (uint32_t)edge->run, (uint8_t)(1u << edge->bits.from));
}

static bool find_runs(const struct pull *pull, const struct plan_run_edge *edge, uint32_t number,
                      const uint8_t **segment)
{
    const struct plan *plan = pull->plan;
    uint32_t at = number % edge->cycle_blocks;
    uint32_t pieces = (uint32_t)edge->run / plan->segment;
    bool found = false;
    for (uint32_t i = 0; i < edge->block_runs; i++) {
        const uint8_t *bytes = find_run(pull, edge, number - at, at * edge->block_runs + i);
        found |= bytes != pull->planes->zeros;
        for (uint32_t piece = 0; piece < pieces; piece++)
            *segment++ = bytes + (size_t)piece * plan->segment;
    }
    return found;
}

/* Runs shorter than a segment are copied together first (4x4 has one such edge). */
static bool gather_runs(const struct pull *pull, const struct plan_run_edge *edge, uint32_t number,
                        uint8_t *gathered, const uint8_t **segment)
{
    uint32_t at = number % edge->cycle_blocks;
    bool found = false;
    for (uint32_t i = 0; i < edge->block_runs; i++) {
        const uint8_t *bytes = find_run(pull, edge, number - at, at * edge->block_runs + i);
        found |= bytes != pull->planes->zeros;
        memcpy(gathered + i * edge->run, bytes, edge->run);
    }
    (void)take_segments(pull, gathered, segment);
    return found;
}

static bool crosses(const struct pull *pull, const struct plan_run_edge *edge)
{
    return edge->edge.low < pull->planes->group_digits;
}

/* Returns true if any of count bits is set. Both numbers are multiples of 8. */
static bool any_bit(const uint8_t *bits, uint64_t first, uint64_t count)
{
    enum { STEP = 128 };
    const uint8_t *bytes = bits + first / 8;
    const uint64_t length = count / 8;
    unsigned rest = 0;
    for (uint64_t at = 0; length >= STEP && at < length; at += STEP) {
        uint64_t words[STEP / 8];
        uint64_t present = 0;
        memcpy(words, bytes + (at + STEP <= length ? at : length - STEP), sizeof words);
        for (unsigned i = 0; i < STEP / 8; i++)
            present |= words[i];
        if (present != 0)
            return true;
    }
    for (uint64_t at = 0; length < STEP && at < length; at++)
        rest |= bytes[at];
    return rest != 0;
}

/* Bits that come from another group are handed to the kernel as bytes with that one bit. */
static bool find_crossed(const struct pull *pull, unsigned i, uint32_t number, struct pull_room *room,
                         const uint8_t **segment)
{
    const struct plan *plan = pull->plan;
    const uint8_t *boundary = pull->planes->boundary[i];
    const uint8_t *bytes = pull->planes->zeros;
    uint64_t first = (uint64_t)number * plan->block;
    uint8_t *crossed = room->crossed + (size_t)i * PULL_CROSSED;
    if (boundary != NULL && codec_kernel()->unpack(boundary + first / 8, plan->block,
                                                   pull->transition->run_edge[i].bits.from, crossed))
        bytes = crossed;
    return take_segments(pull, bytes, segment);
}

/* ---- sparse groups ---- */

static bool has_bit(const uint8_t *bytes, uint64_t length, unsigned bit)
{
    uint64_t present = 0;
    for (uint64_t at = 0; at < length; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + (at + 8 <= length ? at : length - 8), sizeof word);
        present |= word;
    }
    return (present & UINT64_C(0x0101010101010101) << bit) != 0;
}

/* Returns the edge in the other direction: it leads from the target of a run back to the run. */
static const struct plan_run_edge *reverse_of(const struct pull *pull, const struct plan_run_edge *edge)
{
    const struct plan_transition *back = pull->back;
    unsigned i = 0;
    while (back->run_edge[i].edge.low != edge->edge.low || back->run_edge[i].edge.high != edge->edge.high) {
        i++;
        assert(i < back->run_edges);
    }
    return &back->run_edge[i];
}

void pull_reach(const struct pull *pull, uint32_t number)
{
    const struct planes *planes = pull->planes;
    unsigned colour = 1 - pull->transition->colour;
    assert(number < planes->blocks);
    for (unsigned i = 0; i < pull->transition->run_edges; i++) {
        const struct plan_run_edge *edge = &pull->transition->run_edge[i];
        if (planes->reached[i] == NULL ||
            ((unsigned)planes->present[colour][number] >> edge->bits.from & 1u) == 0)
            continue;
        const struct plan_run_edge *reverse = reverse_of(pull, edge);
        const uint8_t *bytes = planes->bytes[colour] + (uint64_t)number * planes->block;
        uint32_t at = number % edge->cycle_blocks;
        for (uint32_t run = 0; run < edge->block_runs; run++) {
            if (!has_bit(bytes + run * edge->run, edge->run, edge->bits.from))
                continue;
            uint32_t target =
                number - at + (plan_slot(pull->plan, reverse, at * edge->block_runs + run) >> 8);
            atomic_store_explicit(&planes->reached[i][target], 1, memory_order_relaxed);
        }
    }
}

static bool is_reached(const struct pull *pull, unsigned i, uint32_t number)
{
    const _Atomic uint8_t *reached = pull->planes->reached[i];
    return reached == NULL || atomic_load_explicit(&reached[number], memory_order_relaxed) != 0;
}

static bool find_edge(const struct pull *pull, unsigned i, uint32_t number, struct pull_room *room,
                      struct kernel_block *block)
{
    const struct plan_run_edge *edge = &pull->transition->run_edge[i];
    if (crosses(pull, edge))
        return find_crossed(pull, i, number, room, block->segment[i]);
    if (edge->run_blocks > 0)
        return find_block(pull, edge, number, block->segment[i]);
    if (!is_reached(pull, i, number))
        return take_segments(pull, pull->planes->zeros, block->segment[i]);
    if (edge->run >= pull->plan->segment)
        return find_runs(pull, edge, number, block->segment[i]);
    return gather_runs(pull, edge, number, room->runs[i], block->segment[i]);
}

bool pull_block(const struct pull *pull, uint32_t number, struct pull_room *room, struct kernel_block *block)
{
    assert(number < pull->planes->blocks);
    block->own = planes_source(pull->planes, 1 - pull->transition->colour, number, 0, 0xFF);
    bool found = block->own != pull->planes->zeros;
    for (unsigned i = 0; i < pull->transition->run_edges; i++)
        found |= find_edge(pull, i, number, room, block);
    return found;
}

/* Returns true if a source of the range's blocks lies in a range that holds any state. */
static bool edge_reaches(const struct pull *pull, unsigned i, uint32_t range)
{
    const struct plan *plan = pull->plan;
    const struct plan_run_edge *edge = &pull->transition->run_edge[i];
    const uint8_t *busy = pull->planes->busy[1 - pull->transition->colour];
    if (plan->range_blocks % edge->cycle_blocks == 0)
        return busy[range] != 0;
    uint32_t end = planes_range_end(pull->planes, range);
    if (edge->run_blocks == 0) {
        uint32_t block = range * plan->range_blocks;
        while (block < end && !is_reached(pull, i, block))
            block++;
        return block < end;
    }
    for (uint32_t block = range * plan->range_blocks; block < end;) {
        uint32_t left = edge->run_blocks - block % edge->cycle_blocks % edge->run_blocks;
        uint32_t step = left < end - block ? left : end - block;
        uint32_t source = source_block(pull, edge, block);
        if (busy[source / plan->range_blocks] != 0 || busy[(source + step - 1) / plan->range_blocks] != 0)
            return true;
        block += step;
    }
    return false;
}

static bool boundary_reaches(const struct pull *pull, unsigned i, uint32_t range)
{
    const uint8_t *boundary = pull->planes->boundary[i];
    uint64_t first = (uint64_t)range * pull->plan->range_blocks * pull->plan->block;
    uint64_t end = (uint64_t)planes_range_end(pull->planes, range) * pull->plan->block;
    return boundary != NULL && any_bit(boundary, first, end - first);
}

bool pull_range(const struct pull *pull, uint32_t range)
{
    assert(range < pull->planes->ranges);
    if (pull->planes->busy[1 - pull->transition->colour][range] != 0)
        return true;
    for (unsigned i = 0; i < pull->transition->run_edges; i++) {
        const struct plan_run_edge *edge = &pull->transition->run_edge[i];
        if (crosses(pull, edge) ? boundary_reaches(pull, i, range) : edge_reaches(pull, i, range))
            return true;
    }
    return false;
}
