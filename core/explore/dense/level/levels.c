/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/levels.h"

#include "explore/dense/group/coded.h"
#include "explore/dense/level/whole.h"
#include "explore/exchange/agree.h"

enum { FIXED_BYTES = 1 << 20 /* examples, team and odds and ends */ };

const struct levels_kind *levels_kind(enum explore_planes planes)
{
    static const struct levels_kind *const kinds[PLANES_COUNT] = {
        [PLANES_MEMORY] = &whole_kind, [PLANES_CODED] = &coded_kind, [PLANES_DISK] = &coded_disk_kind};
    return kinds[planes];
}

uint64_t levels_bytes(const struct dense_geometry *geometry, const struct explore_request *request,
                      enum explore_planes planes)
{
    return levels_kind(planes)->bytes(geometry, request) + plan_bytes(geometry) + FIXED_BYTES;
}

uint64_t levels_packets(const struct dense_geometry *geometry, const struct explore_request *request,
                        enum explore_planes planes)
{
    const struct levels_kind *kind = levels_kind(planes);
    return kind->packets != NULL ? kind->packets(geometry, request) : 0;
}

enum pz_status levels_open(const struct levels_options *options, struct levels **out, struct pz_error *error)
{
    return levels_kind(options->planes)->open(options, out, error);
}

void levels_free(struct levels *levels)
{
    if (levels != NULL)
        levels->ops->free(levels);
}

enum pz_status levels_next(struct levels *levels, level_tick *tick, void *context, struct pz_error *error)
{
    const struct exchange *exchange = levels->options.request->exchange;
    enum pz_status status = levels->ops->next(levels, tick, context, error);
    if (exchange == NULL)
        return status;
    /* A pause: another rank has given the level up, and says why. */
    return agree_status(exchange, status == PZ_BUSY ? PZ_OK : status, NULL, error);
}

enum pz_status levels_init(struct levels *levels, const struct levels_options *options, uint64_t own,
                           struct pz_error *error)
{
    const struct explore_request *request = options->request;
    uint64_t needs = own + plan_bytes(options->geometry) + FIXED_BYTES;
    levels->options = *options;
    if (!budget_take(request->budget, needs))
        return pz_fail(error, PZ_TOO_LARGE, "needs %llu bytes of memory at least", (unsigned long long)needs);
    levels->taken = needs;
    enum pz_status status = kernel_find(request->kernel, &levels->kernel, error);
    if (status == PZ_OK)
        status = plan_new(options->geometry, &levels->plan, error);
    if (status == PZ_OK)
        status = team_new(request->threads, &levels->team, error);
    return status;
}

void levels_clear(struct levels *levels)
{
    team_free(levels->team);
    plan_free(levels->plan);
    budget_give(levels->options.request->budget, levels->taken);
}
