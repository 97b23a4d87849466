/* SPDX-License-Identifier: MIT */
/*
 * How fast the dense engine is, and how near to the memory's speed.
 *
 *     bench_dense [size [kernel [threads [runs]]]]
 *
 * Without arguments: 2x6 and 3x4, every kernel, 1 and 2 threads. A size ends with a + for metric:multi.
 *
 * "must move" counts, for every block that could not be passed over, one plane read twice (once for itself,
 * once for the edges with long runs) and the other read and written; the share is of a triad (a = b + s*c,
 * counted as three streams) on as many threads, measured just before.
 */
#include "base/budget.h"
#include "base/clock.h"
#include "explore/dense/level/dense_level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 21, LEVELS_MAX = 160, TRIAD_DOUBLES = 24 << 20 };

struct level_time {
    double seconds;
    double bytes; /* that must move */
};

struct measured {
    double seconds; /* planes mapped, searched, unmapped */
    uint64_t states;
    double bytes;
    unsigned levels;
    struct level_time level[LEVELS_MAX];
};

/* ---- the memory's own speed ---- */

struct triad {
    double *a, *b, *c;
    unsigned threads;
};

static void triad_worker(void *context, unsigned worker)
{
    struct triad *triad = context;
    size_t first = (size_t)TRIAD_DOUBLES * worker / triad->threads;
    size_t end = (size_t)TRIAD_DOUBLES * (worker + 1) / triad->threads;
    double *restrict a = triad->a;
    const double *restrict b = triad->b;
    const double *restrict c = triad->c;
    for (size_t i = first; i < end; i++)
        a[i] = b[i] + 3.0 * c[i];
}

/* Bytes a second, the best of several passes; 0 without memory. */
static double triad_speed(struct team *team)
{
    size_t bytes = (size_t)TRIAD_DOUBLES * sizeof(double);
    struct triad triad = {.a = memory_map(bytes, MEMORY_HUGE_PAGES),
                          .b = memory_map(bytes, MEMORY_HUGE_PAGES),
                          .c = memory_map(bytes, MEMORY_HUGE_PAGES),
                          .threads = team_size(team)};
    double best = 0;
    if (triad.a != NULL && triad.b != NULL && triad.c != NULL) {
        memset(triad.b, 1, bytes);
        memset(triad.c, 1, bytes);
        for (unsigned pass = 0; pass < 8; pass++) {
            double began = clock_seconds();
            team_run(team, triad_worker, &triad);
            double speed = 3.0 * (double)bytes / (clock_seconds() - began);
            best = speed > best ? speed : best;
        }
    }
    memory_unmap(triad.a, bytes);
    memory_unmap(triad.b, bytes);
    memory_unmap(triad.c, bytes);
    return best;
}

/* ---- one search ---- */

static bool search(const struct plan *plan, const struct kernel *kernel, struct team *team,
                   struct measured *out)
{
    struct planes *planes = NULL;
    struct level_runner *runner = NULL;
    double began = clock_seconds();
    memset(out, 0, sizeof *out);
    if (planes_new(plan, false, true, &planes, NULL) != PZ_OK)
        return false;
    const struct level_parts parts = {.plan = plan, .planes = planes, .kernel = kernel, .team = team};
    if (level_runner_new(&parts, &runner, NULL) != PZ_OK) {
        planes_free(planes);
        return false;
    }
    unsigned colour = plan->geometry->root_place % 2;
    uint64_t states = 1;
    planes_put(planes, 0, plan->geometry->root_place);
    while (states > 0 && out->levels < LEVELS_MAX) {
        double before = clock_seconds();
        out->states += states;
        colour = 1 - colour;
        (void)level_run(runner, &(struct level_task){.target = colour, .width = states}, &states);
        double bytes = 4.0 * plan->block * (double)level_blocks(runner);
        out->bytes += bytes;
        out->level[out->levels++] = (struct level_time){clock_seconds() - before, bytes};
    }
    level_runner_free(runner);
    planes_free(planes);
    out->seconds = clock_seconds() - began;
    return true;
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct measured *)a)->seconds;
    double y = ((const struct measured *)b)->seconds;
    return (x > y) - (x < y);
}

