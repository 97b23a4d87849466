/* SPDX-License-Identifier: MIT */
/* Scratch space of jobs: a directory for each, "job-N", in one that is the daemon's alone. */
#ifndef DAEMON_SCRATCH_H
#define DAEMON_SCRATCH_H

#include "puzzled/status.h"

#include <stdint.h>

enum { SCRATCH_PATH_MAX = 4096 };

/* Makes the directory of all jobs where it is missing, and removes from it what a crash has left. */
enum pz_status scratch_open(const char *base, struct pz_error *error);
/* Makes a job's directory and writes its path. Returns how many bytes it may take: limit, or where that is 0
 * what is free but a tenth; 0 when the directory cannot be made. */
uint64_t scratch_begin(const char *base, uint64_t job, uint64_t limit, char path[SCRATCH_PATH_MAX]);
/* Removes it with all that is in it. */
void scratch_end(const char *path);

#endif
