/* SPDX-License-Identifier: MIT */
/* The command line of puzzled-ranks. */
#ifndef RANK_OPTIONS_H
#define RANK_OPTIONS_H

#include "explore/explore.h"
#include "protocol/limits.h"

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
    bool daemon;        /* a daemon reads standard output */
    bool clear;         /* remove what a daemon's exploration left in scratch, and explore nothing */
    bool help, version; /* print that, and exit */
};

/* Returns PZ_BAD_REQUEST with the reason if the command line is wrong. */
enum pz_status options_read(int count, char **words, struct options *options, struct pz_error *error);
/* Returns the text of --help. */
const char *options_help(void);

#endif
