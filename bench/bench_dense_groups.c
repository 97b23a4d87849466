/* SPDX-License-Identifier: MIT */
/*
 * How fast the dense engine is where its planes are coded.
 *
 *     bench_dense_groups SIZE [THREADS [DIGITS [DIRECTORY [LEVELS [MEGABYTES [FILL]]]]]]
 *
 * Prints each level with its time, then the whole: in memory without a DIRECTORY ("" too), else on disk
 * there. A SIZE that ends with + is for moves of several tiles. DIGITS 0 means the usual size of groups.
 * MEGABYTES are those of the budget; up to FILL of them, or all, keep plain pieces, or copies of those on the
 * disk, if they are spare.
 */
#include "base/clock.h"
#include "explore/dense/dense.h"
#include "explore/dense/group/group.h"
#include "explore/dense/level/dense_orbits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum pz_status search(struct explorer *levels, const struct budget *budget, unsigned most,
                             struct pz_error *error)
{
    uint64_t all = 1;
    double began = clock_seconds();
    enum pz_status status = levels->ops->begin(levels, error);
    while (status == PZ_OK && levels->width > 0 && levels->level < most) {
        struct explorer_figures figures = {0};
        double before = clock_seconds();
        uint32_t level = levels->level;
        uint64_t width = levels->width;
        status = levels->ops->next(levels, NULL, NULL, error);
        all += levels->width;
        levels->ops->figures(levels, &figures);
        printf("%u,%" PRIu64
               " %.3f s, %.1f MB of memory, %.1f MB on disk, %.1f MB read, %.1f MB written, %.1f s waited\n",
               level, width, clock_seconds() - before, (double)atomic_load(&budget->used) / 1e6,
               (double)figures.disk_bytes / 1e6, (double)figures.read / 1e6, (double)figures.written / 1e6,
               figures.waited);
        (void)fflush(stdout);
    }
    printf("%" PRIu64 " states, %.3f s, peak %.1f MB\n", all, clock_seconds() - began,
           (double)atomic_load(&budget->peak) / 1e6);
    return status;
}

int main(int argc, char **argv)
{
    struct grid grid;
    struct dense_geometry geometry;
    struct budget budget;
    struct explorer *levels = NULL;
    struct pz_error error = {0};
    if (argc < 2)
        return 2;
    unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
    unsigned digits = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    unsigned most = argc > 5 ? (unsigned)strtoul(argv[5], NULL, 10) : 1000;
    const char *directory = argc > 4 && argv[4][0] != '\0' ? argv[4] : NULL;
    uint64_t megabytes = argc > 6 ? strtoul(argv[6], NULL, 10) : 24000;
    uint64_t fill = argc > 7 ? strtoul(argv[7], NULL, 10) * 1000000 : UINT64_MAX;
    budget_init(&budget, NULL, megabytes * 1000000);
    const struct explore_request request = {.threads = threads,
                                            .budget = &budget,
                                            .dense.fill = fill,
                                            .keep = KEEP_LEVELS,
                                            .depth = most,
                                            .scratch = directory};
    const struct levels_options options = {.request = &request,
                                           .geometry = &geometry,
                                           .planes = directory != NULL ? PLANES_DISK : PLANES_CODED,
                                           .digits = digits};
    char *plus = strchr(argv[1], '+');
    if (plus != NULL)
        *plus = '\0';
    enum pz_status status = grid_parse(&grid, argv[1], &error);
    if (status == PZ_OK) {
        dense_geometry_init(&geometry, &grid, grid.cells - 1u);
        geometry.multi = plus != NULL;
        const unsigned used = digits > 0 ? digits : group_digits(&geometry);
        if (!group_digits_fit(&geometry, used) ||
            (geometry.multi && (!orbits_fit(&geometry) || used > geometry.width)))
            status = pz_fail(&error, PZ_BAD_REQUEST, "%u digits make no groups of this size", used);
    }
    if (status == PZ_OK)
        status = levels_open(&options, &levels, &error);
    if (status == PZ_OK)
        status = search(levels, &budget, most, &error);
    explorer_free(levels);
    if (status != PZ_OK)
        (void)fprintf(stderr, "%s\n", error.text);
    return status == PZ_OK ? 0 : 1;
}
