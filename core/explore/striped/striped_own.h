/* SPDX-License-Identifier: MIT */
/*
 * The common part of the striped engine's explorers. One struct serves a search in memory, the graph that
 * may follow it, and a search in scratch space; each has its own table of functions.
 */
#ifndef STRIPED_STRIPED_OWN_H
#define STRIPED_STRIPED_OWN_H

#include "explore/run/explorer.h"
#include "explore/striped/state_walk.h"

/* The dead states, made at the first call of numbered_walk; zeroed before. */
struct numbered {
    struct key_list dead; /* in ascending order */
    bool known;
};

struct striped {
    struct explorer base;
    struct explorer_setup setup;
    struct searchers searchers;
    /* At most one of these three; before begin at most the last. */
    struct search *search;
    struct move_graph *graph; /* from=goals, if moves cannot be undone, have costs, or reach no goal */
    struct disk_search *disk;
    struct bottom_k sample;
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

/* ---- functions of all the tables ---- */

enum pz_status striped_edges(struct explorer *explorer, const struct explore_sink *sink,
                             struct pz_error *error);
enum pz_status striped_run(struct explorer *explorer, struct explore_run *out, struct pz_error *error);
void striped_free(struct explorer *explorer);

/* ---- goals.c ---- */

/*
 * All goals, for a search that begins with them: among the states that a search has found, or, where the
 * space has a ranking function and moves can be undone, among all states that have a rank. In the latter
 * case, as in the ranked engine, a state that has a rank and reaches no goal is dead; the root may reach only
 * a part of these states.
 */

/* ---- among the states that a search has found ---- */

/* Collects the request's roots, in ascending order of their keys, as the goals below. */
enum pz_status striped_roots(const struct explore_request *request, struct key_list *roots,
                             struct pz_error *error);
/* Collects the goals among the states of a search that keeps all, in ascending order; *goals is zeroed, and
 * its memory is the budget's. Returns PZ_CANCELLED or PZ_MEMORY. */
enum pz_status goals_collect(struct key_list *goals, const struct search *search,
                             const struct pz_space *space, struct budget *budget,
                             const struct control *control, struct pz_error *error);
/* Makes a search whose level 0 is the goals, which come in ascending order. After a failure the caller frees
 * *out, if it is not NULL. */
enum pz_status goals_search(const struct key_list *goals, struct searchers *searchers,
                            const struct search_options *options, struct search **out,
                            struct pz_error *error);

/* ---- among the states that have a rank ---- */

/* Returns true if the request is from goals, in such a space. */
bool numbered_suits(const struct explore_request *request);
/* Collects all goals, in ascending order of their keys; *goals is zeroed, and its memory is the budget's.
 * Returns PZ_CANCELLED, PZ_LIMIT or PZ_MEMORY. */
enum pz_status numbered_goals(const struct explore_request *request, struct monitor *monitor,
                              struct key_list *goals, struct pz_error *error);

/* Adds the dead states, if there are any, to what is walked through. The search is complete. Returns
 * PZ_CANCELLED or PZ_MEMORY, or what state_walk_status does. */
enum pz_status numbered_walk(struct numbered *numbered, const struct explore_request *request,
                             struct monitor *monitor, struct walked *walked, struct pz_error *error);
/* Returns how many states are dead, after a complete search that has found so many others. */
uint64_t numbered_dead(const struct explore_request *request, uint64_t states);

#endif
