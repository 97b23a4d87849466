/* SPDX-License-Identifier: MIT */
/*
 * What the striped engine's explorers have in common. One struct serves a search in memory, the graph that
 * may follow it, and a search in scratch space; each has its own table of functions.
 */
#ifndef STRIPED_STRIPED_OWN_H
#define STRIPED_STRIPED_OWN_H

#include "explore/run/explorer.h"
#include "explore/striped/goals.h"

struct striped {
    struct explorer base;
    struct explorer_setup setup;
    struct searchers searchers;
    /* At most one of these three; before begin at most the last. */
    struct search *search;
    struct move_graph *graph; /* from=goals, if moves cannot be undone, have costs, or reach no goal */
    struct disk_search *disk;
    struct bottom_k sample;
    struct agree_part *part;        /* of the sample, with other ranks; else NULL */
    uint64_t memory;                /* that was free before the search */
    struct explorer_figures before; /* of searches before this one */
    uint64_t dead;                  /* of a graph */
    struct numbered numbered;
    struct table_runs runs;
};

extern const struct explorer_ops striped_memory_ops, striped_graph_ops; /* striped_memory.c */
extern const struct explorer_ops striped_disk_ops;                      /* striped_disk.c */

static inline struct striped *striped_of(struct explorer *explorer)
{
    return (struct striped *)explorer;
}

static inline bool striped_has_costs(const struct striped *striped)
{
    return (striped->setup.request->space->flags & PZ_COSTS) != 0;
}

/* Makes the workers; also again, after searchers_clear. */
enum pz_status striped_make_searchers(struct striped *striped, struct pz_error *error);
/* Makes a search in scratch space without levels; the one before it is freed. looks_for_goals: among all that
 * it visits; it then keeps no level. */
enum pz_status striped_make_disk(struct striped *striped, bool looks_for_goals, struct pz_error *error);
/* Empties the sample, for that many examples. Returns it. */
struct bottom_k *striped_begin_sample(struct striped *striped, unsigned most);

/* ---- functions of all the tables ---- */

enum pz_status striped_edges(struct explorer *explorer, const struct explore_sink *sink,
                             struct pz_error *error);
enum pz_status striped_run(struct explorer *explorer, struct explore_run *out, struct pz_error *error);
void striped_free(struct explorer *explorer);

#endif
