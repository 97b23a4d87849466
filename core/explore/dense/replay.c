/* SPDX-License-Identifier: MIT */
#include "explore/dense/replay.h"

#include "explore/dense/level.h"

struct replay {
    struct plan *plan;
    struct planes *planes;
    struct team *team;
    struct level_runner *runner;
};

static enum pz_status prepare(struct replay *replay, const struct dense_geometry *geometry,
                              struct pz_error *error)
{
    const struct kernel *kernel = NULL;
    enum pz_status status = kernel_find(NULL, &kernel, error);
    if (status == PZ_OK)
        status = plan_new(geometry, &replay->plan, error);
    if (status == PZ_OK)
        status = planes_new(replay->plan, false, true, &replay->planes, error);
    if (status == PZ_OK)
        status = team_new(1, &replay->team, error);
    if (status == PZ_OK)
        status = level_runner_new(replay->plan, replay->planes, kernel, replay->team, NULL, &replay->runner,
                                  error);
    return status;
}

enum pz_status replay_level(const struct dense_geometry *geometry, uint32_t level, unsigned most,
                            uint64_t seed, struct examples_place *out, unsigned *count,
                            struct pz_error *error)
{
    struct replay replay = {0};
    enum pz_status status = prepare(&replay, geometry, error);
    if (status == PZ_OK) {
        unsigned current = geometry->root_place % 2;
        uint64_t states = 1;
        planes_put(replay.planes, 0, geometry->root_place);
        for (uint32_t done = 0; done < level && states > 0; done++, current = 1 - current)
            (void)level_run(replay.runner, 1 - current, false, states, NULL, NULL, &states);
        *count = examples_choose(replay.planes, current, states, most, seed, out);
    }
    level_runner_free(replay.runner);
    team_free(replay.team);
    planes_free(replay.planes);
    plan_free(replay.plan);
    return status;
}
