/* SPDX-License-Identifier: MIT */
/*
 * States a second of the striped engine on every puzzle, each explored whole from its root: medians of
 * several runs.
 *
 *   bench_spaces [PLUGIN-DIRECTORY]     the directory adds cube2, where it holds the example
 */
#include "measuring.h"

#include "space/plugin.h"

enum { RUNS = 5 };

struct question {
    const char *puzzle;
    const char *start, *goal; /* NULL for none */
    const char *key, *value;
};

/* A room of 7 × 7 with five boxes. */
#define ROOM "#########/#-------#/#-$-.-$-#/#---#---#/#-.-@-.-#/#---#---#/#-$-.-$-#/#---.$--#/#########"

static const struct question questions[] = {
    {"klotski:横刀立马", NULL, NULL, "metric", "step"},
    {"klotski:横刀立马", NULL, NULL, "metric", "move"},
    {"klotski:iPhone关卡1", NULL, NULL, "metric", "step"},
    {"klotski:iPhone关卡1", NULL, NULL, "metric", "move"},
    {"jugs:101,73,59,47", NULL, NULL, NULL, NULL},
    {"jugs:1009,757", NULL, NULL, NULL, NULL},
    {"sokoban", ROOM, NULL, "metric", "push"},
    {"slide:3x3", NULL, NULL, NULL, NULL},
    {"slide:3x4", NULL, "1,1,1,1/2,2,2,2/3,3,3,0", NULL, NULL},
    {"slide:3x4", NULL, "1,2,#,4/5,6,7,8/9,10,#,0", NULL, NULL},
    {"cube2", NULL, NULL, "metric", "quarter"},
    {"cube2", NULL, NULL, "metric", "half"},
};

static bool run_once(const struct pz_space *space, unsigned threads, struct explore_result *result)
{
    struct pz_error error = {0};
    const struct explore_sink sink = {0};
    const struct explore_request request = {
        .depth = EXPLORE_NO_LIMIT, .threads = threads, .engine = ENGINE_STRIPED, .keep = KEEP_LEVELS};
    const enum pz_status status = explore_in(UINT64_C(3) << 30, space, request, &sink, result, &error);
    if (status != PZ_OK || !result->complete)
        (void)fprintf(stderr, "not explored whole: %s\n", error.text);
    return status == PZ_OK && result->complete;
}

static void measure(const struct pz_space *space, const char *label, unsigned threads)
{
    double seconds[RUNS];
    struct explore_result result = {0};
    for (unsigned i = 0; i < RUNS; i++) {
        if (!run_once(space, threads, &result))
            return;
        seconds[i] = result.search_seconds;
    }
    const double middle = median(seconds, RUNS);
    (void)printf("%-40.40s %2u %10" PRIu64 " %6" PRIu32 " %9.1f %9.2f\n", label, threads, result.states,
                 result.depth, middle * 1e3, (double)result.states / middle / 1e6);
    (void)fflush(stdout);
}

static void measure_question(const struct question *question)
{
    char label[128];
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    const struct pz_key keys[] = {{question->key, question->value}};
    const struct pz_setup setup = {.start = question->start,
                                   .goal = question->goal,
                                   .keys = keys,
                                   .key_count = question->key != NULL ? 1 : 0};
    if (space_open(question->puzzle, &setup, &space, &error) != PZ_OK)
        return; /* cube2 without its plugin */
    (void)snprintf(label, sizeof label, "%s %s", question->puzzle,
                   question->value != NULL  ? question->value
                   : question->goal != NULL ? question->goal
                                            : "");
    measure(space, label, 1);
    measure(space, label, 2);
    space_close(space);
}

int main(int count, char **words)
{
    struct pz_error error = {0};
    if (count > 1 && plugins_load(words[1], NULL, NULL, &error) != PZ_OK)
        (void)fprintf(stderr, "%s\n", error.text);
    (void)printf("%-40s %2s %10s %6s %9s %9s\n", "puzzle", "t", "states", "depth", "ms", "M/s");
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        measure_question(&questions[i]);
    return 0;
}
