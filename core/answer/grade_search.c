/* SPDX-License-Identifier: MIT */
/* The searches that a grade makes of its own, and the metric that one of them is in. */
#include "answer/board_grade.h"

#include "base/clock.h"
#include "space/klotski/klotski.h"
#include "space/sokoban/sokoban.h"

#include <string.h>

const char *grade_other_metric(const struct pz_space *space)
{
    if (strcmp(space->puzzle->name, sokoban_puzzle.name) == 0)
        return ((const struct sokoban *)space)->pushes ? "move" : "push";
    if (strcmp(space->puzzle->name, klotski_puzzle.name) == 0 ||
        strcmp(space->puzzle->name, rushhour_puzzle.name) == 0)
        return klotski_of(space)->steps ? "move" : "step";
    return NULL;
}

double grade_part(struct control *control)
{
    const double before = control->deadline;
    if (before <= 0)
        control->deadline = clock_seconds() + GRADE_SECONDS;
    return before;
}

enum pz_status grade_solve(const struct solve_request *request, const struct pz_space *space,
                           const void *start, struct control *control, enum pz_answer *solvable,
                           int64_t *moves, struct pz_error *error)
{
    const struct solve_request own = {.space = space,
                                      .start = start,
                                      .threads = request->threads,
                                      .budget = request->budget,
                                      .archive = request->archive};
    struct solve_result result = {0};
    const double deadline = grade_part(control);
    const enum pz_status status = solve_run(&own, control, &result, error);
    control->deadline = deadline;
    *solvable = status == PZ_OK ? result.solvable : PZ_UNKNOWN;
    *moves = status == PZ_OK ? result.moves : -1;
    if (status == PZ_OK)
        solve_result_free(&result);
    return status == PZ_CANCELLED ? status : PZ_OK;
}
