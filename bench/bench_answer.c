/* SPDX-License-Identifier: MIT */
/*
 * Questions answered from stored tables by one thread: random boards of 3x4 from a dense table and of 3x3
 * from a table of runs. Medians of five rounds, in one batch of 20,000 lookups each.
 */
#include "answer/answer.h"
#include "base/clock.h"
#include "base/random.h"
#include "space/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 5, LOOKUPS = 20000, WALK = 400 };

static struct store *store;
static struct pz_error error;

static void must(enum pz_status status)
{
    if (status == PZ_OK)
        return;
    (void)fprintf(stderr, "bench_answer: %s\n", error.text);
    exit(1);
}

/* ---- a stored table ---- */

struct into {
    struct table_record about;
    struct table_writer *writer;
};

static enum pz_status into_begin(void *context, const struct explore_plan *plan, struct pz_error *failure)
{
    struct into *into = context;
    into->about.kind = plan->table;
    into->about.state_bytes = plan->state_bytes;
    into->about.table_bytes = plan->table_bytes;
    into->about.chunk_bytes = plan->chunk_bytes;
    return table_writer_new(store, &into->about, &into->writer, failure);
}

static enum pz_status into_run(void *context, const struct explore_run *run, struct pz_error *failure)
{
    return table_writer_run(((struct into *)context)->writer, run, failure);
}

static enum pz_status into_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                                 struct pz_error *failure)
{
    return table_writer_chunk(((struct into *)context)->writer, number, bytes, length, failure);
}

static void explore(const struct pz_space *space, enum engine engine)
{
    uint64_t root[PZ_STATE_MAX / 8];
    struct into into = {.writer = NULL};
    struct budget budget;
    struct control control = {.deadline = 0};
    struct explore_result result;
    must(space->puzzle->root(space, root, &error));
    must(answer_table_name(space, root, 1, FROM_ROOT, into.about.name, &error));
    budget_init(&budget, NULL, UINT64_C(3) << 30);
    const struct explore_sink sink = {
        .context = &into, .begin = into_begin, .run = into_run, .chunk = into_chunk};
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = 2,
                                            .budget = &budget,
                                            .engine = engine};
    must(explore_run(&request, &control, &sink, &result, &error));
    into.about.depth = result.depth;
    into.about.complete = result.complete;
    into.about.states = result.states;
    must(table_writer_finish(into.writer, &into.about, &error));
}

/* ---- lookups ---- */

static void random_boards(const struct pz_space *space, uint64_t *boards)
{
    struct random random = {7};
    uint64_t at[PZ_STATE_MAX / 8], successors[64];
    uint8_t tokens[64];
    space->puzzle->goal(space, at);
    for (int i = 0; i < LOOKUPS; i++) {
        for (int step = 0; step < WALK; step++) {
            unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
            memcpy(at, successors + random_below(&random, count) * (space->state_bytes / 8),
                   space->state_bytes);
        }
        memcpy(boards + (size_t)i * (space->state_bytes / 8), at, space->state_bytes);
    }
}

static double look_up(const struct pz_space *space, const uint64_t *boards, bool with_path)
{
    struct answers *answers;
    must(answers_new(store, &answers, &error));
    double start = clock_seconds();
    answers_begin(answers);
    for (int i = 0; i < LOOKUPS; i++) {
        struct answer answer;
        must(answer_distance(answers, space, ANSWER_FROM_EITHER,
                             boards + (size_t)i * (space->state_bytes / 8), with_path, &answer, &error));
        free(answer.path);
    }
    answers_end(answers);
    double seconds = clock_seconds() - start;
    answers_free(answers);
    return seconds;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void bench(const char *puzzle, enum engine engine, const char *what)
{
    const struct pz_setup setup = {.size = NULL};
    struct pz_space *space;
    must(space_open(puzzle, &setup, &space, &error));
    uint64_t *boards = calloc(LOOKUPS, PZ_STATE_MAX);
    if (boards == NULL)
        exit(1);
    explore(space, engine);
    random_boards(space, boards);
    for (int with_path = 0; with_path < 2; with_path++) {
        double seconds[ROUNDS];
        for (int i = 0; i < ROUNDS; i++)
            seconds[i] = look_up(space, boards, with_path != 0);
        qsort(seconds, ROUNDS, sizeof seconds[0], compare);
        (void)printf("%s, %s: %8.2f us each, %.0f a second\n", what, with_path ? "path    " : "distance",
                     1e6 * seconds[ROUNDS / 2] / LOOKUPS, LOOKUPS / seconds[ROUNDS / 2]);
    }
    free(boards);
    space_close(space);
}

int main(int argc, char **argv)
{
    char directory[512], path[600];
    static const char *const files[] = {"data.mdb", "lock.mdb", "owner"};
    const struct store_options options = {0};
    (void)snprintf(directory, sizeof directory, "%s/puzzled-bench-XXXXXX", argc > 1 ? argv[1] : "/var/tmp");
    if (mkdtemp(directory) == NULL) {
        perror(directory);
        return 1;
    }
    must(store_open(directory, &options, &store, &error));
    bench("3x3", ENGINE_STRIPED, "3x3 in runs ");
    bench("3x4", ENGINE_DENSE, "3x4 in chunks");
    store_close(store);
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", directory, files[i]);
        (void)unlink(path);
    }
    return rmdir(directory) == 0 ? 0 : 1;
}
