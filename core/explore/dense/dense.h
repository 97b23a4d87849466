/* SPDX-License-Identifier: MIT */
/*
 * The dense engine explores whole plain sliding puzzles of 2x2 to 16 cells. It needs at most two bits of
 * working memory a state, and no visited set. docs/engines/dense.md derives it; geometry.h has the index.
 */
#ifndef EXPLORE_DENSE_DENSE_H
#define EXPLORE_DENSE_DENSE_H

#include "explore/dense/estimate.h"
#include "explore/run/explorer.h"

/*
 * explore_run's contract, with these additions. Any root of any plain mxn is taken: the search uses the
 * canonical orientation, and hands examples back in the space's own orientation. A depth limit works with
 * KEEP_LEVELS and is refused with KEEP_TABLE (PZ_UNSUPPORTED). An exploration that ends before every state
 * is visited (deadline) hands over its levels but no chunk. A level is handed over when the next one is
 * known, which shows if it is the last. The table has the layout of dense_table.h, in the canonical
 * orientation.
 */
enum pz_status dense_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error);

#endif
