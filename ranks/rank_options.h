/* SPDX-License-Identifier: MIT */
/* The command line of puzzled-ranks. */
#ifndef RANK_OPTIONS_H
#define RANK_OPTIONS_H

#include "explore/explore.h"
#include "protocol/limits.h"
#include "protocol/text/option_table.h"

#include <stdbool.h>

/* Strings that are pointed to are in argv. */
struct options {
    char request[PROTOCOL_LINE_MAX + 1]; /* the question, as a daemon would be asked: EXPLORE 4x4 depth=20 */
    unsigned threads;                    /* of a rank; 0 if not given */
    uint64_t memory;                     /* bytes that a rank may take; 0 if not given */
    uint64_t seed;       /* of the examples; names the folder of a daemon's exploration in scratch */
    const char *report;  /* a file; NULL if not given */
    const char *plugins; /* a directory; NULL if not given */
    const char *define;  /* a file with a definition, of rank 0; NULL if not given */
    const char *scratch; /* a directory; each rank uses a folder of its own in it */
    enum engine engine;  /* that auto means */
    bool stats;
    bool daemon; /* a daemon reads standard output */
    bool clear;  /* remove what a daemon's exploration left in scratch, and explore nothing */
};

extern const struct program rank_program;

/* Returns PZ_BAD_REQUEST with the reason if the command line is wrong. *line keeps what was given; with
 * --help or --version nothing else is looked at. */
enum pz_status options_read(int count, char **words, struct options *options, struct program_line *line,
                            struct pz_error *error);

#endif
