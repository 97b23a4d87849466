/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/dense_levels.h"

#include "explore/dense/table/dense_table.h"
#include "space/slide/slide.h"

#include <assert.h>

uint64_t levels_fixed_bytes(const struct dense_geometry *geometry)
{
    enum { OTHER_BYTES = 1 << 20 }; /* examples, team and so on */
    return plan_bytes(geometry) + OTHER_BYTES;
}

void levels_describe(struct dense_levels *levels, const struct levels_options *options)
{
    const bool table = options->request->keep == KEEP_TABLE;
    levels->options = *options;
    levels->geometry = *options->geometry;
    levels->options.geometry = &levels->geometry;
    levels->base.all = levels->geometry.classes * levels->geometry.places;
    levels->base.plan = (struct explore_plan){
        .table = table ? TABLE_DENSE : TABLE_NONE,
        .table_bytes = table ? dense_table_layout(&levels->geometry).bytes : 0,
        .chunk_bytes = DENSE_CHUNK_BYTES,
    };
    if (options->view != NULL)
        levels->view = *options->view;
}

enum pz_status levels_init(struct dense_levels *levels, uint64_t own, struct pz_error *error)
{
    const struct explore_request *request = levels->options.request;
    const uint64_t needs = own + levels_fixed_bytes(&levels->geometry);
    if (!budget_take(request->budget, needs))
        return pz_fail(error, PZ_TOO_LARGE, "needs %llu bytes of memory at least", (unsigned long long)needs);
    levels->taken = needs;
    enum pz_status status = kernel_find(request->dense.kernel, &levels->kernel, error);
    if (status == PZ_OK)
        status = plan_new(&levels->geometry, &levels->plan, error);
    if (status == PZ_OK)
        status = team_new(request->threads, &levels->team, error);
    return status;
}

void levels_give(struct dense_levels *levels, uint64_t bytes)
{
    assert(bytes <= levels->taken);
    levels->taken -= bytes;
    budget_give(levels->options.request->budget, bytes);
}

void levels_clear(struct dense_levels *levels)
{
    team_free(levels->team);
    plan_free(levels->plan);
    budget_give(levels->options.request->budget, levels->taken);
}

void levels_take(struct dense_levels *levels, uint64_t states)
{
    levels->before = levels->base.width;
    levels->base.width = states;
    levels->base.level++;
    assert(states <= levels->base.all);
}

/* Writes the state of the space, in its own orientation. */
static void write_state(const struct dense_levels *levels, const struct examples_place *place, uint8_t *state)
{
    struct dense_position position;
    struct board canonical;
    struct board board;
    dense_position_unrank(&levels->geometry, place->number, place->place, &position);
    dense_board_of(&levels->geometry, &position, &canonical);
    view_out(&levels->view, &canonical, &board);
    slide_state(levels->options.request->space, &board, state);
}

enum pz_status levels_choose(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                             unsigned *count, struct pz_error *error)
{
    struct dense_levels *levels = (struct dense_levels *)explorer;
    struct examples examples = {.states = level == explorer->level ? explorer->width : levels->before,
                                .most = most,
                                .seed = levels->options.request->seed + level,
                                .chosen = levels->chosen};
    assert(most <= EXPLORE_DEEPEST_MAX);
    enum pz_status status = levels->choose_places(levels, level, &examples, error);
    *count = examples.count;
    for (unsigned i = 0; status == PZ_OK && i < examples.count; i++)
        write_state(levels, &examples.chosen[i],
                    states + (size_t)i * levels->options.request->space->state_bytes);
    return status;
}
