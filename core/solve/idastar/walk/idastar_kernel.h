/* SPDX-License-Identifier: MIT */
/*
 * A kernel is a lower bound and the depth-first walk that goes with it. A walk belongs to one thread; the
 * driver's belongs to whoever holds the iteration's lock.
 *
 * A subtree is named by the moves that lead from the start to its root. A walk holds subtrees: those it was
 * given, less what it has looked at since. Their roots are what it has generated but not expanded.
 */
#ifndef IDASTAR_IDASTAR_KERNEL_H
#define IDASTAR_IDASTAR_KERNEL_H

#include "board/board.h"
#include "puzzled/status.h"

#include <stdatomic.h>

/* The order in which a walk tries the moves of the blank. Published node counts depend on it: in an iteration
 * that finds the goal, a move that comes after the right one is not looked at. */
struct move_order {
    uint8_t first[1 << DIRECTION_COUNT]; /* of a set of directions, a bit each */
};

/* Reads the four letters in any order: "ULRD". PZ_BAD_REQUEST for others. order: NULL to check only. */
enum pz_status move_order_parse(const char *text, struct move_order *order, struct pz_error *error);
/* Turns an order on the caller's grid into that on the view's. */
void move_order_view(const struct grid *grid, const struct board_view *view, struct move_order *order);
/* The order of a walk that is asked for none. */
extern const struct move_order move_order_usual;

/* A node counts all its successors when it is expanded. Returns how many of them, along a path from a board,
 * come after the right move: they were not looked at. */
uint64_t move_order_later(const struct move_order *order, const struct grid *grid, const struct board *start,
                          const uint8_t *move, unsigned moves);

enum {
    WALK_FORGETS = 255,    /* a `remember`: no boards */
    WALK_DEPTH_MAX = 1000, /* moves; the most distant boards of the largest grids are nearer */
    WALK_POLL_NODES = 4096 /* expanded between two calls of walk_poll: a fraction of a millisecond */
};

struct iteration;
struct branch; /* solve/idastar/deepening.h */

struct idastar_walk {
    struct iteration *iteration;
    const void *heuristic; /* the kernel's */
    const struct grid *grid;
    unsigned worker;
    unsigned window;   /* the kernel's */
    unsigned remember; /* struct deepening's, as is the order */
    const struct move_order *order;
    unsigned bound;               /* of the iteration */
    unsigned fuel;                /* expansions until the next walk_poll */
    bool found;                   /* the goal was reached: by the first `depth` of the moves below */
    unsigned depth;               /* in calls to the kernel and back: of the node that the moves lead to */
    uint8_t move[WALK_DEPTH_MAX]; /* move[i]: from depth i to i + 1; the blank's direction, where the kernel
                                   * says nothing else */
    uint64_t generated, expanded;
    uint64_t near;                       /* the sum of walk_nearness of the nodes within the bound */
    struct branch *branch;               /* where it walks; NULL for none */
    uint64_t noted_expanded, noted_near; /* what branches know of */
    uint64_t before;                     /* expanded when the last subtree was taken */
    _Atomic uint64_t shown_generated, shown_expanded; /* copies that the owner of the search reads */
};

/* Called with the name of a subtree. */
typedef void subtree_function(void *context, const uint8_t *move, unsigned depth);

