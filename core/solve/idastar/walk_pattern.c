/* SPDX-License-Identifier: MIT */
/*
 * Walks by additive pattern databases. A move touches one pattern of each lookup; all the children of a node
 * are looked up before the first is entered, so that their cache misses overlap. The values that a child was
 * given are kept in its parent's frame, and going there and back exchanges them with the walk's own. Children
 * that are nearer to the goal than their parent go first: in the last iteration they find it sooner.
 */
#include "solve/idastar/seen.h"
#include "solve/idastar/walk.h"
#include "solve/pdb/pdb.h"
#include "solve/pdb/popcount.h"

#define INLINE static inline __attribute__((always_inline))

/* One pattern's part of a node. */
struct part {
    struct pdb_place place;
    uint32_t value;
};

/* What differs between a node and one of its children: one part for each lookup, and the sums. */
struct step {
    struct part part[PDB_LOOKUPS_MAX];
    uint16_t sum[PDB_LOOKUPS_MAX];
};

struct walk_pattern {
    struct walk walk;
    struct part part[PDB_SLOTS_MAX]; /* of the present node */
    uint16_t sum[PDB_LOOKUPS_MAX];
    uint8_t open[GRID_CELLS_MAX];       /* the directions that stay on the grid, a bit each */
    uint8_t nearer[WALK_DEPTH_MAX + 1]; /* at each depth: the directions that lower the bound, a bit each */
    struct seen seen;
    struct step step[WALK_DEPTH_MAX + 1][DIRECTION_COUNT];
};

INLINE unsigned value_here(const struct walk_pattern *own)
{
    return own->sum[0] > own->sum[1] ? own->sum[0] : own->sum[1];
}

static unsigned pattern_value(const void *heuristic, const struct board *board)
{
    return pdb_value(heuristic, board);
}

/* What a move of the blank would make of the present node; returns the child's lower bound. */
INLINE unsigned look(struct walk_pattern *own, const struct pdb *pdb, unsigned lookups, unsigned d)
{
    const struct walk *walk = &own->walk;
    unsigned from = pdb->grid.neighbour[walk->blank][d];
    unsigned tile = walk->board.tile[from];
    struct step *step = &own->step[walk->depth][d];
    unsigned bound = 0;
    for (unsigned lookup = 0; lookup < lookups; lookup++) {
        unsigned number = pdb->slot_of[lookup][tile];
        const struct pdb_slot *slot = &pdb->slot[number];
        const struct part *now = &own->part[number];
        struct part *then = &step->part[lookup];
        then->place = pdb_place_moved(slot, now->place, slot->map[from], slot->map[walk->blank]);
        then->value = *pdb_entry(slot, then->place);
        unsigned sum = own->sum[lookup] + then->value - now->value;
        step->sum[lookup] = (uint16_t)sum;
        bound = sum > bound ? sum : bound;
    }
    return bound;
}

/*
 * The bound at the present node has turned out to be `value`, which exceeds the moves that are left: so has
 * that of each node above, by one less a step, as far as it still exceeds what is left there. Their untried
 * moves are in vain.
 */
static void give_up(struct walk *walk, unsigned value, unsigned left)
{
    for (unsigned depth = walk->depth; depth > walk->base && value > left + 2;) {
        value--;
        left++;
        walk->untried[--depth] = 0;
    }
}

/* The moves from the present node that stay within the bound; none when one of them shows that the node does
 * not. */
INLINE unsigned look_around(struct walk_pattern *own, const struct pdb *pdb, unsigned lookups, unsigned left)
{
    struct walk *walk = &own->walk;
    unsigned here = value_here(own);
    unsigned within = 0;
    unsigned nearer = 0;
    unsigned highest = 0;
    walk->expanded++;
    for (unsigned ways = walk_ways(own->open[walk->blank], walk->depth, walk); ways != 0; ways &= ways - 1) {
        unsigned d = (unsigned)__builtin_ctz(ways);
        walk->generated++;
        unsigned value = look(own, pdb, lookups, d);
        highest = value > highest ? value : highest;
        /* left: moves that may follow the present node; one of them is this. */
        within |= (unsigned)(value < left) << d;
        nearer |= (unsigned)(value < here) << d;
    }
    own->nearer[walk->depth] = (uint8_t)nearer;
    if (highest > left + 1) {
        give_up(walk, highest - 1, left);
        return 0;
    }
    return within;
}

/* Exchanges the parts that a move changes: there, and back again. */
INLINE void exchange(struct walk_pattern *own, const struct pdb *pdb, unsigned lookups, struct step *step,
                     unsigned tile)
{
    for (unsigned lookup = 0; lookup < lookups; lookup++) {
        struct part *part = &own->part[pdb->slot_of[lookup][tile]];
        struct part other = *part;
        *part = step->part[lookup];
        step->part[lookup] = other;
        uint16_t sum = own->sum[lookup];
        own->sum[lookup] = step->sum[lookup];
        step->sum[lookup] = sum;
    }
}

