/* SPDX-License-Identifier: MIT */
/*
 * IDA* (Korf 1985) for plain sliding puzzles, any size, any goal: with additive pattern databases where they
 * are stored or can be built within the budget, with Manhattan distance otherwise.
 */
#ifndef IDASTAR_IDASTAR_H
#define IDASTAR_IDASTAR_H

#include "solve/solve_request.h"

/* The partition text that asks for no database. */
#define IDASTAR_MANHATTAN "manhattan"

/*
 * A row of solve_run's table. The start is solvable and not the goal. Without request->partition, databases
 * are loaded or built only after a short search without any has failed, and never for boards of up to 9
 * cells. If the best databases do not fit the budget, smaller ones are taken, and in the end none.
 */
enum pz_status idastar_run(const struct solve_request *request, struct control *control,
                           struct solve_result *result, struct pz_error *error);

#endif