/* Every function by the walk's own thread, or by the owner while nobody walks. */
struct walk_kernel {
    /* Returns the bytes of a walk on a grid of so many cells, with that `remember`: a struct that begins with
     * a struct idastar_walk, which is zeroed in the beginning. */
    size_t (*walk_bytes)(unsigned cells, unsigned remember);
    unsigned window;   /* nodes that are expanded together, for kernels that do that */
    unsigned capacity; /* subtrees that it can be given while it holds others; looks at the last one first */
    unsigned bound_step; /* from one iteration's bound to the next's: 2 where each move changes the parity */
    /* Begins an iteration: the walk holds nothing, and takes up its bound. */
    void (*begin)(struct idastar_walk *walk);
    /* Gives it the subtree of the walk's moves, whose root is that board. */
    void (*add)(struct idastar_walk *walk, const struct board *root);
    bool (*holds)(const struct idastar_walk *walk);
    /* Goes on until it holds nothing, has found the goal or is told by walk_poll to end. */
    void (*run)(struct idastar_walk *walk);
    /* The driver's: goes on to the next subtree whose root lies at the cut or below, leaves its name in move
     * and depth, and no longer holds it. Polls at each node. Returns false when there is none; look for
     * found. */
    bool (*next_cut)(struct idastar_walk *walk);
    /* Takes the subtree nearest to the start out of the walk, if its root is no deeper than that. Writes its
     * moves; returns their number, 0 for none. */
    unsigned (*give)(struct idastar_walk *walk, unsigned deepest, uint8_t *move);
    /* Names all subtrees that it holds, in the order in which it would look at them. */
    void (*list)(const struct idastar_walk *walk, subtree_function *function, void *context);
    /* Returns what the walk remembers of the boards it entered, and its bytes, for checkpoints. NULL if it
     * remembers none. */
    void *(*remembered)(struct idastar_walk *walk, size_t *bytes);
    /* Returns the lower bound of a board. */
    unsigned (*value)(const void *heuristic, const struct board *board);
    /* Plays the move at that depth. Returns false if no walk makes it after the one before. */
    bool (*play)(const struct grid *grid, struct board *board, const uint8_t *move, unsigned depth);
};

/* Shows the counters, gives work away where somebody waits, and lets the owner of the search report. Returns
 * true when the walk is to end. Not for the driver. */
bool walk_poll(struct idastar_walk *walk);
/* The driver's, at each node that it expands: returns true when a node at that depth is on the cut. */
bool walk_on_cut(const struct idastar_walk *walk, unsigned depth);
/* Notes that the driver has expanded a node at that depth. */
void walk_driven(const struct idastar_walk *walk, unsigned depth);

/* Plays moves of one tile, which are directions. */
static inline bool walk_play(const struct grid *grid, struct board *board, const uint8_t *move,
                             unsigned depth)
{
    const bool back = depth > 0 && move[depth] == (move[depth - 1] ^ 1u);
    return move[depth] < DIRECTION_COUNT && !back && board_move(grid, board, (enum direction)move[depth]);
}

/* Returns the directions that lead neither off the grid nor back. */
static inline unsigned walk_ways(unsigned open, unsigned depth, const uint8_t *move)
{
    return depth == 0 ? open : open & ~(1u << (move[depth - 1] ^ 1u));
}

/* Returns the weight of a node of that lower bound: twice as much for each two moves nearer to the goal. */
static inline uint64_t walk_nearness(const struct idastar_walk *walk, unsigned value)
{
    enum { HALVES_MOST = 40 }; /* a sum that wraps would only spoil the order */
    const unsigned halves = (walk->bound - value) / 2;
    return (uint64_t)1 << (halves < HALVES_MOST ? halves : HALVES_MOST);
}

struct pdb;
struct pdb_state;
/* heuristic: const struct pattern_bound *, with the start that the search begins at. */
struct pattern_bound {
    const struct pdb *pdb;
    const struct pdb_state *start;
};
extern const struct walk_kernel pattern_kernel;

/* heuristic: const struct manhattan *. */
struct manhattan {
    uint8_t distance[GRID_CELLS_MAX][GRID_CELLS_MAX]; /* tile, cell: moves to the tile's goal cell */
    uint8_t closer[GRID_CELLS_MAX]
                  [GRID_CELLS_MAX]; /* tile, cell: the directions of the blank, a bit each, in
                                     * which it draws the tile there one cell nearer to home */
};
void manhattan_init(struct manhattan *manhattan, const struct grid *grid, const struct board *goal);
extern const struct walk_kernel manhattan_kernel;

/* By metric=multi. heuristic: const struct multi_tables *, solve/pdb/multi_tables.h. */
extern const struct walk_kernel multi_kernel;

#endif
