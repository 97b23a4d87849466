/* SPDX-License-Identifier: MIT */
/*
 * The moves of one puzzle compiled to source offsets, once for each direction of the blank's colour.
 * Of metric:multi a level is several *sweeps* (docs/engines/dense.md), each with some of these moves. Of
 * planes by orbits there is a transition for each pair of neighbouring lines and each way (plan_outward).
 *
 * Classes are worked on in *blocks* (those that agree on all digits but the last 7 or 8) and, within them, in
 * *units* (all digits but the last 5: 60 classes, which fit a 64-byte register). An edge falls into one of
 * three kinds, by the digits that it changes:
 *
 *   unit   changes digits of the unit only: one fixed permutation of the unit's bytes
 *   split  changes digits on both sides of the unit's border, within the block: runs of 12, 3 or 1 classes
 *          that come from other units of the block
 *   run    changes digits before the unit: runs of 60 classes or more, from anywhere in the plane.
 *          (On 4x4 one such edge has runs of 12.)
 *
 * A plan is immutable and shared by all threads.
 */
#ifndef EXPLORE_DENSE_PLAN_H
#define EXPLORE_DENSE_PLAN_H

#include "explore/dense/index/geometry.h"

#include <assert.h>
#include <stddef.h>

enum {
    PLAN_UNIT_MAX = 60,
    PLAN_BLOCK_MAX = 20160,
    PLAN_SEGMENT = 360,
    PLAN_SEGMENTS_MAX = 56,
    PLAN_SWEEPS_MAX = DENSE_PLACES_MAX / 2 + 1,
    PLAN_SPLIT_SOURCES = 5,
    PLAN_NO_LANE = 0xFF /* in place of a source lane, beyond the unit */
};

/* Bit numbers in the source's and the target's byte. */
struct plan_bits {
    uint8_t from, to;
};

struct plan_unit_edge {
    struct plan_bits bits;
    uint8_t lane[2][64]; /* source lane of each target lane, by the parity of the digits before the unit */
    /* As above for bits: which target lanes the source lanes 4i to 4i+3 lead to, by the bits that these have.
     */
    uint64_t lanes[2][16][16];
};

/*
 * One target unit of a split edge for 64-byte shuffles. Its lanes always come from five units, one for each
 * value of the unit's first digit: in one direction of the rotation this digit becomes the last one before
 * the unit, in the other it determines that one.
 */
struct plan_split_unit {
    uint64_t lanes[PLAN_SPLIT_SOURCES];  /* which target lanes this source fills */
    uint32_t offset[PLAN_SPLIT_SOURCES]; /* of the source unit: classes from the start of the cycle */
    uint32_t index;                      /* in shuffles[] */
};

struct plan_split_edge {
    struct plan_bits bits;
    uint32_t run;   /* classes that move together */
    uint32_t cycle; /* classes that the edge permutes among themselves: divides the block */
    /* Run number in the cycle → class offset in the cycle, by the parity before the cycle. */
    uint16_t *source[2];
    struct plan_split_unit *units[2]; /* cycle / unit of them, by the same parity */
    uint8_t (*shuffles)[64];          /* source lane of each target lane; few are different */
    uint32_t shuffle_count;
};

/*
 * A run edge permutes runs of classes in cycles of whole blocks. Where the source of a run lies is a *slot*:
 * for runs of whole blocks the number of the source's first block in the cycle; for shorter ones the number
 * of the block times 256, plus the number of the run in that block.
 */
struct plan_run_edge {
    struct plan_bits bits;
    struct dense_edge edge;
    bool upward;
    uint64_t run;          /* classes that move together */
    uint32_t run_blocks;   /* blocks in a run; 0 when it is shorter than one */
    uint32_t block_runs;   /* runs in a block; 1 when it is no longer than one */
    uint32_t cycle_blocks; /* blocks that the edge permutes among themselves */
    uint32_t *slot; /* run number in the cycle → slot of its source; NULL if these are too many to list */
};

