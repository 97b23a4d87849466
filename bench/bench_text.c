/* SPDX-License-Identifier: MIT */
/*
 * Definitions beside built-in puzzles: states a second of processor time, one thread, the striped engine,
 * each explored whole from its goal. Behind a "=" stands the built-in puzzle that is the same one; then the
 * line ends with how many times its time the text takes. Medians of several runs, taken in turns.
 *
 *   definitions/generate.py pancake 10 > /tmp/p10.psvn
 *   bench_text /tmp/p10.psvn=pancake:10 definitions/blocks6.psvn
 */
#include "measuring.h"
#include "texts.h"

enum { RUNS = 5 };

/* Returns the processor seconds of one exploration; less than 0 after a failure. */
static double explore_once(const struct pz_space *space, struct explore_result *result)
{
    struct pz_error error = {0};
    const struct explore_sink sink = {0};
    const struct explore_request request = {
        .depth = EXPLORE_NO_LIMIT, .threads = 1, .engine = ENGINE_STRIPED, .keep = KEEP_LEVELS};
    const double began = processor_seconds();
    if (explore_in(UINT64_C(6) << 30, space, request, &sink, result, &error) == PZ_OK)
        return processor_seconds() - began;
    (void)fprintf(stderr, "%s: %s\n", space->size, error.text);
    return -1;
}

static void measure(const char *label, const struct pz_space *text, const struct pz_space *twin)
{
    double seconds[2][RUNS];
    struct explore_result result[2] = {0};
    for (unsigned run = 0; run < RUNS; run++) {
        seconds[0][run] = explore_once(text, &result[0]);
        seconds[1][run] = twin != NULL ? explore_once(twin, &result[1]) : 0;
    }
    const double own = median(seconds[0], RUNS), twins = median(seconds[1], RUNS);
    (void)printf("%-44.44s %10" PRIu64 " %5" PRIu32 " %8.1f %7.2f", label, result[0].states, result[0].depth,
                 own * 1e3, (double)result[0].states / own / 1e6);
    if (twin != NULL)
        (void)printf(" %7.2f %s", own / twins,
                     result[0].states == result[1].states && result[0].depth == result[1].depth
                         ? ""
                         : "(another space)");
    (void)printf("\n");
    (void)fflush(stdout);
}

static void measure_argument(char *argument)
{
    char name[DEFINITION_NAME_MAX];
    struct pz_error error = {0};
    struct pz_space *text = NULL, *twin = NULL;
    const struct pz_setup setup = {0};
    char *equals = strchr(argument, '=');
    if (equals != NULL)
        *equals = '\0';
    if (!define_file(argument, name) || space_open(name, &setup, &text, &error) != PZ_OK ||
        (equals != NULL && space_open(equals + 1, &setup, &twin, &error) != PZ_OK))
        (void)fprintf(stderr, "%s: %s\n", argument, error.text);
    else
        measure(argument, text, twin);
    space_close(text);
    space_close(twin);
}

int main(int count, char **arguments)
{
    (void)printf("%-44s %10s %5s %8s %7s %7s\n", "definition", "states", "depth", "ms", "M/s", "x twin");
    for (int i = 1; i < count; i++)
        measure_argument(arguments[i]);
    return 0;
}
