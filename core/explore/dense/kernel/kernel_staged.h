/* SPDX-License-Identifier: MIT */
/*
 * The body of the kernels that have no 64-byte shuffle. The sources of unit and split edges are first
 * staged: copied into the order of their targets, a slice at a time so that all stages stay in the
 * first-level cache. Then one pass over a piece combines all its sources, in vectors. The pass is compiled
 * separately for each shape of puzzle, so that its inner loops are straight code.
 *
 * Included by one source file per instruction set, which defines BITS_WIDTH (kernel_bits.h); how a unit's
 * bytes are permuted is an argument of staged_advance.
 */
#ifndef EXPLORE_DENSE_KERNEL_STAGED_H
#define EXPLORE_DENSE_KERNEL_STAGED_H

#include "explore/dense/kernel/kernel.h"
#include "explore/dense/kernel/kernel_bits.h"

/* Some units in a row. */
struct staged_units {
    uint32_t count;
    uint32_t classes;   /* in each */
    const uint8_t *odd; /* of each: which of the edge's two orders it has, the other one when parity is 1 */
    unsigned parity;
};

/* Writes the classes of the units in the order that the edge wants. May read and write 64 bytes from each
 * unit's start on. */
typedef void staged_permute(uint8_t *out, const uint8_t *in, const struct plan_unit_edge *edge,
                            struct staged_units units);

/* A piece has 23 vectors or less, so that the bits of each of their bytes fit a byte when they are added up.
 */
enum { STAGED_PIECE = PLAN_SEGMENT };

/* The source bytes of one edge, in the order of the targets; only one bit of each counts. */
struct staged_source {
    const uint8_t *bytes; /* of the piece */
    uint64_t mask;        /* the target's bit in every byte */
};

/* How many edges move their bit up and how many down, and by how many places each. For the known shapes
 * these are constants at compile time. Sources are in this order. */
struct staged_shape {
    uint8_t colour; /* of the target */
    uint8_t up, down;
    uint8_t shift[DENSE_EDGES_MAX];
};

struct staged_pass {
    struct staged_source source[DENSE_EDGES_MAX];
    uint64_t path_same, path_beside; /* masks of the moves along the path */
    bits_vector present, count;      /* count: of each byte, in this piece */
};

static inline void stage_triples(uint8_t *out, const uint8_t *base, const uint16_t source[4])
{
    memcpy(out, base + source[0], 4);
    memcpy(out + 3, base + source[1], 4);
    memcpy(out + 6, base + source[2], 4);
    memcpy(out + 9, base + source[3], 4);
}

/* Copies of more than the run write over what the next run will fill. */
static inline void stage_runs(uint8_t *out, const uint8_t *base, const uint16_t *source, uint32_t runs,
                              uint32_t run)
{
    if (run == 12)
        for (uint32_t i = 0; i < runs; i++)
            memcpy(out + (size_t)i * 12, base + source[i], 16);
    else if (run == 3)
        for (uint32_t i = 0; i < runs; i += 4)
            stage_triples(out + (size_t)i * 3, base, source + i);
    else
        for (uint32_t i = 0; i < runs; i++)
            out[i] = base[source[i]];
}

/* Common to a block. */
struct staged_work {
    const struct plan *plan;
    const struct plan_transition *transition;
    const struct kernel_block *block;
    struct kernel_scratch *scratch;
    uint32_t slice; /* classes */
    uint32_t piece; /* classes; a slice has whole pieces */
    bool runs;      /* run edges are staged, too, because a segment is not a whole number of pieces */
};

