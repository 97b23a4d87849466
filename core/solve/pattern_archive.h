/* SPDX-License-Identifier: MIT */
/* Keeps pattern databases. */
#ifndef SOLVE_PATTERN_ARCHIVE_H
#define SOLVE_PATTERN_ARCHIVE_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Pattern databases come from and go to the caller through this: solve/ knows no LMDB. Names are like
 * "pdb:4x4:7-8:…". A view stays valid until release. Called by the thread that called solve_run only.
 */
struct pattern_archive {
    void *context;
    /* PZ_OK and the bytes, verified and not to be written to; PZ_NO_TABLE when there is none; PZ_CANCELLED,
     * as from save, when the search is to end. After any other error, PZ_STORAGE for damage, the database is
     * built again. */
    enum pz_status (*load)(void *context, const char *name, const uint8_t **bytes, size_t *length,
                           struct pz_error *error);
    void (*release)(void *context, const uint8_t *bytes);
    enum pz_status (*save)(void *context, const char *name, const uint8_t *bytes, size_t length,
                           struct pz_error *error);
};

#endif
