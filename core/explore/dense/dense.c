/* SPDX-License-Identifier: MIT */
#include "explore/dense/dense.h"

#include "board/board.h"
#include "explore/dense/kinds.h"

#include <assert.h>

enum pz_status dense_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error)
{
    const struct explore_request *request = setup->request;
    const uint64_t limit = budget_free(request->budget);
    struct dense_geometry geometry;
    struct board_view view;
    enum pz_status status = dense_can(request, error);
    if (status != PZ_OK)
        return status;
    dense_geometry_of(request, &geometry, &view);
    const struct levels_options options = {.request = request,
                                           .geometry = &geometry,
                                           .view = &view,
                                           .planes = dense_planes(&geometry, request, limit),
                                           .control = setup->monitor->control};
    if (options.planes != PLANES_AUTO)
        return levels_kind(options.planes)->open(&options, out, error);
    status = dense_check_memory(request, limit, error);
    assert(status != PZ_OK);
    return status;
}
