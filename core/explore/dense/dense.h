/* SPDX-License-Identifier: MIT */
/*
 * The dense engine explores whole plain sliding puzzles of 2x2 to 16 cells. It needs at most two bits of
 * working memory a state, and no visited set. docs/engines/dense.md derives it; geometry.h has the index.
 */
#ifndef EXPLORE_DENSE_DENSE_H
#define EXPLORE_DENSE_DENSE_H

#include "explore/dense/level/dense_levels.h"

/*
 * explore_run's contract, with these additions. Any root of any plain mxn is taken: the search uses the
 * canonical orientation, and hands examples back in the space's own orientation. A depth limit works with
 * KEEP_LEVELS and is refused with KEEP_TABLE (PZ_UNSUPPORTED). An exploration that ends before every state
 * is visited (deadline) hands over its levels but no chunk. A level is handed over when the next one is
 * known, which shows if it is the last. The table has the layout of dense_table.h, in the canonical
 * orientation.
 */
enum pz_status dense_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error);

/* Opens a search of the options' kind of planes. Takes what it allocates from the request's budget, now and
 * later. Request and control must outlive it. Returns PZ_MEMORY without memory, PZ_TOO_LARGE if the budget
 * does not have the least that is needed. */
enum pz_status levels_open(const struct levels_options *options, struct explorer **out,
                           struct pz_error *error);

/* ---- memory and passes, known before a search begins ---- */

/* Returns the bytes of memory that a search with such planes takes. Coded bytes are estimated from above. */
uint64_t levels_bytes(const struct dense_geometry *geometry, const struct explore_request *request,
                      enum explore_planes planes);
/* Returns the bytes of them that may lie in scratch space instead. */
uint64_t levels_packets(const struct dense_geometry *geometry, const struct explore_request *request,
                        enum explore_planes planes);

/* Returns the kind of planes for the request within limit bytes: what it asks for, or the first that fits;
 * PLANES_AUTO if none does. With PLANES_AUTO a table is made from planes on disk only if the estimate of
 * their scratch space is within request->disk, where that is not 0. */
enum explore_planes dense_planes(const struct dense_geometry *geometry, const struct explore_request *request,
                                 uint64_t limit);

/* Finds the canonical geometry of a space and a root, and the view that leads to it. view may be NULL. */
void dense_geometry_of(const struct explore_request *request, struct dense_geometry *geometry,
                       struct board_view *view);

/* Returns true if engine=auto means this engine: for the whole of a plain sliding space of a size it knows,
 * or for a part of it if the request names a kind of planes; by metric:multi on one machine, and with coded
 * planes only if they have room for its orbits (orbits_fit) and no table is kept. No other engine could
 * finish in less memory, so this engine refuses a budget that is too small, and no other engine is tried. */
bool dense_takes(const struct explore_request *request);

/* Returns PZ_TOO_LARGE, with what would suffice, if it would need more than limit bytes; PZ_UNSUPPORTED if
 * the engine cannot do what is asked for. */
enum pz_status dense_check_memory(const struct explore_request *request, uint64_t limit,
                                  struct pz_error *error);

/* Estimates what a search would take. Returns PZ_UNSUPPORTED if the engine cannot do what is asked for. The
 * budget is not looked at. */
enum pz_status dense_estimate(const struct explore_request *request, struct explore_estimate *estimate,
                              struct pz_error *error);

#endif