/* The speed over the levels in which at least nine of ten blocks have work. */
static double widest_speed(const struct plan *plan, const struct measured *run)
{
    double full = 4.0 * plan->block * (double)plan->blocks;
    double bytes = 0;
    double seconds = 0;
    for (unsigned i = 0; i < run->levels; i++) {
        if (run->level[i].bytes < 0.9 * full)
            continue;
        bytes += run->level[i].bytes;
        seconds += run->level[i].seconds;
    }
    return seconds > 0 ? bytes / seconds : 0;
}

static void measure(const char *size, const struct plan *plan, const struct kernel *kernel, unsigned threads,
                    unsigned runs)
{
    static struct measured run[RUNS_MAX];
    struct team *team = NULL;
    if (team_new(threads, &team, NULL) != PZ_OK)
        return;
    double triad = triad_speed(team);
    unsigned done = 0;
    while (done < runs && search(plan, kernel, team, &run[done]))
        done++;
    team_free(team);
    if (done == 0) {
        printf("%-5s %-9s %u  no memory\n", size, kernel->name, threads);
        return;
    }
    qsort(run, done, sizeof run[0], by_seconds);
    const struct measured *middle = &run[done / 2];
    double widest = widest_speed(plan, middle);
    printf("%-5s %-9s %7u %8.3f %8.3f %9.0f %7.2f %7.1f %7.1f %7.1f %6.0f%%\n", size, kernel->name, threads,
           middle->seconds, run[0].seconds, (double)middle->states / middle->seconds / 1e6,
           middle->bytes / (double)middle->states, middle->bytes / middle->seconds / 1e9, widest / 1e9,
           triad / 1e9, 100 * widest / triad);
    (void)fflush(stdout);
}

static bool measure_size(const char *size, const char *kernel_name, unsigned threads, unsigned runs)
{
    struct pz_error error;
    struct grid grid;
    struct dense_geometry geometry;
    struct plan *plan = NULL;
    char sides[32];
    (void)snprintf(sides, sizeof sides, "%.*s", (int)strcspn(size, "+"), size);
    if (grid_parse(&grid, sides, &error) != PZ_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return false;
    }
    if (!dense_grid_fits(&grid) || grid.rows > grid.columns) {
        (void)fprintf(stderr, "%s: from 2x2 to 16 cells, the shorter side first\n", size);
        return false;
    }
    dense_geometry_init(&geometry, &grid, grid.cells - 1u);
    geometry.multi = strlen(sides) < strlen(size);
    if (plan_new(&geometry, &plan, &error) != PZ_OK)
        return false;
    for (unsigned i = 0; dense_kernels[i] != NULL; i++) {
        const struct kernel *kernel = dense_kernels[i];
        if (!kernel->runs_here() || (kernel_name != NULL && strcmp(kernel_name, kernel->name) != 0))
            continue;
        for (unsigned t = 1; t <= 2; t++)
            if (threads == 0 || t == 1)
                measure(size, plan, kernel, threads == 0 ? t : threads, runs);
    }
    plan_free(plan);
    return true;
}

int main(int count, char **argument)
{
    const char *kernel = count > 2 ? argument[2] : NULL;
    unsigned threads = count > 3 ? (unsigned)strtoul(argument[3], NULL, 10) : 0;
    unsigned runs = count > 4 ? (unsigned)strtoul(argument[4], NULL, 10) : 5;
    if (threads > TEAM_MAX || runs < 1 || runs > RUNS_MAX) {
        (void)fprintf(stderr, "threads: 1 to %d; runs: 1 to %d\n", TEAM_MAX, RUNS_MAX);
        return 2;
    }
    printf("                        seconds          million   must move           widest   triad  widest/\n"
           "size  kernel    threads   median     best  states/s B/state    GB/s    GB/s    GB/s   triad\n");
    if (count > 1)
        return measure_size(argument[1], kernel, threads, runs) ? 0 : 1;
    return measure_size("2x6", NULL, 0, runs) && measure_size("3x4", NULL, 0, runs) ? 0 : 1;
}
