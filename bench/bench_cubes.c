/* SPDX-License-Identifier: MIT */
/*
 * Solves scrambles of a twisty puzzle by abstractions by orbits, each proven optimal, and tells processor
 * time.
 *
 *   bench_cubes definitions/cube3.tws KEEP [memory=2G|threads=N|partition=NAME|time=SECONDS …] SCRAMBLE …
 *   bench_cubes definitions/cube3.tws KEEP random:1-20          the twenty of docs/twisty.md
 *   bench_cubes definitions/cube3.tws KEEP short:200            walks of up to 11 turns, from both sides, too
 *
 * KEEP is a directory where the tables stay, so that only the first run builds them; a first scramble R keeps
 * that, or the reading, out of the next one's time. A scramble is as in `puzzlectl solve`; random:1-20 is
 * random:1, random:2 and so on.
 */
#include "solving.h"
#include "texts.h"

#include "base/random.h"

#include <sys/stat.h>

enum { PATH_BYTES = 512 };

/* ---- tables as files ---- */

struct shelf {
    const char *directory;
    struct kept_tables loaded;
};

static void shelf_path(const struct shelf *shelf, const char *name, char path[PATH_BYTES])
{
    int at = snprintf(path, PATH_BYTES, "%s/", shelf->directory);
    for (; *name != '\0' && at + 1 < PATH_BYTES; name++)
        path[at++] = (char)(*name == '/' ? '_' : *name);
    path[at] = '\0';
}

static enum pz_status shelf_load(void *context, const char *name, const uint8_t **bytes, size_t *length,
                                 struct pz_error *error)
{
    struct shelf *shelf = context;
    char path[PATH_BYTES];
    struct stat facts;
    if (kept_load(&shelf->loaded, name, bytes, length, error) == PZ_OK)
        return PZ_OK;
    shelf_path(shelf, name, path);
    FILE *file = fopen(path, "r");
    if (file == NULL || fstat(fileno(file), &facts) != 0 || shelf->loaded.count == TABLES_MAX)
        return pz_fail(error, PZ_NO_TABLE, "no %s", path);
    struct kept *kept = &shelf->loaded.table[shelf->loaded.count++];
    kept->length = *length = (size_t)facts.st_size;
    kept->bytes = memory_map(kept->length, MEMORY_HUGE_PAGES);
    (void)snprintf(kept->name, sizeof kept->name, "%s", name);
    if (kept->bytes == NULL || fread(kept->bytes, 1, kept->length, file) != kept->length)
        die_of(path);
    (void)fclose(file);
    *bytes = kept->bytes;
    return PZ_OK;
}

static enum pz_status shelf_save(void *context, const char *name, const uint8_t *bytes, size_t length,
                                 struct pz_error *error)
{
    char path[PATH_BYTES];
    (void)error;
    shelf_path(context, name, path);
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        die_of(path);
    return PZ_OK;
}

/* ---- questions ---- */

struct cubes {
    const struct pz_space *space;
    const char *partition;
    struct pattern_archive archive;
    uint64_t memory;
    unsigned threads, count;
    double time;          /* for each, by the clock; 0 for no limit */
    double seconds[1024]; /* of each */
};

static void search(const struct cubes *cubes, const void *start, enum method method,
                   struct solve_result *result)
{
    struct budget budget;
    struct control control = {.deadline = cubes->time > 0 ? clock_seconds() + cubes->time : 0};
    struct pz_error error = {0};
    budget_init(&budget, NULL, cubes->memory);
    const struct solve_request request = {.space = cubes->space,
                                          .start = start,
                                          .method = method,
                                          .threads = cubes->threads,
                                          .budget = &budget,
                                          .archive = &cubes->archive,
                                          .partition = method == METHOD_IDASTAR ? cubes->partition : NULL};
    if (solve_run(&request, &control, result, &error) != PZ_OK)
        die(&error);
    solve_result_free(result);
}

static void solve_scramble(struct cubes *cubes, const char *scramble)
{
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    struct solve_result result;
    if (cubes->space->puzzle->parse(cubes->space, scramble, start, &error) != PZ_OK)
        die(&error);
    const double begun = processor_seconds(), clock = clock_seconds();
    search(cubes, start, METHOD_IDASTAR, &result);
    const double seconds = processor_seconds() - begun;
    const bool solved = result.moves >= 0;
    (void)printf("%-24.24s %s%2" PRId64 " moves %12" PRIu64 " nodes %11" PRIu64
                 " expanded %8.2f s of processor time %8.2f s by the clock  %s\n",
                 scramble, solved ? "" : "at least ", solved ? result.moves : result.at_least,
                 result.generated, result.expanded, seconds, clock_seconds() - clock, result.partition);
    for (unsigned i = 0; i < result.iterations.count; i++)
        (void)printf("    %u moves: %" PRIu64 " nodes, %.2f s\n", result.iterations.each[i].bound,
                     result.iterations.each[i].generated, result.iterations.each[i].seconds);
    (void)fflush(stdout);
    if (cubes->count < sizeof cubes->seconds / sizeof *cubes->seconds)
        cubes->seconds[cubes->count++] = seconds;
}

