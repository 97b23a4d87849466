/* SPDX-License-Identifier: MIT */
/* The request and the findings of a plugin's check. */
#ifndef SPACE_CHECK_CHECK_OPTIONS_H
#define SPACE_CHECK_CHECK_OPTIONS_H

#include "puzzled/space.h"

struct plugin_check_options {
    const struct pz_puzzle *puzzle;
    const char *size; /* what follows the colon; NULL for that of the puzzle's example */
    uint64_t seed;
    /* Reports, in one line, a promise that was broken; once for each promise. */
    void (*broken)(void *context, const char *line);
    /* The function of that name is called next: for who looks after the process has died. */
    void (*calling)(void *context, const char *function);
    void *context;
};

struct plugin_check_result {
    unsigned broken;             /* promises */
    uint64_t states;             /* that were looked at */
    uint64_t near;               /* states found around the root */
    bool whole;                  /* they are all that can be reached */
    char name[PZ_SIZE_MAX + 64]; /* of the space */
};

#endif
