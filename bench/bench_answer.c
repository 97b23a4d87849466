/* SPDX-License-Identifier: MIT */
/*
 * Questions answered from stored tables by one thread: random boards of 3x4 from a dense table and of 3x3
 * from a table of runs. Medians of five rounds, in one batch of 20,000 lookups each.
 */
#include "temporary_store.h"

#include "answer/answer.h"
#include "base/random.h"

enum { ROUNDS = 5, LOOKUPS = 20000, WALK = 400 };

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
    struct explore_result result;
    must(space->puzzle->root(space, root, &error));
    must(answer_table_name(space, root, 1, FROM_ROOT, into.about.name, &error));
    const struct explore_sink sink = {
        .context = &into, .begin = into_begin, .run = into_run, .chunk = into_chunk};
    const struct explore_request request = {.depth = EXPLORE_NO_LIMIT, .threads = 2, .engine = engine};
    must(explore_in(UINT64_C(3) << 30, space, request, &sink, &result, &error));
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

static void bench(const char *puzzle, enum engine engine, const char *what)
{
    struct pz_space *space = open_space(puzzle, NULL);
    uint64_t *boards = calloc(LOOKUPS, PZ_STATE_MAX);
    if (boards == NULL)
        exit(1);
    explore(space, engine);
    random_boards(space, boards);
    for (int with_path = 0; with_path < 2; with_path++) {
        double seconds[ROUNDS];
        for (int i = 0; i < ROUNDS; i++)
            seconds[i] = look_up(space, boards, with_path != 0);
        const double middle = median(seconds, ROUNDS);
        (void)printf("%s, %s: %8.2f us each, %.0f a second\n", what, with_path ? "path    " : "distance",
                     1e6 * middle / LOOKUPS, LOOKUPS / middle);
    }
    free(boards);
    space_close(space);
}

int main(int argc, char **argv)
{
    store_begin(argc, argv);
    bench("3x3", ENGINE_STRIPED, "3x3 in runs ");
    bench("3x4", ENGINE_DENSE, "3x4 in chunks");
    return store_end();
}
