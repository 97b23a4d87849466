/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds by their names, for partition=: "manhattan", "linear-conflict", "walking-distance" and
 * partitions of pattern databases ("7-8") for plain sliding puzzles, "gaps" for pancakes. Several with commas
 * between them are their maximum.
 */
#ifndef SOLVE_NAMED_BOUND_H
#define SOLVE_NAMED_BOUND_H

#include "solve/solve_request.h"

enum { NAMED_BOUND_PARTS_MAX = 4 };

struct named_bound;

/* Returns true if the space has bounds with names. */
bool named_bound_has(const struct pz_space *space);
/* PZ_BAD_REQUEST (what is none, too many). */
enum pz_status named_bound_check(const struct pz_space *space, const char *names, struct pz_error *error);
/* Returns true if the request, by that method, is for a search by such a bound, and not for idastar_run,
 * which has faster walks for Manhattan distance alone and for databases alone. */
bool named_bound_takes(const struct solve_request *request, enum method method);

/* Makes the request's bound and sets request->bound to it: databases are loaded or built. PZ_BAD_REQUEST,
 * PZ_UNSUPPORTED (not on this size), PZ_TOO_LARGE, PZ_MEMORY, PZ_CANCELLED, PZ_LIMIT. */
enum pz_status named_bound_open(struct solve_request *request, struct control *control,
                                struct named_bound **out, struct pz_error *error);
void named_bound_close(struct named_bound *bound); /* NULL is fine */

#endif
