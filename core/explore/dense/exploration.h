/* SPDX-License-Identifier: MIT */
/* One exploration: the state of a dense_run, and what its caller is told. */
#ifndef EXPLORE_DENSE_EXPLORATION_H
#define EXPLORE_DENSE_EXPLORATION_H

#include "board/symmetry.h"
#include "explore/dense/level/levels.h"

struct exploration {
    const struct explore_request *request;
    struct control *control; /* may be NULL */
    const struct explore_sink *sink;
    struct checkpointer *checkpointer;
    struct explore_result *result;
    struct pz_error *error;

    struct view view; /* from the space's orientation to the canonical one */
    struct dense_geometry geometry;
    struct levels *levels;
    bool table;
    bool resumed;
    bool saved;      /* there is a checkpoint */
    bool damaged;    /* something that the levels had kept */
    bool anew;       /* the search was begun once more because of it */
    uint64_t chunks; /* of the table that the sink has */
    uint32_t told;   /* levels that the sink has: those below it are made once more and not told */

    uint32_t level; /* whose successors are being made */
    uint64_t width; /* states in it */
    double started;
    double reported;
    double lately_seconds; /* when lately_states were known */
    uint64_t lately_states;
    uint64_t lately_written, lately_read;
    double rate, write_rate, read_rate;
    double waited; /* seconds for the disk, at the last report */
    struct examples_place chosen[EXPLORE_DEEPEST_MAX];
};

/* Reports the progress if a report is due. done: the share of the phase. */
void exploration_report(struct exploration *exploration, const char *phase, double done);

/* Returns the status of all ranks: the first failure there is. All ranks call it together. */
enum pz_status exploration_agree(struct exploration *exploration, enum pz_status status);

/* All three return what the sink returned, or PZ_MEMORY; exploration_tell_level also the status of choosing
 * examples. */
enum pz_status exploration_tell_plan(struct exploration *exploration);
/* Counts the level, and hands it over with its examples if the sink does not have it yet. */
enum pz_status exploration_tell_level(struct exploration *exploration, bool last);
/* Hands over what the sink does not have yet of the table of a search that is complete. */
enum pz_status exploration_tell_table(struct exploration *exploration);

#endif