/* Everything that leads to the classes' places of one colour, or the part of it that is live in a sweep. */
struct plan_transition {
    unsigned colour; /* of the target */
    unsigned sweep;  /* from 1 on; 0 where a level is one sweep. Of orbits: the transition's number + 1 */
    uint8_t same, beside; /* bits that moves along the path lead to: from the same bit, from the next one */
    unsigned unit_edges, split_edges, run_edges;
    struct plan_unit_edge unit_edge[DENSE_EDGES_MAX];
    struct plan_split_edge split_edge[DENSE_EDGES_MAX];
    struct plan_run_edge run_edge[DENSE_EDGES_MAX];
};

/* The bits of a target's byte that moves along a line lead to: from the byte of the other colour as it is,
 * shifted up and down by one, and from the target's own byte shifted up and down. */
struct plan_lines {
    uint8_t same, up, down, own_up, own_down;
};

struct plan {
    const struct dense_geometry *geometry;
    uint32_t unit;     /* classes in a unit */
    uint32_t block;    /* classes in a block */
    uint32_t segment;  /* classes in a segment: the pieces in which run edges are handed to a kernel */
    uint32_t segments; /* in a block */
    uint32_t ahead;    /* how many segments ahead bytes are asked for; 0 where caches may hold the planes */
    uint32_t blocks;   /* in a plane: 259,459,200 at most (16 cells) */
    uint32_t range_blocks;  /* blocks in a range: what a thread takes at a time */
    uint32_t ranges;        /* in a plane, the last one maybe shorter */
    unsigned prefix_digits; /* digits before the block */
    /* 1 if the parity of the digits before the block's unit u, within the block, is odd. */
    uint8_t unit_parity[PLAN_BLOCK_MAX / PLAN_UNIT_MAX];
    unsigned sweeps; /* of a level: 1, or one more than there are lines */
    /* By the target's colour, or by sweep. Of orbits the first leads from line 0 to line 1 and back. */
    struct plan_transition transition[PLAN_SWEEPS_MAX];
    struct plan_lines lines[2]; /* by the target's colour */
};

/*
 * Threads take ranges in turns, which go round the parts of the plane. So threads that work at the same time
 * are not at neighbouring ranges, whose cache lines they would take from each other. The range of a turn
 * depends on the number of ranges alone, so a checkpoint can say how many turns are done.
 */
enum { PLAN_PARTS = 8 };
static inline uint32_t plan_range_of_turn(uint32_t ranges, uint32_t turn)
{
    uint32_t part = ranges / PLAN_PARTS;
    assert(turn < ranges);
    return turn < part * PLAN_PARTS ? turn % PLAN_PARTS * part + turn / PLAN_PARTS : turn;
}

/* Of orbits: return the transition that leads from a line, not the first, to the next one, and back. */
static inline const struct plan_transition *plan_outward(const struct plan *plan, unsigned line)
{
    return &plan->transition[2 * line - 1];
}
static inline const struct plan_transition *plan_inward(const struct plan *plan, unsigned line)
{
    return &plan->transition[2 * line];
}

/* Return the slot of a run's source, by the run's number in its cycle. */
uint32_t plan_compute_slot(const struct plan *plan, const struct plan_run_edge *edge, uint64_t number);
static inline uint32_t plan_slot(const struct plan *plan, const struct plan_run_edge *edge, uint32_t number)
{
    return edge->slot != NULL ? edge->slot[number] : plan_compute_slot(plan, edge, number);
}

/* Fails with PZ_MEMORY only. The geometry must outlive the plan. */
enum pz_status plan_new(const struct dense_geometry *geometry, struct plan **out, struct pz_error *error);
void plan_free(struct plan *plan); /* NULL is fine */
/* Returns the bytes that plan_new will allocate, to within a few kilobytes. */
uint64_t plan_bytes(const struct dense_geometry *geometry);
/* Returns the classes in a block of a geometry. */
uint32_t plan_block_classes(const struct dense_geometry *geometry);

#endif
