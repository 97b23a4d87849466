/* SPDX-License-Identifier: MIT */
/*
 * The run of an exploration, for every engine: the loop over levels, the calls of the caller's sink,
 * progress, limits and checkpoints. What differs between engines is behind explorer.h.
 *
 * The sink gets a level when the next one is known, because only then is it clear if it is the last. A run
 * that finds its saved data damaged restarts from the root; the sink gets only what it does not have yet. A
 * run whose memory is full restarts in scratch space in the same way: the levels that memory holds take
 * little time compared with those that follow. If a restarted run ends before the last level that the sink
 * has, those levels are its result, without a table. Ranks of a cluster run this with one request, and agree
 * after each step.
 */
#ifndef EXPLORE_RUN_EXPLORATION_H
#define EXPLORE_RUN_EXPLORATION_H

#include "explore/run/explorer.h"

/* explore_run's contract, for the engine that open makes. */
enum pz_status exploration_run(explorer_open *open, const struct explore_request *request,
                               struct control *control, const struct explore_sink *sink,
                               struct explore_result *result, struct pz_error *error);

#endif
