/* SPDX-License-Identifier: MIT */
/*
 * The striped engine against two single-threaded baselines, and with itself at other numbers of threads.
 *
 *   bench_striped [what …]   strings packed deep whole frontier both setup; all of them without a word
 *   bench_striped run PUZZLE DEPTH THREADS [table|levels] [STRIPES]
 *   bench_striped disk PUZZLE DEPTH THREADS table|levels MEGABYTES DIRECTORY    # - for memory
 *
 * With disk, a table is handed over, too (to nobody).
 *
 * One line a run: states, seconds, states and successors a second, bytes of the budget's peak for each state.
 */
#include "baseline_packed.h"
#include "baseline_strings.h"
#include "measuring.h"

#include "solve/solve.h"
#include "space/slide/slide.h"

#include <sys/resource.h>

static const uint64_t memory_limit = 8ull << 30;

static uint64_t process_peak(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

struct lap {
    double wall, cpu;
};

static struct lap lap_begin(void)
{
    return (struct lap){.wall = clock_seconds(), .cpu = processor_seconds()};
}

static void print_run(const char *name, unsigned threads, uint64_t states, struct lap began,
                      uint64_t generated, uint64_t bytes)
{
    double seconds = clock_seconds() - began.wall;
    double millions = (double)states / 1e6;
    printf("%-28s threads=%-2u states=%" PRIu64 " seconds=%.2f cpu=%.2f Mstates/s=%.2f Mstates/cpu-s=%.2f "
           "Msuccessors/s=%.2f bytes/state=%.1f\n",
           name, threads, states, seconds, processor_seconds() - began.cpu, millions / seconds,
           millions / (processor_seconds() - began.cpu), (double)generated / 1e6 / seconds,
           (double)bytes / (double)states);
    (void)fflush(stdout);
}

static enum pz_status count_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    (void)error;
    *(uint64_t *)context += run->count;
    return PZ_OK;
}

/* memory: 0 for the usual one, and no table is handed over; scratch: NULL for a run in memory. */
static void run_striped_in(const char *puzzle, uint32_t depth, unsigned threads, enum keep keep,
                           unsigned stripes, uint64_t memory, const char *scratch)
{
    struct pz_space *space = open_space(puzzle, NULL);
    struct pz_error error = {0};
    uint64_t told = 0;
    const struct explore_sink sink = {.context = &told, .run = memory > 0 ? count_run : NULL};
    struct explore_result result;
    char name[64];
    const struct explore_request request = {.depth = depth,
                                            .threads = threads,
                                            .engine = ENGINE_STRIPED,
                                            .keep = keep,
                                            .planes = scratch != NULL ? PLANES_DISK : PLANES_AUTO,
                                            .scratch = scratch,
                                            .striped.stripes = stripes};
    struct lap began = lap_begin();
    if (explore_in(memory > 0 ? memory : memory_limit, space, request, &sink, &result, &error) != PZ_OK)
        die(&error);
    (void)snprintf(name, sizeof name, "striped %s depth %" PRIu32 "%s", puzzle, result.depth,
                   keep == KEEP_LEVELS ? " levels" : "");
    print_run(name, threads, result.states, began, result.generated, result.peak_bytes);
    if (scratch != NULL)
        printf("    bytes a state: written=%.1f read=%.1f; scratch space at most %.1f MB, process %.1f MB\n",
               (double)result.disk_written_bytes / (double)result.states,
               (double)result.disk_read_bytes / (double)result.states, (double)result.disk_bytes / 1e6,
               (double)process_peak() / 1e6);
    space_close(space);
}

static void run_striped(const char *puzzle, uint32_t depth, unsigned threads, enum keep keep,
                        unsigned stripes)
{
    run_striped_in(puzzle, depth, threads, keep, stripes, 0, NULL);
}

static void run_packed(const char *puzzle, uint32_t depth, unsigned slot_bits)
{
    struct pz_space *space = open_space(puzzle, NULL);
    uint64_t root;
    uint64_t bytes = 0;
    char name[64];
    space->puzzle->goal(space, &root);
    struct lap began = lap_begin();
    uint64_t states = baseline_packed(space, root, depth, slot_bits, &bytes);
    (void)snprintf(name, sizeof name, "(b) packed %s", puzzle);
    print_run(name, 1, states, began, 0, bytes);
    space_close(space);
}

