/* SPDX-License-Identifier: MIT */
/*
 * The alignment of runs by which more moves leave rows and columns as they are.
 *
 * The powers of one move take the values of an outer coordinate round in orbits. One value of each orbit is
 * its base, and one power leads from there to each other value. In the run of such a value, rows and columns
 * are counted as they were before that power. So the powers take one run of an orbit to another one as it is.
 * Any other move makes of rows and columns what three steps make together: the power that leads to the one
 * run, the move, and the way back to the base from the other run.
 */
#ifndef TWIST_ALIGNMENT_H
#define TWIST_ALIGNMENT_H

#include "puzzled/space.h"
#include "space/twist/twist.h"

/* An outer coordinate, and how moves carry runs by number. What they make of rows and columns depends on this
 * coordinate alone. */
struct alignment_moves {
    const struct twist *twist;
    const struct pz_runs *runs;
    void (*edge)(const struct pz_runs *runs, unsigned move, uint64_t outer, struct pz_edge *edge);
    uint64_t weight; /* of the coordinate, in the outer number */
    uint32_t values;
};

/* Shows which row each row becomes, and which column each column, as struct pz_edge does. */
struct alignment_step {
    const uint32_t *rows;
    const uint16_t *columns;
};

struct alignment {
    uint64_t weight; /* of the coordinate; 0: there is no alignment */
    uint32_t values;
    struct alignment_step *way;  /* by value: to rows and columns by number */
    struct alignment_step *step; /* by move, then by value */
    struct alignment_step *made; /* those that it made */
    uint32_t count;
    double share; /* of the work by number that is left */
};

/* Returns how many bytes an alignment takes at most; 0 where none is tried. */
uint64_t alignment_bytes(const struct alignment_moves *moves);
/* Aligns by a coordinate where that saves so much more than what there is that it is worth it. Returns false
 * without memory. */
bool alignment_try(struct alignment *alignment, const struct alignment_moves *moves);
void alignment_clear(struct alignment *alignment);

static inline uint32_t alignment_value(const struct alignment *alignment, uint64_t outer)
{
    return (uint32_t)(outer / alignment->weight % alignment->values);
}

#endif
