/* SPDX-License-Identifier: MIT */
#include "explore/dense/kinds.h"

#include "explore/dense/group/coded.h"
#include "explore/dense/level/whole.h"

#include <assert.h>

const struct levels_kind *levels_kind(enum explore_planes planes)
{
    static const struct levels_kind *const kinds[PLANES_COUNT] = {
        [PLANES_MEMORY] = &whole_kind, [PLANES_CODED] = &coded_kind, [PLANES_DISK] = &coded_disk_kind};
    assert(planes > PLANES_AUTO && planes < PLANES_COUNT);
    return kinds[planes];
}

uint64_t levels_bytes(const struct dense_geometry *geometry, const struct explore_request *request,
                      enum explore_planes planes)
{
    return levels_kind(planes)->bytes(geometry, request) + levels_fixed_bytes(geometry);
}

uint64_t levels_packets(const struct dense_geometry *geometry, const struct explore_request *request,
                        enum explore_planes planes)
{
    const struct levels_kind *kind = levels_kind(planes);
    return kind->packets != NULL ? kind->packets(geometry, request) : 0;
}