static inline void stage_split(const struct staged_work *work, const struct plan_split_edge *edge,
                               uint32_t first, uint8_t *out)
{
    const struct plan *plan = work->plan;
    const struct kernel_block *block = work->block;
    uint32_t length = work->slice;
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

/* Also copies runs whose length is no multiple of a word. */
static inline void stage_segments(const struct plan *plan, const uint8_t *const *segment, uint32_t first,
                                  uint32_t length, uint8_t *out)
{
    for (uint32_t done = 0; done < length; done += plan->segment)
        memcpy(out + done, segment[(first + done) / plan->segment], plan->segment);
}

/* The sources that lead to the classes from at on. */
BITS_INLINE bits_vector gather(const struct staged_pass *pass, const uint8_t *own, uint32_t at,
                               struct staged_shape shape)
{
    bits_vector x = bits_load(own + at, BITS_BYTES);
    bits_vector beside = shape.colour == 0 ? x << 1 : x >> 1;
    bits_vector next = (x & pass->path_same) | (beside & pass->path_beside);
    for (unsigned i = 0; i < shape.up + shape.down; i++) {
        const struct staged_source *source = &pass->source[i];
        bits_vector y = bits_load(source->bytes + at, BITS_BYTES);
        next |= (i < shape.up ? y << shape.shift[i] : y >> shape.shift[i]) & source->mask;
    }
    return next;
}

BITS_INLINE void take_vector(struct staged_pass *pass, bits_vector next)
{
    pass->present |= next;
    pass->count += bits_count(next);
}

/* The sources may be read beyond the piece, previous and target not: who owns the next block writes there. */
BITS_INLINE void take_rest(struct staged_pass *pass, bits_vector next, const uint8_t *previous,
                           uint8_t *target, uint32_t length)
{
    bits_vector old = ~(bits_vector){0};
    memcpy(&old, previous, length);
    next &= ~old;
    memcpy(target, &next, length);
    take_vector(pass, next);
}

/* The bytes of a piece. */
struct staged_piece {
    const uint8_t *own, *previous;
    uint8_t *target;
    uint32_t length;
};

BITS_INLINE void pass_shape(struct staged_pass *pass, struct staged_piece piece, struct staged_shape shape)
{
    const uint8_t *own = piece.own;
    const uint8_t *previous = piece.previous;
    uint8_t *target = piece.target;
    uint32_t length = piece.length;
    uint32_t at = 0;
    for (; at + BITS_BYTES <= length; at += BITS_BYTES) {
        bits_vector next = gather(pass, own, at, shape) & ~bits_load(previous + at, BITS_BYTES);
        memcpy(target + at, &next, sizeof next);
        take_vector(pass, next);
    }
    if (length - at == 8) /* of all but the smallest puzzles */
        take_rest(pass, gather(pass, own, at, shape), previous + at, target + at, 8);
    else if (at < length)
        take_rest(pass, gather(pass, own, at, shape), previous + at, target + at, length - at);
}

/* Other shapes use the generic code, which is slower. */
static const struct staged_shape staged_known[] = {
    {1, 5, 0, {1, 1, 1, 1, 1}},    {0, 0, 5, {1, 1, 1, 1, 1}},    /* 2x6 */
    {1, 6, 0, {1, 1, 1, 1, 1, 1}}, {0, 0, 6, {1, 1, 1, 1, 1, 1}}, /* 2x7 */
    {1, 3, 3, {2, 1, 2, 2, 3, 2}}, {0, 3, 3, {2, 3, 2, 2, 1, 2}}, /* 3x4 */
};

enum { STAGED_KNOWN = sizeof staged_known / sizeof staged_known[0] };

/* Returns the index of the shape in staged_known, or STAGED_KNOWN. */
static inline unsigned find_shape(const struct staged_shape *shape)
{
    unsigned known = 0;
    while (known < STAGED_KNOWN && memcmp(&staged_known[known], shape, sizeof *shape) != 0)
        known++;
    return known;
}

static inline void pass_piece(struct staged_pass *pass, struct staged_piece piece,
                              const struct staged_shape *shape, unsigned known)
{
    switch (known) {
    case 0:
        pass_shape(pass, piece, staged_known[0]);
        break;
    case 1:
        pass_shape(pass, piece, staged_known[1]);
        break;
    case 2:
        pass_shape(pass, piece, staged_known[2]);
        break;
    case 3:
        pass_shape(pass, piece, staged_known[3]);
        break;
    case 4:
        pass_shape(pass, piece, staged_known[4]);
        break;
    case 5:
        pass_shape(pass, piece, staged_known[5]);
        break;
    default:
        pass_shape(pass, piece, *shape);
        break;
    }
}

/* The index of each edge's source in the pass, in which ups stand before downs. Edges are numbered: unit,
 * split, run edges. */
struct staged_order {
    struct staged_shape shape;
    unsigned known; /* of find_shape() */
    unsigned place[DENSE_EDGES_MAX];
};

static inline struct plan_bits edge_bits_of(const struct plan_transition *transition, unsigned edge)
{
    if (edge < transition->unit_edges)
        return transition->unit_edge[edge].bits;
    edge -= transition->unit_edges;
    if (edge < transition->split_edges)
        return transition->split_edge[edge].bits;
    return transition->run_edge[edge - transition->split_edges].bits;
}

static inline void order_edges(const struct plan_transition *transition, struct staged_pass *pass,
                               struct staged_order *order)
{
    unsigned edges = transition->unit_edges + transition->split_edges + transition->run_edges;
    unsigned placed = 0;
    *order = (struct staged_order){.shape.colour = (uint8_t)transition->colour};
    for (unsigned down = 0; down < 2; down++) {
        for (unsigned edge = 0; edge < edges; edge++) {
            struct plan_bits bits = edge_bits_of(transition, edge);
            if ((bits.from > bits.to) != (down == 1))
                continue;
            order->shape.shift[placed] = (uint8_t)(down == 1 ? bits.from - bits.to : bits.to - bits.from);
            pass->source[placed] = (struct staged_source){NULL, BITS_ONES << bits.to};
            order->place[edge] = placed++;
        }
        if (down == 0)
            order->shape.up = (uint8_t)placed;
    }
    order->shape.down = (uint8_t)(placed - order->shape.up);
    order->known = find_shape(&order->shape);
}

static inline void set_path(const struct plan_transition *transition, struct staged_pass *pass)
{
    pass->path_same = BITS_ONES * transition->same;
    pass->path_beside = BITS_ONES * transition->beside;
}

/* Stages the unit edges, then the split edges; run edges only where a segment is not a whole number of
 * words.
 */
static inline void stage_slice(const struct staged_work *work, uint32_t first, staged_permute *permute)
{
    const struct plan *plan = work->plan;
    const struct plan_transition *transition = work->transition;
    struct kernel_scratch *scratch = work->scratch;
    const struct staged_units units = {.count = work->slice / plan->unit,
                                       .classes = plan->unit,
                                       .odd = plan->unit_parity + first / plan->unit,
                                       .parity = work->block->parity};
    unsigned edge = 0;
    for (unsigned i = 0; i < transition->unit_edges; i++)
        permute(scratch->stage[edge++], work->block->own + first, &transition->unit_edge[i], units);
    for (unsigned i = 0; i < transition->split_edges; i++)
        stage_split(work, &transition->split_edge[i], first, scratch->stage[edge++]);
    for (unsigned i = 0; work->runs && i < transition->run_edges; i++)
        stage_segments(plan, work->block->segment[i], first, work->slice, scratch->stage[edge++]);
}

/* Finds the sources of the piece that begins at that class. */
static inline void find_sources(const struct staged_work *work, const struct staged_order *order,
                                uint32_t first, struct staged_pass *pass)
{
    const struct plan_transition *transition = work->transition;
    unsigned stages =
        transition->unit_edges + transition->split_edges + (work->runs ? transition->run_edges : 0);
    for (unsigned edge = 0; edge < stages; edge++)
        pass->source[order->place[edge]].bytes = work->scratch->stage[edge] + first % work->slice;
    for (unsigned i = 0; !work->runs && i < transition->run_edges; i++)
        pass->source[order->place[stages + i]].bytes = work->block->segment[i][first / work->piece];
}

static inline void mark_piece(const uint8_t *next, uint8_t *mark, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        mark[i] |= next[i];
}

static inline void staged_advance(const struct plan *plan, const struct plan_transition *transition,
                                  const struct kernel_block *block, struct kernel_scratch *scratch,
                                  struct kernel_counts *counts, staged_permute *permute)
{
    struct staged_work work = {.plan = plan, .transition = transition, .block = block, .scratch = scratch};
    struct staged_pass pass = {0};
    struct staged_order order;
    work.slice = plan->block < KERNEL_SLICE ? plan->block : KERNEL_SLICE;
    work.piece = work.slice < STAGED_PIECE ? work.slice : STAGED_PIECE;
    work.runs = plan->segment % work.piece != 0;
    order_edges(transition, &pass, &order);
    set_path(transition, &pass);
    *counts = (struct kernel_counts){0};
    for (uint32_t first = 0; first < plan->block; first += work.piece) {
        if (first % work.slice == 0)
            stage_slice(&work, first, permute);
        find_sources(&work, &order, first, &pass);
        kernel_fetch(plan, transition, block, first / work.piece);
        const struct staged_piece piece = {block->own + first, block->previous + first, block->target + first,
                                           work.piece};
        pass_piece(&pass, piece, &order.shape, order.known);
        counts->count += bits_total(&pass.count);
        if (block->mark != NULL)
            mark_piece(block->target + first, block->mark + first, work.piece);
    }
    counts->present = bits_of_any(pass.present);
}

#endif
