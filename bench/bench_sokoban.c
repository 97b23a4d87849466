/* SPDX-License-Identifier: MIT */
/*
 * Sokoban on the levels of a collection, tests/data/microban.xsb by default.
 *
 *   bench_sokoban explore [FILE [STATES]]
 *       states a second of whole explorations by pushes on one thread, of the levels that have at most
 *       STATES (1000000)
 *   bench_sokoban solve METRIC [FILE [FIRST LAST [SECONDS [MEBIBYTES [METHOD]]]]]
 *       a row for each level: fewest pushes or moves (>= what was proven), states, processor
 *       time; 60 s of it and 4096 MiB a level
 */
#include "measuring.h"

#include "solve/solve.h"

enum { LEVEL_MAX = 2048, LEVELS_MAX = 512 };

struct levels {
    char text[LEVELS_MAX][LEVEL_MAX]; /* rows parted by '|' */
    unsigned count;
};

/* Rows that begin with a wall, after spaces, belong to a level; others end it. */
static bool read_levels(const char *name, struct levels *levels)
{
    char line[512];
    bool inside = false;
    FILE *file = fopen(name, "r");
    if (file == NULL)
        return false;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        bool is_row = line[strspn(line, " ")] == '#';
        if (is_row && !inside && levels->count == LEVELS_MAX)
            break;
        levels->count += is_row && !inside;
        inside = is_row;
        if (!is_row)
            continue;
        char *text = levels->text[levels->count - 1];
        size_t length = strlen(text);
        (void)snprintf(text + length, LEVEL_MAX - length, "%s%s", length > 0 ? "|" : "", line);
    }
    (void)fclose(file);
    return levels->count > 0;
}

static struct pz_space *open_level(const struct levels *levels, unsigned number, const char *metric)
{
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    const struct pz_key keys[] = {{"metric", metric}};
    const struct pz_setup setup = {.start = levels->text[number - 1], .keys = keys, .key_count = 1};
    if (space_open("sokoban", &setup, &space, &error) != PZ_OK)
        (void)fprintf(stderr, "level %u: %s\n", number, error.text);
    return space;
}

/* ---- states a second ---- */

struct watch {
    uint64_t states, most;
};

static enum pz_status count_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct watch *watch = context;
    (void)level;
    watch->states += states;
    return watch->states <= watch->most ? PZ_OK : pz_fail(error, PZ_LIMIT, "too large");
}

static void explore(const struct levels *levels, uint64_t most)
{
    uint64_t states = 0;
    unsigned explored = 0;
    double seconds = 0;
    for (unsigned number = 1; number <= levels->count; number++) {
        struct pz_error error = {0};
        struct explore_result result;
        struct watch watch = {.most = most};
        const struct explore_sink sink = {.context = &watch, .level = count_level};
        struct pz_space *space = open_level(levels, number, "push");
        if (space == NULL)
            continue;
        const struct explore_request request = {
            .depth = EXPLORE_NO_LIMIT, .threads = 1, .engine = ENGINE_STRIPED, .keep = KEEP_LEVELS};
        const double began = processor_seconds();
        if (explore_in(UINT64_C(2) << 30, space, request, &sink, &result, &error) == PZ_OK &&
            result.complete) {
            states += result.states;
            seconds += processor_seconds() - began;
            explored++;
        }
        space_close(space);
    }
    (void)printf("%u levels explored whole: %" PRIu64 " states in %.2f s, %.3f million a second\n", explored,
                 states, seconds, (double)states / seconds / 1e6);
}

/* ---- solutions ---- */

struct limits {
    unsigned first, last;
    double seconds;
    uint64_t bytes;
    enum method method;
};

static bool solve_level(const struct levels *levels, unsigned number, const char *metric,
                        const struct limits *limits)
{
    struct pz_error error = {0};
    struct budget budget;
    struct solve_result result = {0};
    uint64_t start[PZ_STATE_MAX / 8];
    struct pz_space *space = open_level(levels, number, metric);
    if (space == NULL)
        return false;
    budget_init(&budget, NULL, limits->bytes);
    struct control control = {.deadline = clock_seconds() + limits->seconds,
                              .busy_until = clock_thread_seconds() + limits->seconds};
    const struct solve_request request = {
        .space = space, .start = start, .method = limits->method, .threads = 1, .budget = &budget};
    (void)space->puzzle->root(space, start, &error);
    const double began = processor_seconds();
    bool solved = solve_run(&request, &control, &result, &error) == PZ_OK && result.moves >= 0;
    char length[32];
    (void)snprintf(length, sizeof length, "%s%" PRId64,
                   solved ? "" : ">=", solved ? result.moves : result.at_least);
    (void)printf("%5u %6s %12" PRIu64 " %12" PRIu64 " %9.3f %8.0f %s\n", number, length, result.expanded,
                 result.generated, processor_seconds() - began, (double)result.peak_bytes / 1e6,
                 solved                         ? method_word(result.method)
                 : result.reason == STOP_MEMORY ? "memory"
                                                : "time");
    (void)fflush(stdout);
    solve_result_free(&result);
    space_close(space);
    return solved;
}

static void solve(const struct levels *levels, const char *metric, const struct limits *limits)
{
    unsigned solved = 0;
    unsigned last = limits->last < levels->count ? limits->last : levels->count;
    (void)printf("level %6s %12s %12s %9s %8s method\n", metric, "expanded", "generated", "seconds", "MB");
    for (unsigned number = limits->first; number <= last; number++)
        solved += solve_level(levels, number, metric, limits);
    (void)printf("%u solved\n", solved);
}

static const char *word(int count, char **words, int at, const char *otherwise)
{
    return at < count ? words[at] : otherwise;
}

static enum method method_of(const char *name)
{
    unsigned method = 0;
    while (method < METHOD_COUNT && strcmp(method_word((enum method)method), name) != 0)
        method++;
    return (enum method)method;
}

int main(int count, char **words)
{
    static struct levels levels;
    bool solves = count > 2 && strcmp(words[1], "solve") == 0;
    const char *file = word(count, words, solves ? 3 : 2, "tests/data/microban.xsb");
    if (count < 2 || (!solves && strcmp(words[1], "explore") != 0) || !read_levels(file, &levels)) {
        (void)fprintf(stderr,
                      "usage: bench_sokoban explore [FILE [STATES]] | solve push|move [FILE [FIRST LAST "
                      "[SECONDS [MEBIBYTES [METHOD]]]]]\n");
        return 2;
    }
    if (!solves) {
        explore(&levels, strtoull(word(count, words, 3, "1000000"), NULL, 10));
        return 0;
    }
    const struct limits limits = {
        .first = (unsigned)strtoul(word(count, words, 4, "1"), NULL, 10),
        .last = (unsigned)strtoul(word(count, words, 5, "512"), NULL, 10),
        .seconds = strtod(word(count, words, 6, "60"), NULL),
        .bytes = strtoull(word(count, words, 7, "4096"), NULL, 10) << 20,
        .method = method_of(word(count, words, 8, "auto")),
    };
    if (limits.first == 0 || limits.method == METHOD_COUNT) {
        (void)fprintf(stderr, "bench_sokoban: levels count from 1; METHOD is one of SOLVE\n");
        return 2;
    }
    solve(&levels, words[2], &limits);
    return 0;
}
