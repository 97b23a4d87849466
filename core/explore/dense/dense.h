/* SPDX-License-Identifier: MIT */
/*
 * The dense engine: whole plain sliding puzzles of 2x2 to 16 cells, two bits of working memory a state at
 * most and no visited set. docs/engines.md derives it; geometry.h has the index.
 */
#ifndef EXPLORE_DENSE_DENSE_H
#define EXPLORE_DENSE_DENSE_H

#include "explore/explore.h"

/* Returns true if engine=auto means this engine: the whole of a plain sliding space of a size it knows, or a
 * part of it where a kind of planes is named. No other engine could finish it in less memory, so a budget
 * that is too small is refused and not passed on. */
bool dense_takes(const struct explore_request *request);

/* PZ_TOO_LARGE, with what would suffice, when it would need more than limit bytes; PZ_UNSUPPORTED when the
 * engine cannot do what is asked for. */
enum pz_status dense_check_memory(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error);

/*
 * explore_run's contract, with these points of its own. Any root of any plain mxn is taken: it is searched in
 * its canonical orientation, and examples are handed back in the space's own. A depth limit is honoured with
 * KEEP_LEVELS and refused with KEEP_TABLE (PZ_UNSUPPORTED). An exploration that does not end with every state
 * visited (deadline) hands over its levels but no chunk. Each level is handed over when the next is known,
 * since only then is it known to be the last. The table's layout is table.h's, of the canonical orientation.
 */
enum pz_status dense_run(const struct explore_request *request, struct control *control,
                         const struct explore_sink *sink, struct explore_result *result,
                         struct pz_error *error);

/* Estimates what a search would take; PZ_UNSUPPORTED when the engine cannot do what is asked for. The budget
 * is not looked at. */
enum pz_status dense_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                              struct pz_error *error);

#endif