INLINE void step_on(struct walk_pattern *own, const struct pdb *pdb, unsigned lookups, unsigned d)
{
    struct walk *walk = &own->walk;
    unsigned cell = pdb->grid.neighbour[walk->blank][d];
    unsigned tile = walk->board.tile[cell];
    exchange(own, pdb, lookups, &own->step[walk->depth][d], tile);
    seen_move(&own->seen, walk->blank, cell, tile);
    walk->board.tile[walk->blank] = (uint8_t)tile;
    walk->blank = cell;
    walk->move[walk->depth++] = (uint8_t)d;
}

INLINE void step_back(struct walk_pattern *own, const struct pdb *pdb, unsigned lookups)
{
    struct walk *walk = &own->walk;
    unsigned d = walk->move[--walk->depth];
    unsigned from = pdb->grid.neighbour[walk->blank][d ^ 1u];
    unsigned tile = walk->board.tile[from];
    seen_move(&own->seen, walk->blank, from, tile);
    walk->board.tile[walk->blank] = (uint8_t)tile;
    walk->blank = from;
    exchange(own, pdb, lookups, &own->step[walk->depth][d], tile);
}

INLINE bool run_body(struct walk_pattern *own, unsigned lookups)
{
    struct walk *walk = &own->walk;
    const struct pdb *pdb = walk->heuristic;
    unsigned bound = walk_bound(walk);
    for (;;) {
        unsigned untried = walk->untried[walk->depth];
        if (untried == 0) {
            if (walk->depth == walk->base)
                return false;
            step_back(own, pdb, lookups);
            continue;
        }
        unsigned nearer = untried & own->nearer[walk->depth];
        unsigned d = (unsigned)__builtin_ctz(nearer != 0 ? nearer : untried);
        walk->untried[walk->depth] = (uint8_t)(untried & ~(1u << d));
        step_on(own, pdb, lookups, d);
        if (own->sum[0] == 0) {
            walk->found = true;
            return true;
        }
        walk->untried[walk->depth] = seen_before(&own->seen, bound, walk->depth)
                                         ? 0
                                         : (uint8_t)look_around(own, pdb, lookups, bound - walk->depth);
        if (--walk->fuel == 0 && walk_poll(walk))
            return true;
    }
}

static bool run_plain(struct walk_pattern *own)
{
    return run_body(own, PDB_LOOKUPS_MAX);
}

POPCOUNT_TARGET static bool run_twice(struct walk_pattern *own)
{
    return run_body(own, PDB_LOOKUPS_MAX);
}

POPCOUNT_TARGET static bool run_once(struct walk_pattern *own)
{
    return run_body(own, 1);
}

static bool run_once_plain(struct walk_pattern *own)
{
    return run_body(own, 1);
}

static bool pattern_run(struct walk *walk)
{
    struct walk_pattern *own = (struct walk_pattern *)walk;
    const struct pdb *pdb = walk->heuristic;
    if (POPCOUNT_PRESENT)
        return pdb->lookups == 1 ? run_once(own) : run_twice(own);
    return pdb->lookups == 1 ? run_once_plain(own) : run_plain(own);
}

static unsigned pattern_begin(struct walk *walk)
{
    struct walk_pattern *own = (struct walk_pattern *)walk;
    const struct pdb *pdb = walk->heuristic;
    struct pdb_place places[PDB_SLOTS_MAX];
    pdb_places(pdb, &walk->board, places);
    own->sum[0] = own->sum[1] = 0;
    seen_begin(&own->seen, &walk->board);
    for (unsigned i = 0; i < pdb->slots; i++) {
        own->part[i] = (struct part){places[i], *pdb_entry(&pdb->slot[i], places[i])};
        own->sum[i / pdb->partition.patterns] =
            (uint16_t)(own->sum[i / pdb->partition.patterns] + own->part[i].value);
    }
    for (unsigned cell = 0; cell < pdb->grid.cells; cell++) {
        own->open[cell] = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (pdb->grid.neighbour[cell][d] != GRID_NO_CELL)
                own->open[cell] |= (uint8_t)(1u << d);
    }
    unsigned value = value_here(own);
    walk->found = value == 0;
    unsigned bound = walk_bound(walk);
    if (walk->depth + value <= bound)
        walk->untried[walk->depth] = (uint8_t)look_around(own, pdb, pdb->lookups, bound - walk->depth);
    return value;
}

/* Looking around fills the frame that the way back, and what is untried, go by. */
static bool pattern_follow(struct walk *walk, unsigned direction)
{
    struct walk_pattern *own = (struct walk_pattern *)walk;
    const struct pdb *pdb = walk->heuristic;
    unsigned bound = walk_bound(walk);
    step_on(own, pdb, pdb->lookups, direction);
    if (own->sum[0] == 0 || walk->depth + value_here(own) > bound)
        return false;
    walk->untried[walk->depth] = (uint8_t)look_around(own, pdb, pdb->lookups, bound - walk->depth);
    return true;
}

static void *pattern_remembered(struct walk *walk, size_t *bytes)
{
    struct walk_pattern *own = (struct walk_pattern *)walk;
    *bytes = seen_bytes(walk->grid->cells);
    return *bytes > 0 ? own->seen.entry : NULL;
}

const struct walk_kernel walk_pattern_kernel = {
    .walk_bytes = sizeof(struct walk_pattern),
    .begin = pattern_begin,
    .run = pattern_run,
    .follow = pattern_follow,
    .remembered = pattern_remembered,
    .value = pattern_value,
};
