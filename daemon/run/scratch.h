/* SPDX-License-Identifier: MIT */
/*
 * Scratch space of jobs: a directory "job-N" for each, in a directory that belongs to the daemon alone. It
 * outlives the daemon, so that a job that was cut off finds its files again.
 */
#ifndef DAEMON_SCRATCH_H
#define DAEMON_SCRATCH_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCRATCH_PATH_MAX = 4096 };

/* Makes the directory of all jobs where it is missing, and locks it until *lock is closed, or the daemon
 * ends. Returns PZ_BUSY if another daemon has it. */
enum pz_status scratch_open(const char *base, int *lock, struct pz_error *error);
/* Removes the directories of all jobs that will not run and cannot go on. */
void scratch_sweep(const char *base, bool (*will_run)(const void *context, uint64_t job),
                   const void *context);
/* Makes a job's directory, if it is missing, and writes its path. Anything else of that name is removed
 * first; a symbolic link is not followed. *held is how many bytes it holds already, *room how many it may
 * hold: limit, or, if that is 0, what it holds and nine tenths of the free space; both 0 after a failure. */
enum pz_status scratch_begin(const char *base, uint64_t job, uint64_t limit, char path[SCRATCH_PATH_MAX],
                             uint64_t *held, uint64_t *room, struct pz_error *error);
/* Returns how many bytes a new job may take there: limit, or if that is 0 nine tenths of what is free. */
uint64_t scratch_room(const char *base, uint64_t limit);
/* Removes a job's directory with all that is in it, if it is there. */
void scratch_end(const char *base, uint64_t job);

#endif
