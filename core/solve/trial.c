/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "solve/solver.h"

/* Some seconds. Most questions end within. */
#define TRIAL_BYTES (UINT64_C(64) << 20)

bool trial_decides(const struct solve_request *request, solver *run, struct control *control,
                   struct solve_result *result, enum pz_status *status, struct pz_error *error)
{
    struct budget budget;
    struct solve_request trial = *request;
    const uint64_t most = budget_most(request->budget) / 4;
    budget_init(&budget, request->budget, most < TRIAL_BYTES ? most : TRIAL_BYTES);
    trial.budget = &budget;
    *status = run(&trial, control, result, error);
    return *status != PZ_TOO_LARGE && *status != PZ_MEMORY &&
           (*status != PZ_OK || result->outcome != OUTCOME_STOPPED || result->reason != STOP_MEMORY);
}

void trial_forget(struct solve_result *result, double began)
{
    *result =
        (struct solve_result){.moves = -1, .solvable = PZ_UNKNOWN, .waited_seconds = clock_seconds() - began};
}
