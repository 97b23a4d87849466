/* SPDX-License-Identifier: MIT */
/*
 * The depth-first walks of an iterative deepening, and what they share. An iteration looks at every path
 * without turning back whose length plus lower bound is within the iteration's bound.
 *
 * Threads share it out so that together they go through the tree in the order in which one thread would: of
 * the last iteration only what comes before the goal is to be walked. One more walk, the trunk, goes through
 * what lies above a cut and turns back there; a thread without work takes the trunk's lock, walks it on to
 * the next node on the cut, and then, alone, the grain below that node. The cut rises and sinks, so that
 * grains have a fit size on average. When the trunk is at its end and a thread has nothing, those that walk
 * give away the untried branches nearest to the roots of their grains, so that all end together.
 *
 * A subtree is named by the moves that lead to it: whoever takes it plays them from the start.
 *
 * Within the walk, boards are those of the canonical grid with the ordered goal.
 */
#ifndef IDASTAR_WALK_H
#define IDASTAR_WALK_H

#include "base/team.h"
#include "board/board.h"
#include "solve/pace.h"

enum {
    WALK_DEPTH_MAX = 1000, /* moves; the most distant boards of the largest grids are nearer */
    WALK_POLL_NODES = 4096 /* expanded between two looks at the world: a fraction of a millisecond */
};

struct walk;
struct checkpointer; /* explore/checkpoint/checkpointer.h */

/* A lower bound and the loop that goes with it. */
struct walk_kernel {
    size_t walk_bytes; /* of a struct that begins with a struct walk */
    /* Takes up the walk at its board, walk->depth moves from the start: what lies below is untried. Returns
     * the lower bound there. Called after walk->board was set; */
    unsigned (*begin)(struct walk *walk);
    /* Goes on until nothing is untried from walk->base on (false), the goal is reached at walk->depth, or
     * walk_poll says to end (true for both). */
    bool (*run)(struct walk *walk);
    /* Goes from the present node, all of whose ways are untried, in one of them, to a node whose ways are
     * then untried as after begin. False, and not to be gone on from, where no walk goes: beyond the bound,
     * or on from the goal. */
    bool (*follow)(struct walk *walk, unsigned direction);
    /* What the walk remembers of boards it entered: *bytes of memory, zeroed in the beginning. NULL where it
     * does not. */
    void *(*remembered)(struct walk *walk, size_t *bytes);
    /* The lower bound of a board. */
    unsigned (*value)(const void *heuristic, const struct board *board);
};

/* One thread's, or the trunk. Only its own thread touches it, but for the counters. */
struct walk {
    struct walk_shared *shared;
    const void *heuristic; /* the kernel's */
    const struct grid *grid;
    unsigned member;
    unsigned base;  /* depth of the subtree's root */
    unsigned depth; /* of the present node */
    unsigned fuel;  /* expansions until the next walk_poll */
    bool found;     /* the present node is the goal */
    bool active;    /* it was halted in the midst of a subtree, with which it goes on */
    bool is_trunk;  /* walked by whoever holds the lock; its fuel is for one node */
    struct board board;
    unsigned blank;
    uint64_t generated, expanded;
    uint64_t before;                                  /* expanded when the subtree was taken */
    _Atomic uint64_t shown_generated, shown_expanded; /* copies that the owner of the search reads */
    uint8_t move[WALK_DEPTH_MAX];        /* move[i]: direction of the blank from depth i to i + 1 */
    uint8_t untried[WALK_DEPTH_MAX + 1]; /* at each depth from base on: directions, a bit each */
};

/* Shows the counters, gives work away where somebody waits, and lets the owner of the search report. True
 * when the walk is to end; on the trunk, when it is to pause. */
bool walk_poll(struct walk *walk);

/* The bound of the iteration. */
unsigned walk_bound(const struct walk *walk);

/* The directions that do not lead off the grid or back. */
static inline unsigned walk_ways(unsigned open, unsigned depth, const struct walk *walk)
{
    return depth == 0 ? open : open & ~(1u << (walk->move[depth - 1] ^ 1u));
}

struct deepening {
    const struct grid *grid;
    const struct board *start;
    const struct walk_kernel *kernel;
    const void *heuristic;
    unsigned threads;
    unsigned first_bound; /* iterations below it are known to fail; 0 for none */
    uint64_t node_limit;  /* generated, about; 0 for none */
    struct pace *pace;
    struct checkpointer
        *checkpointer; /* that it goes on from, and leaves what it needs for that in; NULL for none */
    uint64_t generated_before,
        expanded_before; /* by earlier searches: what a checkpoint says takes their place */
};

struct deepening_result {
    bool found;
    unsigned moves;
    uint8_t *move;     /* malloc'd directions; NULL unless found */
    unsigned finished; /* no solution is that long or shorter; 0 when no iteration came to its end */
    uint64_t generated, expanded; /* and those before */
};

/*
 * Iterations with rising bounds until the goal is found; the length found is the least, whatever the number
 * of threads. The start must be solvable. PZ_OK and found, or PZ_LIMIT (deadline, node limit), PZ_CANCELLED,
 * PZ_MEMORY, PZ_TOO_LARGE (longer than WALK_DEPTH_MAX); the result's counters and `finished` hold for all of
 * these. The caller frees result->move.
 */
enum pz_status deepening_run(const struct deepening *deepening, struct deepening_result *result,
                             struct pz_error *error);

/* What deepening_run takes in memory, about: the caller's to account for. */
uint64_t deepening_bytes(const struct deepening *deepening);

struct pdb;
/* heuristic: const struct pdb *. */
extern const struct walk_kernel walk_pattern_kernel;

/* heuristic: const struct manhattan *. */
struct manhattan {
    uint8_t cells;
    uint8_t distance[GRID_CELLS_MAX][GRID_CELLS_MAX]; /* tile, cell: moves to the tile's goal cell */
    uint8_t closer[GRID_CELLS_MAX]
                  [GRID_CELLS_MAX]; /* tile, cell: the directions of the blank, a bit each, in
                                     * which it draws the tile there one cell nearer to home */
};
void manhattan_init(struct manhattan *manhattan, const struct grid *grid, const struct board *goal);
extern const struct walk_kernel walk_manhattan_kernel;

#endif
