/* SPDX-License-Identifier: MIT */
/*
 * Reads the lines that the ranks of a cluster write (ranks/rank_lines.h). They come from other processes on
 * other machines. So each number has a bound, each word must be a known one, and texts are cleaned. The sink
 * gets a level only after its line has passed these checks.
 */
#ifndef DAEMON_CLUSTER_LINES_H
#define DAEMON_CLUSTER_LINES_H

#include "explore/explore.h"

#include <stddef.h>

struct cluster_lines {
    const struct pz_space *space; /* that is searched */
    uint32_t depth;               /* the last level that was asked for */
    uint64_t job;                 /* for the log */
    struct control *control;
    const struct explore_sink *sink;
    struct explore_result *result;
    /* What was reported so far; all zeros at first. */
    struct progress progress;
    bool greeted, ended;
    bool has_examples;     /* of the last level */
    uint32_t levels;       /* complete ones */
    uint64_t level_states; /* of the last level */
};

/* Takes one line. Returns PZ_UNSUPPORTED for an unexpected line, PZ_INTERNAL if the numbers cannot be true,
 * the status that a rank reports, or that of the sink. */
enum pz_status cluster_lines_take(struct cluster_lines *lines, const char *line, size_t length,
                                  struct pz_error *error);

#endif
