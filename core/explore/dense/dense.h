/* SPDX-License-Identifier: MIT */
/*
 * The dense engine explores whole plain sliding puzzles of 2x2 to 16 cells. It needs at most two bits of
 * working memory a state, and no visited set. docs/engines.md derives it; geometry.h has the index.
 */
#ifndef EXPLORE_DENSE_DENSE_H
#define EXPLORE_DENSE_DENSE_H

#include "explore/explore.h"

/* Returns true if engine=auto means this engine: for the whole of a plain sliding space of a size it knows,
 * or for a part of it if a kind of planes is named. No other engine could finish it in less memory, so a
 * budget that is too small is refused here, and no other engine is tried. */
bool dense_takes(const struct explore_request *request);

/* Returns PZ_TOO_LARGE, with what would suffice, if it would need more than limit bytes; PZ_UNSUPPORTED if
 * the engine cannot do what is asked for. */
enum pz_status dense_check_memory(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error);

/*
 * explore_run's contract, with these points of its own. Any root of any plain mxn is taken: it is searched in
 * its canonical orientation, and examples are handed back in the space's own. A depth limit works with
 * KEEP_LEVELS and is refused with KEEP_TABLE (PZ_UNSUPPORTED). An exploration that ends before every state is
 * visited (deadline) hands over its levels but no chunk. A level is handed over when the next one is known,
 * which tells if it is the last. The table has the layout of table.h, in the canonical orientation.
 */
enum pz_status dense_run(const struct explore_request *request, struct control *control,
                         const struct explore_sink *sink, struct explore_result *result,
                         struct pz_error *error);

/* Estimates what a search would take. Returns PZ_UNSUPPORTED if the engine cannot do what is asked for. The
 * budget is not looked at. */
enum pz_status dense_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                              struct pz_error *error);

#endif
