/* SPDX-License-Identifier: MIT */
/* The command line of puzzled-ranks. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "explore/explore.h"
#include "puzzled/space.h"

#include <stdbool.h>

enum { OPTIONS_KEYS_MAX = 24 };

/* All strings are in argv. */
struct options {
    const char *puzzle;
    struct pz_key keys[OPTIONS_KEYS_MAX]; /* key=value words */
    size_t key_count;
    uint32_t depth;      /* EXPLORE_NO_LIMIT for all levels */
    unsigned threads;    /* of a rank; 0 if not given */
    uint64_t memory;     /* of a rank, bytes; 0 if not given */
    uint64_t seed;       /* of the examples; names the folder of a daemon's exploration in scratch */
    const char *report;  /* a file; NULL if not given */
    const char *plugins; /* a directory; NULL if not given */
    const char *scratch; /* likewise; each rank uses a folder of its own in it */
    enum engine engine;
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
