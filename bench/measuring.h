/* SPDX-License-Identifier: MIT */
/* Time, medians, arguments, spaces and their explorations, as the programs here need them. */
#ifndef BENCH_MEASURING_H
#define BENCH_MEASURING_H

#include "base/clock.h"
#include "explore/explore.h"
#include "space/registry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline _Noreturn void die(const struct pz_error *error)
{
    (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, error->text);
    exit(1);
}

static inline _Noreturn void die_of(const char *what)
{
    perror(what);
    exit(1);
}

/* Returns the seconds of processor time of all threads: what a busy machine leaves comparable. */
static inline double processor_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Sorts the values, and returns the middle one. */
static inline double median(double *values, unsigned count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

/* Returns what follows the name, such as "threads=", in one of the arguments. */
static inline const char *argument_of(int argc, char **argv, const char *name, const char *without)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, strlen(name)) == 0)
            return argv[i] + strlen(name);
    return without;
}

static inline unsigned number_of(int argc, char **argv, const char *name, unsigned without)
{
    const char *text = argument_of(argc, argv, name, NULL);
    return text != NULL ? (unsigned)strtoul(text, NULL, 10) : without;
}

/* goal: NULL for the usual one. */
static inline struct pz_space *open_space(const char *puzzle, const char *goal)
{
    struct pz_space *space = NULL;
    struct pz_error error;
    const struct pz_setup setup = {.goal = goal};
    if (space_open(puzzle, &setup, &space, &error) != PZ_OK)
        die(&error);
    return space;
}

/* Explores a space from its root, as the request says otherwise, in so much memory. */
static inline enum pz_status explore_in(uint64_t memory, const struct pz_space *space,
                                        struct explore_request request, const struct explore_sink *sink,
                                        struct explore_result *result, struct pz_error *error)
{
    uint64_t root[PZ_STATE_MAX / 8];
    struct budget budget;
    struct control control = {0};
    const enum pz_status status = space->puzzle->root(space, root, error);
    if (status != PZ_OK)
        return status;
    budget_init(&budget, NULL, memory);
    request.space = space;
    request.root = root;
    request.budget = &budget;
    return explore_run(&request, &control, sink, result, error);
}

#endif
