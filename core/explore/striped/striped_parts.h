/* SPDX-License-Identifier: MIT */
/* One run of the striped engine: what striped.c shares with the parts beside it. Others need striped.h. */
#ifndef STRIPED_PARTS_H
#define STRIPED_PARTS_H

#include "explore/checkpoint/checkpointer.h"
#include "explore/striped/search/search.h"
#include "explore/striped/search/search_cursor.h"

struct agree_part;
struct move_graph;

struct striped {
    const struct explore_request *request;
    struct control *control;
    const struct explore_sink *sink;
    struct explore_result *result;
    struct checkpointer *checkpointer;
    struct crew crew;
    struct search *search;    /* NULL after goals_prepare if there is a graph, or if that was stopped */
    struct move_graph *graph; /* from=goals, if moves cannot be undone or no goal is reached */
    bool resumed;
    struct bottom_k sample;
    struct agree_part *part; /* of the sample, with other ranks; else NULL */
    uint64_t generated;      /* by searches before this one */
    double began;
    double reported; /* clock_seconds() of the latest report of a pass over all states */
};

/* ---- striped.c ---- */

enum {
    LOOK_KEYS = 1 << 16,    /* states of a pass between two looks at the control and reports */
    FIRST_STATES = 16 << 10 /* bytes that the first visited states take at most, beside the pool */
};

/* Reports the progress of a pass over all states, which takes seconds if there are many. */
void striped_report_pass(struct striped *striped, const char *phase, uint64_t passed);
/* Hands the examples in the sample to the sink, and empties it. */
enum pz_status striped_give_examples(struct striped *striped, uint32_t level, struct pz_error *error);
enum pz_status striped_prepare_crew(struct striped *striped, struct pz_error *error);
enum stop_reason striped_reason_of(enum halt halt);
/* Returns true if no visited state may be forgotten. */
bool striped_keeps_all(const struct explore_request *request);

/* ---- striped_table.c ---- */

/* A walk through the states of complete levels, of a run that keeps all states, and through dead ones. */
struct state_walk {
    const struct striped *striped;
    struct search_cursor cursor; /* if the run has a search */
    uint64_t at;                 /* if it has a graph */
};
void state_walk_begin(struct state_walk *walk, const struct striped *striped); /* the walk must not move */
/* Moves to the next state, in ascending order of the keys. The level of a dead one is the result's depth + 1.
 * Returns false at the end. */
bool state_walk_next(struct state_walk *walk, uint64_t *key, uint32_t *level);
/* Returns false if there was no memory for all of it. */
bool state_walk_end(struct state_walk *walk);

/* Hands the distances of all states to the sink, if they are asked for. */
enum pz_status striped_store_table(struct striped *striped, struct pz_error *error);

/* ---- edges.c ---- */

/* Counts the moves of all states, and hands the numbers to the sink. */
enum pz_status striped_count_edges(struct striped *striped, struct pz_error *error);

/* ---- goals.c ---- */

/*
 * Visits all that the root reaches and finds the goals among it. Then either the search stands at level 0,
 * which is all goals (moves can be undone), or there is a graph, to be searched against its edges. If a limit
 * was met on the way, it is in the result, and there is neither.
 */
enum pz_status goals_prepare(struct striped *striped, struct pz_error *error);

/* ---- graph.c: the states that a search found, with every edge between them, against its direction ---- */

/* Makes the graph of the states of the striped run's search, and frees the search. */
enum pz_status graph_new(struct striped *striped, struct pz_error *error);
void graph_free(struct striped *striped);
/* Finds each state's distance to the nearest goal, and hands the levels to the sink. */
enum pz_status graph_run_levels(struct striped *striped, struct pz_error *error);
/* Moves *at to the next state of the table, in ascending order of the keys. Dead states have the distance
 * beyond the last level. Returns false at the end. */
bool graph_next(const struct striped *striped, uint64_t *at, uint64_t *key, uint32_t *distance);

#endif
