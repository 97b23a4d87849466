/* SPDX-License-Identifier: MIT */
#include "explore/dense/table/one_level.h"

#include "explore/dense/level/dense_level.h"

struct one_level {
    struct plan *plan;
    struct planes *planes;
    struct team *team;
    struct level_runner *runner;
};

static enum pz_status prepare_level(struct one_level *one, const struct dense_geometry *geometry,
                                    struct pz_error *error)
{
    const struct kernel *kernel = NULL;
    enum pz_status status = kernel_find(NULL, &kernel, error);
    if (status == PZ_OK)
        status = plan_new(geometry, &one->plan, error);
    if (status == PZ_OK)
        status = planes_new(one->plan, false, true, &one->planes, error);
    if (status == PZ_OK)
        status = team_new(1, &one->team, error);
    const struct level_parts parts = {
        .plan = one->plan, .planes = one->planes, .kernel = kernel, .team = one->team};
    return status == PZ_OK ? level_runner_new(&parts, &one->runner, error) : status;
}

enum pz_status one_level_choose(const struct dense_geometry *geometry, uint32_t level,
                                struct examples *examples, struct pz_error *error)
{
    struct one_level one = {0};
    enum pz_status status = prepare_level(&one, geometry, error);
    if (status == PZ_OK) {
        unsigned current = geometry->root_place % 2;
        examples->states = 1;
        planes_put(one.planes, 0, geometry->root_place);
        for (uint32_t done = 0; done < level && examples->states > 0; done++, current = 1 - current) {
            const struct level_task task = {.target = 1 - current, .width = examples->states};
            (void)level_run(one.runner, &task, &examples->states);
        }
        examples_choose(one.planes, current, false, examples);
    }
    level_runner_free(one.runner);
    team_free(one.team);
    planes_free(one.planes);
    plan_free(one.plan);
    return status;
}
