/* SPDX-License-Identifier: MIT */
/*
 * The run of an exploration, for every engine: level after level, what the caller's sink is told of them,
 * progress, limits and checkpoints. What differs from engine to engine stands behind explorer.h.
 *
 * A level is told when the next one is known, which shows if it is the last. A run that something damaged has
 * ended begins once more, from the root; the sink gets only what it does not have yet. So does one whose
 * memory is full, in scratch space: the levels that memory holds take little time beside those that follow.
 * If it then ends before the last level that the sink has, those levels are its result, without a table.
 * Ranks of a cluster come here with one request, and agree after each step.
 */
#ifndef EXPLORE_RUN_EXPLORATION_H
#define EXPLORE_RUN_EXPLORATION_H

#include "explore/run/explorer.h"

/* explore_run's contract, for the engine that open makes. */
enum pz_status exploration_run(explorer_open *open, const struct explore_request *request,
                               struct control *control, const struct explore_sink *sink,
                               struct explore_result *result, struct pz_error *error);

#endif
