/* SPDX-License-Identifier: MIT */
/*
 * The inner loop of the dense engine, in several versions that give equal planes: one block, one level.
 *
 *     next = neighbours(current) AND NOT previous, written over previous
 */
#ifndef EXPLORE_DENSE_KERNEL_H
#define EXPLORE_DENSE_KERNEL_H

#include "explore/dense/index/plan.h"

enum {
    KERNEL_SLICE = 2520, /* classes that a staging kernel works on at a time; divides every larger block */
    KERNEL_STAGE = KERNEL_SLICE + 120
};

/* One block's work. Sources, and nothing else, may be read up to 64 bytes beyond the block. */
struct kernel_block {
    const uint8_t *own; /* the block in the plane that is read */
    const uint8_t *
        previous; /* the target's bytes, or zeros where it is known to be empty: then they need not be read */
    uint8_t *target; /* the same block in the other plane: previous, then next */
    uint8_t *mark;   /* where to put next's states too, or NULL */
    unsigned parity; /* of the digits before the block */
    /* By run edge and segment: the classes that lead there. */
    const uint8_t *segment[DENSE_EDGES_MAX][PLAN_SEGMENTS_MAX];
    const struct kernel_block
        *coming; /* the block that is advanced next, so that its bytes are fetched ahead, or NULL */
};

struct kernel_counts {
    uint32_t count;  /* states in next */
    uint8_t present; /* bits that some class has */
};

/* A thread's own working memory. */
struct kernel_scratch {
    _Alignas(64) uint8_t stage[DENSE_EDGES_MAX][KERNEL_STAGE];
};

/* Prefetches the cache lines that are needed plan->ahead segments later, in this block or in the next one. */
static inline void kernel_fetch(const struct plan *plan, const struct plan_transition *transition,
                                const struct kernel_block *block, uint32_t segment)
{
    segment += plan->ahead;
    if (segment >= plan->segments) {
        block = block->coming;
        segment -= plan->segments;
    }
    if (plan->ahead == 0 || block == NULL)
        return;
    uint32_t first = segment * plan->segment;
    for (uint32_t at = 0; at < plan->segment; at += 64) {
        __builtin_prefetch(block->own + first + at);
        __builtin_prefetch(block->target + first + at, 1);
        for (unsigned i = 0; i < transition->run_edges; i++)
            __builtin_prefetch(block->segment[i][segment] + at);
    }
}

typedef void kernel_function(const struct plan *plan, const struct plan_transition *transition,
                             const struct kernel_block *block, struct kernel_scratch *scratch,
                             struct kernel_counts *counts);

/*
 * Of metric:multi, planes by *orbits* (docs/engines/planes.md): a block's bytes have a bit for each column,
 * from bit 0 on, and one for each line. All places here are by their columns.
 */
struct kernel_orbits {
    const uint8_t *now; /* the known level */
    const uint8_t
        *first; /* columns that line 0 leads to; above them, the places of line 0 that are reached */
    const uint8_t *inward;    /* columns that the lines from the third on lead to */
    const uint8_t *before;    /* the level before it */
    uint8_t *target;          /* may be before */
    const uint8_t *places[8]; /* by line, from the third on: those that are reached */
    uint8_t width, lines;
    uint32_t length; /* classes */
};

struct kernel_orbits_counts {
    uint8_t present;
    uint32_t orbits; /* in the new level */
    uint32_t lines;  /* of these */
    uint32_t fresh;  /* places of these lines that a column has reached */
};

struct kernel {
    const char *name;
    bool (*runs_here)(void); /* returns true if this processor has the instructions */
    kernel_function *advance;
    /* Makes a block's next level from what leads to it. */
    void (*orbits)(const struct kernel_orbits *block, struct kernel_orbits_counts *counts);
    /* Writes, for each class, a line's places: all if the line is in the known level, else those of more. */
    void (*line)(const struct kernel_orbits *block, unsigned line, const uint8_t *more, uint8_t *out);
};

/* Finds the kernel of that name, or for NULL the fastest that runs here. Returns PZ_BAD_REQUEST for an
 * unknown name, PZ_UNSUPPORTED if the kernel cannot run here. */
enum pz_status kernel_find(const char *name, const struct kernel **out, struct pz_error *error);
/* All kernels, best first, also those that cannot run here; NULL ends them. */
extern const struct kernel *const dense_kernels[];

extern const struct kernel kernel_portable;
#if defined(__x86_64__)
extern const struct kernel kernel_avx2;
extern const struct kernel kernel_avx512;
#endif

#endif
