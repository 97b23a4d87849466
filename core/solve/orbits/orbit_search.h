/* SPDX-License-Identifier: MIT */
/*
 * IDA* on coordinates, for permutation puzzles with an abstraction by orbits: a state is what the questions
 * see of it, moves are tables, and the lookups of all successors are under way at once. Of ways that do the
 * same only one is walked. Threads share an iteration by its branches; the one found is the first in their
 * order, whatever their number.
 */
#ifndef ORBITS_ORBIT_SEARCH_H
#define ORBITS_ORBIT_SEARCH_H

#include "solve/orbits/orbit_table.h"
#include "solve/solve_request.h"

/* A row of solve_run's table, with tables of the request's space: of their bounds the greatest counts.
 * result->partition names them. */
enum pz_status orbit_search_run(const struct solve_request *request, const struct orbit_table *tables,
                                unsigned count, struct control *control, struct solve_result *result,
                                struct pz_error *error);

#endif
