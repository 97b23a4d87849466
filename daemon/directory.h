/* SPDX-License-Identifier: MIT */
#ifndef DAEMON_DIRECTORY_H
#define DAEMON_DIRECTORY_H

#include "puzzled/status.h"

/* Makes a directory and those above it that are missing; one that is there stays as it is. */
enum pz_status directory_make(const char *path, unsigned mode, struct pz_error *error);
/* Refuses a directory that belongs to somebody else, and what is no directory. */
enum pz_status directory_is_own(const char *path, struct pz_error *error);

#endif
