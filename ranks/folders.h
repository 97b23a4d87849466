/* SPDX-License-Identifier: MIT */
/*
 * The folders of a scratch directory. Rank N has DIR/rank-N, or DIR/job-NUMBER/rank-N if a daemon started
 * the ranks: a daemon has many explorations in one directory. A rank locks its folder while it runs.
 */
#ifndef FOLDERS_H
#define FOLDERS_H

#include "puzzled/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum { FOLDERS_ROOM = 32 /* for "/rank-N" behind the path of all ranks */ };

/* Writes the path of the folder of all ranks. job: the number of a daemon's exploration; 0 for none. Returns
 * PZ_BAD_REQUEST if it is too long. */
enum pz_status folders_name(const char *directory, uint64_t job, char path[PATH_MAX], struct pz_error *error);
/* Refuses the directory that was asked for if others may write to it (base/own_files.h). */
enum pz_status folders_check(const char *directory, struct pz_error *error);
/* Makes a folder if it is not there. */
enum pz_status folders_make(const char *path, struct pz_error *error);
/* Makes a rank's folder if it is not there, and locks it. *lock becomes the file that holds the lock; -1
 * after a failure. Returns PZ_BUSY if another run has the folder, or is just removing it; may_vanish: or the
 * one above it. */
enum pz_status folders_lock(const char *path, bool may_vanish, int *lock, struct pz_error *error);
/* Removes the ranks' folders that nobody has locked, inside the folder of all ranks. Returns true if no
 * rank's folder is left. */
bool folders_remove_ranks(const char *path);
/* Removes what ranks on this machine have kept for a daemon's exploration. Waits at most a minute until they
 * have ended. */
void folders_clear(const char *directory, uint64_t job);

#endif
