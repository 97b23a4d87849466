/* SPDX-License-Identifier: MIT */
/* A request of iterative deepening: the board, the bound, the limits. */
#ifndef IDASTAR_DEEPENING_REQUEST_H
#define IDASTAR_DEEPENING_REQUEST_H

#include "explore/run/monitor.h"
#include "solve/idastar/move_order.h"
#include "solve/idastar/walk/idastar_kernel.h"

struct checkpointer; /* explore/checkpoint/checkpointer.h */

struct deepening {
    const struct grid *grid;
    const struct board *start;
    const struct walk_kernel *kernel;
    const void *heuristic;
    unsigned threads;
    unsigned remember; /* a walk on more than 16 cells remembers 2^remember boards; 0: the usual number;
                          WALK_FORGETS: a walk on any grid remembers none */
    const struct move_order *order; /* NULL for the usual; a kernel without an order of its own ignores it */
    unsigned first_bound;           /* no solution is shorter: iterations below it are left out; 0 for none */
    uint64_t node_limit;            /* generated, about; 0 for none */
    uint64_t divide_nodes;          /* once that many are generated, iterations go branch by branch; 0: the
                                       usual number */
    struct budget *budget;          /* for branches; NULL: nothing is accounted */
    struct monitor *monitor;
    struct checkpointer *checkpointer; /* to go on from and to leave checkpoints in; NULL for none */
};

#endif
