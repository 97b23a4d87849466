/* SPDX-License-Identifier: MIT */
/*
 * The levels of one dense search, for any kind of planes. There are two bodies: whole.c keeps planes in
 * memory as they are, coded.c keeps them coded, group by group, in memory or on disk. All calls come from the
 * thread that owns the search.
 */
#ifndef EXPLORE_DENSE_LEVELS_H
#define EXPLORE_DENSE_LEVELS_H

#include "base/team.h"
#include "explore/checkpoint/checkpointer.h"
#include "explore/dense/level/examples.h"
#include "explore/dense/level/level.h"
#include "explore/explore.h"

struct levels_options {
    const struct explore_request *request; /* of it: threads, budget, kernel, keep, depth, scratch, disk */
    const struct dense_geometry *geometry;
    enum explore_planes planes; /* not PLANES_AUTO */
    struct control *control;    /* may be NULL */
    unsigned digits;            /* of groups; 0 for the usual number */
    uint64_t file_bytes;        /* of scratch files; 0 for the usual size */
};

struct levels_figures {
    uint64_t memory;     /* bytes of the budget, now */
    uint64_t disk_bytes; /* of scratch space, now */
    uint64_t disk_peak;
    uint64_t written, read; /* bytes, to it and from it */
    double waited;          /* seconds that the search waited for the disk */
    uint32_t group, groups; /* the one at hand, and how many there are; 0 for whole planes */
};

struct levels {
    const struct levels_ops *ops;
    struct levels_options options;
    struct plan *plan;
    const struct kernel *kernel;
    struct team *team;
    uint64_t taken; /* from the budget, by levels_init */
    /* The newest level, of which all is known. */
    uint32_t level;
    uint64_t width; /* states in it; 0 beyond the last level */
};

struct levels_ops {
    /* Makes level 0: the root alone. */
    enum pz_status (*begin)(struct levels *levels, struct pz_error *error);
    /*
     * Makes the next level. Returns PZ_OK with level and width set, or PZ_BUSY if tick made it pause: the
     * next call goes on. PZ_CANCELLED and PZ_LIMIT are level_run's. PZ_MEMORY, PZ_STORAGE_FULL and PZ_STORAGE
     * (something that was kept is damaged) come from bodies that keep pieces. After any of these the newest
     * level can still be looked at, but no other can be made.
     */
    enum pz_status (*next)(struct levels *levels, level_tick *tick, void *context, struct pz_error *error);
    /* Chooses among the states of the newest level or of the one before it. */
    enum pz_status (*choose)(struct levels *levels, uint32_t level, struct examples *examples,
                             struct pz_error *error);
    /* Writes a chunk of the table (table.h) of a complete search; *length becomes its length. Called for
     * numbers in order. Returns PZ_STORAGE if something that was kept is damaged. */
    enum pz_status (*chunk)(struct levels *levels, uint64_t number, uint8_t *chunk, size_t *length,
                            struct pz_error *error);

    /* Checkpoints: made between two levels, and at a pause by bodies that pause. */
    bool every_level; /* a checkpoint is worth nothing once the next level has been made */
    /* Returns how many bytes a checkpoint takes at most; states: how many the search has met. */
    uint64_t (*save_bytes)(const struct levels *levels, uint64_t states);
    void (*save)(struct levels *levels, struct checkpointer *checkpointer);
    /* Resumes from a checkpoint, in place of begin. Returns false if that is not possible. */
    bool (*load)(struct levels *levels, struct checkpointer *checkpointer);

    void (*figures)(const struct levels *levels, struct levels_figures *out);
    void (*free)(struct levels *levels);
};

/* A way to keep planes; levels_kind has them all. */
struct levels_kind {
    bool keeps_tables;
    bool has_groups; /* that can be dealt to ranks; else each rank makes all levels by itself */
    bool needs_scratch;
    bool (*fits)(const struct dense_geometry *geometry);
    /* Returns the bytes of memory that a search takes at most, without its plan. Coded bytes in memory are
     * estimated from above. */
    uint64_t (*bytes)(const struct dense_geometry *geometry, const struct explore_request *request);
    /* Returns how many of these bytes may lie in scratch space instead: twice as many there. NULL for none.
     */
    uint64_t (*packets)(const struct dense_geometry *geometry, const struct explore_request *request);
    /* Fills in how much scratch space a whole search takes; NULL for none. */
    void (*scratch)(const struct dense_geometry *geometry, const struct explore_request *request,
                    struct explore_cost *cost);
    enum pz_status (*open)(const struct levels_options *options, struct levels **out, struct pz_error *error);
};
const struct levels_kind *levels_kind(enum explore_planes planes);
/* Returns the bytes of memory that a search with such planes takes. Coded bytes are estimated from above. */
uint64_t levels_bytes(const struct dense_geometry *geometry, const struct explore_request *request,
                      enum explore_planes planes);

/* Returns the bytes of them that may lie in scratch space instead. */
uint64_t levels_packets(const struct dense_geometry *geometry, const struct explore_request *request,
                        enum explore_planes planes);

/* Takes what it allocates from the request's budget, now and later. All options must outlive it. Returns
 * PZ_MEMORY without memory, PZ_TOO_LARGE if the budget does not have the least that is needed. */
enum pz_status levels_open(const struct levels_options *options, struct levels **out, struct pz_error *error);
void levels_free(struct levels *levels); /* NULL is fine */
/* Makes the next level by the op. All ranks return the same status. */
enum pz_status levels_next(struct levels *levels, level_tick *tick, void *context, struct pz_error *error);

/* ---- for the bodies ---- */

/* Where a search is, in its checkpoint. */
struct levels_place {
    uint32_t level;
    uint32_t turns; /* of the next level: how many are done */
    uint32_t colour;
    uint32_t unused;
    uint64_t width;
};

/* Takes own bytes and those of the plan from the budget; makes plan, kernel and team. After a failure
 * levels_clear frees what was made. */
enum pz_status levels_init(struct levels *levels, const struct levels_options *options, uint64_t own,
                           struct pz_error *error);
void levels_clear(struct levels *levels);
/* Returns the colour of the places of a level's states. */
static inline unsigned levels_colour(const struct levels *levels, uint32_t level)
{
    return (levels->options.geometry->root_place + level) % 2;
}

#endif
