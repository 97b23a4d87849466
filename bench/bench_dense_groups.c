/* SPDX-License-Identifier: MIT */
/*
 * How fast the dense engine is where its planes are coded.
 *
 *     bench_dense_groups SIZE [THREADS [DIGITS [DIRECTORY [LEVELS]]]]
 *
 * Prints each level with its time, then the whole: in memory without a DIRECTORY ("" too), else on disk
 * there.
 */
#include "base/clock.h"
#include "explore/dense/grouped.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct bench {
    struct dense_geometry geometry;
    struct plan *plan;
    struct grouping grouping;
    struct team *team;
    struct budget budget;
    struct arena *arena;
    struct pieces *pieces;
    struct grouped *grouped;
};

static enum pz_status prepare(struct bench *bench, unsigned threads, unsigned digits, const char *directory,
                              struct pz_error *error)
{
    const struct kernel *kernel = NULL;
    if (digits == 0)
        digits = group_digits(&bench->geometry);
    if (!group_digits_fit(&bench->geometry, digits))
        return pz_fail(error, PZ_BAD_REQUEST, "%u digits make no groups of this size", digits);
    budget_init(&bench->budget, NULL, UINT64_MAX);
    enum pz_status status = kernel_find(NULL, &kernel, error);
    if (status == PZ_OK)
        status = plan_new(&bench->geometry, &bench->plan, error);
    if (status == PZ_OK)
        status = grouping_init(&bench->geometry, digits, &bench->grouping, error);
    if (status == PZ_OK)
        status = team_new(threads, &bench->team, error);
    if (status == PZ_OK)
        status = arena_new(&bench->budget, UINT64_C(24000000000), &bench->arena, error);
    if (status != PZ_OK)
        return status;
    struct pieces_size size = grouped_pieces(bench->plan, &bench->grouping);
    const struct pieces_disk disk = {
        .directory = directory, .limit = UINT64_C(55000000000), .ahead = 3, .behind = 4};
    status = directory == NULL ? pieces_memory_new(&size, bench->arena, &bench->pieces, error)
                               : pieces_disk_new(&size, &disk, &bench->pieces, error);
    const struct grouped_parts parts = {.plan = bench->plan,
                                        .grouping = &bench->grouping,
                                        .kernel = kernel,
                                        .team = bench->team,
                                        .arena = bench->arena,
                                        .pieces = bench->pieces};
    return status == PZ_OK ? grouped_new(&parts, &bench->grouped, error) : status;
}

static enum pz_status search(struct bench *bench, unsigned most, struct pz_error *error)
{
    uint64_t states = 1;
    uint64_t all = 0;
    enum pz_status status = grouped_begin(bench->grouped, error);
    double began = clock_seconds();
    for (unsigned level = 0; status == PZ_OK && states > 0 && level <= most; level++) {
        double before = clock_seconds();
        uint64_t width = states;
        all += width;
        status = grouped_level(bench->grouped, NULL, NULL, &states, error);
        struct pieces_figures figures;
        bench->pieces->ops->figures(bench->pieces, &figures);
        printf("%u,%" PRIu64
               " %.3f s, %.1f MB in memory, %.1f MB on disk, %.1f MB read, %.1f MB written, %.1f s waited\n",
               level, width, clock_seconds() - before, (double)arena_used(bench->arena) / 1e6,
               (double)figures.disk_bytes / 1e6, (double)figures.read / 1e6, (double)figures.written / 1e6,
               figures.waited);
        (void)fflush(stdout);
    }
    printf("%" PRIu64 " states, %.3f s, peak %.1f MB coded\n", all, clock_seconds() - began,
           (double)atomic_load(&bench->budget.peak) / 1e6);
    return status;
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct grid grid;
    struct pz_error error = {0};
    unsigned rows = 0;
    unsigned columns = 0;
    /* NOLINTNEXTLINE(cert-err34-c): a size that is none leaves zeros, which grid_init refuses */
    if (argc < 2 || sscanf(argv[1], "%ux%u", &rows, &columns) != 2)
        return 2;
    unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
    unsigned digits = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    unsigned most = argc > 5 ? (unsigned)strtoul(argv[5], NULL, 10) : 1000;
    enum pz_status status = grid_init(&grid, rows, columns, &error);
    if (status == PZ_OK) {
        dense_geometry_init(&bench.geometry, &grid, rows * columns - 1);
        status = prepare(&bench, threads, digits, argc > 4 && argv[4][0] != '\0' ? argv[4] : NULL, &error);
    }
    if (status == PZ_OK)
        status = search(&bench, most, &error);
    if (status != PZ_OK)
        (void)fprintf(stderr, "%s\n", error.text);
    return status == PZ_OK ? 0 : 1;
}
