/* SPDX-License-Identifier: MIT */
/*
 * The dense engine's explorer, for any kind of planes. There are two bodies: whole.c keeps planes in memory
 * as they are, coded.c keeps them coded, group by group, in memory or on disk.
 */
#ifndef EXPLORE_DENSE_DENSE_LEVELS_H
#define EXPLORE_DENSE_DENSE_LEVELS_H

#include "base/team.h"
#include "board/board.h"
#include "explore/dense/level/dense_level.h"
#include "explore/dense/level/examples.h"
#include "explore/run/explorer.h"

struct levels_options {
    const struct explore_request *request; /* of it: threads, budget, kernel, keep, depth, scratch, disk */
    const struct dense_geometry *geometry; /* copied */
    const struct board_view *view;         /* from the space's orientation to the canonical one; copied */
    enum explore_planes planes;            /* not PLANES_AUTO */
    struct control *control;               /* may be NULL */
    unsigned digits;                       /* of groups; 0 for the usual number */
    uint64_t file_bytes;                   /* of scratch files; 0 for the usual size */
};

struct dense_levels {
    struct explorer base;
    struct levels_options options;
    struct dense_geometry geometry;
    struct board_view view;
    struct plan *plan;
    const struct kernel *kernel;
    struct team *team;
    uint64_t taken;  /* from the budget, by levels_init */
    uint64_t before; /* states in the level before the newest */
    /* The body's: chooses among the states of the newest level or of the one before it. */
    enum pz_status (*choose_places)(struct dense_levels *levels, uint32_t level, struct examples *examples,
                                    struct pz_error *error);
    struct examples_place chosen[EXPLORE_DEEPEST_MAX];
};

/* The two bodies; dense.h has the kinds of planes. Returns the bytes of memory that whole planes take at
 * most, without the plan. */
uint64_t whole_bytes(const struct dense_geometry *geometry, const struct explore_request *request);
enum pz_status whole_open(const struct levels_options *options, struct explorer **out,
                          struct pz_error *error);
enum pz_status coded_open(const struct levels_options *options, struct explorer **out,
                          struct pz_error *error);

/* Returns the bytes that every body takes beside its own. */
uint64_t levels_fixed_bytes(const struct dense_geometry *geometry);

/* ---- for the bodies ---- */

/* A search's place, in its checkpoint. */
struct levels_place {
    uint32_t level;
    uint32_t turns; /* of the next level: how many are done */
    uint32_t colour;
    uint32_t unused;
    uint64_t width;
};

/* Copies the options, and fills in what follows from them. Comes first. */
void levels_describe(struct dense_levels *levels, const struct levels_options *options);
/* Takes own bytes and the fixed ones from the budget; makes plan, kernel and team. After a failure
 * levels_clear frees what was made. */
enum pz_status levels_init(struct dense_levels *levels, uint64_t own, struct pz_error *error);
/* Returns bytes of the body's own to the budget. */
void levels_give(struct dense_levels *levels, uint64_t bytes);
void levels_clear(struct dense_levels *levels);
/* Makes a level of so many states the newest one. */
void levels_take(struct dense_levels *levels, uint64_t states);
/* Chooses examples by choose_places, as explorer_ops wants them. */
enum pz_status levels_choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                             unsigned *count, struct pz_error *error);
/* Returns the colour of the places of a level's states. */
static inline unsigned levels_colour(const struct dense_levels *levels, uint32_t level)
{
    return (levels->geometry.root_place + level) % 2;
}

#endif