static void run_strings(const char *puzzle, uint32_t depth)
{
    struct pz_space *space = open_space(puzzle, NULL);
    char name[64];
    uint64_t before = process_peak();
    struct lap began = lap_begin();
    uint64_t states = baseline_strings(slide_grid(space), depth);
    (void)snprintf(name, sizeof name, "(a) strings %s depth %" PRIu32, puzzle, depth);
    print_run(name, 1, states, began, 0, process_peak() - before);
    space_close(space);
}

/* ---- the groups ---- */

static void bench_strings(void)
{
    run_strings("4x4", 20);
    run_strings("3x4", 27);
}

static void bench_packed(void)
{
    run_packed("4x4", 25, 28);
    run_packed("3x4", EXPLORE_NO_LIMIT, 29);
}

static void bench_deep(void)
{
    const unsigned threads[] = {1, 2, 4, 8, 64};
    for (unsigned i = 0; i < 5; i++)
        run_striped("4x4", 25, threads[i], KEEP_TABLE, 0);
}

static void bench_whole(void)
{
    run_striped("3x4", EXPLORE_NO_LIMIT, 1, KEEP_TABLE, 0);
    run_striped("3x4", EXPLORE_NO_LIMIT, 2, KEEP_TABLE, 0);
}

static void bench_frontier(void)
{
    run_striped("3x4", EXPLORE_NO_LIMIT, 2, KEEP_LEVELS, 0);
}

/* Boards of tests/data/korf15.csv, turned by half a turn so that the blank's goal is the last cell. */
static void solve_board(const char *puzzle, const char *board, unsigned threads)
{
    struct pz_space *space = open_space(puzzle, NULL);
    uint64_t start[4];
    struct pz_error error = {0};
    struct budget budget;
    struct control control = {0};
    struct solve_result result;
    budget_init(&budget, NULL, memory_limit);
    struct solve_request request = {.space = space,
                                    .method = METHOD_BIDIRECTIONAL,
                                    .threads = threads,
                                    .budget = &budget,
                                    .start = start};
    if (space->puzzle->parse(space, board, start, &error) != PZ_OK ||
        solve_run(&request, &control, &result, &error) != PZ_OK)
        die(&error);
    printf("bidirectional %s threads=%u moves=%" PRId64 " seconds=%.6f generated=%" PRIu64 " peak=%.2f GB\n",
           board, threads, result.moves, result.seconds, result.generated, (double)result.peak_bytes / 1e9);
    solve_result_free(&result);
    space_close(space);
}

static void bench_both(void)
{
    solve_board("4x4", "6,2,9,7/5,14,13,10/12,11,0,15/3,1,8,4", 2); /* 50 moves */
    solve_board("4x4", "2,13,9,15/6,1,14,8/0,4,3,12/7,10,5,11", 2); /* 50 */
    solve_board("4x4", "3,14,6,5/10,11,8,15/12,0,1,4/9,7,2,13", 2); /* 51 */
}

static void bench_setup(void)
{
    for (unsigned i = 0; i < 5; i++) {
        solve_board("3x3", "1,2,3/4,5,0/7,8,6", 2);
        solve_board("3x3", "8,6,7/2,5,4/3,0,1", 2);
    }
}

static const struct {
    const char *word;
    void (*run)(void);
} groups[] = {
    {"strings", bench_strings},   {"packed", bench_packed}, {"deep", bench_deep},   {"whole", bench_whole},
    {"frontier", bench_frontier}, {"both", bench_both},     {"setup", bench_setup},
};

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[1], "run") == 0) {
        bool levels = argc >= 6 && strcmp(argv[5], "levels") == 0;
        run_striped(argv[2], (uint32_t)strtoul(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10),
                    levels ? KEEP_LEVELS : KEEP_TABLE, argc >= 7 ? (unsigned)strtoul(argv[6], NULL, 10) : 0);
        return 0;
    }
    if (argc == 8 && strcmp(argv[1], "disk") == 0) {
        run_striped_in(argv[2], (uint32_t)strtoul(argv[3], NULL, 10), (unsigned)strtoul(argv[4], NULL, 10),
                       strcmp(argv[5], "levels") == 0 ? KEEP_LEVELS : KEEP_TABLE, 0,
                       strtoull(argv[6], NULL, 10) << 20, strcmp(argv[7], "-") != 0 ? argv[7] : NULL);
        return 0;
    }
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        bool wanted = argc == 1;
        for (int k = 1; k < argc; k++)
            wanted = wanted || strcmp(argv[k], groups[i].word) == 0;
        if (wanted)
            groups[i].run();
    }
    return 0;
}
