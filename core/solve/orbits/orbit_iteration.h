/* SPDX-License-Identifier: MIT */
/*
 * One iteration of a search on coordinates: its branches, which threads take in their order. For
 * orbit_search.c and orbit_iteration.c.
 */
#ifndef ORBITS_ORBIT_ITERATION_H
#define ORBITS_ORBIT_ITERATION_H

#include "base/team.h"
#include "explore/run/monitor.h"
#include "solve/orbits/orbit_table.h"
#include "solve/solve_request.h"

struct checkpointer; /* explore/checkpoint/checkpointer.h */

enum {
    SEARCH_DEPTH_MAX = 120, /* of an iteration */
    BRANCHES_MAX = 1 << 15,
    BRANCHES_LIKED = 1 << 11,
    WINDOW_MAX = 32,        /* nodes of a worker that are expanded together … */
    WINDOW_LOOKUPS = 1 << 9 /* … if they have no more successors than that */
};

/* A question to one of the tables. */
struct orbit_question {
    const struct orbit_walk *walk;
    const uint8_t *bytes;
    unsigned own;          /* its number in the walk */
    unsigned at;           /* of its values in a node */
    uint32_t *const *next; /* by part: by value, then by move */
};

struct orbit_node {
    uint8_t depth;
    uint8_t bound[ORBITS_QUESTIONS_MAX];
    uint8_t path[SEARCH_DEPTH_MAX];
    uint32_t value[]; /* by question, then by part */
};

/* A node that is expanded, and the successors that are left. */
struct orbit_frame {
    struct orbit_node *node;
    unsigned count;
    uint8_t order[ORBITS_QUESTIONS_MAX]; /* of questions: the greatest bound first, it leaves least */
    uint8_t move[TWIST_MOVES_MAX];
    uint64_t key[TWIST_MOVES_MAX];
    uint8_t bound[TWIST_MOVES_MAX][ORBITS_QUESTIONS_MAX];
};

struct orbit_branch {
    uint8_t move[SEARCH_DEPTH_MAX / 4];
    unsigned near; /* the sum of its bounds */
    uint32_t number;
};

struct orbit_search {
    const struct solve_request *request;
    const struct orbit_table *tables;
    unsigned table_count;
    struct monitor monitor;
    struct orbit_question question[ORBITS_QUESTIONS_MAX];
    unsigned questions, moves;
    uint32_t *next[ORBIT_TABLES_MAX][TWIST_PARTS_MAX];
    uint8_t follow[TWIST_MOVES_MAX + 1][TWIST_MOVES_MAX];
    unsigned followers[TWIST_MOVES_MAX + 1];
    uint8_t next_bound[256][4]; /* by a bound and the next residue; UINT8_MAX for no way */
    bool *covers;               /* by a set of questions: each move keeps the goal of one of them */
    struct orbit_worker *workers;
    struct orbit_node *root;
    size_t node_bytes;
    unsigned window; /* nodes that are expanded together */
    unsigned bound;
    struct orbit_branch *branches;
    uint32_t branch_count;
    unsigned branch_depth;
    _Atomic uint8_t *walked;      /* of each branch: nothing is left of it */
    _Atomic uint32_t taken, done; /* branches of this iteration */
    _Atomic uint32_t found;       /* the first branch with a solution; UINT32_MAX */
    _Atomic bool halt;
    enum pz_status ended;                       /* why */
    struct checkpointer *checkpointer;          /* NULL for none */
    uint64_t generated_before, expanded_before; /* by the run that left a checkpoint */
};

struct orbit_worker {
    struct orbit_search *search;
    struct orbit_frame *frames; /* of the window */
    uint8_t *nodes;             /* theirs */
    uint8_t *stack;             /* of nodes that wait, the deepest on top */
    size_t waiting;
    uint8_t solution[SEARCH_DEPTH_MAX];
    uint32_t branch, found;
    unsigned beyond; /* the least value above the bound that it met */
    uint64_t generated, expanded;
    _Atomic uint64_t shown, shown_expanded; /* the same, for the owner while others walk */
    bool owner;
};

static inline struct orbit_node *orbit_node_at(const struct orbit_search *search, uint8_t *nodes, size_t at)
{
    return (struct orbit_node *)(nodes + at * search->node_bytes);
}

/* Divides an iteration into branches, the nearest to the goal first: the same whatever the threads. */
void orbit_iteration_divide(struct orbit_search *search);
/* Walks the branches that are not walked yet; team NULL for the caller alone. */
void orbit_iteration_run(struct orbit_search *search, struct team *team);
/* Leaves a checkpoint, by the owner, also while others walk. */
void orbit_iteration_save(struct orbit_search *search);
/* Takes up the iteration of a checkpoint, which is divided then. Returns false if there is none to go on
 * from. */
bool orbit_iteration_load(struct orbit_search *search);

#endif
