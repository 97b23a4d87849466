/* SPDX-License-Identifier: MIT */
/*
 * Spaces that number their states.
 *
 *   bench_ranked explore [PUZZLE...]       whole explorations by the ranked engine on two threads: states,
 *       depth, seconds, processor time, and bits of the budget a state. Without names a list up to pancake:11
 *   bench_ranked disk DIRECTORY PUZZLE...  the same in scratch space there
 *   bench_ranked goals [PUZZLE...]         from all goals, with parts; klotski:family by both metrics
 *   bench_ranked gaps [PANCAKES [STACKS]]  random stacks (16, 1000) solved by IDA* and their gaps: flips, and
 *       nodes expanded and generated, means and medians
 *
 * A puzzle may also be a file with a definition (definitions/cube2.tws). THREADS in the environment is how
 * many.
 */
#include "measuring.h"
#include "texts.h"

#include "base/random.h"
#include "solve/solve.h"

enum { STACKS_MAX = 100000 };

static struct pz_space *open_puzzle(const char *puzzle)
{
    char name[DEFINITION_NAME_MAX];
    return open_space(strchr(puzzle, '.') != NULL && define_file(puzzle, name) ? name : puzzle, NULL);
}

/* ---- explorations ---- */

static void explore(const char *puzzle, bool goals, const char *directory)
{
    struct pz_error error = {0};
    struct explore_result result = {0};
    const struct explore_sink sink = {0};
    const char *threads = getenv("THREADS");
    struct pz_space *space = open_puzzle(puzzle);
    const struct explore_request request = {.depth = EXPLORE_NO_LIMIT,
                                            .threads =
                                                threads != NULL ? (unsigned)strtoul(threads, NULL, 10) : 2,
                                            .engine = ENGINE_RANKED,
                                            .keep = KEEP_LEVELS,
                                            .from = goals ? FROM_GOALS : FROM_ROOT,
                                            .ranked.parts = goals,
                                            .planes = directory != NULL ? PLANES_DISK : PLANES_AUTO,
                                            .scratch = directory};
    const double began = processor_seconds();
    const enum pz_status status = explore_in(UINT64_C(3) << 30, space, request, &sink, &result, &error);
    const double worked = processor_seconds() - began;
    if (status == PZ_OK)
        (void)printf("%-28s %13" PRIu64 " %5" PRIu32 " %8.2f %8.2f %6.2f\n", puzzle, result.states,
                     result.depth, result.search_seconds, worked,
                     8.0 * (double)result.peak_bytes / (double)result.states);
    else
        (void)fprintf(stderr, "%s: %s\n", puzzle, error.text);
    if (status == PZ_OK && directory != NULL)
        (void)printf("%.1f MB on disk, %.1f MB written, %.1f MB read\n", (double)result.disk_bytes / 1e6,
                     (double)result.disk_written_bytes / 1e6, (double)result.disk_read_bytes / 1e6);
    (void)fflush(stdout);
    space_close(space);
}

/* ---- solutions ---- */

static void print_row(const char *what, double *values, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    const double middle = median(values, count);
    (void)printf("%-10s mean %12.2f  median %10.0f  most %12.0f\n", what, sum / count, middle,
                 values[count - 1]);
}

static void solve_random(const struct pz_space *space, unsigned stacks)
{
    static double flips[STACKS_MAX], expanded[STACKS_MAX], generated[STACKS_MAX];
    const uint64_t count = space->puzzle->count(space);
    struct random random = {1};
    for (unsigned i = 0; i < stacks; i++) {
        struct pz_error error = {0};
        struct budget budget;
        struct control control = {0};
        struct solve_result result = {0};
        uint64_t start[PZ_STATE_MAX / 8] = {0};
        budget_init(&budget, NULL, UINT64_C(1) << 26);
        space->puzzle->unrank(space, random_below(&random, count), start);
        const struct solve_request request = {
            .space = space, .start = start, .method = METHOD_IDASTAR, .threads = 1, .budget = &budget};
        if (solve_run(&request, &control, &result, &error) != PZ_OK)
            (void)fprintf(stderr, "%s\n", error.text);
        flips[i] = (double)result.moves;
        expanded[i] = (double)result.expanded;
        generated[i] = (double)result.generated;
        solve_result_free(&result);
    }
    print_row("flips", flips, stacks);
    print_row("expanded", expanded, stacks);
    print_row("generated", generated, stacks);
}

static int gaps(const char *pancakes, unsigned stacks)
{
    char puzzle[32];
    (void)snprintf(puzzle, sizeof puzzle, "pancake:%s", pancakes);
    struct pz_space *space = open_puzzle(puzzle);
    if (stacks == 0 || stacks > STACKS_MAX)
        return 2;
    (void)printf("%u random stacks of %s\n", stacks, puzzle);
    solve_random(space, stacks);
    space_close(space);
    return 0;
}

int main(int count, char **words)
{
    static const char *const puzzles[] = {"pancake:10", "pancake:11", "pancake:9,burnt:yes", "topspin:11,4",
                                          "hanoi:4,12", "hanoi:3,16", "klotski:family",      NULL};
    static const char *const families[] = {"klotski:family", "klotski:family,metric:step", NULL};
    if (count > 1 && strcmp(words[1], "gaps") == 0)
        return gaps(count > 2 ? words[2] : "16", count > 3 ? (unsigned)strtoul(words[3], NULL, 10) : 1000);
    const bool goals = count > 1 && strcmp(words[1], "goals") == 0;
    const bool disk = count > 3 && strcmp(words[1], "disk") == 0;
    if (count < 2 || (strcmp(words[1], "explore") != 0 && !goals && !disk)) {
        (void)fprintf(stderr, "usage: bench_ranked explore [PUZZLE...] | disk DIRECTORY PUZZLE... |"
                              " goals [PUZZLE...] |"
                              " gaps [PANCAKES [STACKS]]\n");
        return 2;
    }
    (void)printf("%-28s %13s %5s %8s %8s %6s\n", "puzzle", "states", "depth", "seconds", "cpu", "bits");
    for (int i = disk ? 3 : 2; i < count; i++)
        explore(words[i], goals, disk ? words[2] : NULL);
    for (const char *const *name = goals ? families : puzzles; count == 2 && *name != NULL; name++)
        explore(*name, goals, NULL);
    return 0;
}