/* Compares the lengths of walks with those that a search from both sides finds. */
static void compare_short(const struct cubes *cubes, unsigned count)
{
    unsigned lengths[12] = {0};
    struct random random = {.state = 1};
    for (unsigned i = 0; i < count; i++) {
        struct solve_result one, other;
        uint8_t successors[UINT8_MAX * PZ_STATE_MAX], tokens[UINT8_MAX], last = PZ_NO_TOKEN;
        uint64_t board[PZ_STATE_MAX / 8] = {0};
        cubes->space->puzzle->goal(cubes->space, board);
        for (unsigned k = 0; k < 1 + i % 11; k++) {
            const unsigned all = cubes->space->puzzle->expand(cubes->space, board, last, successors, tokens);
            const unsigned at = (unsigned)random_below(&random, all);
            memcpy(board, successors + (size_t)at * cubes->space->state_bytes, cubes->space->state_bytes);
            last = tokens[at];
        }
        search(cubes, board, METHOD_IDASTAR, &one);
        search(cubes, board, METHOD_BIDIRECTIONAL, &other);
        if (one.moves != other.moves || one.moves < 0 || one.moves > 11) {
            (void)printf("walk %u: %" PRId64 " and %" PRId64 " moves\n", i, one.moves, other.moves);
            exit(1);
        }
        lengths[one.moves]++;
    }
    (void)printf("the same lengths by both ways; of 0 to 11 moves:");
    for (unsigned i = 0; i < 12; i++)
        (void)printf(" %u", lengths[i]);
    (void)printf("\n");
}

/* Solves random:FIRST-LAST. */
static void solve_random(struct cubes *cubes, const char *numbers)
{
    char *end = NULL;
    unsigned long first = strtoul(numbers, &end, 10);
    const unsigned long last = *end == '-' ? strtoul(end + 1, NULL, 10) : first;
    for (; first <= last; first++) {
        char scramble[32];
        (void)snprintf(scramble, sizeof scramble, "random:%lu", first);
        solve_scramble(cubes, scramble);
    }
}

static void take_word(struct cubes *cubes, const char *word)
{
    const char *value = word + strcspn(word, "=:") + 1;
    if (strncmp(word, "memory=", 7) == 0)
        cubes->memory = strtoull(value, NULL, 10) << (strchr(word, 'M') != NULL ? 20 : 30);
    else if (strncmp(word, "threads=", 8) == 0)
        cubes->threads = (unsigned)strtoul(value, NULL, 10);
    else if (strncmp(word, "time=", 5) == 0)
        cubes->time = strtod(value, NULL);
    else if (strncmp(word, "partition=", 10) == 0)
        cubes->partition = value;
    else if (strncmp(word, "short:", 6) == 0)
        compare_short(cubes, (unsigned)strtoul(value, NULL, 10));
    else if (strncmp(word, "random:", 7) == 0)
        solve_random(cubes, value);
    else
        solve_scramble(cubes, word);
}

int main(int argc, char **argv)
{
    static struct shelf shelf;
    char name[DEFINITION_NAME_MAX];
    if (argc < 4 || !define_file(argv[1], name)) {
        (void)fprintf(
            stderr,
            "usage: %s TEXT KEEP [memory=2G] [threads=2] [partition=NAME] [time=SECONDS] SCRAMBLE …\n",
            *argv);
        return 2;
    }
    shelf.directory = argv[2];
    struct cubes cubes = {.space = open_space(name, NULL),
                          .archive = {&shelf, shelf_load, kept_release, shelf_save},
                          .memory = UINT64_C(2) << 30,
                          .threads = 2};
    for (int i = 3; i < argc; i++)
        take_word(&cubes, argv[i]);
    const double middle = median(cubes.seconds, cubes.count);
    if (cubes.count > 0)
        (void)printf("median %.1f s of processor time, most %.1f s\n", middle,
                     cubes.seconds[cubes.count - 1]);
    return 0;
}
